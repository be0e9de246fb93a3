/** What is older than its rule says goes, in small bites, and nothing else does. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { issueKey } from '../../src/access/keys.ts';
import { systemClock } from '../../src/base/clock.ts';
import { buildLog, type Log } from '../../src/base/log.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { keepCallDays } from '../../src/store/accounts/call-log.ts';
import { endWatch, putWatch } from '../../src/store/watches/watches.ts';
import { type KeptDays, prune } from '../../src/upkeep/retention/retention.ts';
import { buildRetentionLook, removeRejectFiles } from '../../src/upkeep/retention/retention-watch.ts';
import { connectTestDatabase, createTestDatabase, testLog } from '../support/database.ts';
import { makeFolder } from '../support/folder.ts';
import { waitFor } from '../support/process.ts';

const DAYS: KeptDays = {
  keepCallsDays: 1,
  keepRefusalsDays: 10,
  keepUsageDays: 20,
  keepAuditDays: 30,
  keepFindingsDays: 40,
  keepWatchesDays: 45,
};
const UNLIMITED: KeptDays = {
  keepCallsDays: 30,
  keepRefusalsDays: null,
  keepUsageDays: null,
  keepAuditDays: null,
  keepFindingsDays: null,
  keepWatchesDays: null,
};
const SIGN_IN = { sessions: { idleSeconds: 60, absoluteSeconds: 600 }, attemptSeconds: 60 };

/** One row of each kind for every one of the last 50 days. */
async function fillDays(db: Database): Promise<void> {
  const { id } = await issueKey(db, { customer: 'one', name: null, products: ['records'], actor: 'test' });
  await keepCallDays(db);
  await db.query(sql`delete from access_audit`);
  await db.query(sql`
    insert into call_hour (key_id, hour, refused, calls, listed)
    select ${id}, now() - make_interval(days => age, mins => 1), false, 1, 1 from generate_series(0, 49) as age`);
  await db.query(sql`
    insert into refusal_day (key_id, product, day, code, calls)
    select ${id}, 'records', (now() at time zone 'UTC')::date - age, 'rate_limited', 1 from generate_series(0, 49) as age`);
  await db.query(sql`
    insert into usage_day (key_id, product, day, units)
    select ${id}, 'records', (now() at time zone 'UTC')::date - age, 1 from generate_series(0, 49) as age`);
  await db.query(sql`
    insert into access_audit (audit_id, at, actor, action, change)
    select gen_random_uuid(), now() - make_interval(days => age, mins => 1), 'test', 'test', '{}'
    from generate_series(0, 49) as age`);
  await db.query(sql`
    with loads as (
      insert into load (load_id, format, source, state, started_at, finished_at)
      select gen_random_uuid(), 'ndjson', 'test', 'finished', at, at
      from (select now() - make_interval(days => age, mins => 1) as at from generate_series(0, 49) as age) as ages
      returning load_id
    ), issues as (
      insert into load_issue (load_id, code, path, value, occurrence_count, examples)
      select load_id, 'unmapped_status', 'status', 'x', 1, '[]' from loads
    )
    insert into load_reject (load_id, ordinal, position, reason, raw, closed_at)
    select load_id, 1, 'line 1', 'test', 'x', now() from loads`);
}

async function countRows(db: Database): Promise<Record<string, number>> {
  const [counts] = await db.query<Record<string, number>>(sql`
    select (select count(*) from call_hour)::int4 as calls, (select count(*) from refusal_day)::int4 as refusals,
      (select count(*) from usage_day)::int4 as usage, (select count(*) from access_audit)::int4 as audit,
      (select count(*) from load_issue)::int4 as issues, (select count(*) from load_reject)::int4 as rejects,
      (select count(*) from load)::int4 as loads, (select count(*) from access_key)::int4 as keys`);
  return counts!;
}

const EVERYTHING = { calls: 50, refusals: 50, usage: 50, audit: 50, issues: 50, rejects: 50, loads: 50, keys: 1 };

test('each kind is kept as long as its rule says; the history of loads and the keys stay', async (t) => {
  const { db } = await createTestDatabase(t);
  await fillDays(db);
  await prune(db, { days: DAYS, ...SIGN_IN });
  assert.deepEqual(await countRows(db), {
    calls: 1,
    refusals: 11,
    usage: 21,
    audit: 30,
    issues: 40,
    rejects: 40,
    loads: 50,
    keys: 1,
  });
});

