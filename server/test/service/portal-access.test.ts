/** Who comes into the portal, and who does not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../../src/database/driver/sql.ts';
import { ACCOUNT_ATTEMPTS_MAX } from '../../src/portal/sign-in/passwords.ts';
import { openPortal } from '../support/open-portal.ts';
import { buildPerson, createCustomer, joinPortal } from '../support/portal.ts';
import { PASSWORD } from '../support/portal-browser.ts';
import { startService } from '../support/service.ts';

/** Every page that needs a sign-in. */
const MEMBER_PAGES = [
  '/portal',
  '/portal/',
  '/portal/account',
  '/portal/explorer',
  '/portal/explorer?status=Registered',
  '/portal/explorer/records/FR/1',
  '/portal/feed?show=1',
  '/portal/keys',
  '/portal/keys/new',
  '/portal/keys/abc',
  '/portal/keys/abc/revoke',
  '/portal/keys/abc/rotate',
  '/portal',
  '/portal/log',
  '/portal/monitoring',
  '/portal/monitoring/usage.csv',
  '/portal/usage',
  '/portal/watches',
  '/portal/registers',
  '/portal/registers/FR',
  '/portal/team',
  '/portal/team/activity',
  '/portal/team/abc/remove',
];

test('lets an invited person in once, and sends everybody else to the sign-in [5.4]', async (t) => {
  const { url, db } = await startService(t);
  const customer = await createCustomer(db);
  const stranger = buildPerson(url);
  for (const path of MEMBER_PAGES) {
    const visited = await stranger.visit(path);
    assert.deepEqual([visited.status, visited.to], [303, `/portal/sign-in?next=${encodeURIComponent(path)}`], path);
    assert.equal(visited.text, '', path);
  }
  const person = buildPerson(url);
  const page = await person.visit(customer.invitation);
  assert.equal(page.status, 200);
  assert.match(page.text, new RegExp(customer.email));
  const short = await person.post(customer.invitation, { password: 'short', repeated: 'short' });
  assert.equal(short.status, 422);
  const different = await person.post(customer.invitation, { password: PASSWORD, repeated: `${PASSWORD}!` });
  assert.equal(different.status, 422);
  const joined = await person.post(customer.invitation, { password: PASSWORD, repeated: PASSWORD });
  assert.deepEqual([joined.status, joined.to], [303, '/portal']);
  assert.equal((await person.visit('/portal/keys')).status, 200);
  const again = buildPerson(url);
  assert.equal((await again.visit(customer.invitation)).status, 404);
  assert.equal((await again.post(customer.invitation, { password: PASSWORD, repeated: PASSWORD })).status, 404);
  assert.equal((await again.visit('/portal/invitation/nothing-of-ours')).status, 404);
});

test('says the same of a wrong password and of an unknown address, and ends sessions on the server [5.4]', async (t) => {
  const { url, customer, person } = await openPortal(t);
  const kept = new Map(person.cookies);
  await person.visit('/portal/keys');
  const out = await person.post('/portal/sign-out');
  assert.deepEqual([out.status, out.to], [303, '/portal/sign-in?done=signed_out']);
  const thief = buildPerson(url);
  for (const [name, value] of kept) thief.cookies.set(name, value);
  assert.equal((await thief.visit('/portal/keys')).to, '/portal/sign-in?next=%2Fportal%2Fkeys');

  const guesser = buildPerson(url);
  await guesser.visit('/portal/sign-in');
  const wrong = await guesser.post('/portal/sign-in', { email: customer.email, password: 'not the password' });
  const unknown = await guesser.post('/portal/sign-in', { email: 'nobody@example.org', password: 'not the password' });
  assert.deepEqual([wrong.status, unknown.status], [403, 403]);
  const bare = (text: string): string =>
    text.replaceAll(/name="(?:csrf|once)" value="[^"]+"/g, '').replaceAll(/(?<=value=")[\w.]+@example\.org/g, '');
  assert.equal(bare(wrong.text), bare(unknown.text));
  const right = await guesser.post('/portal/sign-in', { email: customer.email.toUpperCase(), password: PASSWORD });
  assert.deepEqual([right.status, right.to], [303, '/portal']);
});

