/** What is known of the terms is what the database counted, and no search waits for it (docs/decisions/0019). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOTHING_KNOWN } from '../../src/plan/estimate.ts';
import { enumTerm, niceClassTerm } from '../../src/record/terms.ts';
import type { Database } from '../../src/store/db.ts';
import {
  NO_STATISTICS,
  openSearchStatistics,
  readSample,
  readTermStatistics,
} from '../../src/store/search-statistics.ts';
import { sql } from '../../src/store/sql.ts';
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

test('a sample of few records is all of them, with what it says of each [4.3]', async (t) => {
  const { db } = await createTestDatabase(t);
  assert.equal((await readSample(db)).size, 0);
  const sources = Array.from({ length: 3_000 }, (_, index) =>
    buildSource({
      uid: `U${index}`,
      status: index % 4 === 0 ? 'Pending' : 'Registered',
      nice_classes: [9],
      application_date: index === 7 ? null : '2024-02-29',
    }),
  );
  await storeRecords(
    db,
    sources.map((source) => buildStored(source, '2026-01-01T00:00:00.500000Z')),
  );
  const { size, weight, carriers, values, orders, names } = await readSample(db);
  assert.deepEqual([size, weight], [3_000, 1]);
  assert.equal(carriers.get(enumTerm('status', 'Pending'))?.length, 750);
  assert.equal(carriers.get(niceClassTerm(9))?.length, 3_000);
  assert.deepEqual([...new Set(values.application_date)].sort(), [20_240_229, Number.NaN]);
  const lines = names.mark_names.text.split('\n');
  assert.ok(lines.length === 3_000 && new Set(lines).size === 1, 'a line of names for each record');
  assert.equal(orders.application_date.positions.length, 2_999, 'who has no date has no place');
  assert.deepEqual([...new Set(values.updated_at)], [Date.parse('2026-01-01T00:00:00.500Z')]);
});

test('a sample of many records is a part of them, from all over the table [4.3]', async (t) => {
  const { db } = await createTestDatabase(t);
  await db.query(sql`
    insert into record (jurisdiction_code, uid, updated_at, first_seen_at, application_date, content_digest, terms,
      detail)
    select 'US', number, timestamptz '2026-01-01', timestamptz '2026-01-01', date '2000-01-01' + number / 100, '',
      array[number % 2], '{}'
    from generate_series(1, 120000) number`);
  await db.query(sql`insert into register (jurisdiction_code, record_count) values ('US', 120000)`);
  const { size, weight, carriers, values } = await readSample(db);
  assert.ok(size > 12_000 && size < 22_000, `about 16,000: ${size}`);
  assert.ok(Math.abs(size * weight - 120_000) < 1);
  const odd = (carriers.get(1)?.length ?? 0) / size;
  assert.ok(odd > 0.4 && odd < 0.6, `half of them: ${odd}`);
  assert.ok(new Set(values.application_date).size > 1_000, 'of nearly every of the 1,200 days');
  const again = await readSample(db);
  assert.deepEqual([again.size, again.values], [size, values], 'whoever draws it draws the same records');
});

test('statistics are read beside the searches, again after a while, and their failure changes nothing', async () => {
  let nowMs = 0;
  const stored = 0;
  let isAway = false;
  let readings = 0;
  const database = {
    query: async ({ text }: { text: string }) => {
      if (isAway) throw new Error('away');
      if (text.includes('from register')) return [{ stored }];
      readings += 1;
      return [{ records: 10, terms: [7], shares: ['0.5'] }];
    },
  } as unknown as Database;
  const clock = { monotonicMs: () => nowMs } as never;
  const reader = openSearchStatistics({ database, clock, log: testLog });
  const lookAt = async (atMs: number): Promise<number> => {
    nowMs = atMs;
    reader.current();
    await new Promise(setImmediate);
    return readings;
  };
  assert.deepEqual(reader.current(), NO_STATISTICS, 'the first search does not wait');
  await new Promise(setImmediate);
  const known = reader.current();
  assert.deepEqual(known.terms, { records: 10, shares: new Map([[7, 0.5]]), rarest: 0.5 });
  assert.equal(await lookAt(60_000), 1, 'nothing has changed');
  assert.equal(await lookAt(300_000), 2, 'read again after five minutes');
  isAway = true;
  assert.equal(await lookAt(700_000), 2);
  assert.deepEqual(reader.current().terms, known.terms, 'what was known stays known');
  isAway = false;
  assert.equal(await lookAt(800_000), 3);
});

test('after a large load statistics are read again at once', async (t) => {
  const { db } = await createTestDatabase(t);
  let nowMs = 0;
  const reader = openSearchStatistics({ database: db, clock: { monotonicMs: () => nowMs } as never, log: testLog });
  const sizeAt = async (atMs: number): Promise<number> => {
    nowMs = atMs;
    reader.current();
    for (let tries = 0; tries < 50; tries += 1) await new Promise((resolve) => setTimeout(resolve, 10));
    return reader.current().sample.size;
  };
  assert.equal(await sizeAt(0), 0);
  await storeRecords(db, [buildStored(buildSource({ uid: 'U1' }), '2026-01-01T00:00:00.000000Z')]);
  assert.equal(await sizeAt(1_000), 0, 'not oftener than every 15 seconds');
  assert.equal(await sizeAt(16_000), 1);
});
