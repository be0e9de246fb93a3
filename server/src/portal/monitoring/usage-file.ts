/** Units by key, product and day as a CSV file. */

import { encodeRow } from '@tmds/contract/csv';
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
  const lines = [HEADER, ...rows].map(encodeRow);
  return { download: `usage-${month}.csv`, type: 'text/csv; charset=utf-8', chunks: [Buffer.from(lines.join(''))] };
}
