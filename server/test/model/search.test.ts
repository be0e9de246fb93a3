/** Searches against the reference, record by record, over random registers, filters, orders and page sizes. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { systemClock } from '../../src/base/clock.ts';
import type { SearchValues } from '../../src/parse/query.ts';
import { parseSearch } from '../../src/parse/search.ts';
import { isIndexed } from '../../src/plan/filters.ts';
import { GATHER_ROWS_FEW, type SearchPath } from '../../src/plan/paths.ts';
import { NO_SAMPLE, type RecordSample } from '../../src/plan/record-sample.ts';
import { arrangePaths, planSearch, type SearchPlan } from '../../src/plan/search.ts';
import { codeTerm } from '../../src/record/terms.ts';
import type { Database } from '../../src/store/db.ts';
import { findSearchPage, type SearchPage } from '../../src/store/search.ts';
import { SEARCH_SESSION_SETTINGS } from '../../src/store/search-statements.ts';
import { readSample } from '../../src/store/search-statistics.ts';
import { sql } from '../../src/store/sql.ts';
import { connectTestDatabase, createTestDatabase } from '../support/database.ts';
import { renderDetail, type StoredRecord, storeRecords } from '../support/stored.ts';
import { selectRecords } from './search-reference.ts';
import { queryArbitrary, type RandomQuery, registersArbitrary } from './search-registers.ts';

const RUNS = Number(process.env.TMDS_PROPERTY_RUNS ?? 25);
const QUERIES_PER_REGISTER = 40;
const LIMITS = { clock: systemClock, timeoutMs: 10_000 };

let db: Database;
/** Of the records at hand, which are so few that it is all of them. */
let sample: RecordSample;

before(async () => {
  const { url } = await createTestDatabase();
  db = await connectTestDatabase(url, { poolMax: 2, settings: SEARCH_SESSION_SETTINGS });
});

async function replaceRecords(stored: readonly StoredRecord[]): Promise<void> {
  await db.query(sql`truncate record, payload, register`);
  await storeRecords(db, stored);
  sample = await readSample(db);
}

async function readItems({ items }: SearchPage): Promise<string[]> {
  const chunks: Buffer[] = [];
  if (Buffer.isBuffer(items)) chunks.push(items);
  else for await (const chunk of items) chunks.push(chunk);
  const parsed: unknown[] = JSON.parse(`[${Buffer.concat(chunks).toString()}]`);
  return parsed.map((item) => JSON.stringify(item));
}

/** Every page of a query, each found on the given paths and each with the count of the whole. */
async function walkPages(
  { register, texts }: RandomQuery,
  limit: number,
  force: ((plan: SearchPlan) => SearchPlan) | null,
): Promise<string[]> {
  const items: string[] = [];
  const counts = new Set<number>();
  let cursor: string | null = null;
  do {
    const values = {
      ...texts,
      count: 'capped',
      limit: String(limit),
      ...(cursor === null ? {} : { cursor }),
    } as SearchValues;
    const plan = planSearch(parseSearch(values, register));
    const page: SearchPage = await findSearchPage(db, force === null ? plan : force(plan), LIMITS);
    const found = await readItems(page);
    assert.ok(found.length <= limit);
    assert.equal(page.next_cursor !== null && found.length < limit, false, 'a page that is not the last is full');
    items.push(...found);
    counts.add(page.matched!.count);
    cursor = page.next_cursor;
  } while (cursor !== null);
  assert.deepEqual([...counts], [items.length], 'every page counts the whole query');
  return items;
}

const expectedItems = (stored: readonly StoredRecord[], { register, texts }: RandomQuery): string[] =>
  selectRecords(stored, texts, register).map(renderDetail);

const WALK_ONE = { kind: 'walk', rowsMax: 1 } as const;

const isWalkOnly = (plan: SearchPlan): boolean => plan.paths.length === 1;
const forcePaths =
  (paths: (plan: SearchPlan) => readonly SearchPath[]) =>
  (plan: SearchPlan): SearchPlan =>
    isWalkOnly(plan) ? plan : { ...plan, paths: paths(plan) };

/** What statistics could say of every term, and a sample of the records, right or wrong. */
const believe =
  (share: number, see: () => RecordSample = () => NO_SAMPLE) =>
  (plan: SearchPlan): SearchPlan => {
    const { sought, walked, covers } = plan;
    const registers = plan.scope.map((code) => codeTerm('jurisdiction', code)!);
    const terms = [...sought.allOf, ...walked.allOf, ...[...sought.anyOf, ...walked.anyOf, ...covers].flat()];
    const shares = new Map([...terms, ...registers].map((term) => [term, share]));
    return arrangePaths(plan, { records: 10_000_000, shares, rarest: share }, see());
  };

