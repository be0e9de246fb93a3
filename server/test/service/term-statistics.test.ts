/** What is known of the terms is what the database counted, and no search waits for it (docs/decisions/0019). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOTHING_KNOWN } from '../../src/plan/estimate.ts';
import { enumTerm, niceClassTerm } from '../../src/record/terms.ts';
import type { Database } from '../../src/store/db.ts';
import { sql } from '../../src/store/sql.ts';
import { openTermStatistics, readTermStatistics } from '../../src/store/term-statistics.ts';
import { createTestDatabase, testLog } from '../support/database.ts';
import { buildSource } from '../support/source.ts';
import { buildStored, storeRecords } from '../support/stored.ts';

test('the shares of terms are those of the records at the last analysis [4.3]', async (t) => {
  const { db } = await createTestDatabase(t);
  const sources = Array.from({ length: 400 }, (_, index) =>
    buildSource({ uid: `U${index}`, status: index % 4 === 0 ? 'Pending' : 'Registered', nice_classes: [9] }),
  );
  await storeRecords(
    db,
    sources.map((source) => buildStored(source, '2026-01-01T00:00:00.000000Z')),
  );
  assert.deepEqual(await readTermStatistics(db), NOTHING_KNOWN);
  await db.query(sql`analyze record`, { prepare: false });
  const { records, shares, rarest } = await readTermStatistics(db);
  assert.equal(records, 400);
  assert.equal(shares.get(niceClassTerm(9)), 1);
  assert.equal(shares.get(enumTerm('status', 'Pending')), 0.25);
  assert.equal(rarest, Math.min(...shares.values()));
});

test('statistics are read beside the searches, again after a while, and their failure changes nothing', async () => {
  let nowMs = 0;
  let answer: () => Promise<unknown[]> = async () => [{ records: 10, terms: [7], shares: ['0.5'] }];
  const database = { query: () => answer() } as unknown as Database;
  const clock = { monotonicMs: () => nowMs } as never;
  const reader = openTermStatistics({ database, clock, log: testLog });
  assert.deepEqual(reader.current(), NOTHING_KNOWN, 'the first search does not wait');
  await new Promise(setImmediate);
  const known = reader.current();
  assert.deepEqual(known, { records: 10, shares: new Map([[7, 0.5]]), rarest: 0.5 });
  answer = () => Promise.reject(new Error('away'));
  nowMs = 300_000;
  reader.current();
  await new Promise(setImmediate);
  assert.equal(reader.current(), known);
});
