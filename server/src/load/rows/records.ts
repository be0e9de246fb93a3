/** Groups of records for formats that one thread reads, in source order: one is compared while the next one is read. */

import type { RegisterItem } from '../formats/format.ts';
import { type ComparableItem, openComparable, type RejoinItem } from './comparable.ts';
import type { Group, GroupBounds } from './compare.ts';
import { PARTIAL_ROWS } from './encoded-rows.ts';
import { prepareItem } from './normalize.ts';

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
