/**
 * The formats of an exported search. Excel and CSV are for people; NDJSON is for programs and has each record as the
 * API delivers it. A file whose last row is a record is whole; any other ends with why it stops and where to continue.
 */
import type { TrademarkDetail } from '@tmds/contract/record';
import { stringify } from 'lossless-json';
import { FILE_FORMS, type FileColumn } from '../spreadsheet/table-file.ts';

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
  readonly encode: (
    parts: AsyncIterable<ExportPart>,
    columns: readonly FileColumn<TrademarkDetail>[],
  ) => AsyncIterable<string | Uint8Array>;
}

function isEnd(part: ExportPart): part is ExportEnd {
  return 'reason' in part;
}

function describeEnd({ reason, continueAt }: ExportEnd): string {
  const why = reason === 'part_complete' ? 'This file is full' : `This file is not complete (${reason})`;
  return `${why}. Continue at ${continueAt}`;
}

async function* listPortions(parts: AsyncIterable<ExportPart>): AsyncGenerator<readonly TrademarkDetail[] | string> {
  for await (const part of parts) yield isEnd(part) ? describeEnd(part) : part;
}

async function* encodeLines(parts: AsyncIterable<ExportPart>): AsyncGenerator<string> {
  for await (const part of parts) {
    yield isEnd(part)
      ? `${JSON.stringify({ not_complete: part.reason, continue_at: part.continueAt })}\n`
      : part.map((record) => `${stringify(record)}\n`).join('');
  }
}

const FOR_PEOPLE = Object.entries(FILE_FORMS).map(([name, { write, ...form }]): [string, ExportFormat] => [
  name,
  { ...form, encode: (parts, columns) => write({ name: 'Trademarks', columns, portions: listPortions(parts) }) },
]);

export const EXPORT_FORMATS: Readonly<Record<string, ExportFormat>> = {
  ...Object.fromEntries(FOR_PEOPLE),
  ndjson: {
    title: 'NDJSON',
    extension: 'ndjson',
    type: 'application/x-ndjson; charset=utf-8',
    encode: encodeLines,
  },
};
