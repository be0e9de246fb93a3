/**
 * Arithmetic of calendar days on texts `YYYY-MM-DD`. A day is counted from 1970-01-01; no time zone takes part. `Date`
 * is used in UTC alone, where every day has the same length.
 */
import type { DateText } from '@tmds/contract/record';

const MS_PER_DAY = 86_400_000;

/** A length of time as a statute states it. Months and years keep the day of the month, or its last day. */
export interface Term {
  readonly years?: number;
  readonly months?: number;
  readonly days?: number;
}

/** Days since 1970-01-01 of a real date. */
export function dayNumber(date: DateText): number {
  return Date.parse(`${date}T00:00:00Z`) / MS_PER_DAY;
}

export function fromDayNumber(day: number): DateText {
  return new Date(day * MS_PER_DAY).toISOString().slice(0, 10);
}

/** 0 is Sunday. */
export function weekday(date: DateText): number {
  return new Date(dayNumber(date) * MS_PER_DAY).getUTCDay();
}

/** The day a term after `date`, or before it if the term is negative. 31 January and one month is 28 or 29 February. */
export function addTerm(date: DateText, term: Term): DateText {
  const months = (term.years ?? 0) * 12 + (term.months ?? 0);
  const moved = months === 0 ? date : addMonths(date, months);
  return term.days === undefined ? moved : fromDayNumber(dayNumber(moved) + term.days);
}

export function subtractTerm(date: DateText, { years = 0, months = 0, days = 0 }: Term): DateText {
  return addTerm(date, { years: -years, months: -months, days: -days });
}

function addMonths(date: DateText, months: number): DateText {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  const count = year * 12 + month - 1 + months;
  const [newYear, newMonth] = [Math.floor(count / 12), (count % 12) + 1];
  return formatDate(newYear, newMonth, Math.min(day, lastDayOfMonth(newYear, newMonth)));
}

/** The last day of the month of `date`. */
export function endOfMonth(date: DateText): DateText {
  const [year = 0, month = 1] = date.split('-').map(Number);
  return formatDate(year, month, lastDayOfMonth(year, month));
}

function lastDayOfMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

export function formatDate(year: number, month: number, day: number): DateText {
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

/** Easter Sunday of the Gregorian calendar (the anonymous computus, as Meeus gives it in Astronomical Algorithms). */
export function easterSunday(year: number): DateText {
  const a = year % 19;
  const [b, c] = [Math.floor(year / 100), year % 100];
  const [d, e] = [Math.floor(b / 4), b % 4];
  const g = Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3);
  const h = (19 * a + b - d - g + 15) % 30;
  const l = (32 + 2 * e + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const n = h + l - 7 * m + 114;
  return formatDate(year, Math.floor(n / 31), (n % 31) + 1);
}
