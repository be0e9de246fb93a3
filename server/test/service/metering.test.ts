/** What costs a unit, and what does not; limits over all processes are in `many-processes`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UsageReport } from '@tmds/contract/usage';
import { issueKey, revokeKey, rotateKey, setKey } from '../../src/access/keys.ts';
import { buildMeter } from '../../src/access/meter.ts';
import type { MeteredCall } from '../../src/access/verdict.ts';
import { systemClock } from '../../src/base/clock.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { findPublishState } from '../../src/database/readers/publish-state.ts';
import { listUsageDays, returnUnits } from '../../src/store/accounts/usage.ts';
import { connectTestDatabase, createTestDatabase, testLog, untilBlocked } from '../support/database.ts';
import { refusalOf, startService, type TestService } from '../support/service.ts';
import { buildSource } from '../support/source.ts';
import { buildStored, storeRecords } from '../support/stored.ts';
import { countUnits } from '../support/units.ts';
import { publishRecords } from '../torture/publish.ts';

async function reportUsage(service: TestService, key: string): Promise<UsageReport> {
  return (await service.call('/v1/usage', { key })).body as UsageReport;
}

test('costs one unit a served call and nothing for a refused one [1, 8, I-28]', async (t) => {
  const service = await startService(t);
  const { id, key } = await service.issue();
  const steps: [path: string, status: number, units: number][] = [
    ['/v1/jurisdictions', 200, 1],
    ['/v1/health', 200, 1],
    ['/v1/usage', 200, 2],
    ['/v1/usage?q=1', 400, 2],
    ['/v1/changes', 422, 2],
    ['/v1/changes?since=yesterday', 400, 2],
    ['/v1/changes?since=2026-01-01', 200, 3],
    ['/v1/ZZ/changes?since=2026-01-01', 404, 4],
    ['/v1/nothing', 404, 4],
    ['/analytics/v1/x', 403, 4],
  ];
  for (const [path, status, units] of steps) {
    assert.equal((await service.call(path, { key })).status, status, path);
    assert.equal(await countUnits(service.db, id), units, path);
  }
  const first = await service.call('/v1/jurisdictions', { key });
  const headers = { 'if-none-match': first.headers.etag ?? '' };
  assert.equal((await service.call('/v1/jurisdictions', { key, headers })).status, 304);
  assert.equal(await countUnits(service.db, id), 6);
});

test('gives the unit of a failed call back [I-28]', async (t) => {
  const { db, url } = await createTestDatabase(t);
  let failing = false;
  const broken = {
    ...db,
    query: (async (statement, options) => {
      if (failing && statement.text.includes('from register')) throw new Error('broken on purpose');
      return db.query(statement, options);
    }) as typeof db.query,
  };
  const service = await startService(t, { database: { db: broken, url } });
  const { id, key } = await service.issue({ quota: 2 });
  assert.equal((await service.call('/v1/jurisdictions', { key })).status, 200);
  failing = true;
  const failed = await service.call('/v1/jurisdictions', { key });
  assert.deepEqual(failed.body, {
    error: {
      code: 'internal_error',
      message: 'The service failed to answer. Report it with the id in the header x-request-id.',
    },
  });
  assert.equal(failed.status, 500);
  assert.equal(await countUnits(service.db, id), 1);
  failing = false;
  assert.equal((await reportUsage(service, key)).products[0]?.calls, 2);
  assert.equal(refusalOf(await service.call('/v1/usage', { key })).code, 'quota_exceeded');
});

test('gives the unit back when a page breaks off while it is sent [I-28]', async (t) => {
  const { db, url } = await createTestDatabase(t);
  let reads = 0;
  const broken = {
    ...db,
    copyRows: (async (statement, limits) => {
      reads += 1;
      // The first portion comes, and the next one does not.
      if (reads > 1) throw new Error('broken on purpose');
      return db.copyRows(statement, limits);
    }) as typeof db.copyRows,
  };
  const service = await startService(t, { database: { db: broken, url } });
  const records = Array.from({ length: 4 }, (_, number) =>
    buildStored(buildSource({ uid: `XA${number}`, payload: { text: 'x'.repeat(1_500_000) } }), '2026-01-02T00:00:00Z'),
  );
  await storeRecords(db, records);
  const { id, key } = await service.issue();
  await assert.rejects(service.call('/v1/XA/trademarks?expand=payload', { key }), /aborted|ECONNRESET|hang up/);
  assert.equal(reads, 2);
  assert.equal(await countUnits(service.db, id), 0);
});

test('every answer of a metered endpoint says where the key stands [7, I-30]', async (t) => {
  const service = await startService(t);
  const { key } = await service.issue({ rateLimitPerMinute: 3, quota: 2 });
  const seen: (string | number | undefined)[][] = [];
  for (const path of ['/v1/jurisdictions', '/v1/changes', '/v1/ZZ/changes?since=2026-01-01', '/v1/usage']) {
    const { status, headers } = await service.call(path, { key });
    assert.match(headers.ratelimit ?? '', /^"records";r=\d;t=\d+$/);
    seen.push([status, headers['x-ratelimit-limit'], headers['x-ratelimit-remaining'], headers['ratelimit-policy']]);
  }
  const policy = '"records";q=3;w=60';
  assert.deepEqual(seen, [
    [200, '3', '2', policy],
    [422, '3', '1', policy],
    [404, '3', '0', policy],
    [429, '3', '0', policy],
  ]);
});

test('says with rate_limited when to come back, and with quota_exceeded what is used and until when [7, I-30]', async (t) => {
  const service = await startService(t);
  const slow = await service.issue({ rateLimitPerMinute: 1 });
  await service.call('/v1/usage', { key: slow.key });
  const limited = await service.call('/v1/usage', { key: slow.key });
  const wait = Number(limited.headers['retry-after']);
  assert.ok(Number.isInteger(wait) && wait >= 1 && wait <= 60, String(wait));
  assert.deepEqual(limited.body, {
    error: { code: 'rate_limited', message: `More than 1 calls in this minute. Try again in ${wait} seconds.` },
  });
  assert.deepEqual([limited.status, limited.headers['x-ratelimit-remaining']], [429, '0']);

  const small = await service.issue({ quota: 1 });
  const usage = await service.call('/v1/usage', { key: small.key });
  const spent = await service.call('/v1/usage', { key: small.key });
  const { resets_at: resetsAt } = usage.body as { resets_at: string };
  assert.deepEqual(spent.body, {
    error: {
      code: 'quota_exceeded',
      message: `1 of the month's 1 calls are used. The quota resets at ${resetsAt}; wait until then, or ask for a higher one.`,
    },
  });
  assert.deepEqual(
    [spent.status, refusalOf(spent).code, spent.headers['x-quota-limit'], spent.headers['x-quota-used']],
    [429, 'quota_exceeded', '1', '1'],
  );
  assert.equal(spent.headers['retry-after'], undefined);
});

test('opens a new window a minute after the first call of the last one [I-30]', async (t) => {
  const service = await startService(t);
  const { id, key } = await service.issue({ rateLimitPerMinute: 2 });
  const call = async (): Promise<number> => (await service.call('/v1/usage', { key })).status;
  assert.deepEqual([await call(), await call(), await call()], [200, 200, 429]);
  const age = async (seconds: number): Promise<unknown> =>
    service.db.query(sql`update key_product set window_started_at = now()
      - make_interval(secs => ${seconds}) where key_id = ${id}`);
  await age(30);
  assert.equal(await call(), 429);
  await age(60);
  assert.deepEqual([await call(), await call(), await call()], [200, 200, 429]);
});

test('starts a new month at zero, and never from a wrong count when the clock goes back [I-29]', async (t) => {
  const service = await startService(t);
  const { id, key } = await service.issue({ quota: 2 });
  const call = async (): Promise<number> => (await service.call('/v1/usage', { key })).status;
  assert.deepEqual([await call(), await call(), await call()], [200, 200, 429]);
  await service.db.query(sql`update key_product set month = '2020-01-01' where key_id = ${id}`);
  assert.equal(await call(), 429, 'the days of this month still count');
  await service.db.query(sql`update key_product set month = '2020-01-01', day = '2020-01-01' where key_id = ${id}`);
  assert.deepEqual([await call(), await call(), await call()], [200, 200, 429]);
  assert.deepEqual(await listUsageDays(service.db, { keyId: id, month: '2020-01' }), [
    { key_id: id, product: 'records', day: '2020-01-01', units: 2 },
  ]);
});

test('counts a day that has ended and the running one separately, and gives back to either [I-28, I-29]', async (t) => {
  const service = await startService(t);
  const { id, key } = await service.issue({ quota: 9 });
  const [clock] = await service.db.query<{ today: string; tomorrow: string }>(sql`
    select to_char(now() at time zone 'UTC', 'YYYY-MM-DD') as today,
      to_char(now() at time zone 'UTC' + interval '1 day', 'YYYY-MM-DD') as tomorrow`);
  const { today, tomorrow } = clock!;
  const unitsOf = async (day: string): Promise<number> => {
    const days = await listUsageDays(service.db, { keyId: id, month: day.slice(0, 7) });
    return days.find((row) => row.day === day)?.units ?? 0;
  };
  const giveBack = (day: string, units: number): Promise<void> =>
    returnUnits(service.db, [{ key_id: id, product: 'records', day, units }]);
  for (let calls = 0; calls < 3; calls += 1) await service.call('/v1/usage', { key });
  // A clock that went back a day: what was counted stands, and the day goes on where it was.
  await service.db.query(sql`update key_product set day = ${tomorrow}::date where key_id = ${id}`);
  await service.db.query(sql`insert into usage_day values (${id}, 'records', ${today}::date, 4)`);
  await service.call('/v1/usage', { key });
  assert.deepEqual([await unitsOf(today), await unitsOf(tomorrow)], [5, 3]);
  await giveBack(today, 1);
  await giveBack(tomorrow, 2);
  assert.deepEqual([await unitsOf(today), await unitsOf(tomorrow)], [4, 1]);
  const [counter] = await service.db.query<{ day_units: string; finished: number }>(sql`
    select day_units, (select sum(units)::int from usage_day where key_id = ${id}) as finished
    from key_product where key_id = ${id} and product = 'records'`);
  assert.deepEqual(counter, { day_units: '0', finished: 5 });
});

test('gives back no more of a day than it has counted, and still gives back to other keys [I-28, I-29]', async (t) => {
  const { db, issue, call } = await startService(t);
  const [short, other] = [await issue({ quota: 9 }), await issue({ quota: 9 })];
  for (let calls = 0; calls < 3; calls += 1) {
    await call('/v1/usage', { key: short.key });
    await call('/v1/usage', { key: other.key });
  }
  const [{ today, yesterday }] = (await db.query<{ today: string; yesterday: string }>(sql`
    select to_char(day, 'YYYY-MM-DD') as today, to_char(day - 1, 'YYYY-MM-DD') as yesterday
    from key_product where key_id = ${short.id} and product = 'records'`)) as [{ today: string; yesterday: string }];
  await db.query(sql`insert into usage_day values (${other.id}, 'records', ${yesterday}::date, 4)`);
  await db.query(sql`
    update key_product set units_used = units_used + 4
    where key_id = ${other.id} and month = date_trunc('month', ${yesterday}::date)`);
  const owed = (id: string, day: string, units: number) => ({ key_id: id, product: 'records' as const, day, units });
  // As a server owes it that counted with a primary whose last moments are lost.
  await returnUnits(db, [owed(short.id, yesterday, 2), owed(short.id, today, 5), owed(other.id, today, 1)]);
  await returnUnits(db, [owed(other.id, yesterday, 6)]);
  const days = await db.query(sql`
    select key_id, to_char(day, 'YYYY-MM-DD') as day, units::int from usage_by_day where units > 0 order by key_id`);
  assert.deepEqual(days, [{ key_id: other.id, day: today, units: 2 }]);
  const counters = await db.query(sql`
    select key_id, units_used::int as units from key_product where product = 'records' order by key_id`);
  const kept = [
    { key_id: short.id, units: 0 },
    { key_id: other.id, units: 2 },
  ];
  assert.deepEqual(
    counters,
    kept.sort((one, two) => (one.key_id < two.key_id ? -1 : 1)),
  );
});

test('gives a unit back to a day that ends in another process in the meantime [I-28, I-29]', async (t) => {
  const { db, issue, call } = await startService(t);
  const { id, key } = await issue();
  await call('/v1/usage', { key });
  await call('/v1/usage', { key });
  const [{ today }] = (await db.query<{ today: string }>(sql`
    select day as today from key_product where key_id = ${id} and product = 'records'`)) as [{ today: string }];
  let returned: Promise<void> | undefined;
  await db.transaction(async (other) => {
    await other.query(sql`update key_product set day = day + 1, day_units = 0 where key_id = ${id}`);
    await other.query(sql`insert into usage_day values (${id}, 'records', ${today}::date, 2)`);
    returned = returnUnits(db, [{ key_id: id, product: 'records', day: today, units: 1 }]);
    await untilBlocked(db);
  });
  await returned;
  const days = await listUsageDays(db, { keyId: id, month: today.slice(0, 7) });
  assert.deepEqual(days, [{ key_id: id, product: 'records', day: today, units: 1 }]);
});

test('returns a unit once, when the answer to the return is lost before or after its commit [I-28, I-29]', async (t) => {
  const { db, issue, call } = await startService(t);
  const { id, key } = await issue();
  for (let calls = 0; calls < 5; calls += 1) await call('/v1/usage', { key });
  const countUnits = async (): Promise<number> => {
    const [row] = await db.query<{ units: number }>(
      sql`select sum(units)::int as units from usage_by_day where key_id = ${id}`,
    );
    return row!.units;
  };
  const metered: MeteredCall = { keyId: id, secretNumber: 1, product: 'records', takesUnit: true };
  const lost = new Error('Connection terminated unexpectedly');
  const cutAfterCommit: Database['transaction'] = async (work, options) => {
    await db.transaction(work, options);
    throw lost;
  };
  const cutBeforeCommit: Database['transaction'] = async (work, options) =>
    await db.transaction(async (tx) => {
      await work(tx);
      throw lost;
    }, options);
  for (const transaction of [cutAfterCommit, cutBeforeCommit]) {
    const database = { ...db, transaction };
    const meter = buildMeter({ database, clock: systemClock, log: testLog });
    const before = await countUnits();
    const { unitDay } = await meter.judge(metered);
    await meter.returnUnit(metered, unitDay!);
    assert.equal(meter.state().owedUnits, 1, 'it is not known whether the unit is back');
    database.transaction = db.transaction;
    await meter.close();
    assert.equal(await countUnits(), before);
    assert.deepEqual(meter.state(), { waitingCalls: 0, owedUnits: 0, takenUnits: 1, returnedUnits: 1 });
  }
});

test('a verdict has the last stamp that was visible after the call arrived, whatever statement gave it [I-41]', async (t) => {
  const { db } = await createTestDatabase(t);
  const meter = buildMeter({ database: db, clock: systemClock, log: testLog });
  const { id: keyId } = await issueKey(db, {
    customer: 'a customer',
    name: null,
    products: ['records'],
    rateLimitPerMinute: 100,
    quota: null,
    actor: 'test',
  });
  const judge = async (): Promise<unknown> =>
    (await meter.judge({ keyId, secretNumber: 1, product: 'records', takesUnit: true })).lastStamp;
  const publish = async (uid: string): Promise<string> => {
    await publishRecords(db, [buildSource({ uid })]);
    return (await findPublishState(db)).lastStamp;
  };
  // The first call of a window takes the long statement, the next one the short.
  const first = await publish('A1');
  assert.equal(await judge(), first);
  const second = await publish('A2');
  assert.ok(second > first);
  assert.equal(await judge(), second);
  await meter.close();
});

test('takes a change of limits and a revocation at once, in every process [5.6, I-30]', async (t) => {
  const database = await createTestDatabase(t);
  const second = await connectTestDatabase(database.url);
  const services = [
    await startService(t, { database }),
    await startService(t, { database: { db: second, url: database.url } }),
  ];
  t.after(() => second.close());
  const { id, key } = await services[0]!.issue();
  const callBoth = async (): Promise<unknown[]> => {
    const answers = await Promise.all(services.map((service) => service.call('/v1/usage', { key })));
    return answers.map((answer) => (answer.status === 200 ? 200 : refusalOf(answer).code));
  };
  assert.deepEqual(await callBoth(), [200, 200]);
  await setKey(database.db, { id, quota: 2, actor: 'test' });
  assert.deepEqual(await callBoth(), ['quota_exceeded', 'quota_exceeded']);
  await setKey(database.db, { id, quota: null, products: ['analytics'], actor: 'test' });
  assert.deepEqual(await callBoth(), ['product_not_enabled', 'product_not_enabled']);
  await setKey(database.db, { id, products: ['records', 'analytics'], actor: 'test' });
  assert.deepEqual(await callBoth(), [200, 200]);
  await revokeKey(database.db, { id, actor: 'test' });
  assert.deepEqual(await callBoth(), ['key_revoked', 'key_revoked']);
});

/** Where the key stands: calls of the running minute and units of the month. */
async function readCounters(service: TestService, keyId: string): Promise<unknown> {
  const [row] = await service.db.query(sql`
    select window_calls, units_used from key_product where key_id = ${keyId} and product = 'records'`);
  return row;
}

