/** Pages joined from indexes of different registers, compared with pages of one index of all registers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MATCHED_COUNT_MAX } from '@tmds/contract/limits';
import fc from 'fast-check';
import { microsOf } from '../../src/index/instants.ts';
import { NEVER_INTERRUPTED } from '../../src/index/interruption.ts';
import { joinPages, mayHoldMatches } from '../../src/index/join.ts';
import { Scratch } from '../../src/index/scratch.ts';
import { type Matches, searchView } from '../../src/index/search.ts';
import type { View } from '../../src/index/view.ts';
import { IndexWriter } from '../../src/index/writer.ts';
import { encodeCursor } from '../../src/parse/cursor.ts';
import type { SearchValues } from '../../src/parse/query.ts';
import { parseSearch } from '../../src/parse/search.ts';
import { planSearch, type SearchPlan, type SearchQuery } from '../../src/plan/search.ts';
import { buildSegment } from '../support/segments.ts';
import type { StoredRecord } from '../support/stored.ts';
import { keyOf, QUERIES, queriesArbitrary, RUNS } from './index-checks.ts';
import { selectRecords } from './search-reference.ts';
import { type RandomQuery, registersArbitrary } from './search-registers.ts';

const scratch = new Scratch();
const LAST_STAMP = '2026-03-01T00:00:00.000000Z';

interface Group {
  readonly registers: ReadonlySet<string>;
  readonly view: View;
}

/** Uids whose order by UTF-16 differs from the order of their bytes. */
function spreadUids(stored: readonly StoredRecord[]): StoredRecord[] {
  return stored.map(({ record, updated_at }, index) => {
    const prefix = ['', '', '\uFF5E', '\u{1F600}'][index % 4]!;
    return { record: { ...record, uid: `${prefix}${record.uid}` }, updated_at };
  });
}

/** An index of the records, in as many segments as there are stamps or in one. */
function buildIndex(stored: readonly StoredRecord[], isSplit: boolean): View {
  const writer = new IndexWriter(() => Number.POSITIVE_INFINITY);
  const stamps = [...new Set(stored.map(({ updated_at }) => updated_at))].sort();
  const publishes = isSplit ? stamps.map((stamp) => stored.filter((each) => each.updated_at === stamp)) : [stored];
  for (const [index, publish] of publishes.entries()) {
    writer.apply([buildSegment(publish, `publish ${index}`)], microsOf(publish[0]?.updated_at ?? LAST_STAMP));
  }
  return writer.apply([], microsOf(LAST_STAMP));
}

function buildGroups(stored: readonly StoredRecord[], registers: readonly (readonly string[])[]): Group[] {
  return registers.map((codes, index) => {
    const own = stored.filter(({ record }) => codes.includes(record.jurisdiction_code));
    return { registers: new Set(codes), view: buildIndex(own, index % 2 === 0) };
  });
}

const search = (view: View, query: SearchQuery): Matches => searchView(view, query, scratch, NEVER_INTERRUPTED);

/** Asks only those who may hold matches, as a server would. */
function searchGroups(groups: readonly Group[], query: SearchQuery): Matches {
  const asked = groups.filter(({ registers }) => mayHoldMatches(registers, query.conditions));
  // Somebody answers even a search of registers that nobody holds.
  return joinPages(
    (asked.length === 0 ? groups.slice(0, 1) : asked).map(({ view }) => search(view, query)),
    query,
  );
}

/** What a caller would see of a page. */
function renderPage(plan: SearchPlan, { records, last, count }: Matches): string {
  const next_cursor = last === null ? null : encodeCursor(plan.binding, last);
  return JSON.stringify({ records, next_cursor, matched: Math.min(count, MATCHED_COUNT_MAX + 1) });
}

function planOf({ register, texts }: RandomQuery, limit: number): SearchPlan {
  const counted = limit % 2 === 0 ? { count: 'capped' } : {};
  return planSearch(parseSearch({ ...texts, ...counted, limit: String(limit) } as SearchValues, register));
}

