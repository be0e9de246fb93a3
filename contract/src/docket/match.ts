/** Decides which record a row of a docket is about, by its numbers alone and never by the cells to compare. */
import { listRecordNumbers, type RecordNumberKind } from '../numbers.ts';
import type { TrademarkDetail } from '../record.ts';
import type { DocketRow } from './rows.ts';

/** The part of a record that a docket is compared with. */
export type DocketRecord = Pick<
  TrademarkDetail,
  | 'jurisdiction_code'
  | 'uid'
  | 'application_number'
  | 'registration_number'
  | 'international_registration_numbers'
  | 'mark_name'
  | 'status'
  | 'tm5_status'
  | 'owner_names'
  | 'nice_classes'
  | 'application_date'
  | 'registration_date'
  | 'renewal_date'
  | 'expiry_date'
  | 'updated_at'
>;

/** Copies the compared fields, so that the rest of the answer can be released. */
export function keepRecord(record: DocketRecord): DocketRecord {
  return {
    jurisdiction_code: record.jurisdiction_code,
    uid: record.uid,
    application_number: record.application_number,
    registration_number: record.registration_number,
    international_registration_numbers: record.international_registration_numbers,
    mark_name: record.mark_name,
    status: record.status,
    tm5_status: record.tm5_status,
    owner_names: record.owner_names,
    nice_classes: record.nice_classes,
    application_date: record.application_date,
    registration_date: record.registration_date,
    renewal_date: record.renewal_date,
    expiry_date: record.expiry_date,
    updated_at: record.updated_at,
  };
}

interface Held {
  readonly record: DocketRecord;
  readonly kind: RecordNumberKind;
}

/** Records by register and each of their numbers. */
export class RecordsByNumber {
  private readonly held = new Map<string, Held[]>();

  add(record: DocketRecord): void {
    for (const { kind, number } of listRecordNumbers(record)) this.file(record, kind, number);
  }

  private file(record: DocketRecord, kind: Held['kind'], form: string): void {
    const key = keyOf(record.jurisdiction_code, form);
    const held = this.held.get(key);
    if (held === undefined) this.held.set(key, [{ record, kind }]);
    else held.push({ record, kind });
  }

  /** The record of a row, or the records that it may be. */
  find({ register, numbers }: DocketRow): DocketRecord[] {
    const matches = new Map<DocketRecord, number>();
    for (const number of numbers) {
      for (const record of this.findNumber(register ?? '', number)) matches.set(record, (matches.get(record) ?? 0) + 1);
    }
    // A row means the record that has both of its numbers, not one that has only one of them.
    const most = Math.max(0, ...matches.values());
    return [...matches].filter(([, count]) => count === most).map(([record]) => record);
  }

  /** As written comes before every other form, and a number of the kind of the row's before one of another kind. */
  private findNumber(register: string, { kind: wanted, forms }: DocketRow['numbers'][number]): Set<DocketRecord> {
    const listed = (among: readonly string[]): Held[] =>
      among.flatMap((form) => this.held.get(keyOf(register, form)) ?? []);
    const [written = '', ...others] = forms;
    const asWritten = listed([written]);
    const all = asWritten.length > 0 ? asWritten : listed(others);
    const own = all.filter(({ kind }) => kind === wanted);
    return new Set((own.length > 0 ? own : all).map(({ record }) => record));
  }
}

/** No number has the separator, because blanks in it are single blanks. */
function keyOf(register: string, form: string): string {
  return `${register}\n${form}`;
}
