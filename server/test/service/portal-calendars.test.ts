/** Calendars at secret addresses: made and revoked on the page of a watch or docket, and read without a session. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inviteCustomer } from '../../src/access/keys.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { clockAt } from '../support/clock-at.ts';
import { createCustomer, follow, joinPortal, type Person } from '../support/portal.ts';
import { startService, type TestContext } from '../support/service.ts';
import { buildSource } from '../support/source.ts';
import { buildStored, storeRecords } from '../support/stored.ts';
import { storeWatchOf } from '../support/watch-hits.ts';

type Source = Parameters<typeof buildSource>[0];

const store = (db: Database, sources: readonly Source[]): Promise<unknown> =>
  storeRecords(
    db,
    sources.map((source, at) =>
      buildStored(
        buildSource({ status: 'Registered', ...source }),
        `2026-01-02T03:04:05.${String(at).padStart(6, '0')}Z`,
      ),
    ),
  );

async function openWorld(t: TestContext, config = {}) {
  const service = await startService(t, { clock: clockAt('2026-11-27T09:00:00Z'), config });
  const customer = await createCustomer(service.db);
  await store(service.db, [
    {
      jurisdiction_code: 'US',
      uid: 'u1',
      mark_name: 'NÉLYIA, the; mark',
      registration_number: '6245001',
      registration_date: '2021-01-12',
    },
    { jurisdiction_code: 'ES', uid: 'e1', mark_name: 'OTHER', expiry_date: '2027-05-06' },
  ]);
  const records = [
    { jurisdiction_code: 'US', uid: 'u1' },
    { jurisdiction_code: 'ES', uid: 'e1' },
  ];
  const watch = await storeWatchOf(service.db, customer.name, { kind: 'records', records });
  return { ...service, customer, watch, person: await joinPortal(service.url, customer) };
}

/** Resolves to the path of the address and the page that showed it. */
async function makeAddress(person: Person, action: string): Promise<{ path: string; page: string }> {
  const made = await person.post(action);
  const { text } = await follow(person, made);
  const address = /<code id="calendar-address">([^<]+)</.exec(text)?.[1] ?? '';
  return { path: new URL(address).pathname, page: made.to ?? '' };
}

const unfold = (text: string): string[] => text.replaceAll('\r\n ', '').split('\r\n');
const valuesOf = (text: string, name: string): string[] =>
  unfold(text).flatMap((line) => (line.startsWith(name) ? [line.slice(line.indexOf(':') + 1)] : []));

test('an address is shown once, and has an all-day event for each date with mark, register, number, rule and link', async (t) => {
  const { url, person, watch } = await openWorld(t, { publicUrl: null });
  await person.visit(`/portal/watches/${watch}`);
  const { path, page } = await makeAddress(person, `/portal/watches/${watch}/calendar`);
  assert.match(path, /^\/portal\/calendar\/[\w-]{43}\.ics$/);
  assert.equal((await person.visit(page)).status, 410, 'once');
  const response = await fetch(`${url}${path}`);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'text/calendar; charset=utf-8');
  assert.match(response.headers.get('cache-control') ?? '', /^private/);
  assert.deepEqual(response.headers.getSetCookie(), []);
  const text = await response.text();
  assert.deepEqual(valuesOf(text, 'DTSTART;VALUE=DATE'), ['20270112', '20270506']);
  assert.deepEqual(valuesOf(text, 'SUMMARY'), [
    'Declaration of use due: NÉLYIA\\, the\\; mark (United States 6245001) (computed)',
    'Protection ends unless renewed: OTHER (Spain e1)',
  ]);
  const [computed = '', stated = ''] = valuesOf(text, 'DESCRIPTION');
  assert.match(
    computed,
    /Register: United States \(US\)\\nNumber: 6245001\\n.*Computed\\, since the office states none: A declaration/,
  );
  assert.match(computed, /Source: 15 U\.S\.C\. 1058.*Data\\, not advice/);
  assert.match(stated, /Stated by the office/);
  assert.equal(new Set(valuesOf(text, 'UID')).size, 2);
  assert.deepEqual(valuesOf(text, 'URL'), [], 'no link without a public address');
  const again = await fetch(`${url}${path}`, { headers: { 'if-none-match': response.headers.get('etag') ?? '' } });
  assert.equal(again.status, 304);
  const head = await fetch(`${url}${path}`, { method: 'HEAD' });
  assert.deepEqual([head.status, head.headers.get('etag'), await head.text()], [200, response.headers.get('etag'), '']);
  assert.equal(await (await fetch(`${url}${path}`)).text(), text, 'the same dates are the same file');
});

test('with a public address each event leads to its record', async (t) => {
  const { url, person, watch } = await openWorld(t, { publicUrl: 'http://api.example' });
  await person.visit(`/portal/watches/${watch}`);
  const { path } = await makeAddress(person, `/portal/watches/${watch}/calendar`);
  const text = await (await fetch(`${url}${path}`)).text();
  assert.equal(valuesOf(text, 'URL')[0], 'http://api.example/portal/explorer/records/US/u1');
});