test('a secret that was rotated out takes no place in the minute and no unit, not even for a moment [5.4, I-29, I-30]', async (t) => {
  const database = await createTestDatabase(t);
  const remembering = await startService(t, { database });
  const { id, key } = await remembering.issue({ quota: 2 });
  assert.equal((await remembering.call('/v1/jurisdictions', { key })).status, 200);
  const rotated = await rotateKey(database.db, { id, graceSeconds: 0, actor: 'test' });
  const before = await readCounters(remembering, id);
  // This process still remembers the old secret as valid: only the statement that counts knows better.
  const refused = await Promise.all(
    Array.from({ length: 5 }, () => remembering.call('/v1/jurisdictions', { key }).then(refusalOf)),
  );
  assert.deepEqual(new Set(refused.map(({ code }) => code)), new Set(['key_revoked']));
  assert.deepEqual(await readCounters(remembering, id), before);
  const mixed = await Promise.all(
    [key, key, rotated.key, key].map((each) => remembering.call('/v1/jurisdictions', { key: each })),
  );
  assert.deepEqual(
    mixed.map(({ status }) => status),
    [403, 403, 200, 403],
    'the last unit is there for the valid secret',
  );
  assert.deepEqual(await readCounters(remembering, id), { window_calls: 2, units_used: '2' });
});
