/**
 * The formats of an exported search. NDJSON has each record as the API delivers it. CSV is for spreadsheets, which run
 * a text that looks like a formula: such a cell begins with an apostrophe, and this is the only text that is altered.
 * A file whose last line is a record is whole; any other ends with why it stops and where to continue.
 */
import { CONTENT_FIELDS, SERVICE_FIELDS, type TrademarkDetail } from '@tmds/contract/record';
import { stringify } from 'lossless-json';

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

/** What spreadsheets take for the beginning of a formula, in both widths, also after blanks. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/u;

function encodeCell(value: unknown): string {
  const text = Array.isArray(value) ? value.join('; ') : String(value ?? '');
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function encodeRow(values: readonly unknown[]): string {
  return `${values.map(encodeCell).join(',')}\r\n`;
}

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
