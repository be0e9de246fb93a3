/**
 * The formats of an exported search. Excel and CSV (`csv.ts`) are for people; NDJSON is for programs and has each
 * record as the API delivers it. A file whose last row is a record is whole; any other ends with why it stops and where
 * to continue.
 */
import { encodeRow } from '@tmds/contract/csv';
import type { TrademarkDetail } from '@tmds/contract/record';
import { stringify } from 'lossless-json';
import { EXCEL_TYPE, type SheetCell, writeExcel } from '../spreadsheet/excel.ts';
import { EXPORT_COLUMNS, type LinkRecord } from './columns.ts';

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
  readonly encode: (parts: AsyncIterable<ExportPart>, linkRecord: LinkRecord) => AsyncIterable<string | Uint8Array>;
}

interface TextFormat {
  /** Before the first record. */
  readonly head: string;
  readonly encodeRecord: (record: TrademarkDetail, linkRecord: LinkRecord) => string;
  readonly encodeEnd: (end: ExportEnd) => string;
}

function textEncoder({ head, encodeRecord, encodeEnd }: TextFormat): ExportFormat['encode'] {
  return async function* (parts, linkRecord) {
    yield head;
    for await (const part of parts)
      yield isEnd(part) ? encodeEnd(part) : part.map((record) => encodeRecord(record, linkRecord)).join('');
  };
}

function isEnd(part: ExportPart): part is ExportEnd {
  return 'reason' in part;
}

const describeEnd = ({ reason, continueAt }: ExportEnd): string => {
  const why = reason === 'part_complete' ? 'This file is full' : `This file is not complete (${reason})`;
  return `${why}. Continue at ${continueAt}`;
};

async function* listExcelRows(
  parts: AsyncIterable<ExportPart>,
  linkRecord: LinkRecord,
): AsyncGenerator<readonly SheetCell[]> {
  for await (const part of parts) {
    if (isEnd(part)) yield [describeEnd(part)];
    else for (const record of part) yield EXPORT_COLUMNS.map(({ cell }) => cell(record, linkRecord));
  }
}

function encodeExcel(parts: AsyncIterable<ExportPart>, linkRecord: LinkRecord): AsyncIterable<Uint8Array> {
  return writeExcel({ name: 'Trademarks', columns: EXPORT_COLUMNS, rows: listExcelRows(parts, linkRecord) });
}

/** In CSV a day is its text and a link its address. */
function plainCell(cell: SheetCell): string | number | null {
  if (cell === null || typeof cell !== 'object') return cell;
  return 'day' in cell ? cell.day : cell.href;
}

/** The first is the one that people use most. */
export const EXPORT_FORMATS: Readonly<Record<string, ExportFormat>> = {
  excel: { title: 'Excel', extension: 'xlsx', type: EXCEL_TYPE, encode: encodeExcel },
  csv: {
    title: 'CSV',
    extension: 'csv',
    type: 'text/csv; charset=utf-8',
    encode: textEncoder({
      // The mark at the beginning tells spreadsheets that the text is UTF-8.
      head: `\uFEFF${encodeRow(EXPORT_COLUMNS.map(({ head }) => head))}`,
      encodeRecord: (record, linkRecord) =>
        encodeRow(EXPORT_COLUMNS.map(({ cell }) => plainCell(cell(record, linkRecord)))),
      encodeEnd: (end) => encodeRow([describeEnd(end)]),
    }),
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
