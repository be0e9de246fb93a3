/** Units by key, product and day as a CSV file (RFC 4180), made so that no spreadsheet takes a name for a formula. */
import type { Download } from '../frame/call.ts';
import { nameOf } from '../keys/wording.ts';
import type { KeyDays } from './report.ts';

const HEADER = ['day', 'key_id', 'key_name', 'product', 'units'];

export function buildUsageFile({ keys, month, days }: KeyDays): Download {
  const names = new Map(keys.map((key) => [key.id, nameOf(key)]));
  const rows = days.map(({ day, key_id, product, units }) => [
    day,
    key_id,
    names.get(key_id) ?? '',
    product,
    String(units),
  ]);
  const text = [HEADER, ...rows].map((row) => `${row.map(encodeCell).join(',')}\r\n`).join('');
  return { file: `usage-${month}.csv`, type: 'text/csv; charset=utf-8', text };
}

/** A cell that begins like a formula gets an apostrophe first, by which spreadsheets know text. */
function encodeCell(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
