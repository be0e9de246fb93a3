/** The memory that an index is said to need before it is built. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkMemory, estimateMemory } from '../../src/follow/memory.ts';
import { SEGMENT_RECORDS_MAX } from '../../src/index/segment.ts';

const GIGABYTE = 1024 ** 3;

test('an index needs room for itself and for the merge of its largest segment, not for a merge of everything', () => {
  const ofOne = estimateMemory(1) - estimateMemory(0);
  assert.equal(estimateMemory(SEGMENT_RECORDS_MAX) - estimateMemory(0), SEGMENT_RECORDS_MAX * ofOne);
  const beyond = estimateMemory(SEGMENT_RECORDS_MAX + 3_000_000) - estimateMemory(SEGMENT_RECORDS_MAX);
  assert.equal(beyond * 3, 3_000_000 * ofOne);
  assert.ok(estimateMemory(100_000_000) < 32 * GIGABYTE, 'the registers of the world fit a server of 32 GB');
});

test('an index that no machine can hold is refused, with the memory that it needs', () => {
  const records = 1_000_000_000_000;
  assert.throws(() => checkMemory(records), /1,000,000,000,000 records needs up to [\d.]+ GB of memory/);
  checkMemory(1_000);
});
