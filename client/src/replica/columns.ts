/**
 * The columns of a replica's table, derived from the contract's fields. Databases without list types store lists as
 * JSON.
 */
import { FILTER_DATES } from '@tmds/contract/enums';
import { CONTENT_FIELDS, type ContentField, type FieldType, type TrademarkDetail } from '@tmds/contract/record';

export const TABLE = 'trademarks';
export const STATE_TABLE = 'trademarks_replica';
/** A row for each owner of a record. */
const OWNERS_TABLE = 'trademark_owners';
/** A row for each Nice class of a record. */
const CLASSES_TABLE = 'trademark_classes';

/** A table with a row for each element of a list of the record. */
export interface ListTable {
  readonly table: string;
  readonly element: string;
  readonly list: ContentField;
  readonly type: 'text' | 'integer';
}

export const LIST_TABLES: readonly ListTable[] = [
  { table: OWNERS_TABLE, element: 'owner_name', list: 'owner_names', type: 'text' },
  { table: CLASSES_TABLE, element: 'nice_class', list: 'nice_classes', type: 'integer' },
];

/** A row for each number by which a list may name a record, in the form that searches compare. */
export const NUMBERS_TABLE = 'trademark_numbers';
/** Its name while it lacks the numbers of some records, so that no query takes it for complete. */
export const NUMBERS_UNFINISHED = `${NUMBERS_TABLE}_unfinished`;
/** Records whose numbers are filed in one transaction when the table is made. */
export const NUMBERS_BATCH_RECORDS = 5_000;

export type ColumnKind = 'text' | 'date' | 'instant' | 'integers' | 'texts';

export interface Column {
  readonly name: Exclude<keyof TrademarkDetail, 'payload'>;
  readonly kind: ColumnKind;
  readonly nullable: boolean;
}

const KINDS = {
  text: 'text',
  code: 'text',
  enum: 'text',
  date: 'date',
  integers: 'integers',
  texts: 'texts',
  codes: 'texts',
  names: 'texts',
} as const satisfies Record<FieldType, ColumnKind>;

/** Every field of a record except the payload, in the contract's order. */
export const COLUMNS: readonly Column[] = [
  ...Object.entries(CONTENT_FIELDS).map(([name, field]) => ({
    name: name as ContentField,
    kind: KINDS[field.type],
    nullable: field.nullable,
  })),
  { name: 'record_update_date', kind: 'date', nullable: true },
  { name: 'first_seen_at', kind: 'instant', nullable: false },
  { name: 'updated_at', kind: 'instant', nullable: false },
];

export const IDENTITY = ['jurisdiction_code', 'uid'] as const;

/** The columns with an index: dates that the service filters by, and numbers as the register writes them. */
export const INDEXED_COLUMNS = [...FILTER_DATES, 'application_number', 'registration_number'] as const;
