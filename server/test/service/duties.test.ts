/** Work that only one process does: which process has the duty, and how it is handed over. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { connectDatabase, type Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import * as declared from '../../src/database/schema/locks.ts';
import { DUTIES, type DutyName, holdDuty } from '../../src/store/duties/duties.ts';
import { listHolders } from '../../src/store/duties/holders.ts';
import { claimSnapshot } from '../../src/store/snapshots/read-records.ts';
import { prune } from '../../src/upkeep/retention/retention.ts';
import { connectTestDatabase, createTestDatabase, testLog } from '../support/database.ts';
import { waitFor } from '../support/process.ts';

const NAMES = Object.keys(DUTIES) as DutyName[];

async function openTwo(t: { after(work: () => Promise<void>): void }): Promise<{ db: Database; other: Database }> {
  const { db, url } = await createTestDatabase(t);
  const other = await connectTestDatabase(url);
  t.after(() => other.close());
  return { db, other };
}

/** The process of the database that holds the only duty that is held. */
async function findPid(db: Database): Promise<number> {
  const holders = await listHolders(db);
  assert.equal(holders.length, 1);
  return holders[0]!.pid;
}

async function endHolder(db: Database): Promise<void> {
  await db.query(sql`select pg_terminate_backend(${await findPid(db)}::int, 5000)`);
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

/** A connection to the database that can be cut without either end noticing. */
async function openVanishing(
  t: { after(work: () => Promise<void>): void },
  url: string,
): Promise<{ url: string; vanish(): void }> {
  const address = new URL(url);
  const folder = address.searchParams.get('host');
  const sockets = new Set<Socket>();
  let isGone = false;
  const proxy = createServer((client) => {
    const server =
      folder === null
        ? connect(Number(address.port || 5432), address.hostname)
        : connect(`${folder}/.s.PGSQL.${address.searchParams.get('port') ?? (address.port || 5432)}`);
    for (const [one, another] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(one);
      one.on('data', (bytes) => void (isGone || another.write(bytes)));
      one.on('error', () => undefined);
      one.on('close', () => void (isGone || another.destroy()));
    }
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  t.after(async () => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  const { port } = proxy.address() as { port: number };
  const through = new URL(url);
  through.hostname = '127.0.0.1';
  through.port = String(port);
  through.searchParams.delete('host');
  through.searchParams.delete('port');
  return { url: through.href, vanish: () => (isGone = true) };
}

test('a holder of which nothing is heard any more loses its duty, although no connection was closed', async (t) => {
  const { db, url } = await createTestDatabase(t);
  const way = await openVanishing(t, url);
  const away = await connectDatabase({
    url: way.url,
    poolMax: 1,
    statementTimeoutMs: 1_000,
    acquireTimeoutMs: 10_000,
    applicationName: 'tmds far away',
    log: testLog,
  });
  const held = holdDuty(away, 'webhooks', async ({ isHeld }) => {
    way.vanish();
    assert.deepEqual(
      (await listHolders(db)).map(({ program }) => program),
      ['tmds far away'],
    );
    await waitFor(async () => (await holdDuty(db, 'webhooks', async () => undefined)).held);
    return await isHeld();
  });
  assert.deepEqual(await held, { held: true, result: false });
  await away.close();
});

test('a duty is held for longer than PostgreSQL keeps a silent connection', async (t) => {
  const { db, other } = await openTwo(t);
  await holdDuty(db, 'sync', async ({ isHeld }) => {
    const pid = await findPid(other);
    const spoken = new Set<string>();
    await waitFor(async () => {
      const [row] = await other.query<{ at: string }>(
        sql`select state_change::text as at from pg_stat_activity where pid = ${pid}::int`,
      );
      return spoken.add(row!.at).size > 3;
    });
    assert.equal(await isHeld(), true);
  });
});
