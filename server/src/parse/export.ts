/** Turns declared texts into the request for an export: a search, its form and its fields. */
import { EXPORT_FIELDS, type ExportField, type ExportFormat } from '@tmds/contract/export';
import { EXPORT_CONTROLS } from '@tmds/contract/extras';
import { SEARCH_PAGE_MAX } from '@tmds/contract/limits';
import { CURSORS } from './cursor.ts';
import type { DeclaredValues } from './query.ts';
import { parseSearch, type SearchRequest } from './search.ts';
import { parseEnums } from './values.ts';

export interface ExportRequest {
  /** Its pages are as long as pages of a search may be. */
  readonly search: SearchRequest;
  readonly format: ExportFormat;
  /** In the order of a record; null for all. */
  readonly fields: readonly ExportField[] | null;
}

/** @throws ApiError `invalid_parameter`, `missing_filter`, `cursor_invalid`, `cursor_query_mismatch` */
export function parseExport({ format, fields, ...values }: DeclaredValues<'export'>): ExportRequest {
  const chosen = fields === undefined ? null : parseEnums('fields', fields, EXPORT_FIELDS);
  return {
    search: parseSearch({ ...values, limit: String(SEARCH_PAGE_MAX) }, null, 'call', CURSORS.export),
    format: (format ?? EXPORT_CONTROLS.format.value.default) as ExportFormat,
    fields: chosen,
  };
}
