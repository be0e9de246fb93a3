/**
 * A search as a stream: its forms, its lines, and the rows of CSV. A page of the search is followed by a position, from
 * which an export continues after any end, its own or that of a connection.
 */
import { encodeRow } from './csv.ts';
import type { ErrorEnvelope } from './errors.ts';
import { CONTENT_FIELDS, SERVICE_FIELDS, type TrademarkDetail } from './record.ts';

export const EXPORT_FORMATS = ['ndjson', 'csv'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** A field that an export may have; documents are left to the pages of a search. */
export type ExportField = keyof typeof CONTENT_FIELDS | keyof typeof SERVICE_FIELDS;

/** In the order of a record. */
export const EXPORT_FIELDS = [
  ...(Object.keys(CONTENT_FIELDS) as (keyof typeof CONTENT_FIELDS)[]),
  ...(Object.keys(SERVICE_FIELDS) as (keyof typeof SERVICE_FIELDS)[]),
] satisfies ExportField[];

/** The fields of a record that were chosen. */
export type ExportedRecord = Partial<Pick<TrademarkDetail, ExportField>>;

/**
 * The line after the records of a page: everything before it is complete and paid for. The last line of an export is
 * always one.
 */
export interface ExportPosition {
  /** Where to continue; null after the last record. */
  next_cursor: string | null;
  /** Why the export ended before the last record, if the service refused its next page. */
  error?: ErrorEnvelope['error'] & { retry_after?: number };
}

/** Whether a line of an export is a position; no record has such a field. */
export function isExportPosition(line: object): line is ExportPosition {
  return 'next_cursor' in line;
}

/** The column of CSV in which positions are, always the last one. */
const CURSOR_COLUMN = 'next_cursor';
/** What it says in the last row of a whole export. */
const COMPLETE = 'complete';

export function encodeExportHead(fields: readonly ExportField[]): string {
  // The mark at the beginning tells spreadsheets that the text is UTF-8.
  return `\uFEFF${encodeRow([...fields, CURSOR_COLUMN])}`;
}

/** The rows of a page; the last one says where to continue. A page without records is a row without cells. */
export function encodeExportRows(
  fields: readonly ExportField[],
  records: readonly ExportedRecord[],
  nextCursor: string | null,
): string {
  const position = nextCursor ?? COMPLETE;
  const last = records.length - 1;
  if (last < 0) return encodeRow([...fields.map(() => null), position]);
  return records
    .map((record, place) => encodeRow([...fields.map((field) => record[field]), place === last ? position : null]))
    .join('');
}

/** The last row of an export whose next page was refused. */
export function encodeExportFault(
  fields: readonly ExportField[],
  { next_cursor, error }: Required<ExportPosition>,
): string {
  const cells = fields.map((_, place) => (place === 0 ? `Not complete (${error.code}): ${error.message}` : null));
  return encodeRow([...cells, next_cursor]);
}
