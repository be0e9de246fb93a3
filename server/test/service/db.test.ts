import assert from 'node:assert/strict';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { NoAnswer } from '../../src/base/no-answer.ts';
import { textAt } from '../../src/database/driver/copied-rows.ts';
import { connectDatabase, openSession, type Queryable } from '../../src/database/driver/db.ts';
import { StatementOverTime } from '../../src/database/driver/failures.ts';
import { containsAnyCase, identifier, sql } from '../../src/database/driver/sql.ts';
import { connectTestDatabase, createTestDatabase, testLog } from '../support/database.ts';
import { startGate } from '../support/gate.ts';
import { waitFor } from '../support/process.ts';

test('values arrive without losing a day, a microsecond or a digit [I-31]', async (t) => {
  const { db } = await createTestDatabase(t);
  const rows = await db.query(sql`
    select '2026-11-21 09:00:00.123456+02'::timestamptz as stamp, '0044-03-15'::date as day,
      9007199254740993::int8 as big, 1.10::numeric as exact, 7::int4 as small, 0.5::float8 as half, true as yes,
      array[1, null, 3] as numbers, array['a"b', null, 'c,d', '\\', ''] as texts, array[]::int[] as none,
      '{"b": 1,  "a": 2}'::json as document, '\\x00ff'::bytea as bytes, null::text as nothing`);
  assert.deepEqual(rows, [
    {
      stamp: '2026-11-21 07:00:00.123456+00',
      day: '0044-03-15',
      big: '9007199254740993',
      exact: '1.10',
      small: 7,
      half: 0.5,
      yes: true,
      numbers: [1, null, 3],
      texts: ['a"b', null, 'c,d', '\\', ''],
      none: [],
      document: '{"b": 1,  "a": 2}',
      bytes: Buffer.from([0, 255]),
      nothing: null,
    },
  ]);
});

test('a text is found in any case, whatever the locale of the database', async (t) => {
  const { db } = await createTestDatabase(t);
  const name = 'Istanbul İplik Öztürk Straße %_';
  for (const column of [sql`(${name} collate "C")`, sql`(${name} collate "tr-x-icu")`]) {
    const holds = async (wanted: string): Promise<boolean> => {
      const [row] = await db.query<{ holds: boolean }>(sql`select ${containsAnyCase(column, wanted)} as holds`);
      return row!.holds;
    };
    for (const wanted of ['istanbul', 'ISTANBUL', 'öztürk', 'ÖZTÜRK', 'straße', 'l İ', '%_', '']) {
      assert.equal(await holds(wanted), true, wanted);
    }
    assert.equal(await holds('ankara'), false);
  }
});

test('rendered rows can be read as the bytes they are', async (t) => {
  const { db } = await createTestDatabase(t);
  const rows = await db.queryBytes(
    sql`select ${'商标 é'}::text as text, null::text as other, 12 as number union all select 'b', '', 3`,
  );
  assert.deepEqual(rows, [
    { text: Buffer.from('商标 é'), other: null, number: Buffer.from('12') },
    { text: Buffer.from('b'), other: Buffer.alloc(0), number: Buffer.from('3') },
  ]);
});

test('rows read by COPY come as the bytes they are, whatever their values contain', async (t) => {
  const { db } = await createTestDatabase(t, { poolMax: 1 });
  const values = ['商标 é', `'; drop table x; --`, '\\x41', '$1', '"{}\\,', ''];
  const rows = await db.copyRows(sql`
    select value, place::text, ${'$2'}::text, null::text
    from unnest(${values}::text[]) with ordinality as listed (value, place) order by place`);
  assert.deepEqual(
    [...rows],
    values.map((value, place) => [Buffer.from(value), Buffer.from(`${place + 1}`), Buffer.from('$2'), null]),
  );
  const texts = rows.textsOf(0, 2);
  assert.deepEqual(
    texts.starts.map((_, index) => textAt(texts, index)),
    values.slice(2),
  );
  assert.deepEqual([...(await db.copyRows(sql`select 'none' where ${false}::bool`))], []);
});

/** On which limits of the service on the database do not pass, however busy the machine is. */
const UNHURRIED: Clock = { ...systemClock, callAfter: (ms, act) => systemClock.callAfter(ms * 600, act) };

