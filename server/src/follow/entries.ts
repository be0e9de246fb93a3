/** Turns published records into segments of an index. */
import { hash, randomUUID } from 'node:crypto';
import type { Instant, TrademarkDetail } from '@tmds/contract/record';
import { type BuiltSegment, SegmentBuilder } from '../index/build.ts';
import type { IndexEntry } from '../index/entry.ts';
import { microsOf } from '../index/instants.ts';
import type { PublishedRecord, PublishedRecords } from '../store/publish/publishes.ts';

/**
 * Records per built segment. A segment under construction takes about a kilobyte per record, so this keeps a build
 * within a gigabyte per thread, and the number of segments low enough to search them before they are merged.
 */
export const BUILT_RECORDS_MAX = 1_000_000;

/** Takes records in the order of changes. Calls `onRecords` with the number of records since its last call. */
export async function buildSegments(
  records: PublishedRecords,
  onRecords: (count: number) => void = () => {},
): Promise<BuiltSegment[]> {
  const segments: BuiltSegment[] = [];
  let builder = new SegmentBuilder();
  const stampOf = rememberMicros();
  for await (const batch of records) {
    for (const record of batch) {
      if (builder.records === BUILT_RECORDS_MAX) {
        segments.push(builder.finish(randomUUID()));
        builder = new SegmentBuilder();
      }
      builder.add(readEntry(record, stampOf(record.updated_at)));
    }
    onRecords(batch.length);
  }
  if (builder.records > 0) segments.push(builder.finish(randomUUID()));
  return segments;
}

/** Converts each instant once: thousands of consecutive records have the same stamp. */
function rememberMicros(): (instant: Instant) => number {
  let last = { instant: '', micros: 0 };
  return (instant) => {
    if (instant !== last.instant) last = { instant, micros: microsOf(instant) };
    return last.micros;
  };
}

function readEntry({ detail, mark_variants }: PublishedRecord, stamp: number): IndexEntry {
  // A binary string, with one character per byte, is the cheapest output of `hash`.
  const digest = hash('sha256', detail, 'binary');
  return {
    stamp,
    detail: JSON.parse(detail) as TrademarkDetail,
    markVariants: mark_variants,
    digest: [readWord(digest, 0), readWord(digest, 4)],
  };
}

function readWord(bytes: string, at: number): number {
  const upper = (bytes.charCodeAt(at) << 24) | (bytes.charCodeAt(at + 1) << 16);
  return upper | (bytes.charCodeAt(at + 2) << 8) | bytes.charCodeAt(at + 3);
}