/** Seen as far as possible, then beyond the coded years, then as far as possible the other way. */
const leapTo = (dates: readonly string[]) =>
  forcePaths((plan) => [
    ...dates.flatMap((date) => [{ kind: 'leap', rowsMax: 1_000, until: [date] } as const, WALK_ONE]),
    { kind: 'leap', rowsMax: 1_000, until: dates },
    { kind: 'leap', rowsMax: 1_000, toEnd: true },
    ...plan.paths,
  ]);

/** Ways to take, each alone or after the others gave up. */
const FORCED: Record<string, (plan: SearchPlan) => SearchPlan> = {
  'one row at a time': forcePaths((plan) => [
    ...Array.from({ length: 200 }, () => ({ kind: 'walk', rowsMax: 1 }) as const),
    ...plan.paths,
  ]),
  'a few rows at a time': forcePaths((plan) => [
    ...Array.from({ length: 50 }, (_, index) => ({ kind: 'walk', rowsMax: 2 + index }) as const),
    ...plan.paths,
  ]),
  'gather at once': forcePaths((plan) => plan.paths.slice(-1)),
  'gather few': forcePaths(({ paths }) => [
    { kind: paths.at(-1)!.kind, rowsMax: GATHER_ROWS_FEW, withBroadCovers: true },
    ...paths,
  ]),
  'leap after leap': forcePaths((plan) => [
    ...[1, 2, 1_000].flatMap((rows) => [
      WALK_ONE,
      { ...WALK_ONE, kind: 'leap', rowsMax: rows } as const,
      { ...WALK_ONE, kind: 'leap', rowsMax: rows, toEnd: true } as const,
    ]),
    ...plan.paths,
  ]),
  'give up twice': forcePaths((plan) => [
    { kind: 'walk', rowsMax: 3 },
    { kind: plan.paths.at(-1)!.kind, rowsMax: 1 },
    ...plan.paths,
  ]),
  'ask for names and parts alone': forcePaths(({ paths, walked }) => [
    ...(walked.pinned.length > 0 ? [{ kind: 'gather', rowsMax: 1_000, asksOnly: 'pinned' } as const] : []),
    ...(walked.texts.some(isIndexed) ? [{ kind: 'gather', rowsMax: 1_000, asksOnly: 'parts' } as const] : []),
    ...paths,
  ]),
  'believe every term common': believe(0.9),
  'believe every term rare': believe(0.000_001),
  'believe a sample that is all': believe(0.3, () => sample),
  'believe that each record stands for thousands': believe(0.3, () => ({ ...sample, weight: 10_000 })),
  'believe terms rare and records many': believe(0.000_001, () => ({ ...sample, weight: 100 })),
  'leap to a date, and beyond': leapTo(['2021-05-17', '2019-12-31', '1949-06-15', '2024-02-29', '2110-01-01']),
  'leap over all dates at once': leapTo([]),
  'count along the order of changes': (plan) => ({ ...plan, countRows: 3 }),
};

test('complete walks bring exactly the matches, in order, each once, and count them [4.3, I-16, I-18]', async () => {
  let matches = 0;
  await fc.assert(
    fc.asyncProperty(
      registersArbitrary,
      fc.array(fc.tuple(queryArbitrary, fc.integer({ min: 1, max: 50 })), {
        minLength: QUERIES_PER_REGISTER,
        maxLength: QUERIES_PER_REGISTER,
      }),
      async (stored, queries) => {
        await replaceRecords(stored);
        const served = new Set(stored.map(({ record }) => record.jurisdiction_code));
        for (const [query, limit] of queries) {
          if (query.register !== null && !served.has(query.register)) continue;
          const expected = expectedItems(stored, query);
          matches += expected.length;
          assert.deepEqual(await walkPages(query, limit, null), expected, JSON.stringify(query));
        }
      },
    ),
    { numRuns: RUNS },
  );
  assert.ok(matches > RUNS * QUERIES_PER_REGISTER, 'the queries met records');
});

for (const [name, force] of Object.entries(FORCED)) {
  test(`every path brings the same page: ${name} [4.3, I-16]`, async () => {
    await fc.assert(
      fc.asyncProperty(
        registersArbitrary,
        fc.array(fc.tuple(queryArbitrary, fc.integer({ min: 1, max: 50 })), { minLength: 10, maxLength: 10 }),
        async (stored, queries) => {
          await replaceRecords(stored);
          for (const [query, limit] of queries) {
            if (query.register !== null && !stored.some(({ record }) => record.jurisdiction_code === query.register))
              continue;
            assert.deepEqual(await walkPages(query, limit, force), expectedItems(stored, query), JSON.stringify(query));
          }
        },
      ),
      { numRuns: Math.ceil(RUNS / 3) },
    );
  });
}
