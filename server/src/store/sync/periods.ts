/** How the period of a file is stored, so that byte order is the order of time, and how it is written for people. */

const NUMBER_DIGITS = 9;

/** For a number of a series: at most nine digits. */
export function labelNumber(number: number): string {
  return String(number).padStart(NUMBER_DIGITS, '0');
}

/** As people write it: `2240`, `2025-12-31 part 3`. */
export function showPeriod(label: string): string {
  const [base = '', part] = label.split('/');
  const shown = /^\d{9}$/.test(base) ? String(Number(base)) : base;
  return part === undefined ? shown : `${shown} part ${Number(part)}`;
}
