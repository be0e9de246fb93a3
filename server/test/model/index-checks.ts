/** What every test of the index checks: pages, counts and facets equal to the reference. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { COUNTED_FIELDS, countFacets, summarizeRegisters } from '../../src/index/facets.ts';
import { NEVER_INTERRUPTED, Scratch } from '../../src/index/matchers.ts';
import { searchView } from '../../src/index/search.ts';
import type { View } from '../../src/index/segment.ts';
import { IndexWriter } from '../../src/index/writer.ts';
import type { SearchValues } from '../../src/parse/query.ts';
import { parseSearch } from '../../src/parse/search.ts';
import { planSearch } from '../../src/plan/search.ts';
import { TERM_FIELD_NAMES, TERM_FIELDS } from '../../src/record/terms.ts';
import { buildSegment, compareStored } from '../support/segments.ts';
import type { StoredRecord } from '../support/stored.ts';
import { selectRecords } from './search-reference.ts';
import { queryArbitrary, type RandomQuery } from './search-registers.ts';

export const QUERIES = 40;
const scratch = new Scratch();

export type Key = string;
export const keyOf = ({ record }: StoredRecord): Key => `${record.jurisdiction_code}/${record.uid}`;

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
  const all = { ...plan, after: null, limit: 1, countMax: Number.MAX_SAFE_INTEGER };
  assert.equal(searchView(view, all, scratch, NEVER_INTERRUPTED).count, keys.length);
  return keys;
}

export function checkQueries(
  view: View,
  stored: readonly StoredRecord[],
  queries: readonly [RandomQuery, number][],
): number {
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
  const facets = countFacets(view, conditions, COUNTED_FIELDS, scratch, NEVER_INTERRUPTED);
  for (const field of TERM_FIELD_NAMES) {
    const expected = new Map<string, number>();
    for (const { record } of selected) {
      for (const value of new Set<string>(TERM_FIELDS[field](record))) {
        expected.set(value, (expected.get(value) ?? 0) + 1);
      }
    }
    assert.deepEqual(new Map(facets[field]!.map(({ value, count }) => [value, count])), expected);
  }
  const years = selected.flatMap(({ record }) => record.application_date?.slice(0, 4) ?? []);
  const inYear = (year: string): number => years.filter((other) => other === year).length;
  assert.deepEqual(
    new Map(facets.application_year!.map(({ value, count }) => [value, count])),
    new Map(years.map((year) => [year, inYear(year)])),
  );
}

export const queriesArbitrary = fc.array(fc.tuple(queryArbitrary, fc.integer({ min: 1, max: 50 })), {
  minLength: QUERIES,
  maxLength: QUERIES,
});

/** The same records a register as an index that is built afresh of what is stored. */
export function checkSummary(view: View, stored: readonly StoredRecord[]): void {
  const afresh = new IndexWriter(() => Number.POSITIVE_INFINITY);
  afresh.apply([buildSegment(stored.toSorted(compareStored), 'afresh')], view.stamp);
  assert.deepEqual(countRecords(view), countRecords(afresh.view));
}

function countRecords(view: View): [string, number][] {
  const summaries = summarizeRegisters(view, { scratch, interruption: NEVER_INTERRUPTED });
  return summaries.map(({ jurisdiction_code, record_count }) => [jurisdiction_code, record_count]);
}