test('COPY that fails, exceeds its time or is abandoned leaves its connection usable [I-35]', async (t) => {
  const { db } = await createTestDatabase(t, { poolMax: 1, clock: UNHURRIED });
  const pid = async (): Promise<unknown> => await db.query(sql`select pg_backend_pid() as pid`);
  const before = await pid();
  await assert.rejects(db.copyRows(sql`select (1 / ${0}::int)::text`), { code: '22012' });
  // Half of the rows have been sent when it fails.
  const late = sql`select repeat('x', 1000), (1 / (20000 - number))::text from generate_series(1, 20000) as number`;
  await assert.rejects(db.copyRows(late), { code: '22012' });
  const deadlineMs = systemClock.monotonicMs() + 50;
  await assert.rejects(db.copyRows(sql`select pg_sleep(60)::text`, { deadlineMs }), StatementOverTime);
  const leaving = new AbortController();
  const left = db.copyRows(sql`select pg_sleep(60)::text`, { signal: leaving.signal });
  leaving.abort(new Error('left'));
  await assert.rejects(left, /left/);
  assert.deepEqual(await pid(), before);
});

test('a statement over its time is stopped and recognized as such, and its connection is usable again [4.3, I-35]', async (t) => {
  const { db } = await createTestDatabase(t, { poolMax: 1, statementTimeoutMs: 30 });
  // On a busy machine any statement may be over its time.
  const readPid = async (): Promise<unknown> => {
    for (;;) {
      try {
        return await db.query(sql`select pg_backend_pid() as pid`);
      } catch (error) {
        assert.ok(error instanceof StatementOverTime, String(error));
      }
    }
  };
  const before = await readPid();
  await assert.rejects(db.query(sql`select pg_sleep(30)`), StatementOverTime);
  assert.deepEqual(await readPid(), before);
});

test('a call that finds no free connection in time is unavailable, and the next one is served [I-9]', async (t) => {
  let aheadMs = 0;
  const clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + aheadMs };
  const { db } = await createTestDatabase(t, { poolMax: 1, acquireTimeoutMs: 60_000, clock });
  await db.session(async (session) => {
    const waiting = db.query(sql`select 1 as one`);
    aheadMs = 60_000;
    await assert.rejects(waiting, { name: 'NoAnswer', code: 'connections_taken' });
    await session.query(sql`select 1 as one`);
  });
  assert.deepEqual(await db.query(sql`select 1 as one`), [{ one: 1 }]);
});

test('a connection that dies under a statement is unavailable, and the pool recovers on its own [I-9]', async (t) => {
  const { db, url } = await createTestDatabase(t, { poolMax: 2 });
  const killer = await connectTestDatabase(url, { poolMax: 1 });
  t.after(() => killer.close());
  const [own] = await db.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
  const sleeping = assert.rejects(db.query(sql`select pg_sleep(60)`), { name: 'NoAnswer' });
  const waiting = sql`select pg_terminate_backend(pid) as ended from pg_stat_activity
    where pid = ${own?.pid} and query like '%pg_sleep(60)%' and state = 'active'`;
  while ((await killer.query(waiting)).length === 0);
  await sleeping;
  assert.deepEqual(await db.query(sql`select 1 as one`), [{ one: 1 }]);
});

test('a transaction whose work fails leaves nothing, and its connection is clean', async (t) => {
  const { db } = await createTestDatabase(t, { poolMax: 1, migrated: false });
  await db.query(sql`create table kept (value int)`);
  const fault = new Error('the work failed');
  await assert.rejects(
    db.transaction(async (tx) => {
      await tx.query(sql`insert into kept values (1)`);
      throw fault;
    }),
    fault,
  );
  await db.transaction(async (tx) => {
    await tx.query(sql`insert into kept values (2)`);
  });
  assert.deepEqual(await db.query(sql`select value from kept`), [{ value: 2 }]);
});

test('a transaction that ignored a failed statement is not reported as committed', async (t) => {
  const { db } = await createTestDatabase(t, { poolMax: 1, migrated: false });
  await db.query(sql`create table kept (value int)`);
  const committing = db.transaction(async (tx) => {
    await tx.query(sql`insert into kept values (1)`);
    await tx.query(sql`select 1 / 0`).catch(() => undefined);
  });
  await assert.rejects(committing, /cannot be committed/);
  assert.deepEqual(await db.query(sql`select value from kept`), []);
});

