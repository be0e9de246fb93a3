/** A page of an export: lines of JSON or rows of CSV, and the position after them. */
import {
  EXPORT_FIELDS,
  type ExportedRecord,
  type ExportField,
  type ExportFormat,
  type ExportPosition,
  encodeExportFault,
  encodeExportHead,
  encodeExportRows,
} from '@tmds/contract/export';
import type { ApiError } from '../base/errors.ts';
import type { SearchPage } from '../store/records/search.ts';
import type { Answer } from './answer.ts';
import { describeFailure, renderFailure } from './failure.ts';

export const EXPORT_TYPES: Readonly<Record<ExportFormat, string>> = {
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
};

export interface ExportForm {
  readonly format: ExportFormat;
  /** Null for all. */
  readonly fields: readonly ExportField[] | null;
}

const LINE_END = Buffer.from('\n');

/** `isFirst`: it begins a file, and does not continue one. */
export function renderExportPage({ items, next_cursor }: SearchPage, form: ExportForm, isFirst: boolean): Answer {
  if (Symbol.asyncIterator in items) throw new Error('an export has no documents');
  const { format } = form;
  const body = format === 'csv' ? renderRows(items, form, next_cursor, isFirst) : renderLines(items, form, next_cursor);
  return {
    status: 200,
    headers: { 'content-type': EXPORT_TYPES[format], 'cache-control': 'no-store' },
    body,
    pages: { next: next_cursor, end: (refusal) => renderEnd(refusal, next_cursor, form) },
  };
}

/** The position again, with why nothing follows. */
function renderEnd(refusal: ApiError, next_cursor: string | null, { format, fields }: ExportForm): string {
  const seconds = Number(renderFailure(refusal).headers['retry-after'] ?? Number.NaN);
  const error = { ...describeFailure(refusal).error, ...(Number.isNaN(seconds) ? {} : { retry_after: seconds }) };
  const position = { next_cursor, error };
  return format === 'csv' ? encodeExportFault(fields ?? EXPORT_FIELDS, position) : writePosition(position);
}

function renderLines(items: readonly Buffer[], { fields }: ExportForm, next_cursor: string | null): Buffer {
  const lines = fields === null ? items : items.map((item) => Buffer.from(JSON.stringify(pick(item, fields))));
  return Buffer.concat([...lines.flatMap((line) => [line, LINE_END]), Buffer.from(writePosition({ next_cursor }))]);
}

function writePosition(position: ExportPosition): string {
  return `${JSON.stringify(position)}\n`;
}

function renderRows(items: readonly Buffer[], form: ExportForm, next: string | null, isFirst: boolean): Buffer {
  const fields = form.fields ?? EXPORT_FIELDS;
  const rows = encodeExportRows(
    fields,
    items.map((item) => pick(item, fields)),
    next,
  );
  return Buffer.from(isFirst ? encodeExportHead(fields) + rows : rows);
}

function pick(item: Buffer, fields: readonly ExportField[]): ExportedRecord {
  const record = JSON.parse(item.toString()) as Required<ExportedRecord>;
  return Object.fromEntries(fields.map((field) => [field, record[field]]));
}
