/**
 * Records that were read together: first their identities are compared with what is stored, then their rows are made.
 * It touches no database and no file, so it works the same in the main thread and in a worker.
 */
import type { Issue } from '../../record/document.ts';
import { type ComparedRow, encodeIdentities, type Identities } from '../../store/records/identities.ts';
import type { RecordIdentity } from '../formats/format.ts';
import type { Line } from '../formats/lines.ts';
import { type EncodedRows, openRowEncoder, type RowEncoder, UNCHANGED_ROW_BYTES } from './encoded-rows.ts';
import type { PreparedItem, PreparedRecord, RejectedRecord } from './normalize.ts';

/** What `listDiffering` found, the stored digest by position; null where nothing can be stored. */
export type Differing = ReadonlyMap<number, string> | null;

export interface ComparableRows {
  identities: Identities;
  /** The registers of those identities. */
  registers: readonly string[];
  encode(differing: Differing): Promise<EncodedRows>;
}

/** A stored record that is joined again with its supplements. */
export interface RejoinItem {
  kind: 'rejoin';
  record: RecordIdentity;
}

/** A line, which is not read if the database holds its record as this very line states it. */
export interface LineItem {
  kind: 'line';
  line: Line;
  /** The digest of the line. */
  digest: string;
  compared: ComparedRow;
  /** The record that it states, if it was read; else `block` reads it. */
  read: PreparedRecord | null;
  block: { read(item: LineItem): PreparedItem };
}

export type ComparableItem = PreparedRecord | RejectedRecord | RejoinItem | LineItem;

/** Records are numbered from `firstSeq`. `rowBytes`: about what their rows take if all of them differ. */
export function openComparable(items: readonly ComparableItem[], firstSeq: number, rowBytes: number): ComparableRows {
  const compared = items.flatMap((item) => comparedOf(item) ?? []);
  return {
    identities: encodeIdentities(compared),
    registers: [...new Set(compared.map((row) => row.jurisdiction_code))],
    encode: async (differing) => encodeItems(items, { firstSeq, rowBytes, differing, count: compared.length }),
  };
}

/** Null for what is not compared. */
function comparedOf(item: ComparableItem): ComparedRow | null {
  if (item.kind === 'line') return item.compared;
  return item.kind === 'record' ? comparedRow(item) : null;
}

/** The parts of a record that are compared with the database. */
export function comparedRow({ record, digest, sourceDigest }: PreparedRecord): ComparedRow {
  const { jurisdiction_code, uid, source_version } = record;
  return { jurisdiction_code, uid, digest, source_version, source_digest: sourceDigest };
}

function encodeItems(
  items: readonly ComparableItem[],
  { firstSeq, rowBytes, differing, count }: { firstSeq: number; rowBytes: number; differing: Differing; count: number },
): EncodedRows {
  const differs = differing?.size ?? count;
  const rows = openRowEncoder(firstSeq, {
    rowBytes: (rowBytes * differs) / Math.max(count, 1),
    unchangedBytes: (count - differs) * UNCHANGED_ROW_BYTES,
  });
  let position = 0;
  for (const item of items) {
    if (item.kind === 'reject') rows.reject(item);
    else if (item.kind === 'rejoin') rows.addRejoin(item.record);
    else {
      const stored = differing === null ? '' : differing.get(position);
      position += 1;
      if (item.kind === 'line') {
        if (stored !== undefined) encodeLine(rows, item.read ?? item.block.read(item), stored);
        else rows.addUnchanged(item.compared, item.read?.issues ?? NO_ISSUES, item.read?.position ?? '');
      }
      // A part of a record is always published: the record that it is merged onto may differ, even if the part itself
      // compares equal.
      else if (stored !== undefined || item.record.is_partial) rows.add(item);
      else rows.addUnchanged(item.record, item.issues, item.position);
    }
  }
  return rows.end();
}

const NO_ISSUES: readonly Issue[] = [];

function encodeLine(rows: RowEncoder, item: PreparedItem, stored: string): void {
  if (item.kind === 'reject') rows.reject(item);
  // The line is new, but its record equals the stored one. The publish decides between several versions of a record.
  else if (item.record.source_version === null && item.digest === stored) {
    rows.addUnchanged(item.record, item.issues, item.position);
  } else rows.add(item);
}