test('copies rows in, and a source that fails half-way leaves none', async (t) => {
  const { db } = await createTestDatabase(t, { poolMax: 1, migrated: false });
  await db.query(sql`create table kept (value text)`);
  const copied = await db.copyIn(
    sql`copy kept (value) from stdin`,
    (async function* () {
      yield Buffer.from('a\nb');
      yield Buffer.from('c\n');
    })(),
  );
  const failing = db.copyIn(
    sql`copy kept (value) from stdin`,
    (async function* () {
      yield Buffer.from('d\n');
      throw new Error('the disk is gone');
    })(),
  );
  await assert.rejects(failing, /the disk is gone/);
  assert.deepEqual(
    { copied, rows: await db.query(sql`select value from kept order by value`) },
    {
      copied: 2,
      rows: [{ value: 'a' }, { value: 'bc' }],
    },
  );
});

test('an address where nothing listens is unavailable, not a fault', async () => {
  const db = await connectTestDatabase('postgresql://nobody:x@127.0.0.1:1/none');
  await assert.rejects(db.query(sql`select 1 as one`), { name: 'NoAnswer', code: 'database_away' });
  await db.close();
});

test('an address that accepts and says nothing is unavailable, with how long it was waited for as the reason', async (t) => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  t.after(() => silent.close());
  const { port } = silent.address() as AddressInfo;
  const db = await connectTestDatabase(`postgresql://nobody:x@127.0.0.1:${port}/none?sslmode=disable`, {
    connectTimeoutMs: 50,
  });
  t.after(() => db.close());
  await assert.rejects(
    db.query(sql`select 1 as one`),
    ({ code, cause }: NoAnswer) => code === 'database_away' && /no connection within 0.05 s/.test(String(cause)),
  );
});

/** Time that goes on as fast as it is waited for. */
function buildFastClock(): Clock {
  let nowMs = 0;
  const pass = async (ms: number): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    nowMs += ms;
  };
  return { ...systemClock, monotonicMs: () => nowMs, sleep: pass };
}

const PATIENT = { applicationName: 'tmds test', statementTimeoutMs: 0, isPatient: true, log: testLog };
const DAY_MS = 86_400_000;

test('batch work tries again until it has a connection, and until it has a separate session', async (t) => {
  const { url } = await createTestDatabase(t, { migrated: false });
  const front = await startGate(t, url, (place) => (place <= 3 ? 'cut' : 'passed'));
  const patience = { acquireTimeoutMs: DAY_MS, clock: buildFastClock() };
  const db = await connectDatabase({ ...PATIENT, ...patience, url: front.url, poolMax: 2 });
  t.after(() => db.close());
  assert.deepEqual(await db.query(sql`select 1 as one`), [{ one: 1 }]);
  assert.equal(front.asked(), 4);
  const other = await startGate(t, url, (place) => (place <= 3 ? 'cut' : 'passed'));
  const session = await openSession({ ...PATIENT, ...patience, url: other.url });
  assert.deepEqual(await session.query(sql`select 1 as one`), [{ one: 1 }]);
  await session.close();
});

test('batch work waits half a minute for a database that is away, and then says why there is none', async () => {
  const clock = buildFastClock();
  const url = 'postgresql://nobody:x@127.0.0.1:1/none';
  const db = await connectDatabase({ ...PATIENT, url, poolMax: 2, acquireTimeoutMs: 30_000, clock });
  await assert.rejects(
    db.query(sql`select 1 as one`),
    ({ code, cause }: NoAnswer) => code === 'database_away' && /ECONNREFUSED/.test(String(cause)),
  );
  assert.ok(clock.monotonicMs() >= 30_000, `abandoned after ${clock.monotonicMs()} ms`);
  await db.close();
});

test('batch work does not wait for what has to be corrected', async (t) => {
  const { url } = await createTestDatabase(t, { migrated: false });
  const clock = buildFastClock();
  const missing = Object.assign(new URL(url), { pathname: '/missing' }).href;
  const db = await connectDatabase({ ...PATIENT, url: missing, poolMax: 2, acquireTimeoutMs: DAY_MS, clock });
  await assert.rejects(db.query(sql`select 1 as one`), { name: 'NoAnswer' });
  assert.ok(clock.monotonicMs() < DAY_MS);
  await db.close();
});

