/** The index against the reference: over random registers, published at once or in a random history with merges. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { countFacets } from '../../src/index/facets.ts';
import { microsOf } from '../../src/index/instants.ts';
import { NEVER_INTERRUPTED } from '../../src/index/interruption.ts';
import { mergeSegments } from '../../src/index/merge.ts';
import { Scratch } from '../../src/index/scratch.ts';
import { countMatches, searchView } from '../../src/index/search.ts';
import { summarizeRegisters } from '../../src/index/summary.ts';
import type { View } from '../../src/index/view.ts';
import { IndexWriter } from '../../src/index/writer.ts';
import type { SearchValues } from '../../src/parse/query.ts';
import { parseSearch } from '../../src/parse/search.ts';
import { planSearch } from '../../src/plan/search.ts';
import { TERM_FIELD_NAMES, TERM_FIELDS } from '../../src/record/terms.ts';
import { buildSegment, compareStored } from '../support/segments.ts';
import type { StoredRecord } from '../support/stored.ts';
import { selectRecords } from './search-reference.ts';
import { queryArbitrary, type RandomQuery, registersArbitrary } from './search-registers.ts';

const RUNS = Number(process.env.TMDS_PROPERTY_RUNS ?? 25);
const QUERIES = 40;
const scratch = new Scratch();

type Key = string;
const keyOf = ({ record }: StoredRecord): Key => `${record.jurisdiction_code}/${record.uid}`;

/** Every page of a query, each with the count of the whole. */
function walkPages(view: View, { register, texts }: RandomQuery, limit: number, counted: boolean): Key[] {
  const values = { ...texts, ...(counted ? { count: 'capped' } : {}), limit: String(limit) } as SearchValues;
  const plan = planSearch(parseSearch(values, register));
  const keys: Key[] = [];
  const counts = new Set<number>();
  for (let after = plan.after, pages = 0; pages === 0 || after !== null; pages += 1) {
    const { records, last, count } = searchView(view, { ...plan, after }, scratch, NEVER_INTERRUPTED);
    keys.push(...records.map(({ jurisdiction_code, uid }) => `${jurisdiction_code}/${uid}`));
    counts.add(count);
    assert.ok(last === null || records.length === limit, 'a page that is not the last is full');
    after = last;
  }
  assert.deepEqual([...counts], [counted ? keys.length : 0], 'every page counts the whole query');
  assert.equal(countMatches(view, plan.conditions, scratch, NEVER_INTERRUPTED), keys.length);
  return keys;
}

function checkQueries(view: View, stored: readonly StoredRecord[], queries: readonly [RandomQuery, number][]): number {
  let matches = 0;
  for (const [query, limit] of queries) {
    const selected = selectRecords(stored, query.texts, query.register);
    const said = JSON.stringify(query);
    assert.deepEqual(walkPages(view, query, limit, limit % 2 === 0), selected.map(keyOf), said);
    checkFacets(view, query, selected);
    matches += selected.length;
  }
  return matches;
}

function checkFacets(view: View, { register, texts }: RandomQuery, selected: readonly StoredRecord[]): void {
  const { conditions } = planSearch(parseSearch(texts as SearchValues, register));
  const facets = countFacets(view, conditions, TERM_FIELD_NAMES, scratch, NEVER_INTERRUPTED);
  for (const field of TERM_FIELD_NAMES) {
    const expected = new Map<string, number>();
    for (const { record } of selected) {
      for (const value of new Set<string>(TERM_FIELDS[field](record))) {
        expected.set(value, (expected.get(value) ?? 0) + 1);
      }
    }
    assert.deepEqual(new Map(facets[field]!.map(({ value, count }) => [value, count])), expected);
  }
}

const queriesArbitrary = fc.array(fc.tuple(queryArbitrary, fc.integer({ min: 1, max: 50 })), {
  minLength: QUERIES,
  maxLength: QUERIES,
});

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

/** Steps of a history: which records are published anew, with the content of which others. */
const historyArbitrary = fc.array(
  fc.record({
    changed: fc.uniqueArray(fc.nat(1_000), { minLength: 1, maxLength: 30 }),
    contents: fc.nat(1_000),
    merge: fc.option(fc.tuple(fc.nat(20), fc.nat(20)), { nil: null }),
  }),
  { minLength: 3, maxLength: 25 },
);

/** An index that followed a history, merging as it was told to, beside what is true at its end. */
function followHistory(
  registers: readonly StoredRecord[],
  history: readonly { changed: readonly number[]; contents: number; merge: readonly [number, number] | null }[],
): { view: View; stored: StoredRecord[] } {
  const writer = new IndexWriter(() => writer.view.number);
  const firstSeen = new Map<Key, string>();
  const newest = new Map<Key, StoredRecord>();
  let views = 0;
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
    // A merge begins before the publish and ends after it.
    const from = merge === null ? 0 : merge[0] % Math.max(1, writer.view.parts.length);
    const inputs = merge === null ? [] : writer.view.parts.slice(from, from + 1 + merge[1]);
    const merged = inputs.length === 0 ? null : mergeSegments(inputs, `merged ${views}`);
    writer.apply([buildSegment(step, `publish ${views}`, (each) => firstSeen.get(keyOf(each))!)], microsOf(stamp));
    if (merged !== null) writer.replace(inputs, merged);
  }
  return { view: writer.view, stored: [...newest.values()] };
}

test('an index that followed publishes and merges answers as one built afresh [4.3, I-41]', () => {
  fc.assert(
    fc.property(registersArbitrary, historyArbitrary, queriesArbitrary, (registers, history, queries) => {
      const { view, stored } = followHistory(registers, history);
      checkQueries(view, stored, queries);
      const afresh = new IndexWriter(() => Number.POSITIVE_INFINITY);
      afresh.apply([buildSegment(stored.toSorted(compareStored), 'afresh')], view.stamp);
      const tools = { scratch, interruption: NEVER_INTERRUPTED };
      const counts = ({ jurisdiction_code, record_count }: { jurisdiction_code: string; record_count: number }) => [
        jurisdiction_code,
        record_count,
      ];
      assert.deepEqual(summarizeRegisters(view, tools).map(counts), summarizeRegisters(afresh.view, tools).map(counts));
    }),
    { numRuns: RUNS },
  );
});
