/** How a register's age compares with how often it is usually loaded. */
import type { RegisterRhythm } from '../../store/records/registers.ts';
import { type Level, renderBadge } from '../frame/components.ts';
import { formatCount } from '../frame/pieces.ts';

/** `unknown`: never loaded, or not often enough to have a rhythm. */
export type Freshness = 'fresh' | 'due' | 'late' | 'unknown';

/** From this many usual intervals on, a register is late. */
const LATE_INTERVALS = 2;

export function judgeFreshness({ age_days: age, rhythm_days: rhythm }: RegisterRhythm): Freshness {
  if (age === null || rhythm === null) return 'unknown';
  if (age > LATE_INTERVALS * rhythm) return 'late';
  return age > rhythm ? 'due' : 'fresh';
}

const FRESHNESS: Readonly<Record<Freshness, { readonly level: Level; readonly words: string }>> = {
  fresh: { level: 'good', words: 'on time' },
  due: { level: 'warn', words: 'due' },
  late: { level: 'bad', words: 'late' },
  unknown: { level: 'plain', words: 'new: no schedule known yet' },
};

export function renderFreshness(register: RegisterRhythm): unknown {
  const { level, words } = FRESHNESS[judgeFreshness(register)];
  return renderBadge(level, words);
}

/** `1 day`, `3 days`; at least one. */
export function describeDays(days: number): string {
  const whole = Math.max(1, Math.round(days));
  return whole === 1 ? '1 day' : `${formatCount(whole)} days`;
}
