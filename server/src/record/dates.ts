/**
 * Register dates are text and are compared as text. `Date` is never used, because it would shift days across time
 * zones.
 */

const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const HYPHEN = 45;
const ZERO = 48;

/** Whether a text is a real calendar date `YYYY-MM-DD`, 0001-01-01 or later (rule I-15). */
export function isRegisterDate(text: string): boolean {
  if (text.length !== 10 || text.charCodeAt(4) !== HYPHEN || text.charCodeAt(7) !== HYPHEN) return false;
  const [year, month, day] = [readDigits(text, 0, 4), readDigits(text, 5, 7), readDigits(text, 8, 10)];
  if (year < 1 || month < 1 || month > 12 || day < 1) return false;
  const leapDay = month === 2 && isLeapYear(year) ? 1 : 0;
  return day <= (MONTH_DAYS[month - 1] ?? 0) + leapDay;
}

/** The number written by characters [from, to); -1 if one of them is not a digit. */
export function readDigits(text: string, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at += 1) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

function isLeapYear(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}
