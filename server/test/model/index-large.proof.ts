/**
 * The index against the reference where chunks are full: bitmaps, walks along an order, several chunks and
 * segments.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { microsOf } from '../../src/base/clock.ts';
import { NEVER_INTERRUPTED, Scratch } from '../../src/index/matchers.ts';
import { mergeSegments } from '../../src/index/merge.ts';
import { CHUNK_SIZE } from '../../src/index/postings.ts';
import { searchView } from '../../src/index/search.ts';
import type { View } from '../../src/index/segment.ts';
import { IndexWriter } from '../../src/index/writer.ts';
import type { SearchValues } from '../../src/parse/query.ts';
import { parseSearch } from '../../src/parse/search.ts';
import { planSearch } from '../../src/plan/search.ts';
import { buildSegment } from '../support/segments.ts';
import type { StoredRecord } from '../support/stored.ts';
import { selectRecords } from './search-reference.ts';
import { queryArbitrary, registersArbitrary } from './search-registers.ts';

const QUERIES = 60;
const RECORDS = CHUNK_SIZE + 14_000;
const CHANGED_EVERY = 7;
const scratch = new Scratch();

const keyOf = ({ record }: StoredRecord): string => `${record.jurisdiction_code}/${record.uid}`;

/** Some hundred contents over and over under other uids, so that every condition has many members. */
function multiply(contents: readonly StoredRecord[]): StoredRecord[] {
  return Array.from({ length: RECORDS }, (_, index) => {
    const { record, updated_at } = contents[index % contents.length]!;
    return { record: { ...record, uid: `${record.uid}-${index}` }, updated_at };
  });
}

/** The newest state, and a view that came to it in two publishes, the second of which replaced many records. */
function publishTwice(stored: readonly StoredRecord[]): { newest: StoredRecord[]; view: View; merged: View } {
  const stamp = '2026-02-02T00:00:00.000000Z';
  const changed = stored.flatMap(({ record }, index) => {
    const content = stored[(index * 31) % stored.length]!.record;
    const { jurisdiction_code, uid } = record;
    return index % CHANGED_EVERY === 0 ? [{ record: { ...content, jurisdiction_code, uid }, updated_at: stamp }] : [];
  });
  const replaced = new Set(changed.map(keyOf));
  const writer = new IndexWriter(() => 0);
  writer.apply([buildSegment(stored, 'first')], microsOf('2026-02-01T23:00:00.000000Z'));
  const view = writer.apply([buildSegment(changed, 'second', () => '2026-01-01T00:00:00.000000Z')], microsOf(stamp));
  const merged = new IndexWriter(() => 0, view).replace(view.parts, mergeSegments(view.parts, 'merged'));
  return { newest: [...stored.filter((each) => !replaced.has(keyOf(each))), ...changed], view, merged };
}

test('first pages, later pages and counts are exact among many records, before and after a merge [4.3, I-16]', () => {
  const [contents] = fc.sample(registersArbitrary, { numRuns: 1, seed: 7 });
  const { newest, view, merged } = publishTwice(multiply(contents!));
  for (const [index, { register, texts }] of fc.sample(queryArbitrary, { numRuns: QUERIES, seed: 11 }).entries()) {
    const selected = selectRecords(newest, texts, register).map(keyOf);
    const said = JSON.stringify({ register, texts });
    const counted = index % 2 === 0 ? { count: 'capped' } : {};
    const plan = planSearch(parseSearch({ ...texts, ...counted, limit: '200' } as SearchValues, register));
    for (const each of [view, merged]) {
      let { after } = plan;
      for (let page = 0; page < 3 && (page === 0 || after !== null); page += 1) {
        const found = searchView(each, { ...plan, after }, scratch, NEVER_INTERRUPTED);
        const keys = found.records.map(({ jurisdiction_code, uid }) => `${jurisdiction_code}/${uid}`);
        assert.deepEqual(keys, selected.slice(page * 200, (page + 1) * 200), `${said} page ${page}`);
        if (plan.countMax > 0)
          assert.equal(Math.min(found.count, plan.countMax), Math.min(selected.length, plan.countMax));
        after = found.last;
      }
      const all = { ...plan, limit: 1, countMax: Number.MAX_SAFE_INTEGER };
      assert.equal(searchView(each, all, scratch, NEVER_INTERRUPTED).count, selected.length, said);
    }
  }
});