test('a watch goes some days after its end with its hits; of a live one, and of one that is live again, all stays', async (t) => {
  const { db } = await createTestDatabase(t);
  const { customer_id: customerId } = (
    await db.query<{ customer_id: string }>(sql`
      insert into customer (customer_id, name, created_at) values (gen_random_uuid(), 'one', now()) returning customer_id`)
  )[0]!;
  const record = { jurisdiction_code: 'US', uid: '1' };
  const put = async (id: string) => {
    const made = await putWatch(db, customerId, id, { name: id, subject: { kind: 'records', records: [record] } });
    return made as { watch: { watch_id: string } };
  };
  for (const id of ['live', 'ended', 'ended-lately', 'revived', 'told']) {
    const { watch } = await put(id);
    await db.query(sql`
      insert into watch_hit (watch_id, stamp, jurisdiction_code, uid, event)
      select ${watch.watch_id}, timestamptz '2020-01-01' + make_interval(secs => step), 'US', '1', 'changes'
      from generate_series(1, 1500) as step`);
    if (id === 'live') continue;
    await endWatch(db, customerId, id);
    const days = id === 'ended-lately' ? 44 : 46;
    await db.query(sql`
      update watch set ended_at = now() - make_interval(days => ${days}::int) where watch_id = ${watch.watch_id}`);
    if (id === 'told') {
      await db.query(sql`
        insert into webhook (webhook_id, customer_id, url, host, watch_id, secret, created_at)
        values ('w', ${customerId}, 'https://example.com/', 'example.com', ${watch.watch_id}, 'x', now())`);
    }
  }
  await put('revived');
  const countKept = async (): Promise<Record<string, number>> => {
    const rows = await db.query<{ id: string; hits: number }>(sql`
      select id, (select count(*)::int4 from watch_hit where watch_hit.watch_id = watch.watch_id) as hits from watch`);
    return Object.fromEntries(rows.map(({ id, hits }) => [id, hits]));
  };
  const one = await prune(db, { days: DAYS, ...SIGN_IN, batchesMax: 30 });
  assert.deepEqual(await countKept(), { live: 1500, 'ended-lately': 1500, revived: 1500, told: 0 });
  assert.equal(one!.find(({ rule }) => rule === 'watches')!.removed, 3000 + 2 + 1);
  await prune(db, { days: UNLIMITED, ...SIGN_IN });
  assert.deepEqual(Object.keys(await countKept()).sort(), ['ended-lately', 'live', 'revived', 'told']);
});

test('without limits only calls go; a dry run counts and removes nothing', async (t) => {
  const { db } = await createTestDatabase(t);
  await fillDays(db);
  const dry = await prune(db, { days: DAYS, ...SIGN_IN, dryRun: true });
  assert.deepEqual(
    dry!.map(({ rule, removed }) => [rule, removed]),
    [
      ['calls', 49],
      ['refusals', 39],
      ['usage', 29],
      ['audit', 20],
      ['findings', 20],
      ['watches', 0],
      ['dismissals', 0],
      ['dockets', 0],
      ['calendars', 0],
      ['filings', 0],
      ['docket memory', 0],
      ['sign-in', 0],
    ],
  );
  assert.deepEqual(await countRows(db), EVERYTHING);
  await prune(db, { days: UNLIMITED, ...SIGN_IN });
  assert.deepEqual(await countRows(db), { ...EVERYTHING, calls: 30 });
});

test('days of the call log go whole, also before the thirty that it holds at most', async (t) => {
  const { db } = await createTestDatabase(t);
  await keepCallDays(db);
  await db.transaction((tx) =>
    tx.runScript(`do $$ begin
      execute format('create table %I partition of call_log for values from (%L) to (%L)',
        'call_log_' || to_char((now() at time zone 'UTC')::date - 8, 'YYYYMMDD'),
        ((now() at time zone 'UTC')::date - 8)::timestamp at time zone 'UTC',
        ((now() at time zone 'UTC')::date - 7)::timestamp at time zone 'UTC');
    end $$`),
  );
  const ofCalls = async (keepCallsDays: number): Promise<number> =>
    (await prune(db, { days: { ...DAYS, keepCallsDays }, ...SIGN_IN }))![0]!.removed;
  assert.deepEqual([await ofCalls(8), await ofCalls(7), await ofCalls(7)], [0, 1, 0]);
});

test('a run is bounded, the next ones take the rest, and one process runs at a time', async (t) => {
  const { db } = await createTestDatabase(t);
  await db.query(sql`
    insert into access_audit (audit_id, at, actor, action, change)
    select gen_random_uuid(), now() - interval '90 days', 'test', 'test', '{}' from generate_series(1, 2500)`);
  const options = { days: { ...UNLIMITED, keepAuditDays: 30 }, ...SIGN_IN };
  const ofAudit = async (batchesMax: number): Promise<(number | boolean)[]> => {
    const { removed, isDone } = (await prune(db, { ...options, batchesMax }))!.find(({ rule }) => rule === 'audit')!;
    return [removed, isDone];
  };
  // The first three batches find no old counts of calls, no old deliveries and no old tests.
  assert.deepEqual(
    [await ofAudit(4), await ofAudit(5)],
    [
      [1000, false],
      [1500, true],
    ],
  );
  const both = await db.session(async (session) => {
    await session.query(sql`select pg_advisory_lock(${0x746d6473}::int, 14)`);
    return await prune(db, options);
  });
  assert.equal(both, null);
});