test('a revoked address is gone at once, and so are those of a stopped watch, a suspended customer, and a person who left', async (t) => {
  const { url, db, person, watch, customer } = await openWorld(t);
  const statusOf = async (path: string): Promise<number> => (await fetch(`${url}${path}`)).status;
  await person.visit(`/portal/watches/${watch}`);
  const first = await makeAddress(person, `/portal/watches/${watch}/calendar`);
  const second = await makeAddress(person, `/portal/watches/${watch}/calendar`);
  assert.deepEqual([await statusOf(first.path), await statusOf(second.path)], [200, 200]);
  const [id = ''] = first.page.split('/').slice(-1);
  await person.visit(`/portal/calendars/${id}/revoke`);
  const revoked = await follow(person, await person.post(`/portal/calendars/${id}/revoke`));
  assert.match(revoked.text, /The address is revoked/);
  assert.deepEqual([await statusOf(first.path), await statusOf(second.path)], [404, 200]);
  const actions = await db.query<{ action: string }>(
    sql`select action from access_audit where action like 'calendar.%' order by at`,
  );
  assert.deepEqual(
    actions.map(({ action }) => action),
    ['calendar.make', 'calendar.make', 'calendar.revoke'],
  );

  await db.query(sql`update customer set suspended_at = now() where name = ${customer.name}`);
  assert.equal(await statusOf(second.path), 404);
  await db.query(sql`update customer set suspended_at = null`);
  await db.query(sql`update watch set ended_at = now()`);
  assert.equal(await statusOf(second.path), 404);
  await db.query(sql`update watch set ended_at = null`);
  assert.equal(await statusOf(second.path), 200);

  const email = 'bob@example.org';
  const { token } = await inviteCustomer(db, { customer: customer.name, email, actor: 'test' });
  const bob = await joinPortal(url, { ...customer, email, invitation: `/portal/invitation/${token}` });
  await bob.visit(`/portal/watches/${watch}`);
  const own = await makeAddress(bob, `/portal/watches/${watch}/calendar`);
  const [member] = await db.query<{ id: string }>(
    sql`select user_id::text as id from portal_user where email = ${email}`,
  );
  await person.visit(`/portal/team/${member!.id}/remove`);
  await follow(person, await person.post(`/portal/team/${member!.id}/remove`, { sure: 'yes' }));
  assert.deepEqual([await statusOf(own.path), await statusOf(second.path)], [404, 200]);
});

test('a customer sees and revokes its own calendars only, and a developer none', async (t) => {
  const { url, db, person, watch, customer } = await openWorld(t);
  await person.visit(`/portal/watches/${watch}`);
  const { path, page } = await makeAddress(person, `/portal/watches/${watch}/calendar`);
  const [id = ''] = page.split('/').slice(-1);
  const stranger = await joinPortal(url, await createCustomer(db));
  await stranger.visit('/portal');
  for (const place of [`/portal/calendars/${id}`, `/portal/calendars/${id}/revoke`]) {
    assert.equal((await stranger.visit(place)).status, 404, place);
  }
  assert.equal((await stranger.post(`/portal/calendars/${id}/revoke`)).status, 404);
  assert.equal((await stranger.post(`/portal/watches/${watch}/calendar`)).status, 404);
  assert.equal((await fetch(`${url}${path}`)).status, 200);
  await db.query(sql`update portal_user set role = 'developer' where email = ${customer.email}`);
  assert.equal((await person.visit(`/portal/calendars/${id}/revoke`)).status, 403);
});

test('unknown secrets from one network are limited like unknown keys', async (t) => {
  const { url, person, watch } = await openWorld(t);
  await person.visit(`/portal/watches/${watch}`);
  const { path } = await makeAddress(person, `/portal/watches/${watch}/calendar`);
  const wrong = path.replace(/[\w-]{4}\.ics$/, 'AAAA.ics');
  const answers = new Map<number, number>();
  for (let at = 0; at < 32; at += 1) {
    const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await fetch(`${url}${wrong}`)).status));
    for (const status of statuses) answers.set(status, (answers.get(status) ?? 0) + 1);
  }
  assert.deepEqual([...answers.keys()].sort(), [404, 429]);
  const refused = await fetch(`${url}${wrong}`);
  assert.ok(Number(refused.headers.get('retry-after')) >= 1);
  assert.equal((await fetch(`${url}${path}`)).status, 200, 'the right one is still read');
});

test('a calendar with more dates than it may have says so', async (t) => {
  const { url, db, customer, person } = await openWorld(t);
  await db.query(sql`
    insert into record (jurisdiction_code, uid, updated_at, first_seen_at, content_digest, detail)
    select 'ES', 'x' || n, updated_at, first_seen_at, content_digest, detail from record, generate_series(1, 1001) as n
    where jurisdiction_code = 'ES'`);
  const records = Array.from({ length: 1001 }, (_, at) => ({ jurisdiction_code: 'ES', uid: `x${at + 1}` }));
  const watch = await storeWatchOf(db, customer.name, { kind: 'records', records });
  await person.visit(`/portal/watches/${watch}`);
  const { path } = await makeAddress(person, `/portal/watches/${watch}/calendar`);
  const text = await (await fetch(`${url}${path}`)).text();
  assert.equal(valuesOf(text, 'BEGIN').filter((name) => name === 'VEVENT').length, 1000);
  assert.match(valuesOf(text, 'X-WR-CALDESC')[0] ?? '', /More is watched than is read\\, so there may be others\./);
});

test('a name with a line break begins no further property', async (t) => {
  const { url, db, person, watch } = await openWorld(t);
  await db.query(sql`update watch set name = ${'A\r\nATTACH:http://evil.example/'}`);
  await person.visit(`/portal/watches/${watch}`);
  const { path } = await makeAddress(person, `/portal/watches/${watch}/calendar`);
  const text = await (await fetch(`${url}${path}`)).text();
  assert.deepEqual(valuesOf(text, 'ATTACH'), []);
});
