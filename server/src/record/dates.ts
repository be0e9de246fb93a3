/** Register dates are text, compared as text. `Date` never touches them: it would shift days across time zones. */

const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const HYPHEN = 45;
const ZERO = 48;

/** Whether a text is a real calendar date `YYYY-MM-DD` from 0001-01-01 on (rule I-15). */
export function isRegisterDate(text: string): boolean {
  if (text.length !== 10 || text.charCodeAt(4) !== HYPHEN || text.charCodeAt(7) !== HYPHEN) return false;
  const [year, month, day] = [readDigits(text, 0, 4), readDigits(text, 5, 7), readDigits(text, 8, 10)];
  if (year < 1 || month < 1 || month > 12 || day < 1) return false;
  const leapDay = month === 2 && isLeapYear(year) ? 1 : 0;
  return day <= (MONTH_DAYS[month - 1] ?? 0) + leapDay;
}

/** The number that these characters write; negative where one of them is no digit. */
export function readDigits(text: string, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at += 1) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

export function isLeapYear(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

/** Days from 2000-01-01 to a calendar date of the Gregorian calendar, as PostgreSQL counts them. */
export function countDays(date: string): number {
  // A year that begins in March has its leap day last, and each month of it begins on a day that a line gives.
  const month = readDigits(date, 5, 7);
  const year = readDigits(date, 0, 4) - (month < 3 ? 1 : 0);
  const monthFromMarch = month < 3 ? month + 9 : month - 3;
  const dayOfYear = Math.floor((153 * monthFromMarch + 2) / 5) + readDigits(date, 8, 10) - 1;
  return 365 * year + Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400) + dayOfYear - 730_425;
}