test('stops guessing at an account, counting parallel attempts too [5.4]', async (t) => {
  const { url, db } = await startService(t);
  const customer = await createCustomer(db);
  await joinPortal(url, customer);
  const guesser = buildPerson(url);
  await guesser.visit('/portal/sign-in');
  const guesses = await Promise.all(
    Array.from({ length: ACCOUNT_ATTEMPTS_MAX + 2 }, (_, attempt) =>
      guesser.post('/portal/sign-in', { email: customer.email, password: `guess number ${attempt}` }),
    ),
  );
  const statuses = guesses.map(({ status }) => status).sort();
  assert.deepEqual(statuses, [...Array<number>(ACCOUNT_ATTEMPTS_MAX).fill(403), 429, 429]);
  const late = await guesser.post('/portal/sign-in', { email: customer.email, password: PASSWORD });
  assert.equal(late.status, 429);
});

test('ends a session that was idle, that is old, and that belongs to a removed person [5.4]', async (t) => {
  const { db, person } = await openPortal(t);
  const isIn = async (): Promise<boolean> => (await person.visit('/portal/account')).status === 200;
  assert.equal(await isIn(), true);
  await db.query(sql`update portal_session set seen_at = now() - interval '3 hours'`);
  assert.equal(await isIn(), false);
  await db.query(sql`update portal_session set seen_at = now(), created_at = now() - interval '13 hours'`);
  assert.equal(await isIn(), false);
  await db.query(sql`update portal_session set created_at = now()`);
  assert.equal(await isIn(), true);
  await db.query(sql`update portal_user set removed_at = now()`);
  assert.equal(await isIn(), false);
});

test('takes no form without the token of the same session, and none from another site [5.4]', async (t) => {
  const { url, db, customer, person } = await openPortal(t);
  const other = await joinPortal(url, await createCustomer(db));
  const othersToken = /name="csrf" value="([^"]+)"/.exec((await other.visit('/portal/account')).text)?.[1] ?? '';
  await person.visit('/portal/keys');
  const path = `/portal/keys/${customer.keyId}/revoke`;
  const refused = [
    await person.post(path, { sure: 'yes' }, { csrf: null }),
    await person.post(path, { sure: 'yes' }, { csrf: 'A'.repeat(43) }),
    await person.post(path, { sure: 'yes' }, { csrf: othersToken }),
    await person.post(path, { sure: 'yes' }, { headers: { origin: 'https://elsewhere.example' } }),
    await person.post(path, { sure: 'yes' }, { headers: { 'sec-fetch-site': 'cross-site' } }),
    await person.post(path, { sure: 'yes' }, { headers: { 'sec-fetch-site': 'same-site' } }),
    await person.post(path, { sure: 'yes' }, { headers: { origin: 'null' } }),
  ];
  assert.deepEqual(
    refused.map(({ status }) => status),
    refused.map(() => 403),
  );
  const signIn = await buildPerson(url).post('/portal/sign-in', { email: customer.email, password: PASSWORD });
  assert.equal(signIn.status, 403);
  const json = await person.post(path, {}, { headers: { 'content-type': 'application/json' } });
  assert.equal(json.status, 415);
  const [key] = await db.query<{ live: boolean }>(
    sql`select revoked_at is null as live from access_key where key_id = ${customer.keyId}`,
  );
  assert.deepEqual(key, { live: true });
  assert.equal((await person.post(path, { sure: 'yes' })).status, 303);
});

test('makes a new session at sign-in, whatever cookie was brought [5.4]', async (t) => {
  const { url, customer, person } = await openPortal(t);
  const planted = person.cookies.get('tmds_session') ?? '';
  const victim = buildPerson(url);
  victim.cookies.set('tmds_session', planted);
  victim.cookies.set('tmds_visitor', 'chosen-by-somebody-else.c2lnbmF0dXJl');
  await victim.visit('/portal/account');
  const signedIn = await victim.post('/portal/sign-in', { email: customer.email, password: PASSWORD });
  assert.equal(signedIn.status, 303);
  assert.notEqual(victim.cookies.get('tmds_session'), planted);
  assert.equal((await person.visit('/portal/account')).status, 303);
  const [cookie = ''] = signedIn.headers.getSetCookie().filter((line) => line.startsWith('tmds_session='));
  assert.match(cookie, /; Path=\/portal; HttpOnly; SameSite=Lax$/);
  const forged = buildPerson(url);
  const [token = ''] = decodeURIComponent(victim.cookies.get('tmds_session') ?? '').split('.');
  forged.cookies.set('tmds_session', `${token}.${'A'.repeat(43)}`);
  assert.equal((await forged.visit('/portal/account')).status, 303);
});

