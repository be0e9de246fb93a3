/** Register dates are text, compared as text. `Date` never touches them: it would shift days across time zones. */

const FORM = /^(\d{4})-(\d{2})-(\d{2})$/;
const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether a text is a real calendar date `YYYY-MM-DD` from 0001-01-01 on (rule I-15). */
export function isRegisterDate(text: string): boolean {
  const match = FORM.exec(text);
  if (match === null) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (year < 1 || month < 1 || month > 12 || day < 1) return false;
  const leapDay = month === 2 && isLeapYear(year) ? 1 : 0;
  return day <= (MONTH_DAYS[month - 1] ?? 0) + leapDay;
}

export function isLeapYear(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}