/** Compares every page; returns the keys of all of them. */
function walkPages(whole: View, groups: readonly Group[], plan: SearchPlan): string[] {
  const keys: string[] = [];
  for (let after = plan.after, pages = 0; pages === 0 || after !== null; pages += 1) {
    const joined = searchGroups(groups, { ...plan, after });
    assert.equal(renderPage(plan, joined), renderPage(plan, search(whole, { ...plan, after })), `page ${pages}`);
    assert.equal(joined.stamp, whole.stamp);
    keys.push(...joined.records.map(({ jurisdiction_code, uid }) => `${jurisdiction_code}/${uid}`));
    after = joined.last;
  }
  return keys;
}

const DIVISIONS = [
  [['XA'], ['XB', 'US']],
  [['US'], ['XA'], ['XB']],
  [['XA', 'XB', 'US'], ['ZZ']],
] as const;

test('pages joined from indexes of different registers equal pages of one index, each record once [4.3, I-16, I-18]', () => {
  let matches = 0;
  let joins = 0;
  fc.assert(
    fc.property(registersArbitrary, queriesArbitrary, (drawn, queries) => {
      const stored = spreadUids(drawn);
      const whole = buildIndex(stored, true);
      for (const division of DIVISIONS) {
        const groups = buildGroups(stored, division);
        for (const [query, limit] of queries) {
          const selected = selectRecords(stored, query.texts, query.register);
          const keys = walkPages(whole, groups, planOf(query, limit));
          assert.deepEqual(keys, selected.map(keyOf), JSON.stringify(query));
          matches += selected.length;
          if (selected.length > limit) joins += 1;
        }
      }
    }),
    { numRuns: RUNS },
  );
  assert.ok(matches > RUNS * QUERIES * DIVISIONS.length, 'the queries met records');
  assert.ok(joins > RUNS, 'some of them on several pages');
});

test('a cursor of a joined page continues in one index, and the other way round [I-17]', () => {
  const [drawn] = fc.sample(registersArbitrary, { numRuns: 1, seed: 5 });
  const stored = spreadUids(drawn!);
  const whole = buildIndex(stored, false);
  for (const division of DIVISIONS) {
    const groups = buildGroups(stored, division);
    for (const sort of ['updated_at', 'application_date', 'registration_date']) {
      for (const order of ['asc', 'desc']) {
        const query = { register: null, texts: { jurisdiction: 'XA,XB,US', sort, order } };
        const plan = planOf(query, 7);
        const keys: string[] = [];
        for (let after = plan.after, pages = 0; pages === 0 || after !== null; pages += 1) {
          const asked = { ...plan, after };
          const found = pages % 2 === 0 ? searchGroups(groups, asked) : search(whole, asked);
          keys.push(...found.records.map(({ jurisdiction_code, uid }) => `${jurisdiction_code}/${uid}`));
          after = found.last;
        }
        assert.deepEqual(keys, selectRecords(stored, query.texts, null).map(keyOf), `${sort} ${order}`);
      }
    }
  }
});

test('a joined page is as old as the oldest of its parts', () => {
  const page = (stamp: number): Matches => ({ stamp, records: [], last: null, count: 0 });
  const query: SearchQuery = { ...planOf({ register: null, texts: { jurisdiction: 'XA' } }, 5) };
  assert.equal(joinPages([page(43), page(41), page(42)], query).stamp, 41);
});

test('a joined count is capped where the sum is, not where a part is [I-18]', () => {
  const query: SearchQuery = { ...planOf({ register: null, texts: { jurisdiction: 'XA' } }, 4) };
  const counts = [MATCHED_COUNT_MAX - 1, 2];
  const pages = counts.map((count) => ({ stamp: 1, records: [], last: null, count }));
  assert.equal(query.countMax, MATCHED_COUNT_MAX + 1);
  assert.equal(joinPages(pages, query).count, MATCHED_COUNT_MAX + 1);
});
