/** Dockets in the portal: the cost said first, every row with its finding, confidential, and gone after a day. */

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { identifier, sql } from '../../src/database/driver/sql.ts';
import { prune } from '../../src/upkeep/retention/retention.ts';
import { createTestDatabase } from '../support/database.ts';
import { compareDocket, finishDocket, readStart, startWithRecords } from '../support/docket-person.ts';
import { countUnits, createCustomer, follow, joinPortal, type Person, type Visited } from '../support/portal.ts';
import { startService } from '../support/service.ts';
import { buildSource } from '../support/source.ts';
import { buildStored, storeRecords } from '../support/stored.ts';

const RECORDS = [
  { jurisdiction_code: 'EM', uid: 'a', application_number: '018229854', status: 'Registered' as const },
  { jurisdiction_code: 'EM', uid: 'b', application_number: '018229855', status: 'Cancelled' as const },
  { jurisdiction_code: 'US', uid: 'c', application_number: '7123456' },
  { jurisdiction_code: 'US', uid: 'd', application_number: '97000001', registration_number: '7123456' },
];

const DOCKET = `Register;Number;Status
EUIPO;18 229 854;Registered
EU;18229855;Registered
EM;018229856;Pending
US;7,123,456;Pending
Mars;1;Pending
`;

const startWorld = (t: TestContext, quota: number | null = null) => startWithRecords(t, RECORDS, quota);

const asFile = (text: string, name = 'docket.csv') => ({
  file: { field: 'docket', name, bytes: new TextEncoder().encode(text) },
});

async function send(person: Person, text: string, name?: string): Promise<Visited> {
  await person.visit('/portal/reconcile');
  return person.post('/portal/reconcile', {}, asFile(text, name));
}

