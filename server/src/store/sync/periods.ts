/** How the period of a file, as it is stored, is written for people. */

/** As people write it: `2240`, `2025-12-31 part 3`. */
export function showPeriod(label: string): string {
  const [base = '', part] = label.split('/');
  const shown = /^\d{9}$/.test(base) ? String(Number(base)) : base;
  return part === undefined ? shown : `${shown} part ${Number(part)}`;
}
