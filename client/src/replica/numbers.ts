/**
 * The rows of the table of numbers that follow from records: in the form that the service compares, by the same code
 * (`contract/src/numbers.ts`). Databases cannot derive them, because the form is not theirs.
 */
import { listRecordNumbers, type RecordNumberKind } from '@tmds/contract/numbers';
import type { TrademarkDetail } from '@tmds/contract/record';
import { NUMBERS_TABLE } from './columns.ts';
import type { DerivedTable, RecordIdentity } from './sink.ts';

/** The columns of a record from which its rows follow. */
export const NUMBERED_COLUMNS = [
  'jurisdiction_code',
  'uid',
  'application_number',
  'registration_number',
  'international_registration_numbers',
] as const satisfies readonly (keyof TrademarkDetail)[];

export type NumberedRecord = Pick<TrademarkDetail, (typeof NUMBERED_COLUMNS)[number]>;

export interface NumberRow extends RecordIdentity {
  readonly number: string;
  readonly kind: RecordNumberKind;
}

export function listNumberRows(record: NumberedRecord): NumberRow[] {
  const { jurisdiction_code, uid } = record;
  const rows = listRecordNumbers(record).map(({ number, kind }) => ({ number, kind, jurisdiction_code, uid }));
  return [...new Map(rows.map((row) => [`${row.kind}\n${row.number}`, row])).values()];
}

/** Compares the rows of each record with those that are held for it. */
export class NumbersComparison {
  #rows = 0;
  #found = 0;

  add(record: NumberedRecord, held: readonly (readonly [kind: string, number: string])[]): void {
    const known = new Set(held.map(([kind, number]) => `${kind}\n${number}`));
    for (const { kind, number } of listNumberRows(record)) {
      this.#rows += 1;
      if (known.has(`${kind}\n${number}`)) this.#found += 1;
    }
  }

  /** @param total the rows of the table */
  end(total: number): DerivedTable {
    return {
      table: NUMBERS_TABLE,
      rows: this.#rows,
      missing: this.#rows - this.#found,
      extra: total - this.#found,
    };
  }
}
