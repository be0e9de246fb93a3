/** Monitoring: every refusal of a known key, of the month that is shown, with request and answer. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { issueKey, revokeKey, rotateKey } from '../../src/access/keys.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { openPortal } from '../support/open-portal.ts';
import { storeMark } from '../support/portal.ts';
import { startService } from '../support/service.ts';

const OPPOSITION = {
  kind: 'opposition',
  number: '003126594',
  date: '2020-07-24',
  text: 'Identity of marks and G&S\nLikelihood of confusion',
  details: {
    EarlierMarkDetails: {
      EarlierMark: {
        EarlierMarkCountryCode: 'EM',
        ApplicationNumber: '015502149',
        RegistrationNumber: '015502149',
        RegistrationDate: '2016-09-19',
        MarkFeature: 'Word',
        WordMarkSpecification: { MarkVerbalElementText: 'TOYOTA SUPRA' },
      },
    },
    OpponentDetails: { OpponentKey: { Identifier: '2885' } },
  },
};

test('shows revoked and replaced keys and products that were not sold, with path and message [5.4, 5.5, 5.6]', async (t) => {
  const { db, call, customer, person } = await openPortal(t);
  const order = { customer: customer.name, actor: 'test', name: 'other' };
  const analytics = await issueKey(db, { ...order, products: ['analytics'] });
  const revoked = await issueKey(db, { ...order, products: ['records'] });
  await revokeKey(db, { id: revoked.id, actor: 'test' });
  await call('/v1/jurisdictions', { key: revoked.key });
  await rotateKey(db, { id: customer.keyId, graceSeconds: 0, actor: 'test' });
  await call(`/v1/trademarks?mark_name=a&apikey=${customer.key}`, { key: customer.key });
  await call('/analytics/v1/anything', { key: revoked.key });
  await call('/v1/jurisdictions', { key: analytics.key });
  const { key } = await issueKey(db, { ...order, products: ['records'] });
  await call('/analytics/v1/anything', { key });
  await call('/v1/trademarks?mark_name_contains=ab&jurisdiction=FR', { key });
  // A secret that is not the key's adds nothing.
  await call('/v1/jurisdictions', { key: key.replace(/.{8}$/, 'AAAAAAAA') });
  // Written within a second of the call: the journal is waited for.
  const count = async (): Promise<number> =>
    (await db.query<{ calls: number }>(sql`select coalesce(sum(calls), 0)::int as calls from refusal_day`))[0]!.calls;
  while ((await count()) < 6) await db.query(sql`select pg_sleep(0.05)`);
  const { text } = await person.visit('/portal/monitoring');
  const reasons = await db.query(sql`
    select code, product, sum(calls)::int as calls from refusal_day group by code, product order by code, product`);
  assert.deepEqual(reasons, [
    { code: 'invalid_parameter', product: 'records', calls: 1 },
    { code: 'key_revoked', product: 'analytics', calls: 1 },
    { code: 'key_revoked', product: 'records', calls: 2 },
    { code: 'product_not_enabled', product: 'analytics', calls: 1 },
    { code: 'product_not_enabled', product: 'records', calls: 1 },
  ]);
  for (const shown of ['key_revoked', 'product_not_enabled', '/analytics/v1/anything', 'mark_name_contains=ab']) {
    assert.ok(text.includes(shown), shown);
  }
  assert.match(text, /at least 3 characters|3 characters/);
  assert.match(text, /mark_name=a&amp;apikey=\*\*\*/);
  assert.ok(!text.includes(customer.key));
});

test('the last refused calls belong to the month that is shown, at times in UTC [5.4]', async (t) => {
  const { db, customer, person } = await openPortal(t);
  await db.query(sql`create table call_log_any_day partition of call_log default`);
  const [row] = await db.query<{ month: string }>(sql`
    with made as (
      insert into call_log (key_id, at, request_id, product, path, units, duration_ms, code)
      select ${customer.keyId}, at, gen_random_uuid(), 'records', '/v1/' || name, 0, 1, 'missing_filter' from (values
        ('of-this-month', date_trunc('month', now() at time zone 'UTC') at time zone 'UTC'),
        ('of-last-month', (date_trunc('month', now() at time zone 'UTC') - interval '1 second') at time zone 'UTC')
      ) as call (name, at) returning at)
    select to_char(date_trunc('month', now() at time zone 'UTC') - interval '1 day', 'YYYY-MM') as month`);
  const current = (await person.visit('/portal/monitoring')).text;
  assert.match(current, /of-this-month/);
  assert.doesNotMatch(current, /of-last-month/);
  const last = (await person.visit(`/portal/monitoring?month=${row?.month}`)).text;
  assert.match(last, /of-last-month/);
  assert.doesNotMatch(last, /of-this-month/);
  assert.match(last, /\d+ \w+ \d{4}, 23:59</);
});

test('pages are compressed where the browser takes it, and say the same [5.4]', async (t) => {
  const { app, person } = await openPortal(t);
  const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  for (const [encoding, decode] of [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const) {
    const headers = { cookie, 'accept-encoding': encoding };
    const answer = await app.inject({ url: '/portal/explorer', headers });
    assert.deepEqual([answer.statusCode, answer.headers['content-encoding']], [200, encoding]);
    const page = decode(answer.rawPayload).toString();
    assert.match(page, /<h1>Search trademarks<\/h1>/);
    assert.ok(answer.rawPayload.length * 3 < page.length);
    assert.match(String(answer.headers.vary), /accept-encoding/i);
  }
  const plain = await app.inject({ url: '/portal/explorer', headers: { cookie, 'accept-encoding': 'identity' } });
  assert.equal(plain.headers['content-encoding'], undefined);
  const style = await app.inject({ url: '/portal/assets/portal.css', headers: { 'accept-encoding': 'gzip, br' } });
  assert.equal(style.headers['content-encoding'], 'br');
});

test('the record page shows kind, number and earlier mark of an opposition [2.2]', async (t) => {
  const { db, person } = await openPortal(t);
  const events = [OPPOSITION, { kind: 'record', number: '018664519', date: '2020-10-26', text: 'Change of name' }];
  await storeMark(db, { uid: 'FR1', mark_name: 'Supra', payload: { events } });
  const { text } = await person.visit('/portal/explorer/records/FR/FR1');
  for (const shown of ['Opposition', '003126594', '2020-07-24', 'Likelihood of confusion', '018664519', '2885']) {
    assert.ok(text.split('The record as JSON')[0]?.includes(shown), shown);
  }
  assert.match(text, /TOYOTA SUPRA, Word, EM 015502149, registered 19 September 2016/);
});

test('the root of the host leads people to the portal and shows programs where the API is [9.2, I-2]', async (t) => {
  const { url } = await startService(t);
  const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
  const led = await fetch(url, { headers: browser, redirect: 'manual' });
  assert.deepEqual([led.status, led.headers.get('location')], [303, '/portal']);
  for (const accept of ['*/*', 'application/json']) {
    const told = await fetch(url, { headers: { accept } });
    assert.equal(told.status, 200);
    const places = (await told.json()) as Record<string, string>;
    assert.equal(places.api, '/records/v1');
    for (const name of ['health', 'openapi', 'reference', 'portal']) {
      assert.ok((await fetch(`${url}${places[name]}`)).status < 400, name);
    }
  }
  assert.equal((await fetch(url, { method: 'POST' })).status, 405);
});
