/** The day in the name of a delivery, where files state none. */
import { isRegisterDate } from '../../record/dates.ts';

/** `JPW_20250702.zip`, `WEEKLY_2026-11-17.zip`. */
const DAY = /(?<!\d)(?<year>(?:19|20)\d{2})-?(?<month>\d{2})-?(?<day>\d{2})(?!\d)/g;

/** The last calendar day that the name holds; null if it holds none. `pattern`: global, with year, month and day. */
export function findLastDay(name: string, pattern: RegExp = DAY): string | null {
  const days = [...name.matchAll(pattern)].map(({ groups }) => `${groups!.year}-${groups!.month}-${groups!.day}`);
  return days.findLast(isRegisterDate) ?? null;
}
