/**
 * The formats of an exported search. NDJSON has each record as the API delivers it. CSV is for spreadsheets (`csv.ts`).
 * A file whose last line is a record is whole; any other ends with why it stops and where to continue.
 */
import { CONTENT_FIELDS, SERVICE_FIELDS, type TrademarkDetail } from '@tmds/contract/record';
import { stringify } from 'lossless-json';
import { encodeRow } from '../frame/csv.ts';

export interface ExportEnd {
  /** `part_complete`, or the code of the refusal. */
  readonly reason: string;
  /** The address of the page that continues. */
  readonly continueAt: string;
}

export interface ExportFormat {
  readonly title: string;
  readonly extension: string;
  readonly type: string;
  /** Before the first record. */
  readonly head: string;
  readonly encodeRecord: (record: TrademarkDetail) => string;
  readonly encodeEnd: (end: ExportEnd) => string;
}

const FIELDS = [...Object.keys(CONTENT_FIELDS), ...Object.keys(SERVICE_FIELDS)] as (keyof TrademarkDetail)[];

export const EXPORT_FORMATS: Readonly<Record<string, ExportFormat>> = {
  csv: {
    title: 'CSV',
    extension: 'csv',
    type: 'text/csv; charset=utf-8',
    // The mark at the beginning tells spreadsheets that the text is UTF-8.
    head: `\uFEFF${encodeRow(FIELDS)}`,
    encodeRecord: (record) => encodeRow(FIELDS.map((field) => record[field])),
    encodeEnd: ({ reason, continueAt }) => encodeRow([`Not complete (${reason}). Continue at ${continueAt}`]),
  },
  ndjson: {
    title: 'NDJSON',
    extension: 'ndjson',
    type: 'application/x-ndjson; charset=utf-8',
    head: '',
    encodeRecord: (record) => `${stringify(record)}\n`,
    encodeEnd: ({ reason, continueAt }) => `${JSON.stringify({ not_complete: reason, continue_at: continueAt })}\n`,
  },
};
