/** Searches against the reference, record by record, through the index and the database together. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { systemClock } from '../../src/base/clock.ts';
import { findReadingOptions } from '../../src/database/distributed/distribution.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import type { SearchIndex } from '../../src/follow/live-index.ts';
import { Timing } from '../../src/http/call.ts';
import { findPage } from '../../src/http/search.ts';
import type { SearchValues } from '../../src/parse/query.ts';
import { parseSearch } from '../../src/parse/search.ts';
import { planSearch } from '../../src/plan/search.ts';
import { RecordTexts, type SearchPage } from '../../src/store/records/search.ts';
import { connectTestDatabase, createTestDatabase } from '../support/database.ts';
import { runsOf } from '../support/depth.ts';
import { openLocalIndex } from '../support/local-index.ts';
import { renderDetail, type StoredRecord, storeRecords } from '../support/stored.ts';
import { selectRecords } from './search-reference.ts';
import { queryArbitrary, type RandomQuery, registersArbitrary } from './search-registers.ts';

const RUNS = runsOf(5);
const QUERIES_PER_REGISTER = 25;
const TIME_LIMIT_MS = 60_000;

let db: Database;

before(async () => {
  const made = await createTestDatabase();
  db = await connectTestDatabase(made.url, { poolMax: 2, ...(await findReadingOptions(made.db)) });
});

/** Few records, so that pages are made of kept and of read texts. */
let texts = new RecordTexts(8_000);

async function replaceRecords(stored: readonly StoredRecord[]): Promise<SearchIndex> {
  texts = new RecordTexts(8_000);
  await db.query(sql`truncate record, payload, register`);
  await storeRecords(db, stored);
  return openLocalIndex(db);
}

async function readItems({ items }: SearchPage): Promise<string[]> {
  if (!(Symbol.asyncIterator in items)) return items.map((item) => JSON.stringify(JSON.parse(item.toString())));
  const chunks: Buffer[] = [];
  for await (const chunk of items) chunks.push(chunk);
  const parsed: unknown[] = JSON.parse(`[${Buffer.concat(chunks).toString()}]`);
  return parsed.map((item) => JSON.stringify(item));
}

/** Every page of a query, each with the count of the whole. */
async function walkPages(
  index: SearchIndex,
  { register, texts: asked }: RandomQuery,
  limit: number,
): Promise<string[]> {
  const items: string[] = [];
  const counts = new Set<number>();
  let cursor: string | null = null;
  do {
    const values = { ...asked, count: 'capped', limit: String(limit), ...(cursor === null ? {} : { cursor }) };
    const plan = planSearch(parseSearch(values as SearchValues, register));
    const limits = { deadlineMs: systemClock.monotonicMs() + TIME_LIMIT_MS };
    const page: SearchPage = await findPage(plan, { index, database: db, texts }, limits, new Timing(systemClock));
    const found = await readItems(page);
    assert.equal(page.next_cursor !== null && found.length < limit, false, 'a page that is not the last is full');
    items.push(...found);
    counts.add(page.matched!.count);
    cursor = page.next_cursor;
  } while (cursor !== null);
  assert.deepEqual([...counts], [items.length], 'every page counts the whole query');
  return items;
}

const expectedItems = (stored: readonly StoredRecord[], { register, texts }: RandomQuery): string[] =>
  selectRecords(stored, texts, register).map((each) => renderDetail(each));

test('complete walks return exactly the delivered matches, in order, each once [4.3, I-16, I-18]', async () => {
  let matches = 0;
  await fc.assert(
    fc.asyncProperty(
      registersArbitrary,
      fc.array(fc.tuple(queryArbitrary, fc.integer({ min: 1, max: 50 })), {
        minLength: QUERIES_PER_REGISTER,
        maxLength: QUERIES_PER_REGISTER,
      }),
      async (stored, queries) => {
        const index = await replaceRecords(stored);
        const served = new Set(stored.map(({ record }) => record.jurisdiction_code));
        for (const [query, limit] of queries) {
          if (query.register !== null && !served.has(query.register)) continue;
          const expected = expectedItems(stored, query);
          matches += expected.length;
          assert.deepEqual(await walkPages(index, query, limit), expected, JSON.stringify(query));
        }
      },
    ),
    { numRuns: RUNS },
  );
  assert.ok(matches > RUNS * QUERIES_PER_REGISTER, 'the queries met records');
});
