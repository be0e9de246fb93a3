/** How a register's age compares with how often it is usually loaded. */
import type { RegisterRhythm } from '../../store/records/registers.ts';

/** `unknown`: never loaded, or not often enough to have a rhythm. */
export type Freshness = 'fresh' | 'due' | 'late' | 'unknown';

/** From this many usual intervals on, a register is late. */
const LATE_INTERVALS = 2;

export function judgeFreshness({ age_days: age, rhythm_days: rhythm }: RegisterRhythm): Freshness {
  if (age === null || rhythm === null) return 'unknown';
  if (age > LATE_INTERVALS * rhythm) return 'late';
  return age > rhythm ? 'due' : 'fresh';
}
