/** Records in the form the index accepts, without a database. */
import { hash } from 'node:crypto';
import type { TrademarkDetail } from '@tmds/contract/record';
import { microsOf } from '../../src/base/clock.ts';
import { type BuiltSegment, SegmentBuilder } from '../../src/index/build.ts';
import type { IndexEntry } from '../../src/index/entry.ts';
import { renderContent } from '../../src/record/content.ts';
import { joinForms } from '../../src/record/row.ts';
import type { StoredRecord } from './stored.ts';

/** `firstSeen`: the canonical instant at which the record was first published. */
function buildEntry({ record, updated_at }: StoredRecord, firstSeen: string = updated_at): IndexEntry {
  const text = `${renderContent(record)},"record_update_date":null,"first_seen_at":"${firstSeen}","updated_at":"${updated_at}"}`;
  const digest = hash('sha256', text, 'buffer');
  return {
    stamp: microsOf(updated_at),
    detail: JSON.parse(text) as TrademarkDetail,
    markVariants: joinForms(record),
    digest: [digest.readUInt32BE(0), digest.readUInt32BE(4)],
  };
}

/** In the order of changes. */
export function compareStored(one: StoredRecord, other: StoredRecord): number {
  const keyOf = ({ record, updated_at }: StoredRecord): Buffer =>
    Buffer.from(`${updated_at}\0${record.jurisdiction_code}\0${record.uid}`);
  return Buffer.compare(keyOf(one), keyOf(other));
}

/** One segment of records in any order. */
export function buildSegment(
  stored: readonly StoredRecord[],
  id: string,
  firstSeenOf: (stored: StoredRecord) => string = ({ updated_at }) => updated_at,
): BuiltSegment {
  const builder = new SegmentBuilder();
  for (const each of stored.toSorted(compareStored)) builder.add(buildEntry(each, firstSeenOf(each)));
  return builder.finish(id);
}
