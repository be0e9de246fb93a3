/** Faults of the database and of the way to it that pass: 503 with `Retry-After`, never 500, and served again after. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { buildKeyId, buildKeyText } from '../../src/access/secret.ts';
import { systemClock } from '../../src/base/clock.ts';
import { buildLog } from '../../src/base/log.ts';
import { NoAnswer } from '../../src/base/no-answer.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { createAccount } from '../support/account.ts';
import { connectTestDatabase, createTestDatabase } from '../support/database.ts';
import { chooseCases } from '../support/depth.ts';
import { waitFor } from '../support/process.ts';
import { startService, startWithKey, type TestService } from '../support/service.ts';
import { startTlsDatabase, TLS_FAULTS } from '../support/tls-database.ts';
import { buildRecords, publishRecords } from '../torture/publish.ts';

const SEARCH = '/v1/trademarks?status=Pending';
const PATHS = [
  '/v1/XA/trademarks/R1',
  '/v1/XA/trademarks/R1?expand=payload',
  '/v1/changes?since=2026-01-01',
  '/v1/changes?since=2026-01-01&expand=payload',
  '/v1/usage',
  '/v1/jurisdictions',
  SEARCH,
  '/v1/trademarks?status=Pending&expand=payload',
];

/** As a set, since all are to be the same: `200`, or `503 unavailable 1` with the seconds of `Retry-After`. */
async function listAnswers(service: TestService, key: string, paths: readonly string[] = PATHS): Promise<string[]> {
  const answers = await Promise.all(paths.map((path) => service.call(path, { key })));
  const words = answers.map(({ status, body, headers }) => {
    const code = (body as { error?: { code: string } }).error?.code;
    return code === undefined ? String(status) : `${status} ${code} ${headers['retry-after']}`;
  });
  return [...new Set(words)].sort();
}

const SERVED = ['200'];
const UNAVAILABLE = ['503 unavailable 1'];

for (const fault of chooseCases(TLS_FAULTS)) {
  test(`a database whose TLS fails is unavailable: ${fault} [I-9, I-26, I-35]`, async (t) => {
    const { url } = await createTestDatabase(t);
    const front = new URL((await startTlsDatabase(t, url, fault)).url);
    front.searchParams.set('sslmode', 'verify-full');
    const db = await connectTestDatabase(front.href);
    t.after(() => db.close());
    const service = await startService(t, { database: { db, url: front.href } });
    const { text } = buildKeyText(buildKeyId());
    assert.deepEqual(await listAnswers(service, text, [...PATHS, '/v1/health']), UNAVAILABLE);
  });
}

test('an outage leaves its reason in the log once, without a stack, and the number of calls that it refused', async (t) => {
  const { url } = await createTestDatabase(t);
  const db = await connectTestDatabase(url);
  const lines: string[] = [];
  let laterMs = 0;
  const service = await startService(t, {
    database: { db, url },
    clock: { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + laterMs },
    log: buildLog({ level: 'warn', destination: { write: (line) => void lines.push(line) } }),
  });
  await db.close();
  const { text } = buildKeyText(buildKeyId());
  const refuse = async (): Promise<void> => {
    const { status } = await service.call('/v1/jurisdictions', { key: text });
    assert.equal(status, 503);
  };
  const told = (): unknown[] =>
    lines.splice(0).flatMap((line) => {
      const { msg, reason, calls } = JSON.parse(line) as { msg: string; reason?: string; calls?: number };
      assert.doesNotMatch(line, /"stack"/);
      return msg === 'calls are refused' ? [[reason, calls]] : [];
    });
  for (let calls = 0; calls < 5; calls += 1) await refuse();
  await waitFor(async () => lines.length > 0);
  assert.deepEqual(told(), [['The service is shutting down.', 1]]);
  laterMs = 3_600_000;
  await refuse();
  await waitFor(async () => lines.length > 0);
  assert.deepEqual(told(), [['The service is shutting down.', 5]]);
});

