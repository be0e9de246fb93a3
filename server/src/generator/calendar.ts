/**
 * Days as numbers and as text. A day number counts the days since 1970-01-01. It does not use `Date`, so time zones
 * cannot shift a day. Covers the years 1800 to 2199 of the Gregorian calendar.
 */
import { OperatorError } from '../base/errors.ts';

const CUMULATIVE = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

function daysInMonth(year: number, month: number): number {
  return month === 2 && isLeap(year) ? 29 : (MONTH_DAYS[month - 1] as number);
}

/** The day number of 1 January. */
function yearStart(year: number): number {
  const before = year - 1;
  return before * 365 + Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / 400) - 719_162;
}

export function dayOf(year: number, month: number, day: number): number {
  const leap = month > 2 && isLeap(year) ? 1 : 0;
  return yearStart(year) + (CUMULATIVE[month - 1] as number) + leap + day - 1;
}

export interface CalendarDay {
  year: number;
  month: number;
  day: number;
}

export function splitDay(dayNumber: number): CalendarDay {
  let year = 1970 + Math.floor(dayNumber / 365.2425);
  if (yearStart(year) > dayNumber) year -= 1;
  else if (yearStart(year + 1) <= dayNumber) year += 1;
  let rest = dayNumber - yearStart(year);
  let month = 1;
  while (rest >= daysInMonth(year, month)) {
    rest -= daysInMonth(year, month);
    month += 1;
  }
  return { year, month, day: rest + 1 };
}

export function yearOf(dayNumber: number): number {
  return splitDay(dayNumber).year;
}

/** The same day of the month `months` later, or the last day of that month. */
export function addMonths(dayNumber: number, months: number): number {
  const { year, month, day } = splitDay(dayNumber);
  const count = year * 12 + month - 1 + months;
  const newYear = Math.floor(count / 12);
  const newMonth = (count % 12) + 1;
  return dayOf(newYear, newMonth, Math.min(day, daysInMonth(newYear, newMonth)));
}

export function addYears(dayNumber: number, years: number): number {
  return addMonths(dayNumber, years * 12);
}

const FIRST_KEPT = dayOf(1890, 1, 1);
const LAST_KEPT = dayOf(2049, 12, 31);
const kept: string[] = new Array(LAST_KEPT - FIRST_KEPT + 1).fill('');

function printDay(dayNumber: number): string {
  const { year, month, day } = splitDay(dayNumber);
  return `${year}-${month < 10 ? '0' : ''}${month}-${day < 10 ? '0' : ''}${day}`;
}

/** `YYYY-MM-DD`. Caches the texts of common days, at most 58,440. */
export function dayText(dayNumber: number): string {
  if (dayNumber < FIRST_KEPT || dayNumber > LAST_KEPT) return printDay(dayNumber);
  const known = kept[dayNumber - FIRST_KEPT] as string;
  if (known !== '') return known;
  const text = printDay(dayNumber);
  kept[dayNumber - FIRST_KEPT] = text;
  return text;
}

/** The day number of `YYYY-MM-DD`; null when the text is not a day from 1800 to 2199. */
export function findDay(text: string): number | null {
  if (!/^(1[89]\d\d|2[01]\d\d)-\d\d-\d\d$/.test(text)) return null;
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return null;
  return dayOf(year, month, day);
}

/** @throws OperatorError when `text` is not a calendar day */
export function parseDay(text: string, name: string): number {
  const day = findDay(text);
  if (day === null) {
    throw new OperatorError(`${name} must be a calendar date such as 2026-11-01, not "${text}"`, { exitStatus: 2 });
  }
  return day;
}
