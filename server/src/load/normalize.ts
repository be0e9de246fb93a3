/**
 * The normalize stage of a load: what a format read becomes a record in its stored form with its digest, or a reject.
 * Nothing a single record states can stop a load here; whatever cannot be kept is a reject with its reason.
 */
import { digestContent } from '../record/digest.ts';
import type { Issue, NormalizedRecord } from '../record/document.ts';
import { normalizeRecord, RecordRejection } from '../record/normalize.ts';
import type { FormatItem } from './formats/format.ts';

export interface PreparedRecord {
  kind: 'record';
  record: NormalizedRecord;
  /** Hexadecimal. */
  digest: string;
  issues: readonly Issue[];
  position: string;
}

export interface RejectedRecord {
  kind: 'reject';
  raw: string | Buffer;
  reason: string;
  position: string;
}

export type PreparedItem = PreparedRecord | RejectedRecord;

/** `raw` gives the record as it stands in the source, should it be rejected here. */
export function prepareItem(item: FormatItem, raw: () => string | Buffer): PreparedItem {
  if (item.kind === 'reject') return item;
  try {
    const record = normalizeRecord(item.record);
    return { kind: 'record', record, digest: digestContent(record), issues: item.issues, position: item.position };
  } catch (error) {
    return { kind: 'reject', raw: raw(), reason: rejectionReason(error), position: item.position };
  }
}

/** Rethrows what is not the record's fault. */
export function rejectionReason(error: unknown): string {
  if (error instanceof RecordRejection) return error.message;
  if (error instanceof RangeError) return 'the record is nested too deeply or too large';
  throw error;
}
