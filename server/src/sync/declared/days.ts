/** Converts calendar days to numbers, so that periods can be counted: days since 1970-01-01, in UTC. */

export const DAY_MS = 86_400_000;

/** Null unless the text is a day of the calendar, `YYYY-MM-DD`. */
export function toDate(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const ms = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(ms)) return null;
  const day = ms / DAY_MS;
  return dayOf(day) === text ? day : null;
}

export function dayOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** 0 = Sunday. */
export function weekdayOf(day: number): number {
  return (((day + 4) % 7) + 7) % 7;
}

/** The week of ISO 8601 that a day is in: `2026-W47`. It belongs to the year of its Thursday. */
export function isoWeekOf(day: number): string {
  const thursday = day - ((weekdayOf(day) + 6) % 7) + 3;
  const year = dayOf(thursday).slice(0, 4);
  const first = toDate(`${year}-01-01`) ?? 0;
  return `${year}-W${String(Math.floor((thursday - first) / 7) + 1).padStart(2, '0')}`;
}

/** The Sunday of a week `YYYY-Www`; null for a week of no number. */
export function lastDayOfWeek(week: string): number | null {
  const number = Number(week.slice(6));
  if (number < 1 || number > 53) return null;
  const fourth = toDate(`${week.slice(0, 4)}-01-04`);
  if (fourth === null) return null;
  const monday = fourth - ((weekdayOf(fourth) + 6) % 7);
  return monday + (number - 1) * 7 + 6;
}

/** The last day of a month `YYYY-MM`. */
export function lastDayOfMonth(month: string): number | null {
  for (const last of [31, 30, 29, 28]) {
    const day = toDate(`${month}-${last}`);
    if (day !== null) return day;
  }
  return null;
}