test('a process that was delayed while it opened a connection does not blame the database', async (t) => {
  const { url } = await createTestDatabase(t, { migrated: false });
  let timers = 0;
  const clock: Clock = {
    ...systemClock,
    // The first timer is long overdue when the process gets to it.
    callAfter: (ms, act) => {
      timers += 1;
      return systemClock.callAfter(timers === 1 ? 0 : ms, act);
    },
  };
  const options = { url, applicationName: 'tmds test', statementTimeoutMs: 0, clock };
  const session = await openSession({ ...options, acquireTimeoutMs: 30_000 });
  assert.deepEqual(await session.query(sql`select 1 as one`), [{ one: 1 }]);
  await session.close();
  assert.ok(timers > 0);
});

test('an address that names a certificate nobody can read is unavailable to all who wait', async (t) => {
  const { url } = await createTestDatabase(t, { migrated: false });
  const unreadable = new URL(url);
  unreadable.searchParams.set('sslrootcert', '/no/such/certificate');
  const db = await connectTestDatabase(unreadable.href, { poolMax: 1 });
  t.after(() => db.close());
  const asked = [1, 2, 3].map((number) => db.query(sql`select ${number}::int as number`));
  for (const refused of asked) await assert.rejects(refused, { name: 'NoAnswer' });
});

test('rows of any size arrive whole, however the socket cuts them', async (t) => {
  const { db } = await createTestDatabase(t, { migrated: false });
  const sizes = [0, 1, 70_000, 3_000_000, 5];
  const rows = await db.queryBytes<{ text: Buffer; size: Buffer }>(sql`
    select repeat('é', size) as text, size
    from unnest(${sizes}::int[]) with ordinality as wanted (size, place) order by place`);
  const copied = await db.copyRows(sql`
    select repeat('é', size), size::text
    from unnest(${sizes}::int[]) with ordinality as wanted (size, place) order by place`);
  assert.deepEqual(
    [...copied].map(([text, size]) => text!.equals(Buffer.from('é'.repeat(Number(size))))),
    sizes.map(() => true),
  );
  const many = await db.queryBytes<{ number: Buffer; text: Buffer }>(
    sql`select number, repeat('x', number % 700) as text from generate_series(1, 20000) as number`,
  );
  const isWhole = many.every(({ number, text }) => Number(number) % 700 === text.length);
  assert.deepEqual(
    { rows: rows.map(({ text, size }) => [text.equals(Buffer.from('é'.repeat(Number(size)))), Number(size)]), isWhole },
    { rows: sizes.map((size) => [true, size]), isWhole: true },
  );
});

/** Processes of the database that run a statement with this text, except the one that asks. */
async function listRunning(db: Queryable, text: string): Promise<number[]> {
  const rows = await db.query<{ pid: number }>(sql`
    select pid from pg_stat_activity
    where datname = current_database() and state = 'active' and position(${text} in query) > 0
      and pid <> pg_backend_pid()`);
  return rows.map(({ pid }) => pid);
}

test('a statement that is abandoned rejects at once, ends in the server, and costs no connection [I-35]', async (t) => {
  const { db, url } = await createTestDatabase(t, { poolMax: 1, clock: UNHURRIED });
  const watcher = await connectTestDatabase(url, { poolMax: 1 });
  t.after(() => watcher.close());
  const [before] = await db.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
  const controller = new AbortController();
  const reason = new Error('the caller went away');
  const running = db.query(sql`select pg_sleep(60)`, { signal: controller.signal });
  while ((await listRunning(watcher, 'pg_sleep(60)')).length === 0);
  const waiting = db.query(sql`select 2 as two`, { signal: controller.signal });
  controller.abort(reason);
  await assert.rejects(running, reason);
  await assert.rejects(waiting, reason);
  await assert.rejects(db.query(sql`select 1 as one`, { signal: controller.signal }), reason);
  while ((await listRunning(watcher, 'pg_sleep(60)')).length > 0);
  assert.deepEqual(await db.query(sql`select pg_backend_pid() as pid`), [before]);
});