/** A service with some records, each statement of whose calls is prepared. */
async function startServed(
  t: TestContext,
  url: string,
  publishing?: Database,
): Promise<{ service: TestService; key: string }> {
  const db = await connectTestDatabase(url);
  t.after(() => db.close());
  const { key, ...service } = await startWithKey(t, { database: { db, url } });
  await publishRecords(publishing ?? db, buildRecords(3, { payload: { text: 'small' } }));
  for (let round = 0; round < 2; round += 1) assert.deepEqual(await listAnswers(service, key), SERVED);
  return { service, key };
}

/** Served by an account to which policies apply, unlike to the owner of the tables, whose connections `db` has. */
async function startServedByAccount(t: TestContext): Promise<{ db: Database; service: TestService; key: string }> {
  const { db, url } = await createTestDatabase(t);
  const account = await createAccount(t, db, url);
  await db.session((session) => session.runScript(`grant all on all tables in schema public to ${account.name}`));
  return { db, ...(await startServed(t, account.url, db)) };
}

test('connections whose encryption breaks are unavailable, and others take their place [I-9, I-35]', async (t) => {
  const { url } = await createTestDatabase(t);
  const front = await startTlsDatabase(t, url, 'untrusted');
  const { service, key } = await startServed(t, front.url);
  const { db } = service;
  const running = db.query(sql`select pg_sleep(60)`);
  front.corrupt();
  await assert.rejects(running, { name: 'NoAnswer' });
  const seen = new Set<string>();
  await waitFor(async () => {
    const answers = await listAnswers(service, key);
    for (const answer of answers) seen.add(answer);
    return answers.join() === SERVED.join();
  });
  // Whether a broken connection is found out before it is lent or after.
  assert.deepEqual(
    [...seen].filter((answer) => ![...SERVED, ...UNAVAILABLE].includes(answer)),
    [],
  );
});

test('a statement on an encrypted connection is abandoned and cut off like any other [I-35]', async (t) => {
  const { db: watcher, url } = await createTestDatabase(t, { migrated: false });
  const front = await startTlsDatabase(t, url, 'untrusted');
  let reason: NoAnswer | null = null;
  const db = await connectTestDatabase(front.url, { poolMax: 1, closedBecause: () => reason });
  t.after(() => db.close());
  const waitUntilRuns = async (text: string): Promise<void> => {
    const running = sql`select pid from pg_stat_activity where datname = current_database() and state = 'active'
      and position(${text} in query) > 0 and pid <> pg_backend_pid()`;
    while ((await watcher.query(running)).length === 0);
  };
  const leaving = new AbortController();
  const left = db.query(sql`select pg_sleep(60)`, { signal: leaving.signal });
  await waitUntilRuns('pg_sleep(60)');
  leaving.abort(new Error('the caller went away'));
  await assert.rejects(left, /the caller went away/);
  const running = db.query(sql`select pg_sleep(50)`);
  await waitUntilRuns('pg_sleep(50)');
  reason = new NoAnswer('another_version');
  await assert.rejects(running, { name: 'NoAnswer', code: 'database_away' });
  reason = null;
  assert.deepEqual(await db.query(sql`select 1 as one`), [{ one: 1 }]);
});

/** `58030` is PostgreSQL's input/output error, `53100` its full disk. */
const PASSING_STATES = ['58000', '58030', '58P01', '53000', '53100', '53200'];

function raising(state: string): string {
  return `begin raise exception 'could not read block 7' using errcode = '${state}'; end`;
}

/** Every statement of another account that reads rows of the table fails while `work` runs. */
async function whileUnreadable(db: Database, table: string, state: string, work: () => Promise<void>): Promise<void> {
  await db.transaction((tx) =>
    tx.runScript(`create function fail() returns boolean language plpgsql as $$ ${raising(state)} $$;
      create policy unreadable on ${table} using (fail());
      alter table ${table} enable row level security`),
  );
  await work();
  await db.transaction((tx) =>
    tx.runScript(`alter table ${table} disable row level security;
      drop policy unreadable on ${table}; drop function fail`),
  );
}

