/** The call log and the overview: what was called, what it says of the month, and what stays bounded. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { revokeKey, rotateKey } from '../../src/access/keys.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { insertCalls, keepCallDays, LISTED_MAX, type LoggedCall } from '../../src/store/accounts/call-log.ts';
import { createTestDatabase } from '../support/database.ts';
import { openPortal } from '../support/open-portal.ts';
import { createCustomer, joinPortal, storeMark, textOf } from '../support/portal.ts';
import { startService } from '../support/service.ts';

/** The journal writes about a second after a call. */
async function waitForCalls(db: Database, calls: number): Promise<void> {
  const count = async (): Promise<number> =>
    (await db.query<{ calls: number }>(sql`select coalesce(sum(calls), 0)::int as calls from call_hour`))[0]!.calls;
  while ((await count()) < calls) await db.query(sql`select pg_sleep(0.05)`);
}

/** The paths of the listed calls, newest first. */
function listPaths(text: string): string[] {
  const table = text.slice(text.indexOf('aria-label="Calls"'));
  return [...table.matchAll(/<code class="small"><bdi>([^<]*)<\/bdi>/g)].map(([, path = '']) => path);
}

test('the log lists every call, filters by each of its fields, groups errors and leads to the console', async (t) => {
  const { db, call, customer, person } = await openPortal(t);
  await storeMark(db, { uid: 'FR1', mark_name: 'Supra' });
  const key = customer.key;
  const served = await call('/v1/FR/trademarks/FR1', { key });
  await call('/v1/FR/trademarks/none', { key });
  await call('/records/v1/trademarks?status=Nonsense', { key });
  await call('/v1/trademarks?status=Nonsense', { key });
  await call(`/v1/trademarks?mark_name=%3Cb%3E&token=${key}`, { key });
  await call('/v1/health', { key });
  await waitForCalls(db, 5);
  const paths = async (query: string): Promise<string[]> => listPaths((await person.visit(`/portal/log${query}`)).text);
  const all = [
    '/v1/trademarks?mark_name=%3Cb%3E&amp;token=***',
    '/v1/trademarks?status=Nonsense',
    '/records/v1/trademarks?status=Nonsense',
    '/v1/FR/trademarks/none',
    '/v1/FR/trademarks/FR1',
  ];
  assert.deepEqual(await paths(''), all);
  assert.deepEqual(await paths(`?key=${customer.keyId}&hours=1`), all);
  assert.deepEqual(await paths('?outcome=served'), all.slice(4));
  assert.deepEqual(await paths('?outcome=failed'), all.slice(0, 4));
  assert.deepEqual(await paths('?outcome=refused'), all.slice(0, 3));
  assert.deepEqual(await paths('?status=404'), all.slice(3, 4));
  assert.deepEqual(await paths('?path=NONSENSE'), all.slice(1, 3));
  assert.deepEqual(await paths('?code=invalid_parameter&param=status'), all.slice(1, 3));
  assert.deepEqual(await paths('?units=1'), all.slice(3));
  assert.deepEqual(await paths('?ms=600000'), []);
  const none = (await person.visit('/portal/log?ms=600000')).text;
  assert.match(none, /No calls match in the last 24 hours\..*ms=600000"[^>]*>Look in the last 30 days</s);
  assert.match((await person.visit('/portal/log?ms=600000&hours=720')).text, /No calls match in the last 30 days\./);
  assert.deepEqual(await paths(`?request=${served.headers['x-request-id']}`), all.slice(4));
  const { text } = await person.visit('/portal/log');
  assert.ok(!text.includes(key) && !text.includes(key.split('_')[2]!));
  const told = text.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ');
  assert.match(told, /invalid_parameter status takes any of/, 'a message that begins with its parameter says it once');
  assert.match(text, /href="\/portal\/log\?key=[^"]*code=invalid_parameter&amp;param=status"[^>]*>\s*2</);
  const replay =
    /href="(\/portal\/api\/getTrademark\?[^"]*uid=FR1[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  assert.doesNotMatch((await person.visit(replay)).text, /Supra/, 'a replay is filled in and not sent');
  assert.match((await person.visit(`${replay}&asked=1`)).text, /Supra/);
  assert.match((await person.visit('/portal/log?live=1')).text, /data-tail="log"/);
});

test('the log takes a bounded number of calls an hour, counts the others and says so', async (t) => {
  const { url, db } = await startService(t);
  const customer = await createCustomer(db);
  const other = await createCustomer(db);
  const person = await joinPortal(url, customer);
  await keepCallDays(db);
  const build = (keyId: string, calls: number, code: string | null): LoggedCall[] =>
    Array.from({ length: calls }, (_, age_ms) => ({
      key_id: keyId,
      product: 'records',
      request_id: randomUUID(),
      age_ms,
      path: '/v1/trademarks',
      status: 200,
      units: 1,
      duration_ms: 1,
      code,
      param: null,
      message: null,
    }));
  const write = (keyId: string, calls: number, code: string | null = null) =>
    insertCalls(db, build(keyId, calls, code), [{ key_id: keyId, product: 'records', code, calls }]);
  assert.deepEqual(await write(customer.keyId, LISTED_MAX.served - 10), []);
  assert.deepEqual(await write(customer.keyId, 30), [{ key_id: customer.keyId, refused: false }]);
  assert.deepEqual(await write(customer.keyId, 5, 'rate_limited'), [], 'refused calls have separate room');
  assert.deepEqual(await write(other.keyId, 5), [], 'so have other customers');
  assert.deepEqual(await write('nobody', 5), []);
  const [listed] = await db.query<{ calls: number }>(
    sql`select count(*)::int as calls from call_log where key_id = ${customer.keyId}`,
  );
  assert.equal(listed?.calls, LISTED_MAX.served + 5);
  const { text } = await person.visit('/portal/log');
  assert.match(text, /20 further calls were counted, but not listed/);
  assert.equal(listPaths(text).length, 50);
  const older = /href="(\/portal\/log\?[^"]*before=[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const next = await person.visit(older);
  assert.equal(listPaths(next.text).length, 50);
  const ids = (page: string): string[] => page.match(/<code class="small">[0-9a-f-]{36}</g) ?? [];
  assert.equal(new Set([...ids(text), ...ids(next.text)]).size, 100, 'no call is on two pages');
});

test('days are made ahead and dropped after thirty, by any number of processes at once', async (t) => {
  const { db } = await createTestDatabase(t);
  const day = async (back: number): Promise<string> =>
    (
      await db.query<{ name: string }>(sql`
        select 'call_log_' || to_char((now() at time zone 'UTC')::date - ${back}::int, 'YYYYMMDD') as name`)
    )[0]!.name;
  for (const back of [30, 31]) {
    await db.transaction((tx) =>
      tx.runScript(`do $$ begin
        execute format('create table %I partition of call_log for values from (%L) to (%L)',
          'call_log_' || to_char((now() at time zone 'UTC')::date - ${back}, 'YYYYMMDD'),
          ((now() at time zone 'UTC')::date - ${back})::timestamp at time zone 'UTC',
          ((now() at time zone 'UTC')::date - ${back - 1})::timestamp at time zone 'UTC');
      end $$`),
    );
  }
  await Promise.all(Array.from({ length: 4 }, () => keepCallDays(db)));
  const found = await db.query<{ name: string }>(sql`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'call_log'::regclass order by 1`);
  const kept = await Promise.all([30, 1, 0, -1, -2, -3].map(day));
  assert.deepEqual(
    found.map(({ name }) => name),
    kept,
  );
});

test('the page of usage says what needs attention, the units of the month and the calls of the day', async (t) => {
  const { db, call, customer, person } = await openPortal(t, { quota: 10, keyName: 'docketing' });
  const quiet = await person.visit('/portal/usage');
  assert.equal(quiet.status, 200);
  assert.match(quiet.text, /All clear\./);
  await storeMark(db, { uid: 'FR1', mark_name: 'Supra' });
  for (let calls = 0; calls < 8; calls += 1) await call('/v1/FR/trademarks/FR1', { key: customer.key });
  await call('/v1/trademarks?status=Nonsense', { key: customer.key });
  const next = await rotateKey(db, { id: customer.keyId, graceSeconds: 3600, actor: 'test' });
  const gone = await createCustomer(db, { name: customer.name, keyName: 'old office' });
  await revokeKey(db, { id: gone.keyId, actor: 'test' });
  await call('/v1/FR/trademarks/FR1', { key: gone.key });
  await waitForCalls(db, 10);
  await db.query(sql`
    with made as (
      insert into load (load_id, format, source, state, started_at, finished_at)
      select gen_random_uuid(), 'st66', 'a file', 'finished', at, at
      from unnest(array[9, 8, 7, 3]) as back, lateral (select now() - make_interval(days => back) as at) as t
      returning load_id, finished_at
    ), linked as (insert into register_load select 'FR', load_id from made)
    update register set last_load_id = (select load_id from made order by finished_at desc limit 1)
    where jurisdiction_code = 'FR'`);
  const { text } = await person.visit('/portal/usage');
  const plain = textOf(text);
  assert.match(plain, /docketing: 80 % of the monthly limit for records is used \(8 of 10 units\)/);
  assert.match(plain, /docketing: the old secret stops working on \d+ \w+ \d{4}, [\d:]+ UTC/);
  assert.match(plain, /old office: a call in the last 24 hours with a secret that was revoked or replaced/);
  assert.match(plain, /Calls 10 Refused 2 \(20\.0 %\) Latency, median \d+(?:\.\d)? ms/);
  assert.ok(text.indexOf('old office') < text.indexOf('80 %'), 'what fails now comes first');
  assert.ok(!text.includes(next.key));
  const home = textOf((await person.visit('/portal')).text);
  assert.match(
    home,
    /Needs attention .*old office: a call in the last 24 hours/,
    'what is wrong is on the first page too',
  );
  assert.match(home, /France is late: last updated 3 days ago, usually every day\./);
});

test('usage as CSV has the units by key and day, of the month and key that are named', async (t) => {
  const { call, customer, person } = await openPortal(t, { keyName: '+docketing' });
  await call('/v1/jurisdictions', { key: customer.key });
  const { status, headers, text } = await person.visit(`/portal/monitoring/usage.csv?key=${customer.keyId}`);
  assert.equal(status, 200);
  assert.match(headers.get('content-type') ?? '', /^text\/csv/);
  assert.match(headers.get('content-disposition') ?? '', /^attachment; filename="usage-\d{4}-\d\d\.csv"$/);
  const [head, row, end] = text.split('\r\n');
  assert.equal(head, 'day,key_id,key_name,product,units');
  assert.match(row ?? '', new RegExp(`^\\d{4}-\\d\\d-\\d\\d,${customer.keyId},'\\+docketing,records,1$`));
  assert.equal(end, '');
});
