/**
 * The change feed read from a real streaming standby: late, never ahead, and after a fail-over from the same cursor.
 */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { checkFeed, pulseFeed } from '../../src/upkeep/health/feed-health.ts';
import { checkStandby } from '../../src/upkeep/health/standby-check.ts';
import { createTestDatabase } from '../support/database.ts';
import { buildRecords, publishRecords } from '../torture/publish.ts';
import { startPrimary } from '../torture/standby.ts';
import { identify, readPage, walkChanges } from '../torture/walk.ts';

test('replica lag: a standby delivers late, states how far it is, and loses nothing [4.6.1, I-19, I-21, I-23]', async (t) => {
  const primary = await startPrimary(t);
  await publishRecords(primary.db, buildRecords(3, {}, 'a'));
  const standby = await primary.addStandby();
  await standby.catchUp();
  const first = await walkChanges(standby.db);
  assert.deepEqual(identify(first.items), ['a1', 'a2', 'a3']);

  await standby.pauseReplay();
  await publishRecords(primary.db, [...buildRecords(2, {}, 'b'), { uid: 'a2', mark_name: 'changed' }]);
  const lagging = await readPage(standby.db, { cursor: first.cursor! });
  assert.deepEqual([lagging.items, lagging.next_cursor], [[], null]);
  assert.equal(lagging.horizon, first.items[0]!.updated_at);
  const current = await walkChanges(primary.db, { cursor: first.cursor! });
  assert.deepEqual(identify(current.items), ['a2', 'b1', 'b2']);

  await standby.resumeReplay();
  await standby.catchUp();
  const rest = await walkChanges(standby.db, { cursor: first.cursor! });
  assert.deepEqual(rest.items, current.items);
  assert.equal(rest.cursor, current.cursor);
  assert.deepEqual((await walkChanges(primary.db, { cursor: rest.cursor! })).items, []);
});

test('an idle primary does not freeze the horizon of its standby, as long as it has a pulse [I-21, I-23]', async (t) => {
  const primary = await startPrimary(t);
  await publishRecords(primary.db, buildRecords(1));
  const standby = await primary.addStandby();
  await standby.catchUp();
  const before = (await walkChanges(standby.db)).cursor!;
  const { horizon } = await readPage(standby.db, { cursor: before });
  await primary.db.query(sql`update publish_clock set last_stamp = last_stamp - interval '10 minutes'`);
  await standby.catchUp();
  const [late] = await checkFeed(standby.db, { horizonSeconds: 300 });
  assert.deepEqual([late?.check, late?.level], ['standby_behind', 'warning']);
  assert.equal(await pulseFeed(primary.db), true);
  await standby.catchUp();
  const after = await readPage(standby.db, { cursor: before });
  assert.ok(after.horizon > horizon);
  assert.deepEqual(after.items, []);
  assert.deepEqual(await checkFeed(standby.db, { horizonSeconds: 300 }), []);
});

test('cursor life: a cursor of the old primary goes on at the promoted standby [4.6.1, I-19]', async (t) => {
  const primary = await startPrimary(t);
  await publishRecords(primary.db, buildRecords(4));
  const standby = await primary.addStandby();
  const page = await readPage(primary.db, { limit: '2' });
  await publishRecords(primary.db, [{ uid: 'R1', mark_name: 'before the fail-over' }]);
  await standby.catchUp();
  await primary.stop();
  await standby.promote();
  await publishRecords(standby.db, [{ uid: 'R2', mark_name: 'after the fail-over' }]);
  const rest = await walkChanges(standby.db, { cursor: page.next_cursor! }, { limit: () => 1 });
  assert.deepEqual(identify(rest.items), ['R3', 'R4', 'R1', 'R2']);
  assert.deepEqual((await walkChanges(standby.db, { cursor: rest.cursor! })).items, []);
});

test('a prepared transaction left open is named, with the way out [4.6.4]', async (t) => {
  const { db } = await startPrimary(t);
  await publishRecords(db, buildRecords(1));
  await db.session(async (session) => {
    await session.runScript("begin; select pg_advisory_xact_lock_shared(1, 2); insert into register values ('ZZ', 0)");
    await session.runScript("prepare transaction 'forgotten'");
  });
  const young = await checkFeed(db, { horizonSeconds: 300 });
  assert.deepEqual(young, []);
  const old = await checkFeed(db, { horizonSeconds: 300, preparedSecondsMax: 0 });
  assert.deepEqual(
    old.map(({ check, level, remedy }) => [check, level, remedy]),
    [['prepared_transaction', 'warning', 'run commit prepared or rollback prepared for it']],
  );
  await db.session((session) => session.runScript("rollback prepared 'forgotten'"));
});

test("the doctor passes a standby that shows what the primary writes, and none that is paused, cut off or another's", async (t) => {
  const primary = await startPrimary(t);
  const standby = await primary.addStandby();
  const passing = await checkStandby(standby.url, primary.db, systemClock);
  // Time passes at once: whatever has not arrived will not.
  let nowMs = 0;
  const hurried = { ...systemClock, monotonicMs: () => (nowMs += 1_000), sleep: async () => {} };
  const look = async (): Promise<string> => {
    const { seen, remedy } = await checkStandby(standby.url, primary.db, hurried);
    return `${seen}: ${remedy}`.replace(/^\S+ is not read from: it | \d+ s/g, '');
  };
  await standby.pauseReplay();
  const paused = await look();
  await standby.resumeReplay();
  await standby.catchUp();
  const rules = join(primary.dataDir, 'postgres/cluster/pg_hba.conf');
  await writeFile(rules, (await readFile(rules, 'utf8')).replace(/^host replication.*$/m, ''));
  await primary.db.query(sql`select pg_reload_conf()`);
  const receiving = sql`select from pg_stat_wal_receiver`;
  while ((await standby.db.query(receiving)).length > 0) {
    await primary.db.query(sql`select pg_terminate_backend(pid) from pg_stat_replication`);
  }
  const cutOff = await look();
  const { db: stranger } = await createTestDatabase(t, { migrated: false });
  const other = await checkStandby(standby.url, stranger, systemClock);
  assert.match(passing.seen, /is read from: a standby, \d+ ms behind the primary$/);
  assert.equal(passing.remedy, null);
  assert.match(paused, /^has paused its replay.*select pg_wal_replay_resume\(\)$/);
  assert.match(cutOff, /^receives nothing from the primary.*: check its primary_conninfo/);
  assert.match(other.seen, /is a standby of another database$/);
  const none = await checkStandby(primary.url, primary.db, systemClock);
  assert.match(none.seen, /is the primary now; records are read from it last$/);
});
