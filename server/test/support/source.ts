/** A source record with only its identity and status, plus whatever a test needs. */
import { CONTENT_FIELDS } from '@tmds/contract/record';
import type { SourceRecord } from '../../src/record/document.ts';

const SILENT = Object.fromEntries(Object.keys(CONTENT_FIELDS).map((field) => [field, null]));

/** Values are not checked, so that tests can state what a format never should. */
export function buildSource(fields: Partial<Record<keyof SourceRecord, unknown>>): SourceRecord {
  return {
    ...SILENT,
    jurisdiction_code: 'XA',
    uid: 'XA1',
    status: 'Pending',
    mark_name_variants: null,
    payload: null,
    source_version: null,
    ...fields,
  } as unknown as SourceRecord;
}