test('statements of a hundred callers that go away end, and the pool keeps its connections [I-35]', async (t) => {
  const { db, url } = await createTestDatabase(t, { poolMax: 4, clock: UNHURRIED });
  const watcher = await connectTestDatabase(url, { poolMax: 1 });
  t.after(() => watcher.close());
  const controllers = Array.from({ length: 100 }, () => new AbortController());
  const outcomes = controllers.map(({ signal }) =>
    db.query(sql`select pg_sleep(60)`, { signal }).then(
      () => 'answered',
      () => 'gone',
    ),
  );
  let running: number[] = [];
  while (running.length < 4) running = await listRunning(watcher, 'pg_sleep(60)');
  for (const controller of controllers) controller.abort(new Error('gone'));
  assert.deepEqual(new Set(await Promise.all(outcomes)), new Set(['gone']));
  // Each of the four holds its connection until all have one.
  const held: number[] = [];
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const hold = () =>
    db.transaction(async (tx) => {
      const [row] = await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
      held.push(row!.pid);
      if (held.length === 4) release();
      await released;
    });
  await Promise.all([hold(), hold(), hold(), hold()]);
  assert.deepEqual(new Set(held), new Set(running));
  assert.deepEqual(await listRunning(watcher, 'pg_sleep(60)'), []);
});

test('a server that does not stop an abandoned statement costs the connection, a delay of the process does not [I-35]', async (t) => {
  const { db: watcher, url } = await createTestDatabase(t, { migrated: false });
  // The request to stop it is the second connection.
  const gate = await startGate(t, url, (place) => (place === 2 ? 'silent' : 'passed'));
  const due: (() => void)[] = [];
  let isCounting = false;
  const clock: Clock = {
    ...systemClock,
    callAfter: (ms, act) => {
      if (!isCounting) return systemClock.callAfter(ms, act);
      due.push(act);
      return () => undefined;
    },
  };
  const db = await connectTestDatabase(gate.url, { poolMax: 1, clock });
  t.after(() => db.close());
  const leaving = new AbortController();
  const running = db.query(sql`select pg_sleep(60)`, { signal: leaving.signal });
  while ((await listRunning(watcher, 'pg_sleep(60)')).length === 0);
  isCounting = true;
  leaving.abort(new Error('left'));
  await assert.rejects(running, /left/);
  let isServed = false;
  const next = db.query(sql`select 1 as one`).then((rows) => {
    isServed = true;
    return rows;
  });
  const count = (): void => {
    const [act] = due.splice(0);
    act!();
  };
  // Whatever time has passed, a process that was delayed comes to one step.
  count();
  await waitFor(async () => gate.asked() === 2);
  assert.deepEqual([isServed, (await listRunning(watcher, 'pg_sleep(60)')).length], [false, 1]);
  for (isCounting = true; due.length > 0; ) count();
  isCounting = false;
  assert.deepEqual(await next, [{ one: 1 }]);
});

test('a statement past its deadline is over time, one that waits for a connection until then is not [I-35]', async (t) => {
  const { db } = await createTestDatabase(t, { poolMax: 1 });
  // Opening the connection is not what is timed here.
  await db.query(sql`select 1 as one`);
  const deadlineMs = systemClock.monotonicMs() + 100;
  const running = db.query(sql`select pg_sleep(60)`, { deadlineMs });
  const waiting = db.query(sql`select 1 as one`, { deadlineMs: deadlineMs - 50 });
  await Promise.all([
    assert.rejects(running, StatementOverTime),
    assert.rejects(waiting, { name: 'NoAnswer', code: 'connections_taken' }),
  ]);
  assert.deepEqual(await db.query(sql`select 1 as one`), [{ one: 1 }]);
});

test('a lock that somebody holds is waited for no longer than the limit, and is unavailable then [I-35]', async (t) => {
  const { db, url } = await createTestDatabase(t, { migrated: false });
  await db.query(sql`create table kept (value int)`);
  const limited = await connectTestDatabase(url, { poolMax: 1, lockTimeoutMs: 30 });
  t.after(() => limited.close());
  await db.transaction(async (tx) => {
    await tx.query(sql`lock table kept in access exclusive mode`);
    const refused = limited.query(sql`select value from kept`);
    await assert.rejects(refused, { code: 'database_away', constructor: NoAnswer });
  });
  assert.deepEqual(await limited.query(sql`select value from kept`), []);
});

