/**
 * Reads formats that only one thread can read: records in source order, a group at a time. While one group is compared
 * with what is stored, the next one is read.
 */
import { encodeIdentities } from '../store/records/identities.ts';
import { comparedRow, type EncodedRows, openRowEncoder, UNCHANGED_ROW_BYTES } from './encoded-rows.ts';
import type { FormatItem } from './formats/format.ts';
import { type PreparedItem, prepareItem } from './normalize.ts';
import { compareRows, PARTIAL_ROWS, type StageTarget } from './stage.ts';

/** Bounds of a group; two are held at once. */
const GROUP_ROWS_MAX = 1_000;
const GROUP_LENGTH_MAX = 2 * 1024 * 1024;

export async function* readRecords(target: StageTarget, items: AsyncIterable<FormatItem>): AsyncGenerator<EncodedRows> {
  let previous: Promise<EncodedRows> | null = null;
  for await (const group of groupItems(items)) {
    const encoded = encodeGroup(target, group);
    // A failure is thrown one round later, when this group's turn comes.
    encoded.catch(() => undefined);
    if (previous !== null) yield await previous;
    previous = encoded;
  }
  if (previous !== null) yield await previous;
}

async function encodeGroup(target: StageTarget, group: readonly PreparedItem[]): Promise<EncodedRows> {
  const records = group.filter((item) => item.kind === 'record');
  const seq = target.batches.takeSeqs(records.length);
  const identities = encodeIdentities(records.map(comparedRow));
  const registers = [...new Set(records.map(({ record }) => record.jurisdiction_code))];
  const differing = await compareRows(target, { registers, identities });
  const rows = openRowEncoder(seq, { rowBytes: 0, unchangedBytes: records.length * UNCHANGED_ROW_BYTES });
  let position = 0;
  for (const item of group) {
    if (item.kind === 'reject') {
      rows.reject(item);
      continue;
    }
    // A part of a record is always published: what it is merged onto may differ, even if the part itself compares
    // equal.
    if (item.record.is_partial || differing.has(position)) rows.add(item);
    else rows.addUnchanged(item.record, item.issues, item.position);
    position += 1;
  }
  return rows.end();
}

async function* groupItems(items: AsyncIterable<FormatItem>): AsyncGenerator<PreparedItem[]> {
  let group: PreparedItem[] = [];
  let rows = 0;
  let length = 0;
  for await (const item of items) {
    const prepared = prepareItem(item);
    group.push(prepared);
    rows += prepared.kind === 'record' && prepared.record.is_partial ? PARTIAL_ROWS : 1;
    length += prepared.kind === 'record' ? prepared.length : prepared.raw.length;
    if (rows < GROUP_ROWS_MAX && length < GROUP_LENGTH_MAX) continue;
    yield group;
    group = [];
    rows = 0;
    length = 0;
  }
  if (group.length > 0) yield group;
}