test('never leads to another host after signing in [5.4]', async (t) => {
  const { url, db } = await startService(t);
  const customer = await createCustomer(db);
  await joinPortal(url, customer);
  const targets = [
    'https://elsewhere.example/',
    '//elsewhere.example/portal',
    '/\\elsewhere.example',
    '/portal/../../elsewhere',
    '/portal/..//elsewhere.example',
    '/portalelsewhere',
    'javascript:alert(1)',
    '/portal\\@elsewhere.example',
    '/portal/%0d%0aset-cookie:x=1',
  ];
  for (const next of targets) {
    const person = buildPerson(url);
    await person.visit(`/portal/sign-in?next=${encodeURIComponent(next)}`);
    const signedIn = await person.post('/portal/sign-in', { email: customer.email, password: PASSWORD, next });
    const led = new URL(signedIn.to ?? '', url);
    assert.equal(led.origin, new URL(url).origin, next);
    assert.match(led.pathname, /^\/portal(\/|$)/, next);
  }
  const person = buildPerson(url);
  await person.visit('/portal/sign-in?next=%2Fportal%2Fteam');
  const wanted = { email: customer.email, password: PASSWORD, next: '/portal/team?x=1' };
  assert.equal((await person.post('/portal/sign-in', wanted)).to, '/portal/team?x=1');
});

test('a new invitation to the same address sets a new password and ends the old sessions [5.4]', async (t) => {
  const { url, db, customer, person } = await openPortal(t);
  const other = await createCustomer(db);
  const { inviteCustomer } = await import('../../src/access/keys.ts');
  const again = await inviteCustomer(db, { customer: customer.name, email: customer.email, actor: 'test' });
  const renewed = await joinPortal(url, { ...customer, invitation: `/portal/invitation/${again.token}` });
  assert.equal((await renewed.visit('/portal/account')).status, 200);
  assert.equal((await person.visit('/portal/account')).status, 303);
  const foreign = await inviteCustomer(db, { customer: other.name, email: customer.email, actor: 'test' });
  const taken = buildPerson(url);
  await taken.visit(`/portal/invitation/${foreign.token}`);
  const form = { password: 'another quiet sentence', repeated: 'another quiet sentence' };
  assert.equal((await taken.post(`/portal/invitation/${foreign.token}`, form)).status, 409);
  const own = buildPerson(url);
  await own.visit('/portal/sign-in');
  assert.equal((await own.post('/portal/sign-in', { email: customer.email, password: PASSWORD })).status, 303);
});

test('sends every page with a policy that runs nothing of others and keeps nothing [5.4]', async (t) => {
  const { url, person } = await openPortal(t);
  for (const path of ['/portal/sign-in', '/portal/keys', '/portal/monitoring', '/portal/none', '/portal/explorer']) {
    const { headers, text } = await person.visit(path);
    assert.equal(
      headers.get('content-security-policy'),
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    assert.deepEqual(
      ['cache-control', 'x-content-type-options', 'x-frame-options', 'referrer-policy'].map((name) =>
        headers.get(name),
      ),
      ['no-store', 'nosniff', 'DENY', 'same-origin'],
    );
    assert.doesNotMatch(text, /<script>|<style|\sstyle=|\son\w+=|javascript:/i, path);
  }
  assert.equal((await person.visit('/portal/none')).status, 404);
  const put = await fetch(`${url}/portal/keys`, { method: 'PUT' });
  assert.deepEqual([put.status, put.headers.get('content-type')], [404, 'text/html; charset=utf-8']);
});