test('the locks of a session have ended when it has, however it ends', async (t) => {
  const { db } = await createTestDatabase(t, { migrated: false });
  const take = sql`select pg_try_advisory_lock(1, 2) as taken`;
  for (let turn = 0; turn < 20; turn += 1) {
    const taken = await db.session(async (session) => await session.query(take));
    assert.deepEqual(taken, [{ taken: true }], `turn ${turn}`);
    const failed = db.session(async (session) => {
      assert.deepEqual(await session.query(take), [{ taken: true }], `turn ${turn}`);
      throw new Error('failed');
    });
    await assert.rejects(failed, /^Error: failed$/);
  }
});

test('what every session begins with holds even if the address carries options', async (t) => {
  const { url } = await createTestDatabase(t, { migrated: false });
  const carrying = new URL(url);
  carrying.searchParams.set('options', '-c timezone=Asia/Tokyo -c statement_timeout=1min');
  const db = await connectTestDatabase(carrying.href, { settings: { work_mem: '32MB' } });
  t.after(() => db.close());
  const seen = await db.query(sql`
    select current_setting('timezone') as zone, current_setting('statement_timeout') as timeout,
      current_setting('work_mem') as memory, '2026-11-21 09:00:00+02'::timestamptz as stamp`);
  assert.deepEqual(seen, [{ zone: 'UTC', timeout: '1min', memory: '32MB', stamp: '2026-11-21 07:00:00+00' }]);
});

test('what a role or a database sets for its sessions ends no connection and fails no statement [I-9]', async (t) => {
  const { url, db } = await createTestDatabase(t, { migrated: false, isSingle: true });
  const name = new URL(url).pathname.slice(1);
  const settings = {
    idle_session_timeout: '1h',
    idle_in_transaction_session_timeout: '1h',
    transaction_timeout: '1h',
    default_transaction_isolation: 'serializable',
    array_nulls: 'off',
  };
  for (const [setting, value] of Object.entries(settings)) {
    await db.query(sql`select set_config(${setting}, ${value}, false)`);
    await db.query(sql`alter database ${identifier(name)} set ${identifier(setting)} from current`);
  }
  const served = await connectTestDatabase(url);
  t.after(() => served.close());
  const names = Object.keys(settings);
  const seen = await served.query<{ name: string; value: string }>(
    sql`select name, current_setting(name) as value from unnest(${names}::text[]) as setting (name)`,
  );
  assert.deepEqual(Object.fromEntries(seen.map((each) => [each.name, each.value])), {
    idle_session_timeout: '0',
    idle_in_transaction_session_timeout: '0',
    transaction_timeout: '0',
    default_transaction_isolation: 'read committed',
    array_nulls: 'on',
  });
});

test('a session that the server ends in a transaction is unavailable, not a fault [I-9]', async (t) => {
  const { db } = await createTestDatabase(t, { poolMax: 1, migrated: false, isSingle: true });
  await assert.rejects(
    db.transaction(async (tx) => {
      await tx.query(sql`select set_config('transaction_timeout', '20ms', true)`);
      await tx.query(sql`select pg_sleep(30)`);
    }),
    { name: 'NoAnswer', code: 'database_away' },
  );
  assert.deepEqual(await db.query(sql`select 1 as one`), [{ one: 1 }]);
});

test('a migration that changes what a prepared statement returns goes unnoticed by callers', async (t) => {
  const { db } = await createTestDatabase(t, { poolMax: 1, migrated: false });
  await db.query(sql`create table kept (value int)`);
  await db.query(sql`insert into kept values (7)`);
  const read = sql`select value from kept`;
  await db.query(read);
  await db.query(sql`alter table kept alter value type text`);
  assert.deepEqual(await db.query(read), [{ value: '7' }]);
  assert.deepEqual(await db.query(read), [{ value: '7' }]);
  await db.query(sql`alter table kept alter value type numeric using value::numeric`);
  const inside = db.transaction((tx) => tx.query(read));
  await assert.rejects(inside, { name: 'NoAnswer' });
  assert.deepEqual(await db.query(read), [{ value: '7' }]);
});