/** Every statement that changes the table fails while `work` runs. */
async function whileUnwritable(db: Database, table: string, state: string, work: () => Promise<void>): Promise<void> {
  await db.transaction((tx) =>
    tx.runScript(`create function fail() returns trigger language plpgsql as $$ ${raising(state)} $$;
      create trigger fail before update on ${table} for each row execute function fail()`),
  );
  await work();
  await db.transaction((tx) => tx.runScript(`drop trigger fail on ${table}; drop function fail`));
}

test('input and output that fails in the database is unavailable, and served again when that has ended [I-9, I-28, I-35]', async (t) => {
  const { db, service, key } = await startServedByAccount(t);
  const failsFor = (paths: readonly string[]) => async (): Promise<void> =>
    assert.deepEqual(await listAnswers(service, key, paths), UNAVAILABLE);
  // The texts of a page that was read before are kept: such a search needs no records.
  const readRecords = PATHS.filter((path) => /trademarks|changes/.test(path) && path !== SEARCH);
  for (const state of PASSING_STATES) {
    await whileUnreadable(db, 'record', state, async () => {
      await failsFor(readRecords)();
      assert.deepEqual(await listAnswers(service, key, [SEARCH]), SERVED);
    });
    await whileUnreadable(db, 'register', state, failsFor(['/v1/jurisdictions']));
    await whileUnwritable(db, 'key_product', state, failsFor(PATHS));
  }
  assert.deepEqual(await listAnswers(service, key), SERVED);
});

test('a fault of ours is still distinguished from one of the database that passes [I-9]', async (t) => {
  const { db, service, key } = await startServedByAccount(t);
  await whileUnreadable(db, 'register', '22012', async () => {
    assert.deepEqual(await listAnswers(service, key, ['/v1/jurisdictions']), ['500 internal_error undefined']);
  });
});

test('a migration that changes what prepared statements return fails no call [I-9, I-35]', async (t) => {
  const { url } = await createTestDatabase(t);
  const { service, key } = await startServed(t, url);
  const { db } = service;
  for (const type of ['int4', 'numeric', 'int8']) {
    await db.transaction((tx) =>
      tx.runScript(`alter table key_product alter units_used type ${type}, alter rate_limit_per_minute type ${type};
        alter table register alter record_count type ${type};
        alter table access_key alter name type ${type === 'int4' ? 'varchar' : 'text'};`),
    );
    assert.deepEqual(await listAnswers(service, key), SERVED, type);
  }
});

/** The code of a running keep-alive timer, and the number of its ticks in a second, in `/proc/net/tcp`. */
const KEEP_ALIVE = '02';
const TICKS = 100;

test('a connection to a database that is gone is noticed within seconds, not two hours', {
  skip: process.platform === 'linux' ? false : 'only Linux shows the timers of a connection',
}, async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accepted: Socket[] = [];
  server.on('connection', (socket) => accepted.push(socket.resume().on('error', () => undefined)));
  const { port } = server.address() as AddressInfo;
  const db = await connectTestDatabase(`postgresql://tmds@127.0.0.1:${port}/tmds`, { acquireTimeoutMs: 10_000 });
  const asked = db.query(sql`select 1`).catch(() => undefined);
  t.after(async () => {
    for (const socket of accepted) socket.destroy();
    server.close();
    await asked;
    await db.close();
  });
  const to = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const readTimer = (): string | undefined => {
    const rows = readFileSync('/proc/net/tcp', 'utf8')
      .split('\n')
      .map((row) => row.trim().split(/\s+/));
    return rows.find(([, , remote, state]) => remote?.endsWith(to) && state === '01')?.[5];
  };
  await waitFor(async () => readTimer()?.startsWith(KEEP_ALIVE) === true);
  const [, ticks] = readTimer()!.split(':');
  assert.ok(Number.parseInt(ticks!, 16) <= 5 * TICKS, readTimer());
});
