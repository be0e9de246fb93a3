/** Samples of records that a test makes up. */
import type { DateText } from '@tmds/contract/record';
import { INTERVAL_COLUMNS, type IntervalColumn, type NameColumn } from '../../src/plan/filters.ts';
import { buildSample, type DrawnRecords, type RecordSample } from '../../src/plan/record-sample.ts';

export interface DrawnRecord extends Partial<Record<IntervalColumn, string>> {
  terms: readonly number[];
  names?: Partial<Record<NameColumn, string>>;
}

/** Each of them stands for so many stored records. */
export function sampleOf(records: readonly DrawnRecord[], weight = 1): RecordSample {
  const values = Object.fromEntries(
    INTERVAL_COLUMNS.map((column) => [
      column,
      Float64Array.from(records, (record) => numberOf(column, record[column])),
    ]),
  ) as DrawnRecords['values'];
  const terms = Int32Array.from(records.flatMap((record) => [record.terms.length, ...record.terms]));
  const namesOf = (column: NameColumn): string => records.map(({ names }) => names?.[column] ?? '').join('\n');
  const names = {
    mark_names: namesOf('mark_names'),
    owner_names: namesOf('owner_names'),
    representative_names: namesOf('representative_names'),
  };
  return buildSample({ size: records.length, values, terms, names }, records.length * weight);
}

function numberOf(column: IntervalColumn, text: DateText | undefined): number {
  if (text === undefined) return Number.NaN;
  return column === 'updated_at' ? Date.parse(text) : Number(text.replaceAll('-', ''));
}
