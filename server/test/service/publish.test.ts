/** The publish protocol: one after the other, each once, stamps that only rise, equal content untouched. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Queryable } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { advanceClock } from '../../src/store/publish/announce.ts';
import { PublishTooLate, publishBatch } from '../../src/store/publish/publish.ts';
import { digestOf } from '../../src/store/publish/verification.ts';
import { createTestDatabase } from '../support/database.ts';
import { dumpContent, loadRecords } from '../support/loads.ts';
import { publishRecords, stageRecords } from '../torture/publish.ts';

async function listStamps(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ updated_at: string }>(sql`select updated_at from record order by updated_at, uid`);
  return rows.map((row) => row.updated_at);
}

async function countOf(db: Queryable, register: string): Promise<number> {
  const rows = await db.query<{ count: number }>(
    sql`select record_count::int4 as count from register where jurisdiction_code = ${register}`,
  );
  return rows[0]?.count ?? 0;
}

test('a batch is published once, however often it is asked for [4.6.6]', async (t) => {
  const { db } = await createTestDatabase(t);
  const loadId = await stageRecords(db, [{ uid: '1' }, { uid: '2' }]);
  const first = await publishBatch(db, loadId, 1);
  assert.deepEqual(first, { published: true, newCount: 2, changedCount: 0, waitingCount: 0 });
  const stamps = await listStamps(db);
  const again = await publishBatch(db, loadId, 1);
  assert.deepEqual(again, { published: false, newCount: 0, changedCount: 0, waitingCount: 0 });
  assert.deepEqual(await listStamps(db), stamps);
  assert.equal(await countOf(db, 'XA'), 2);
});

test('a publish past its deadline leaves nothing, and may be tried again', async (t) => {
  const { db } = await createTestDatabase(t);
  const loadId = await stageRecords(db, [{ uid: '1' }]);
  const slow = publishBatch(db, loadId, 1, {
    deadlineMs: 50,
    onStep: async (step) => {
      if (step === 'counted') await db.query(sql`select pg_sleep(0.03), pg_sleep(0.03)`);
    },
  });
  // Whichever notices first: the check before the commit, or the server that ends a transaction left waiting.
  await assert.rejects(
    slow,
    (error) => error instanceof PublishTooLate || /terminated|not available/.test(String(error)),
  );
  assert.equal(await dumpContent(db), '');
  assert.equal(await countOf(db, 'XA'), 0);
  assert.equal((await publishBatch(db, loadId, 1)).newCount, 1);
  assert.equal(await countOf(db, 'XA'), 1);
});

test('a publish that failed is repeated under the stamp of the one that succeeds', async (t) => {
  const { db } = await createTestDatabase(t);
  const loadId = await stageRecords(db, [{ uid: '2' }, { uid: '1' }]);
  const onStep = async (step: string): Promise<void> => {
    if (step === 'counted') throw new Error('as a crash would');
  };
  await assert.rejects(publishBatch(db, loadId, 1, { onStep }), /as a crash would/);
  assert.equal(await dumpContent(db), '');
  assert.equal((await publishBatch(db, loadId, 1)).newCount, 2);
  const [sums] = await db.query(sql`
    with stored as materialized (
      select count(*)::int4 as count, bool_and(updated_at = (detail::json->>'updated_at')::timestamptz) as stamped,
        bit_xor(${digestOf(sql`detail`)}) as digest from record
    )
    select count, stamped, digest = (select digest from publish_digest) as equal from stored`);
  assert.deepEqual(sums, { count: 2, stamped: true, equal: true });
});

test('stamps rise when the clock of the database steps back [I-19]', async (t) => {
  const { db } = await createTestDatabase(t);
  await publishRecords(db, [{ uid: '1' }]);
  await db.query(sql`update publish_clock set ${advanceClock(sql`timestamptz '2999-12-31 23:59:59.999999+00'`)}`);
  await publishRecords(db, [{ uid: '2' }]);
  await publishRecords(db, [{ uid: '2', status: 'Registered' }]);
  const stamps = await listStamps(db);
  assert.equal(stamps.at(-1), '3000-01-01 00:00:00.000001+00');
  const [row] = await db.query(sql`select detail::json->>'updated_at' as updated_at,
    detail::json->>'first_seen_at' as first_seen_at from record where uid = '2'`);
  assert.deepEqual(row, {
    updated_at: '3000-01-01T00:00:00.000001Z',
    first_seen_at: '3000-01-01T00:00:00.000000Z',
  });
});

test('an older version of the source never overwrites a newer one, in one load or over several', async (t) => {
  const { db } = await createTestDatabase(t);
  const version = (source_version: string | null, status: string): object => ({ uid: '1', source_version, status });
  const current = async (): Promise<unknown> =>
    (await db.query(sql`select source_version, detail::json->>'status' as status from record`))[0];
  await publishRecords(db, [version('20260102', 'Registered'), version('20260101', 'Pending')]);
  assert.deepEqual(await current(), { source_version: '20260102', status: 'Registered' });
  await publishRecords(db, [version('20260101', 'Pending')]);
  assert.deepEqual(await current(), { source_version: '20260102', status: 'Registered' });
  const stamps = await listStamps(db);
  await publishRecords(db, [version('20260105', 'Registered')]);
  assert.deepEqual(await current(), { source_version: '20260105', status: 'Registered' });
  assert.deepEqual(await listStamps(db), stamps, 'equal content under a newer version is no change');
  await publishRecords(db, [version('20260104', 'Abandoned')]);
  assert.deepEqual(await current(), { source_version: '20260105', status: 'Registered' });
  await publishRecords(db, [version('20260106', 'Cancelled')]);
  assert.deepEqual(await current(), { source_version: '20260106', status: 'Cancelled' });
});

test('the same change loaded twice at once is one change, and every count is right [4.6.6, I-27]', async (t) => {
  const { db } = await createTestDatabase(t, { poolMax: 24, statementTimeoutMs: 0 });
  const records = Array.from({ length: 300 }, (_, at) => ({
    jurisdiction_code: 'XA',
    uid: `${at}`,
    status: 'Pending',
  }));
  const first = await Promise.all([loadRecords(db, records), loadRecords(db, records), loadRecords(db, records)]);
  assert.equal(
    first.reduce((sum, report) => sum + report.new, 0),
    300,
  );
  assert.equal(
    first.reduce((sum, report) => sum + report.unchanged, 0),
    600,
  );
  assert.equal(await countOf(db, 'XA'), 300);
  const changed = records.map((record) => ({ ...record, status: 'Registered' }));
  const second = await Promise.all([loadRecords(db, changed), loadRecords(db, changed)]);
  assert.equal(
    second.reduce((sum, report) => sum + report.changed, 0),
    300,
  );
  assert.equal(new Set(await listStamps(db)).size, 1, 'one publish made the change');
});
