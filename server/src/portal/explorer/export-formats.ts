/**
 * The formats of an exported search. NDJSON has each record as the API delivers it; CSV (`csv.ts`) and Excel are for
 * spreadsheets. A file whose last row is a record is whole; any other ends with why it stops and where to continue.
 */

import { encodeRow } from '@tmds/contract/csv';
import { CONTENT_FIELDS, SERVICE_FIELDS, type TrademarkDetail } from '@tmds/contract/record';
import { writeXlsxStream } from 'hucre/xlsx';
import { stringify } from 'lossless-json';

export interface ExportEnd {
  /** `part_complete`, or the code of the refusal. */
  readonly reason: string;
  /** The address of the page that continues. */
  readonly continueAt: string;
}

/** The records of a page, or, after the last of them, why the file ends early. */
export type ExportPart = readonly TrademarkDetail[] | ExportEnd;

export interface ExportFormat {
  readonly title: string;
  readonly extension: string;
  readonly type: string;
  /** Holds no more than a part at a time. */
  readonly encode: (parts: AsyncIterable<ExportPart>) => AsyncIterable<string | Uint8Array>;
}

const FIELDS = [...Object.keys(CONTENT_FIELDS), ...Object.keys(SERVICE_FIELDS)] as (keyof TrademarkDetail)[];
const DATE_FIELDS: ReadonlySet<string> = new Set([
  ...Object.entries(CONTENT_FIELDS).flatMap(([field, { type }]) => (type === 'date' ? [field] : [])),
  'record_update_date',
]);

interface TextFormat {
  /** Before the first record. */
  readonly head: string;
  readonly encodeRecord: (record: TrademarkDetail) => string;
  readonly encodeEnd: (end: ExportEnd) => string;
}

function textEncoder({ head, encodeRecord, encodeEnd }: TextFormat): ExportFormat['encode'] {
  return async function* (parts) {
    yield head;
    for await (const part of parts) yield isEnd(part) ? encodeEnd(part) : part.map(encodeRecord).join('');
  };
}

function isEnd(part: ExportPart): part is ExportEnd {
  return 'reason' in part;
}

const describeEnd = ({ reason, continueAt }: ExportEnd): string =>
  `Not complete (${reason}). Continue at ${continueAt}`;

/** What Excel keeps of a text (specification of Excel, "total number of characters that a cell can contain"). */
const CELL_CHARACTERS_MAX = 32_767;
const CUT = ' … (cut: Excel holds no more in a cell)';
/** Excel counts days from 1900; what is older stays text. */
const FIRST_DAY = '1900-03-01';

type Cell = string | number | Date | null;

function buildCell(field: string, value: unknown): Cell {
  if (value === null || value === undefined) return null;
  const text = Array.isArray(value) ? value.join('; ') : String(value);
  if (DATE_FIELDS.has(field) && text >= FIRST_DAY) return new Date(`${text}T00:00:00Z`);
  if (text.length <= CELL_CHARACTERS_MAX) return text;
  return text.slice(0, CELL_CHARACTERS_MAX - CUT.length) + CUT;
}

async function* listExcelRows(parts: AsyncIterable<ExportPart>): AsyncGenerator<Cell[]> {
  for await (const part of parts) {
    if (isEnd(part)) yield [describeEnd(part)];
    else for (const record of part) yield FIELDS.map((field) => buildCell(field, record[field]));
  }
}

function encodeExcel(parts: AsyncIterable<ExportPart>): AsyncIterable<Uint8Array> {
  const columns = FIELDS.map((field) => ({
    header: field,
    width: Math.max(12, field.length + 2),
    ...(DATE_FIELDS.has(field) ? { numFmt: 'yyyy-mm-dd' } : {}),
  }));
  return writeXlsxStream(listExcelRows(parts), { name: 'Trademarks', columns, freezePane: { rows: 1 } });
}

export const EXPORT_FORMATS: Readonly<Record<string, ExportFormat>> = {
  csv: {
    title: 'CSV',
    extension: 'csv',
    type: 'text/csv; charset=utf-8',
    encode: textEncoder({
      // The mark at the beginning tells spreadsheets that the text is UTF-8.
      head: `\uFEFF${encodeRow(FIELDS)}`,
      encodeRecord: (record) => encodeRow(FIELDS.map((field) => record[field])),
      encodeEnd: (end) => encodeRow([describeEnd(end)]),
    }),
  },
  excel: {
    title: 'Excel',
    extension: 'xlsx',
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    encode: encodeExcel,
  },
  ndjson: {
    title: 'NDJSON',
    extension: 'ndjson',
    type: 'application/x-ndjson; charset=utf-8',
    encode: textEncoder({
      head: '',
      encodeRecord: (record) => `${stringify(record)}\n`,
      encodeEnd: ({ reason, continueAt }) => `${JSON.stringify({ not_complete: reason, continue_at: continueAt })}\n`,
    }),
  },
};