test('a closed database cuts off running statements and refuses new ones, and serves again after reopening', async (t) => {
  const { db: watcher, url } = await createTestDatabase(t, { migrated: false });
  let reason: NoAnswer | null = null;
  const db = await connectTestDatabase(url, { poolMax: 2, closedBecause: () => reason });
  t.after(() => db.close());
  const running = db.query(sql`select pg_sleep(60)`);
  const inTransaction = db.transaction((tx) => tx.query(sql`select pg_sleep(60)`));
  const waiting = db.query(sql`select 1 as one`);
  const outcomes = Promise.allSettled([running, inTransaction, waiting]);
  while ((await listRunning(watcher, 'pg_sleep(60)')).length < 2);
  reason = new NoAnswer('another_version');
  await assert.rejects(db.query(sql`select 1 as one`), reason);
  const codes = (await outcomes).map((each) => (each.status === 'rejected' ? each.reason.code : 'answered'));
  assert.deepEqual(codes, ['database_away', 'database_away', 'another_version']);
  reason = null;
  assert.deepEqual(await db.query(sql`select 1 as one`), [{ one: 1 }]);
});

test('a statement on a connection that has ended says what ended it', async (t) => {
  const { url, db: other } = await createTestDatabase(t, { migrated: false });
  const db = await connectTestDatabase(url, { poolMax: 1 });
  t.after(() => db.close());
  const session = db.session(async (held) => {
    const [row] = await held.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    const ended = sql`select from pg_stat_activity where pid = ${row!.pid}`;
    await other.query(sql`select pg_terminate_backend(${row!.pid}::int)`);
    await waitFor(async () => (await other.query(ended)).length === 0);
    // The first statement may be the one that notices.
    await held.query(sql`select 1`).catch(() => undefined);
    await held.query(sql`select 1`);
  });
  await assert.rejects(session, (error: NoAnswer) => {
    assert.equal(error.code, 'database_away');
    assert.match((error.cause as Error).message, /terminat/);
    return true;
  });
});

test('a connection of an earlier generation is not used again, and what runs on it is cut off', async (t) => {
  const { url } = await createTestDatabase(t, { migrated: false });
  let generation = 0;
  const db = await connectTestDatabase(url, { poolMax: 4, generation: () => generation });
  t.after(() => db.close());
  const readPid = async (): Promise<number> => {
    const [row] = await db.query<{ pid: number }>(sql`select pg_backend_pid() as pid, pg_sleep(0.05)`);
    return row!.pid;
  };
  const before = await Promise.all([readPid(), readPid(), readPid()]);
  const running = db.query(sql`select pg_sleep(60)`);
  generation += 1;
  const after = await Promise.all([readPid(), readPid(), readPid()]);
  assert.deepEqual(
    after.filter((pid) => before.includes(pid)),
    [],
  );
  await assert.rejects(running, { name: 'NoAnswer', code: 'database_away' });
});

test('a database that moves is asked where it is, and what runs where it was is cut off', async (t) => {
  const [from, to] = [await createTestDatabase(t), await createTestDatabase(t)];
  let { url } = from;
  const limits = { poolMax: 3, statementTimeoutMs: 0, acquireTimeoutMs: 10_000 };
  const db = await connectDatabase({ url: () => url, ...limits, applicationName: 'tmds test', log: testLog });
  t.after(() => db.close());
  const where = async (): Promise<string> => {
    const [row] = await db.query<{ name: string }>(sql`select current_database() as name`);
    return row!.name;
  };
  const nameOf = (address: string): string => new URL(address).pathname.slice(1);
  assert.deepEqual(await Promise.all([where(), where()]), [nameOf(from.url), nameOf(from.url)]);
  const running = db.query(sql`select pg_sleep(60)`);
  const sleeping = sql`select from pg_stat_activity where query = 'select pg_sleep(60)' and state = 'active'
    and datname = current_database()`;
  await waitFor(async () => (await from.db.query(sleeping)).length > 0);
  url = to.url;
  await assert.rejects(running, { name: 'NoAnswer' });
  assert.deepEqual(await Promise.all([where(), where(), where()]), new Array(3).fill(nameOf(to.url)));
});

