/** Loads keep the pace of the indexes that follow them, and no index can stop them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { Follower } from '../../src/follow/follower.ts';
import { IndexWriter } from '../../src/index/writer.ts';
import { holdPace, keepPace } from '../../src/store/publish/pace.ts';
import { createTestDatabase } from '../support/database.ts';
import { buildSource } from '../support/source.ts';
import { buildStored, storeRecords } from '../support/stored.ts';

async function countHolders(db: Database): Promise<number> {
  const [locks] = await db.query<{ holders: number }>(sql`
    select count(*)::int as holders from pg_locks
    where locktype = 'advisory' and mode = 'ShareLock' and granted
      and database = (select oid from pg_database where datname = current_database())`);
  return locks!.holders;
}

function publish(db: Database, stamp: string, uid: string): Promise<void> {
  return storeRecords(db, [buildStored(buildSource({ uid }), stamp)]);
}

test('a load waits while an index holds the pace, and goes on when it ends', async (t) => {
  const { db } = await createTestDatabase(t);
  const events: string[] = [];
  let waiting: Promise<void> | undefined;
  await db.transaction(async (tx) => {
    await holdPace(tx);
    waiting = keepPace(db, 60_000).then(() => void events.push('published'));
    await db.query(sql`select 1`);
    events.push('indexed');
  });
  await waiting;
  assert.deepEqual(events, ['indexed', 'published']);
});

test('an index that never stops holding loads back does not stop a load', async (t) => {
  const { db } = await createTestDatabase(t);
  await db.transaction(async (tx) => {
    await holdPace(tx);
    await keepPace(db);
    await keepPace(db);
  });
});

test('an index does not wait for a load that is waiting for another index', async (t) => {
  const { db } = await createTestDatabase(t);
  let waiting: Promise<void> | undefined;
  await db.transaction(async (tx) => {
    await holdPace(tx);
    waiting = keepPace(db);
    await db.transaction(holdPace);
  });
  await waiting;
});

test('an index makes loads wait only while it is behind', async (t) => {
  const { db } = await createTestDatabase(t);
  const before = await countHolders(db);
  const holders: number[] = [];
  const watched: Database = {
    ...db,
    transaction: (work, options) =>
      db.transaction(async (tx) => {
        const result = await work(tx);
        holders.push((await countHolders(db)) - before);
        return result;
      }, options),
  };
  const follower = new Follower(watched, new IndexWriter(() => Number.POSITIVE_INFINITY));
  await publish(db, '2026-01-01T00:00:00.000000Z', 'A');
  await follower.catchUp();
  await publish(db, '2026-01-01T00:00:00.020000Z', 'B');
  await follower.catchUp({ pacesLoads: true });
  await publish(db, '2026-01-01T00:00:00.100000Z', 'C');
  await follower.catchUp({ pacesLoads: true });
  assert.deepEqual(holders, [0, 0, 1]);
  assert.equal(await countHolders(db), before);
});
