/** The index against the reference: over random registers, published at once or in a random history with merges. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { microsOf } from '../../src/base/clock.ts';
import { mergeSegments } from '../../src/index/merge.ts';
import { countLiving, type View } from '../../src/index/segment.ts';
import { IndexWriter } from '../../src/index/writer.ts';
import { runsOf } from '../support/depth.ts';
import { buildSegment } from '../support/segments.ts';
import { buildSource } from '../support/source.ts';
import { buildStored, type StoredRecord } from '../support/stored.ts';
import { checkQueries, checkSummary, type Key, keyOf, QUERIES, queriesArbitrary } from './index-checks.ts';
import { registersArbitrary } from './search-registers.ts';

const RUNS = runsOf(10);

test('complete walks bring exactly the matches, in order, each once, and count them [4.3, I-16, I-18]', () => {
  let matches = 0;
  fc.assert(
    fc.property(registersArbitrary, queriesArbitrary, (stored, queries) => {
      const writer = new IndexWriter(() => Number.POSITIVE_INFINITY);
      const view = writer.apply([buildSegment(stored, 'only')], microsOf('2026-03-01T00:00:00.000000Z'));
      matches += checkQueries(view, stored, queries);
    }),
    { numRuns: RUNS },
  );
  assert.ok(matches > RUNS * QUERIES, 'the queries met records');
});

/** Steps of a history: which records are published again, with the content of which others. */
const historyArbitrary = fc.array(
  fc.record({
    changed: fc.uniqueArray(fc.nat(1_000), { minLength: 1, maxLength: 30 }),
    contents: fc.nat(1_000),
    /** From which segment, how many more, and how many publishes long. */
    merge: fc.option(fc.tuple(fc.nat(20), fc.nat(20), fc.integer({ min: 1, max: 6 })), { nil: null }),
  }),
  { minLength: 3, maxLength: 25 },
);

/** Null where there is nothing to merge. What is merged is read at the end, when its memory may have been reused. */
function beginMerge(
  writer: IndexWriter,
  [start, more, publishes]: readonly [number, number, number],
  views: number,
): { endsAfter: number; end: () => void } | null {
  const from = start % Math.max(1, writer.view.parts.length);
  const inputs = writer.view.parts.slice(from, from + 1 + more);
  if (inputs.length === 0) return null;
  const release = writer.hold();
  const end = (): void => {
    const merged = mergeSegments(inputs, `merged ${views}`);
    writer.replace(inputs, merged);
    release();
  };
  return { endsAfter: views + publishes - 1, end };
}

/** An index that followed a history with the given merges, and what is true at its end. */
function followHistory(
  registers: readonly StoredRecord[],
  history: readonly { changed: readonly number[]; contents: number; merge: readonly [number, number, number] | null }[],
): { view: View; stored: StoredRecord[] } {
  const writer = new IndexWriter(() => writer.view.number);
  const firstSeen = new Map<Key, string>();
  const newest = new Map<Key, StoredRecord>();
  let views = 0;
  let merging: ReturnType<typeof beginMerge> = null;
  for (const { changed, contents, merge } of history) {
    views += 1;
    const stamp = `2026-02-01T00:00:${String(views).padStart(2, '0')}.000000Z`;
    const published = changed.map((index) => {
      const identity = registers[index % registers.length]!.record;
      const content = registers[(index + contents) % registers.length]!.record;
      const { jurisdiction_code, uid } = identity;
      return { record: { ...content, jurisdiction_code, uid }, updated_at: stamp };
    });
    const step = [...new Map(published.map((each) => [keyOf(each), each])).values()];
    for (const each of step) {
      if (!firstSeen.has(keyOf(each))) firstSeen.set(keyOf(each), stamp);
      newest.set(keyOf(each), each);
    }
    // A merge begins before the publish and ends after it, or after some more.
    if (merging === null && merge !== null) merging = beginMerge(writer, merge, views);
    writer.apply([buildSegment(step, `publish ${views}`, (each) => firstSeen.get(keyOf(each))!)], microsOf(stamp));
    if (merging?.endsAfter === views) {
      merging.end();
      merging = null;
    }
  }
  merging?.end();
  return { view: writer.view, stored: [...newest.values()] };
}

test('an index that followed publishes and merges answers like a new one [4.3, I-41]', () => {
  fc.assert(
    fc.property(registersArbitrary, historyArbitrary, queriesArbitrary, (registers, history, queries) => {
      const { view, stored } = followHistory(registers, history);
      checkQueries(view, stored, queries);
      checkSummary(view, stored);
    }),
    { numRuns: RUNS },
  );
});

test('a record that changes again and again while its segment is merged is alive once', () => {
  const writer = new IndexWriter(() => Number.POSITIVE_INFINITY);
  const records = Array.from({ length: 6 }, (_, index) => buildSource({ uid: `R${index}` }));
  const publish = (second: number, uids: readonly number[]): void => {
    const stamp = `2026-02-01T00:00:0${second}.000000Z`;
    const published = uids.map((index) => buildStored(records[index]!, stamp));
    const first = '2026-02-01T00:00:01.000000Z';
    writer.apply([buildSegment(published, `publish ${second}`, () => first)], microsOf(stamp));
  };
  publish(1, [0, 1, 2, 3, 4, 5]);
  publish(2, [0]);
  const inputs = writer.view.parts;
  const release = writer.hold();
  const merged = mergeSegments(inputs, 'merged');
  for (const index of [1, 2, 3, 4]) publish(index + 2, [index]);
  const view = writer.replace(inputs, merged);
  release();
  assert.equal(
    view.parts.reduce((sum, part) => sum + countLiving(part), 0),
    records.length,
  );
});