test('an ended run stops after its batch, and a row that somebody locks does not delay it for long', async (t) => {
  const { db } = await createTestDatabase(t);
  await fillDays(db);
  const ended = await prune(db, { days: DAYS, ...SIGN_IN, signal: AbortSignal.abort() });
  assert.ok(ended!.some(({ isDone }) => !isDone));
  assert.deepEqual((await countRows(db)).audit, 50);
  await db.transaction(async (tx) => {
    await tx.query(sql`lock table call_hour in exclusive mode`);
    const look = buildRetentionLook({
      database: db,
      rejectsFolder: '/nowhere',
      days: DAYS,
      ...SIGN_IN,
      clock: systemClock,
      log: testLog,
      signal: new AbortController().signal,
    });
    await look();
  });
  assert.equal((await countRows(db)).calls, 50);
});

test('expired sessions, attempts and forms go', async (t) => {
  const { db } = await createTestDatabase(t);
  await db.query(
    sql`insert into portal_attempt values ('\\x01', now() - interval '2 minutes', 1), ('\\x02', now(), 1)`,
  );
  await db.query(sql`
    insert into portal_form values ('\\x01', '\\x01', null, now() - interval '1 minute'), ('\\x02', '\\x02', null, now() + interval '1 hour')`);
  const outcomes = await prune(db, { days: UNLIMITED, ...SIGN_IN });
  assert.deepEqual(outcomes!.at(-1), { rule: 'sign-in', days: null, removed: 2, isDone: true, withheld: [] });
});

test('files of rejects go with the rejects; other files of the folder stay', async (t) => {
  const folder = join(makeFolder(t), 'rejects');
  mkdirSync(folder);
  const [old, young] = [`${randomUUID()}.txt`, `${randomUUID()}.txt`];
  for (const name of [old, young, 'notes.txt']) writeFileSync(join(folder, name), 'x');
  const nowMs = systemClock.nowMs();
  for (const name of [old, 'notes.txt']) utimesSync(join(folder, name), 0, nowMs / 1000 - 41 * 86_400);
  assert.equal(await removeRejectFiles({ folder, days: 40, nowMs, dryRun: true }), 1);
  assert.equal(await removeRejectFiles({ folder, days: null, nowMs }), 0);
  assert.equal(await removeRejectFiles({ folder, days: 40, nowMs }), 1);
  assert.deepEqual(readdirSync(folder).sort(), ['notes.txt', young].sort());
});

interface LogLine {
  level: number;
  msg: string;
  withheld?: string[];
}

function collectLog(): { log: Log; lines: LogLine[] } {
  const lines: LogLine[] = [];
  return {
    log: buildLog({ level: 'info', destination: { write: (line) => void lines.push(JSON.parse(line)) } }),
    lines,
  };
}

test('a run that the stop of its server cuts off says nothing; any other one that fails is reported', async (t) => {
  const { db, url } = await createTestDatabase(t);
  for (const stops of [true, false]) {
    const ending = new AbortController();
    const { log, lines } = collectLog();
    const own = await connectTestDatabase(url, { statementTimeoutMs: 0 });
    const options = { database: own, rejectsFolder: '/nowhere', days: DAYS, ...SIGN_IN, clock: systemClock };
    const look = buildRetentionLook({ ...options, log, signal: ending.signal });
    await db.transaction(async (tx) => {
      await tx.query(sql`select pg_advisory_xact_lock(${0x746d6473}::int, 12)`);
      const looking = look();
      const waiting = sql`select pid from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'advisory'`;
      // Outside the transaction, which would see the same activity until it ends.
      await waitFor(async () => (await db.query(waiting)).length > 0);
      if (stops) ending.abort();
      await db.query(sql`select pg_terminate_backend(pid) from (${waiting}) as waiting`);
      await looking;
    });
    assert.deepEqual(
      lines.map(({ msg }) => msg),
      stops ? [] : ['what is past its time could not be removed; the next run tries again'],
    );
    await own.close();
  }
});

test('a server that stops before its first run removes nothing and asks no closed connection', async (t) => {
  const { db, url } = await createTestDatabase(t);
  await fillDays(db);
  const closed = await connectTestDatabase(url);
  await closed.close();
  for (const database of [db, closed]) {
    const { log, lines } = collectLog();
    const options = { database, rejectsFolder: '/nowhere', days: DAYS, ...SIGN_IN, clock: systemClock, log };
    await buildRetentionLook({ ...options, signal: AbortSignal.abort() })();
    assert.deepEqual(lines, []);
  }
  assert.deepEqual(await countRows(db), EVERYTHING);
});
