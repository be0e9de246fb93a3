/** Checks, before an index is built, that this machine has the memory for it. */
import { totalmem } from 'node:os';
import { OperatorError } from '../base/errors.ts';
import { SEGMENT_RECORDS_MAX } from '../index/segment.ts';

/** Bytes of the index per record: the 195 measured (bench/results) and a reserve of a tenth. */
const RECORD_BYTES = 220;
/** In addition to the segments that it merges, a merge needs memory for the new segment and as much working memory. */
const MERGE_FACTOR = 2;
/** The process without its index; 64 MB of it are texts of pages. */
const PROCESS_BYTES = 364 * 1024 * 1024;

/** Bytes of memory that a process with an index of `records` records needs at most. */
export function estimateMemory(records: number): number {
  const merged = Math.min(records, SEGMENT_RECORDS_MAX);
  return PROCESS_BYTES + (records + merged * MERGE_FACTOR) * RECORD_BYTES;
}

/** @throws OperatorError with the memory that is needed and the memory there is. */
export function checkMemory(records: number): void {
  const available = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  const needed = estimateMemory(records);
  if (needed <= available) return;
  const show = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(1)} GB`;
  throw new OperatorError(
    `the search index of ${records.toLocaleString('en')} records needs up to ${show(needed)} of memory, but only ` +
      `${show(available)} are available to this process; raise its limit or use a machine with more memory`,
  );
}
