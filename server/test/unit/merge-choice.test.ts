/** Which segments are merged: what merges copy, and how many segments searches meet, over many publishes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SEGMENT_RECORDS_MAX, type View, type ViewPart } from '../../src/index/segment.ts';
import { chooseMerge } from '../../src/index/writer.ts';

let made = 0;
/** A part of which only the size is read. */
function partOf(records: number): ViewPart {
  made += 1;
  return { segment: { records, parts: { id: `part ${made}` } }, dead: null } as unknown as ViewPart;
}

interface Course {
  /** Records copied by merges, for each record that was published. */
  readonly copied: number;
  readonly segmentsMax: number;
}

/** An index of `records` that follows publishes of new records, each merge ending before the next publish. */
function follow(records: number, publishes: number, publishRecords: number): Course {
  let view: View = { number: 1, stamp: 1, parts: Array.from({ length: records / 1_000_000 }, () => partOf(1_000_000)) };
  let copied = 0;
  let segmentsMax = 0;
  const merge = (): void => {
    for (let run = chooseMerge(view, new Set()); run !== null; run = chooseMerge(view, new Set())) {
      const size = run.reduce((sum, { segment }) => sum + segment.records, 0);
      assert.ok(size <= SEGMENT_RECORDS_MAX);
      copied += size;
      view = { ...view, parts: view.parts.toSpliced(view.parts.indexOf(run[0]!), run.length, partOf(size)) };
    }
  };
  merge();
  copied = 0;
  for (let publish = 0; publish < publishes; publish += 1) {
    view = { ...view, parts: [...view.parts, partOf(publishRecords)] };
    merge();
    segmentsMax = Math.max(segmentsMax, view.parts.length);
  }
  return { copied: copied / (publishes * publishRecords), segmentsMax };
}

test('a large segment is not copied for every few small publishes, and segments stay few', () => {
  for (const records of [1_000_000, 12_000_000, 100_000_000]) {
    const byDay = follow(records, 2_000, 5_000);
    assert.ok(byDay.copied < 8, `${byDay.copied} of publishes of 5,000 among ${records}`);
    assert.ok(byDay.segmentsMax <= 32, `${byDay.segmentsMax} segments`);
    const byMinute = follow(records, 20_000, 50);
    assert.ok(byMinute.copied < 32, `${byMinute.copied} of publishes of 50 among ${records}`);
    assert.ok(byMinute.segmentsMax <= 32, `${byMinute.segmentsMax} segments`);
  }
});

test('eight segments of one size are merged, and what is full is left alone', () => {
  const view = (sizes: readonly number[]): View => ({ number: 1, stamp: 1, parts: sizes.map(partOf) });
  const chosen = (sizes: readonly number[]): number[] | undefined =>
    chooseMerge(view(sizes), new Set())?.map(({ segment }) => segment.records);
  assert.deepEqual(chosen(Array(8).fill(5_000)), Array(8).fill(5_000));
  assert.equal(chosen(Array(7).fill(5_000)), undefined);
  assert.equal(chosen([12_000_000, ...Array(7).fill(5_000)]), undefined);
  assert.deepEqual(chosen([12_000_000, ...Array(8).fill(5_000)]), Array(8).fill(5_000));
  assert.equal(chosen(Array(8).fill(SEGMENT_RECORDS_MAX)), undefined);
});
