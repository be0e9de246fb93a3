/**
 * Rows of CSV (RFC 4180) for spreadsheets, which run a text that looks like a formula: such a cell begins with an
 * apostrophe, by which spreadsheets know text. Nothing else is altered.
 */

/** What spreadsheets take for the beginning of a formula, in both widths, also after blanks. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/u;

/** A list is one cell. */
function encodeCell(value: unknown): string {
  const text = Array.isArray(value) ? value.join('; ') : String(value ?? '');
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function encodeRow(values: readonly unknown[]): string {
  return `${values.map(encodeCell).join(',')}\r\n`;
}
