/**
 * Reads formats that only one thread can read: records in source order, a group at a time. While one group is compared
 * with what is stored, the next one is read.
 */
import { encodeIdentities } from '../store/records/identities.ts';
import { comparedRow, type EncodedRows, openRowEncoder, UNCHANGED_ROW_BYTES } from './encoded-rows.ts';
import type { RecordIdentity, RegisterItem } from './formats/format.ts';
import { type PreparedItem, prepareItem } from './normalize.ts';
import { compareRows, PARTIAL_ROWS, type StageTarget } from './stage.ts';

/** Bounds of a group; two are held at once. */
const GROUP_ROWS_MAX = 1_000;
const GROUP_LENGTH_MAX = 2 * 1024 * 1024;

/** A stored record that is joined again with its supplements. */
export interface RejoinItem {
  kind: 'rejoin';
  record: RecordIdentity;
}

export async function* readRecords(
  target: StageTarget,
  items: AsyncIterable<RegisterItem | RejoinItem>,
): AsyncGenerator<EncodedRows> {
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

async function encodeGroup(target: StageTarget, group: readonly GroupedItem[]): Promise<EncodedRows> {
  const records = group.filter((item) => item.kind === 'record');
  const rejoins = group.filter((item) => item.kind === 'rejoin');
  const seq = target.batches.takeSeqs(records.length + rejoins.length);
  const identities = encodeIdentities(records.map(comparedRow));
  const registers = [...new Set(records.map(({ record }) => record.jurisdiction_code))];
  const differing = await compareRows(target, { registers, identities });
  const rows = openRowEncoder(seq, { rowBytes: 0, unchangedBytes: records.length * UNCHANGED_ROW_BYTES });
  let position = 0;
  for (const { record } of rejoins) rows.addRejoin(record);
  for (const item of group) {
    if (item.kind === 'rejoin') continue;
    if (item.kind === 'reject') {
      rows.reject(item);
      continue;
    }
    // A part of a record is always published: the record that it is merged onto may differ, even if the part itself
    // compares equal.
    if (item.record.is_partial || differing.has(position)) rows.add(item);
    else rows.addUnchanged(item.record, item.issues, item.position);
    position += 1;
  }
  return rows.end();
}

type GroupedItem = PreparedItem | RejoinItem;

/** Records to be joined again come in separate groups, because they need separate batches. */
async function* groupItems(items: AsyncIterable<RegisterItem | RejoinItem>): AsyncGenerator<GroupedItem[]> {
  let group: GroupedItem[] = [];
  let rows = 0;
  let length = 0;
  for await (const item of items) {
    const prepared = item.kind === 'rejoin' ? item : prepareItem(item);
    const isFull = rows >= GROUP_ROWS_MAX || length >= GROUP_LENGTH_MAX;
    if (isFull || (group.length > 0 && (group[0]?.kind === 'rejoin') !== (prepared.kind === 'rejoin'))) {
      yield group;
      group = [];
      rows = 0;
      length = 0;
    }
    group.push(prepared);
    const cost = costOf(prepared);
    rows += cost.rows;
    length += cost.length;
  }
  if (group.length > 0) yield group;
}

/** `rows`: by how many whole ones the item counts; `length`: about how many characters it takes. */
function costOf(item: GroupedItem): { rows: number; length: number } {
  if (item.kind === 'rejoin') return { rows: PARTIAL_ROWS, length: 0 };
  if (item.kind === 'reject') return { rows: 1, length: item.raw.length };
  return { rows: item.record.is_partial ? PARTIAL_ROWS : 1, length: item.length };
}