test('says what is read and what it costs, then compares every row for exactly that [I-28]', async (t) => {
  const { service, customer, person } = await startWorld(t);
  const sent = await send(person, DOCKET);
  const path = sent.to ?? '';
  assert.match(path, /^\/portal\/reconcile\/[0-9a-f-]{36}$/, sent.text);
  const plan = await person.visit(path);
  assert.match(
    plan.text,
    /<bdi>Number<\/bdi>.*?18 229 854 · 18229855.*?selected[^>]*value="number"|value="number" selected/s,
  );
  assert.doesNotMatch(plan.text, /\/start"/, 'nothing starts before the cost is said');
  const { text } = await person.visit(`${path}?checked=1`);
  assert.match(text, /Comparing 5 rows costs.*2 units/s);
  assert.equal(await countUnits(service, customer.keyId), 0);
  const page = await compareDocket(person, path);
  assert.match(page.text, /5 rows were compared for 2 units\./);
  assert.equal(await countUnits(service, customer.keyId), 2);
  for (const tab of ['All 5', 'Differences 1', 'Not found 1', 'Several candidates 1', 'Needs fixing 1', 'Matches 1']) {
    assert.ok(page.text.includes(tab), tab);
  }
  const different = await person.visit(`${path}?show=different`);
  assert.match(different.text, /Status: you have “<bdi>Registered<\/bdi>”, the register\s+has <strong>“<bdi>Cancelled/);
  assert.match(different.text, /href="\/portal\/explorer\/records\/EM\/b\?key=/);
  assert.doesNotMatch(different.text, /018229856/);
  assert.match((await person.visit(`${path}?show=invalid`)).text, /No register is called “Mars”\./);
  const csv = await person.visit(`${path}/file?format=csv`);
  const rows = csv.text.trimEnd().split('\r\n');
  assert.match(csv.headers.get('content-disposition') ?? '', /attachment; filename="reconciled\.csv"/);
  assert.match(rows[0] ?? '', /^Register,Number,Status,tmds_result,/);
  assert.deepEqual(
    rows.slice(1).map((row) => /,(found|different|not_found|ambiguous|invalid),/.exec(row)?.[1]),
    [...['found', 'different', 'not_found', 'ambiguous', 'invalid']],
  );
  const part = await person.visit(`${path}/file?format=ndjson&show=ambiguous`);
  const [only, ...none] = part.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    [only.line, only.candidates.map(({ uid }: { uid: string }) => uid).sort(), none],
    [5, ['c', 'd'], []],
  );
});

test('the call log and what is backed up hold no number of a docket', async (t) => {
  const { service, person } = await startWorld(t);
  assert.match((await person.visit('/portal/reconcile')).text, /The call log lists its calls without the numbers/);
  await compareDocket(person, (await send(person, DOCKET)).to ?? '');
  const listed = async (): Promise<{ path: string }[]> =>
    await service.db.query(sql`select path from call_log where path like '%/numbers?%' order by path`);
  while ((await listed()).length < 2) await systemClock.sleep(50);
  assert.deepEqual(
    (await listed()).map(({ path }) => path),
    ['/records/v1/EM/numbers?numbers=***', '/records/v1/US/numbers?numbers=***'],
  );
  const backedUp = await service.db.query<{ name: string }>(sql`
    select relname as name from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace
      and relname not in ('docket', 'docket_part', 'record') order by 1`);
  for (const { name } of backedUp) {
    const held = await service.db.query(
      sql`select from ${identifier(name)} as held where held::text ~ '18229856|7,123,456'`,
    );
    assert.equal(held.length, 0, name);
  }
});

test('the records that were found become a watch, once, that outlives the docket', async (t) => {
  const { service, customer, person } = await startWorld(t);
  const path = (await send(person, DOCKET)).to ?? '';
  await person.post(`${path}/watch`);
  const listed = async (): Promise<unknown> => {
    const { body } = await service.call('/v1/watches', { key: customer.key });
    const { items } = body as { items: { id: string; name: string; kind: string; revision: number }[] };
    return items.map(({ name, kind, revision }) => [name, kind, revision]);
  };
  assert.deepEqual(await listed(), [], 'not before it was compared');
  assert.match((await compareDocket(person, path)).text, /Watch these records/);
  for (let times = 0; times < 2; times += 1) {
    assert.equal((await person.post(`${path}/watch`)).to, `${path}?done=docket_watched`);
    assert.deepEqual(await listed(), [['docket.csv', 'records', 1]]);
  }
  const activity = (await person.visit('/portal/team/activity')).text;
  assert.equal(activity.match(/Watch created/g)?.length, 1);
  const stranger = await joinPortal(service.url, await createCustomer(service.db));
  assert.equal((await stranger.post(`${path}/watch`)).status, 404);
  await person.post(`${path}/delete`);
  const watched = await service.db.query(sql`select jurisdiction_code, uid from watch_record order by uid`);
  assert.deepEqual(watched, [
    { jurisdiction_code: 'EM', uid: 'a' },
    { jurisdiction_code: 'EM', uid: 'b' },
  ]);
});

test('a comparison that a refusal stops says why, and goes on without paying twice [I-28, I-30]', async (t) => {
  const { service, customer, person } = await startWorld(t, 1);
  const path = (await send(person, DOCKET)).to ?? '';
  const stopped = await compareDocket(person, path);
  assert.match(stopped.text, /The comparison stopped: the units of the month are used up\. .*0 of 5 rows are compared/);
  assert.equal((await person.visit(`${path}/file?format=csv`)).to, path, 'no file that is not whole');
  await service.db.query(sql`update key_product set quota = 100 where key_id = ${customer.keyId}`);
  await follow(person, await person.post(`${path}/continue`));
  assert.match((await finishDocket(person, path)).text, /5 rows were compared for \d units/);
  await person.post(`${path}/continue`);
  const before = await countUnits(service, customer.keyId);
  assert.match((await finishDocket(person, path)).text, /5 rows were compared/);
  assert.equal(await countUnits(service, customer.keyId), before);
});

test('waits for the rate limit of the key, which programs share, and pays nothing for being refused [I-29]', async (t) => {
  const database = await createTestDatabase(t);
  const waits: number[] = [];
  const sleep: Clock['sleep'] = async (ms, signal) => {
    if (ms < 1000) return systemClock.sleep(ms, signal);
    waits.push(ms);
    await database.db.query(sql`update key_product set rate_limit_per_minute = 1000`);
  };
  const service = await startService(t, { database, clock: { ...systemClock, sleep } });
  await storeRecords(service.db, [buildStored(buildSource(RECORDS[0]!), '2026-01-02T03:04:05.000000Z')]);
  await storeRecords(service.db, [buildStored(buildSource(RECORDS[2]!), '2026-01-02T03:04:06.000000Z')]);
  const customer = await createCustomer(service.db);
  await service.db.query(sql`update key_product set rate_limit_per_minute = 1`);
  const person = await joinPortal(service.url, customer);
  const page = await compareDocket(person, (await send(person, DOCKET)).to ?? '');
  assert.match(page.text, /5 rows were compared for 2 units\./);
  assert.ok(waits.length > 0 && waits.every((ms) => ms <= 60_000), waits.join());
  assert.equal(await countUnits(service, customer.keyId), 2);
});

test('a comparison whose process died can be continued once its lease ended', async (t) => {
  const { service, person } = await startWorld(t);
  const path = (await send(person, DOCKET)).to ?? '';
  await compareDocket(person, path);
  await service.db.query(sql`update docket_part set counts = null, findings = null`);
  await service.db.query(sql`update docket set leased_until = now() + interval '1 hour'`);
  const held = await person.visit(path);
  assert.equal(held.headers.get('refresh'), '3');
  assert.doesNotMatch(held.text, /\/continue"/);
  await service.db.query(sql`update docket set leased_until = now() - interval '1 second'`);
  assert.match((await person.visit(path)).text, /The comparison was interrupted\..*\/continue"/s);
  await follow(person, await person.post(`${path}/continue`));
  assert.match((await finishDocket(person, path)).text, /5 rows were compared/);
});

test('columns, register and the order of dates are chosen where they cannot be recognized', async (t) => {
  const { person } = await startWorld(t);
  const path = (await send(person, 'A,B,Ablauf\nx,018229854,03/04/2030\n')).to ?? '';
  assert.match((await person.visit(path)).text, /No column holds the register/);
  const asked = await person.visit(`${path}?checked=1&holds-1=number&holds-2=expiry_date&register=EM`);
  assert.match(asked.text, /not clear whether the day or the month comes first in “Ablauf”/);
  assert.doesNotMatch(asked.text, /\/start"/);
  const twice = await person.visit(`${path}?checked=1&holds-0=number&holds-1=number&register=EM`);
  assert.match(twice.text, /Two columns contain the same: Number of either kind/);
  const ready = await person.visit(`${path}?checked=1&holds-1=number&holds-2=expiry_date&register=EM&dates=dmy`);
  await follow(person, await person.post(`${path}/start`, readStart(ready.text)));
  assert.match((await finishDocket(person, path)).text, /All 1.*Matches 1/s);
});

test('nobody else sees a docket, and a deleted or old one is gone', async (t) => {
  const { service, person } = await startWorld(t);
  const path = (await send(person, DOCKET, '../../etc/pass"wd<b>.csv')).to ?? '';
  assert.match((await person.visit('/portal/reconcile')).text, /<bdi>pass[^<]*wd&lt;b>\.csv<\/bdi>/);
  const stranger = await joinPortal(service.url, await createCustomer(service.db));
  for (const way of ['', '/file?format=csv', '/delete'])
    assert.equal((await stranger.visit(path + way)).status, 404, way);
  for (const way of ['/start', '/continue', '/delete'])
    assert.equal((await stranger.post(path + way)).status, 404, way);
  const gone = await person.post(`${path}/delete`);
  assert.equal(gone.to, '/portal/reconcile?done=docket_deleted');
  assert.equal((await person.visit(path)).status, 404);
  const [left] = await service.db.query<{ parts: number }>(sql`select count(*)::int as parts from docket_part`);
  assert.equal(left?.parts, 0);
  const second = (await send(person, DOCKET)).to ?? '';
  await service.db.query(sql`update docket set created_at = now() - interval '25 hours'`);
  assert.equal((await person.visit(second)).status, 404);
  await send(person, DOCKET);
  const sessions = { idleSeconds: 3600, absoluteSeconds: 3600 };
  const unlimited = {
    keepRefusalsDays: null,
    keepUsageDays: null,
    keepAuditDays: null,
    keepFindingsDays: null,
    keepWatchesDays: null,
  };
  await prune(service.db, { days: { keepCallsDays: 30, ...unlimited }, sessions, attemptSeconds: 60 });
  const [kept] = await service.db.query<{ dockets: number; parts: number }>(sql`
    select (select count(*)::int from docket) as dockets, (select count(*)::int from docket_part) as parts`);
  assert.deepEqual(kept, { dockets: 1, parts: 1 });
});

test('an invalid file, a form of another site and a form without a session are refused', async (t) => {
  const { service, customer, person } = await startWorld(t);
  const faults: [string, RegExp][] = [
    ['', /Choose a file/],
    ['Register,Number\n', /no row below its head/],
    ['Register,Number\nEM,"1\n', /line 2: a quoted field is not closed/],
    ['a\0b\n1\n', /not a text file/],
  ];
  for (const [text, message] of faults) {
    const answer = await send(person, text);
    assert.deepEqual([answer.status, message.test(answer.text)], [422, true], answer.text);
  }
  const foreign = await person.post(
    '/portal/reconcile',
    {},
    { ...asFile(DOCKET), headers: { 'sec-fetch-site': 'cross-site' } },
  );
  assert.equal(foreign.status, 403);
  const forged = await person.post('/portal/reconcile', {}, { ...asFile(DOCKET), csrf: 'forged' });
  assert.equal(forged.status, 403);
  const other = await person.post('/portal/team/invitations', { email: 'a@example.org' }, asFile(DOCKET));
  assert.equal(other.status, 415);
  const notAFile = await person.post('/portal/reconcile', { docket: 'x'.repeat(70_000) });
  assert.equal(notAFile.status, 413, 'only a file may be large');
  await person.visit('/portal/reconcile');
  person.cookies.clear();
  const ended = await person.post('/portal/reconcile', {}, asFile(DOCKET));
  assert.match(ended.text, /Your session has ended/);
  const [stored] = await service.db.query<{ dockets: number }>(sql`select count(*)::int as dockets from docket`);
  assert.equal(stored?.dockets, 0);
  assert.equal(await countUnits(service, customer.keyId), 0);
});

test('the same form is taken once', async (t) => {
  const { service, person } = await startWorld(t);
  const page = await person.visit('/portal/reconcile');
  const once = /name="once" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
  const first = await person.post('/portal/reconcile', {}, { ...asFile(DOCKET), once });
  const again = await person.post('/portal/reconcile', {}, { ...asFile(DOCKET), once });
  assert.equal(again.to, first.to);
  const other = await person.post('/portal/reconcile', {}, { ...asFile(`${DOCKET}EM;1;x\n`), once });
  assert.equal(other.status, 403, 'with another file it is another form');
  const [stored] = await service.db.query<{ dockets: number }>(sql`select count(*)::int as dockets from docket`);
  assert.equal(stored?.dockets, 1);
});
