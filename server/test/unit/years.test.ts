/** Counts by year are the same however many records are counted, that is, by a walk and by look-ups. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addYears } from '../../src/index/facets.ts';
import { NEVER_INTERRUPTED, Scratch } from '../../src/index/matchers.ts';
import { CHUNK_SIZE, CHUNK_WORDS } from '../../src/index/postings.ts';
import { Segment } from '../../src/index/segment.ts';
import { buildSegment } from '../support/segments.ts';
import { buildSource } from '../support/source.ts';
import { buildStored } from '../support/stored.ts';

const DATES = [null, '1999-12-31', '2000-01-01', '2000-12-31', '0987-06-05'];
const dateAt = (at: number): string | null => DATES[at % DATES.length] ?? null;

test('every record of a set counts in the year of its application date, and none without one', () => {
  // More than one look-up in 64 records is dearer than the walk.
  const records = 300;
  const stored = Array.from({ length: records }, (_, at) =>
    buildStored(
      buildSource({ uid: `R${at}`, application_date: dateAt(at) }),
      `2026-01-02T03:04:05.${String(at).padStart(6, '0')}Z`,
    ),
  );
  const { parts } = buildSegment(stored, 'years');
  const segment = new Segment(parts);
  assert.equal(segment.chunks, Math.ceil(records / CHUNK_SIZE));
  for (const chosen of [[3], [0, 1, 2, 4], Array.from({ length: records }, (_, at) => at)]) {
    const words = new Uint32Array(CHUNK_WORDS);
    for (const at of chosen) words[at >> 5]! |= 1 << (at & 31);
    const years = new Map<string, number>();
    const set = { words, counts: Uint32Array.of(chosen.length), size: chosen.length };
    addYears(segment, set, years, { scratch: new Scratch(), interruption: NEVER_INTERRUPTED });
    const expected = new Map<string, number>();
    for (const at of chosen) {
      const year = dateAt(at)?.slice(0, 4);
      if (year !== undefined) expected.set(year, (expected.get(year) ?? 0) + 1);
    }
    assert.deepEqual(new Map([...years].sort()), new Map([...expected].sort()));
  }
});
