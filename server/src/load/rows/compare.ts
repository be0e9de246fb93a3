/**
 * Turns what a format reads into encoded rows, one group of records after the other: a group is opened, its identities
 * are compared with what is stored, and its rows are made, while the next groups are read. Rows come in the order of
 * the source. The groups that are held are bounded in number and size, so that memory does not grow with the file. Only
 * `encodeGroups` asks the database, so groups open and encode in the main thread or in a worker alike.
 */

import type { Database } from '../../database/driver/db.ts';
import type { Issue } from '../../record/document.ts';
import { type ComparedRow, encodeIdentities, type Identities, listDiffering } from '../../store/records/identities.ts';
import type { RecordIdentity, RegisterItem } from '../formats/format.ts';
import type { Line } from '../formats/lines.ts';
import {
  type EncodedRows,
  openRowEncoder,
  PARTIAL_ROWS,
  type PreparedItem,
  type PreparedRecord,
  prepareItem,
  type RejectedRecord,
  type RowEncoder,
  UNCHANGED_ROW_BYTES,
} from './encode.ts';

/** What `listDiffering` found, the stored digest by position; null where nothing can be stored. */
export type Differing = ReadonlyMap<number, string> | null;

export interface ComparableRows {
  identities: Identities;
  /** The registers of those identities. */
  registers: readonly string[];
  /** `memory` may be used for the rows. */
  encode(differing: Differing, memory?: ArrayBuffer | null): Promise<EncodedRows>;
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
    encode: async (differing, memory = null) =>
      encodeItems(items, { firstSeq, rowBytes, memory, differing, count: compared.length }),
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

interface ItemsToEncode {
  firstSeq: number;
  rowBytes: number;
  memory: ArrayBuffer | null;
  differing: Differing;
  /** Of those that are compared. */
  count: number;
}

function encodeItems(
  items: readonly ComparableItem[],
  { firstSeq, rowBytes, memory, differing, count }: ItemsToEncode,
): EncodedRows {
  const differs = differing?.size ?? count;
  const rows = openRowEncoder(firstSeq, {
    rowBytes: (rowBytes * differs) / Math.max(count, 1),
    memory,
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

/** Records that are compared together. */
export interface Group {
  /** At least the number of its records, each of which gets a number. */
  readonly recordsMax: number;
  /** About the bytes that it holds in memory. */
  readonly bytes: number;
  /** Its records are numbered from `firstSeq`. */
  open(firstSeq: number): Promise<ComparableRows>;
}

export interface GroupBounds {
  /** Groups held at once, in addition to the one that is being read. */
  readonly groupsMax: number;
  /** Bytes held at once. A larger group goes alone. */
  readonly bytesMax: number;
}

export interface Stored {
  readonly db: Database;
  /** Registers that hold records; only in these can a record be unchanged. */
  readonly stocked: ReadonlySet<string>;
}

export async function* encodeGroups(
  stored: Stored,
  groups: AsyncIterable<Group>,
  { groupsMax, bytesMax }: GroupBounds,
): AsyncGenerator<EncodedRows> {
  const inFlight: { encoded: Promise<EncodedRows>; bytes: number }[] = [];
  const isFull = (bytes: number): boolean =>
    inFlight.length >= groupsMax || inFlight.reduce((sum, flight) => sum + flight.bytes, bytes) > bytesMax;
  let nextSeq = 0;
  for await (const group of groups) {
    const { recordsMax, bytes } = group;
    while (inFlight.length > 0 && isFull(bytes)) yield await inFlight.shift()!.encoded;
    const encoded = encodeGroup(stored, group, nextSeq);
    nextSeq += recordsMax;
    // A failure is thrown when its turn comes; until then it is not unhandled.
    encoded.catch(() => undefined);
    inFlight.push({ encoded, bytes });
  }
  for (const { encoded } of inFlight) yield await encoded;
}

async function encodeGroup({ db, stocked }: Stored, group: Group, firstSeq: number): Promise<EncodedRows> {
  const rows = await group.open(firstSeq);
  const mayBeStored = rows.registers.some((register) => stocked.has(register));
  return await rows.encode(mayBeStored ? await listDiffering(db, rows.identities) : null);
}

/** Bounds of a group. */
const GROUP_ROWS_MAX = 1_000;
const GROUP_LENGTH_MAX = 2 * 1024 * 1024;

/** One is compared while the next one is read. */
export const RECORD_BOUNDS: GroupBounds = { groupsMax: 1, bytesMax: Number.POSITIVE_INFINITY };

/** Records to be joined again come in separate groups, because they need separate batches. */
export async function* groupRecords(items: AsyncIterable<RegisterItem | RejoinItem>): AsyncGenerator<Group> {
  let group: ComparableItem[] = [];
  let rows = 0;
  let length = 0;
  for await (const item of items) {
    const prepared = item.kind === 'rejoin' ? item : prepareItem(item);
    const isFull = rows >= GROUP_ROWS_MAX || length >= GROUP_LENGTH_MAX;
    if (isFull || (group.length > 0 && (group[0]?.kind === 'rejoin') !== (prepared.kind === 'rejoin'))) {
      yield groupOf(group, length);
      group = [];
      rows = 0;
      length = 0;
    }
    group.push(prepared);
    const cost = costOf(prepared);
    rows += cost.rows;
    length += cost.length;
  }
  if (group.length > 0) yield groupOf(group, length);
}

function groupOf(items: readonly ComparableItem[], bytes: number): Group {
  return { recordsMax: items.length, bytes, open: async (firstSeq) => openComparable(items, firstSeq, 0) };
}

/** `rows`: by how many whole ones the item counts; `length`: about how many characters it takes. */
function costOf(item: ComparableItem): { rows: number; length: number } {
  if (item.kind === 'reject') return { rows: 1, length: item.raw.length };
  if (item.kind === 'record') return { rows: item.record.is_partial ? PARTIAL_ROWS : 1, length: item.length };
  return { rows: PARTIAL_ROWS, length: 0 };
}
