/** Whether this machine can hold the index of so many records; said before anything is built, with the figure. */
import { totalmem } from 'node:os';
import { OperatorError } from '../base/errors.ts';

/** Bytes of the index for a record, as measured (bench/results), with a tenth in hand. */
const RECORD_BYTES = 220;
/** A merge of everything holds the old segments, the new one and its working memory. */
const MERGE_FACTOR = 3;
/** The process without its index. */
const PROCESS_BYTES = 300 * 1024 * 1024;

/** Bytes that an index of so many records needs at most. */
export function estimateMemory(records: number): number {
  return PROCESS_BYTES + records * RECORD_BYTES * MERGE_FACTOR;
}

/** @throws OperatorError that names what is needed and what is there. */
export function checkMemory(records: number): void {
  const available = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  const needed = estimateMemory(records);
  if (needed <= available) return;
  const show = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(1)} GB`;
  throw new OperatorError(
    `the search index of ${records.toLocaleString('en')} records needs up to ${show(needed)} of memory and this ` +
      `machine lets the process have ${show(available)}; give it more, or serve searches from a larger machine`,
  );
}