test('more callers than connections are all served, in turn', async (t) => {
  const { db } = await createTestDatabase(t, { poolMax: 3 });
  const rows = await Promise.all(
    Array.from({ length: 200 }, (_, number) => db.query<{ number: number }>(sql`select ${number}::int as number`)),
  );
  const [used] = await db.query<{ connections: number }>(sql`
    select count(*)::int as connections from pg_stat_activity where datname = current_database()`);
  assert.deepEqual(
    rows.map(([row]) => row!.number),
    Array.from({ length: 200 }, (_, number) => number),
  );
  // The first two may be through before the third is open.
  assert.ok(used!.connections <= 3, `${used!.connections} connections`);
});

test('where the server spares fewer connections than the pool may have, those serve all callers in turn [I-9]', async (t) => {
  const { url, db } = await createTestDatabase(t, { migrated: false, isSingle: true });
  const role = `few_${process.pid}`;
  await db.query(sql`create role ${identifier(role)} login password 'x' connection limit 2`);
  const address = Object.assign(new URL(url), { username: role, password: 'x' });
  const served = await connectTestDatabase(address.href);
  const asked = Array.from({ length: 30 }, (_, number) =>
    served.query<{ number: number }>(sql`select ${number}::int4 as number from pg_sleep(0.005)`),
  );
  const answers = await Promise.allSettled(asked);
  await served.close();
  await db.query(sql`drop role ${identifier(role)}`);
  assert.deepEqual(
    answers.map((answer) => (answer.status === 'fulfilled' ? answer.value[0]?.number : answer.reason)),
    Array.from({ length: 30 }, (_, number) => number),
  );
});

test('a separate session is waited for while the server has no connection to spare [I-9]', async (t) => {
  const { url, db } = await createTestDatabase(t, { migrated: false, isSingle: true });
  const role = `single_${process.pid}`;
  await db.query(sql`create role ${identifier(role)} login password 'x' connection limit 1`);
  const address = Object.assign(new URL(url), { username: role, password: 'x' }).href;
  const options = { url: address, applicationName: 'tmds test', statementTimeoutMs: 10_000 };
  const first = await openSession({ ...options, acquireTimeoutMs: 0 });
  const second = openSession({ ...options, acquireTimeoutMs: 60_000 });
  await assert.rejects(openSession({ ...options, acquireTimeoutMs: 0 }), NoAnswer);
  await first.close();
  assert.deepEqual(await (await second).query(sql`select 1 as one`), [{ one: 1 }]);
  await (await second).close();
  await db.query(sql`drop role ${identifier(role)}`);
});

test('closing waits for running statements, and refuses later ones', async (t) => {
  const { url } = await createTestDatabase(t);
  const db = await connectTestDatabase(url, { poolMax: 2 });
  const running = db.query(sql`select 1 as one from pg_sleep(0.05)`);
  const closing = db.close();
  await assert.rejects(db.query(sql`select 1 as one`), { name: 'NoAnswer' });
  assert.deepEqual(await running, [{ one: 1 }]);
  await closing;
});

test('a date object is refused, alone and in a list: it would be written in the time zone of this process', () => {
  const day = new Date(0);
  assert.throws(() => sql`select ${day}::date as day`, /as text/);
  assert.throws(() => sql`select ${['2026-01-01', day]}::date[] as days`, /as text/);
});

test('values of every kind go in unchanged', async (t) => {
  const { db } = await createTestDatabase(t, { migrated: false });
  const texts = ['a"b', 'c\\d', '', 'NULL', '{x}', null, '商标'];
  const rows = await db.query(sql`
    select ${texts}::text[] as texts, ${[1, null, -3]}::int[] as numbers, ${Buffer.from([0, 255])}::bytea as bytes,
      ${{ b: [1, 'é'] }}::jsonb as document, ${true}::bool as yes, ${null}::text as nothing, ${1.5}::float8 as half`);
  assert.deepEqual(rows, [
    {
      texts,
      numbers: [1, null, -3],
      bytes: Buffer.from([0, 255]),
      document: '{"b": [1, "é"]}',
      yes: true,
      nothing: null,
      half: 1.5,
    },
  ]);
});
