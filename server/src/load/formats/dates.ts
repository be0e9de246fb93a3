/** How offices write days and instants, and the order of what they date. Nothing is converted that could move a day. */
import { isRegisterDate } from '../../record/dates.ts';

/** How a source writes dates: returns the calendar date of a text, or null when it is not one. */
export type DateForm = (text: string) => string | null;

/** `YYYYMMDD`. */
export function compactDate(text: string): string | null {
  if (!/^\d{8}$/.test(text)) return null;
  const date = `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`;
  return isRegisterDate(date) ? date : null;
}

/** `YYYY-MM-DD`. A time or zone after it is cut off, because converting to UTC could move the day. */
export function dashedDate(text: string): string | null {
  const match = /^(\d{4}-\d{2}-\d{2})(?:Z|[+-]\d{2}:\d{2}|T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?)?$/.exec(text);
  const date = match?.[1];
  return date !== undefined && isRegisterDate(date) ? date : null;
}

/** `DD/MM/YYYY`. */
export function brazilianDate(text: string): string | null {
  const [, day, month, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text) ?? [];
  const date = `${year}-${month}-${day}`;
  return isRegisterDate(date) ? date : null;
}

/** Year 1 of the Republic of China is 1912. */
const ROC_YEAR_OFFSET = 1911;

/** `109.12.15` of the Republic's calendar is 2020-12-15. */
export function rocDate(text: string): string | null {
  const match = /^(\d{1,3})\.(\d{1,2})\.(\d{1,2})$/.exec(text);
  return match === null ? null : calendarDate(Number(match[1]) + ROC_YEAR_OFFSET, match[2] ?? '', match[3] ?? '');
}

/** `1951/02/27`, or `2022/3/27`. */
export function slashedDate(text: string): string | null {
  const match = /^(\d{4})\/(\d{1,2})\/(\d{1,2})$/.exec(text);
  return match === null ? null : calendarDate(Number(match[1]), match[2] ?? '', match[3] ?? '');
}

function calendarDate(year: number, month: string, day: string): string | null {
  const date = `${String(year).padStart(4, '0')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isRegisterDate(date) ? date : null;
}

const DATE = '(\\d{4}-\\d{2}-\\d{2})';
const TIME = '([01]\\d|2[0-3]):([0-5]\\d)(?::([0-5]\\d)(?:[.,](\\d+))?)?';
const ZONE = 'Z|([+-])([01]\\d|2[0-3]):?([0-5]\\d)?';
const STATED = new RegExp(`^${DATE}(?:[T ]${TIME})?(?:${ZONE})?$`, 'i');
const FRACTION_DIGITS = 9;

/** Null when the text is not an instant. */
export function orderInstant(text: string | null): string | null {
  const match = STATED.exec(text?.trim() ?? '');
  if (match === null) return null;
  const [, date = '', hour = '00', minute = '00', second = '00', fraction = '', sign, zoneHour, zoneMinute] = match;
  if (!isRegisterDate(date)) return null;
  const east = sign === '-' ? -1 : 1;
  const offsetMinutes = east * (Number(zoneHour ?? 0) * 60 + Number(zoneMinute ?? 0));
  const ms = Date.parse(`${date}T${hour}:${minute}:${second}Z`) - offsetMinutes * 60_000;
  const digits = fraction.slice(0, FRACTION_DIGITS).padEnd(FRACTION_DIGITS, '0');
  return `${new Date(ms).toISOString().slice(0, -'.000Z'.length)}.${digits}Z`;
}

/** `JPW_20250702.zip`, `WEEKLY_2026-11-17.zip`. */
const DAY = /(?<!\d)(?<year>(?:19|20)\d{2})-?(?<month>\d{2})-?(?<day>\d{2})(?!\d)/g;

/** The last calendar day that the name holds; null if it holds none. `pattern`: global, with year, month and day. */
export function findLastDay(name: string, pattern: RegExp = DAY): string | null {
  const days = [...name.matchAll(pattern)].map(({ groups }) => `${groups!.year}-${groups!.month}-${groups!.day}`);
  return days.findLast(isRegisterDate) ?? null;
}

/** The first of some days; null for none. */
export function earliestOf(days: readonly (string | null)[]): string | null {
  return days.filter((day) => day !== null).sort()[0] ?? null;
}

/** The last of some days; null for none. */
export function latestOf(days: readonly (string | null)[]): string | null {
  return days.reduce((a, b) => (a !== null && (b === null || b < a) ? a : b), null);
}
