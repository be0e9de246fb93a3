/**
 * The normalize stage of a load: an item read by a format becomes a record in its stored form, with its digest, or a
 * reject with its reason. Nothing that a single record states can stop a load here.
 */
import { renderContent } from '../../record/content.ts';
import { measureContent } from '../../record/digest.ts';
import type { NormalizedRecord } from '../../record/document.ts';
import { listDoubtful } from '../../record/findable.ts';
import { normalizeRecord, RecordRejection } from '../../record/normalize.ts';
import { buildRow, type RecordRow } from '../../record/row.ts';
import type { RegisterItem } from '../formats/format.ts';
import { digestSource } from '../sources/source-digest.ts';
import { NO_LINE, sourceOfLine } from './line-digest.ts';

export type PreparedRecord = RegisterItem & { kind: 'record' } & {
  record: NormalizedRecord;
  /** The rendered content. */
  detail: string;
  /** Hexadecimal. */
  digest: string;
  /** Digest of the source line (`line-digest.ts`); empty if the line must be read again next time. */
  lineDigest: string;
  /**
   * Digest of everything that the source states about it (`source-digest.ts`); null for a record that no source states.
   */
  sourceDigest: string | null;
  /** About how many characters of memory the record takes. */
  length: number;
};

export type RejectedRecord = RegisterItem & { kind: 'reject' };

export type PreparedItem = PreparedRecord | RejectedRecord;

/** `lineDigest`: the digest of the line that the item was read from, if any. */
export function prepareItem(item: RegisterItem, lineDigest: string = NO_LINE): PreparedItem {
  if (item.kind === 'reject') return item;
  try {
    const record = normalizeRecord(item.record);
    const detail = renderContent(record);
    const { digest, length } = measureContent(record, detail);
    const doubtful = listDoubtful(record);
    const issues = doubtful.length === 0 ? item.issues : [...item.issues, ...doubtful];
    return {
      kind: 'record',
      record,
      issues,
      position: item.position,
      raw: item.raw,
      detail,
      digest,
      lineDigest: issues.length === 0 ? lineDigest : NO_LINE,
      sourceDigest: digestItem(item, lineDigest),
      length,
    };
  } catch (error) {
    return rejectItem(item, error);
  }
}

function digestItem({ sourceDigest, raw }: RegisterItem & { kind: 'record' }, lineDigest: string): string | null {
  if (lineDigest !== NO_LINE) return sourceOfLine(lineDigest);
  return sourceDigest ?? (raw === undefined ? null : digestSource(raw()));
}

/** The row to stage, or a reject if it cannot be built. */
export function buildStagedRow(item: PreparedRecord): { kind: 'row'; row: RecordRow } | RejectedRecord {
  try {
    const { record, detail, digest, lineDigest, sourceDigest } = item;
    return { kind: 'row', row: buildRow(record, detail, digest, lineDigest, sourceDigest) };
  } catch (error) {
    return rejectItem(item, error);
  }
}

function rejectItem(item: RegisterItem & { kind: 'record' }, error: unknown): RejectedRecord {
  const reason = rejectionReason(error);
  const { jurisdiction_code, uid } = item.record;
  const record = { jurisdiction_code, uid };
  return { kind: 'reject', raw: item.raw?.() ?? JSON.stringify(item.record), reason, position: item.position, record };
}

/** Rethrows errors that are not the record's fault. */
function rejectionReason(error: unknown): string {
  if (error instanceof RecordRejection) return error.message;
  throw error;
}
