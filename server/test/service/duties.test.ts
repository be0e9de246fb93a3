/** Work that only one process does: which process has the duty, and how it is handed over. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import * as declared from '../../src/database/schema/locks.ts';
import { DUTIES, type DutyName, holdDuty, listHolders } from '../../src/store/duties/duties.ts';
import { claimSnapshot } from '../../src/store/snapshots/read-records.ts';
import { prune } from '../../src/upkeep/retention/retention.ts';
import { findPid, openTwo } from '../support/duty-holders.ts';

const NAMES = Object.keys(DUTIES) as DutyName[];

async function endHolder(db: Database): Promise<void> {
  await db.query(sql`select pg_terminate_backend(${await findPid(db)}::int, 60000)`);
}

test('each duty is taken by one at a time, apart from the others, and everybody sees by whom', async (t) => {
  const { db, other } = await openTwo(t);
  const holdAll = async (names: readonly DutyName[], work: () => Promise<void>): Promise<void> => {
    const [name, ...rest] = names;
    if (name === undefined) return await work();
    const outcome = await holdDuty(db, name, () => holdAll(rest, work));
    assert.equal(outcome.held, true, name);
  };
  await holdAll(NAMES, async () => {
    for (const name of NAMES) {
      assert.deepEqual(await holdDuty(other, name, async () => assert.fail('two at once')), { held: false });
    }
    const holders = await listHolders(other);
    assert.deepEqual(
      holders.map(({ duty, program }) => [duty, program]),
      NAMES.map((name) => [name, 'tmds test']),
    );
    for (const { since } of holders) assert.match(since ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    assert.equal(new Set(holders.map(({ pid }) => pid)).size, NAMES.length);
    // What takes one transaction or command is not delayed by any of them.
    await other.transaction(async (tx) => {
      await claimSnapshot(tx);
      assert.deepEqual((await listHolders(db)).find(({ duty }) => duty === 'snapshot')?.since, null);
    });
  });
  assert.deepEqual(await listHolders(other), []);
  assert.deepEqual(await holdDuty(other, 'sync', async () => 'later'), { held: true, result: 'later' });
});

test('no two locks of the service have one number', () => {
  const { LOCK_SPACE, PROGRAM_LOCK_SPACE, SYNC_LOCK_SPACE, SYNC_LOCK, ...locks } = declared;
  assert.equal(new Set(Object.values(locks)).size, Object.keys(locks).length);
  assert.equal(new Set([LOCK_SPACE, PROGRAM_LOCK_SPACE, SYNC_LOCK_SPACE]).size, 3);
  assert.equal(SYNC_LOCK, 1, 'as programs of the version before have it');
});

test('a duty whose connection ends is free at once, and its holder is notified', async (t) => {
  const { db, other } = await openTwo(t);
  await holdDuty(db, 'matching', async ({ isHeld }) => {
    assert.equal(await isHeld(), true);
    await endHolder(other);
    assert.equal(await isHeld(), false);
    assert.equal((await holdDuty(other, 'matching', async () => 'taken over')).held, true);
  });
});

test('the next holder of retention removes what the killed one left', async (t) => {
  const { db, other } = await openTwo(t);
  await db.query(sql`
    insert into refusal_day (key_id, product, day, code, calls)
    select 'k', 'records', current_date - age, 'rate_limited', 1 from generate_series(400, 2900) as age`);
  const countLeft = async (): Promise<number> => {
    const [row] = await other.query<{ left: number }>(sql`select count(*)::int4 as left from refusal_day`);
    return row!.left;
  };
  let batches = 0;
  const killed: Database = {
    ...db,
    session: (work) =>
      db.session((session) => {
        const query: typeof session.query = async (statement, options) => {
          batches += statement.text.includes('delete from') ? 1 : 0;
          if (batches === 2) await endHolder(other);
          return await session.query(statement, options);
        };
        return work({ ...session, query });
      }),
  };
  const unlimited = { keepUsageDays: null, keepAuditDays: null, keepFindingsDays: null };
  const days = { keepCallsDays: 30, keepRefusalsDays: 30, keepWatchesDays: null, ...unlimited };
  const options = { days, sessions: { idleSeconds: 60, absoluteSeconds: 600 }, attemptSeconds: 60 };
  await assert.rejects(prune(killed, options), { name: 'NoAnswer' });
  assert.ok((await countLeft()) > 0);
  assert.notEqual(await prune(other, options), null);
  assert.equal(await countLeft(), 0);
});
