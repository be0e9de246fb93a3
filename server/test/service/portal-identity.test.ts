/** Sign-in with an identity provider: it says who somebody is, the invitation says whether they may come in. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { digestText } from '../../src/access/secret.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { startProvider, type TestProvider } from '../support/identity.ts';
import { openPortal } from '../support/open-portal.ts';
import { buildPerson, createCustomer, type Person, type Visited } from '../support/portal.ts';
import { startService, type TestService } from '../support/service.ts';

const PUBLIC_URL = 'https://portal.example';

/** The service as it runs behind a proxy that ends TLS; the person's browser is led by hand. */
async function startWithProvider(t: Parameters<typeof startService>[0]): Promise<[TestService, TestProvider]> {
  const provider = await startProvider(t);
  const settings = { oidcIssuer: provider.issuer, oidcClientId: 'portal', oidcClientSecret: 'secret' };
  return [await startService(t, { config: { publicUrl: PUBLIC_URL, ...settings } }), provider];
}

async function comeBack(person: Person): Promise<string> {
  const away = await person.visit('/portal/identity');
  const back = await fetch(away.to ?? '', { redirect: 'manual' });
  return (back.headers.get('location') ?? '').slice(PUBLIC_URL.length);
}

async function signIn(person: Person): Promise<Visited> {
  return person.visit(await comeBack(person));
}

test('lets in whom the provider vouches for and somebody invited, and nobody else [5.4]', async (t) => {
  const [{ url, db }, provider] = await startWithProvider(t);
  const customer = await createCustomer(db);
  const person = buildPerson(url);
  assert.match((await person.visit('/portal/sign-in')).text, /href="\/portal\/identity"/);
  provider.person = { email: 'stranger@example.org', email_verified: true };
  assert.equal((await signIn(person)).status, 403);
  provider.person = { email: customer.email, email_verified: false };
  assert.equal((await signIn(person)).status, 403);
  provider.person = { email: customer.email.toUpperCase(), email_verified: true };
  const joined = await signIn(person);
  assert.deepEqual([joined.status, joined.to], [303, '/portal']);
  const [cookie = ''] = joined.headers.getSetCookie().filter((line) => line.startsWith('tmds_session='));
  assert.match(cookie, /; HttpOnly; Secure; SameSite=Lax$/);
  assert.equal(joined.headers.get('strict-transport-security'), 'max-age=31536000');
  assert.match((await person.visit('/portal/account')).text, new RegExp(customer.email));
  assert.equal((await buildPerson(url).visit(customer.invitation)).status, 404);
  const again = buildPerson(url);
  assert.equal((await signIn(again)).status, 303);
});

test('accepts only what it sent itself: state, nonce, once, in the same browser [5.4]', async (t) => {
  const [{ url, db }, provider] = await startWithProvider(t);
  const customer = await createCustomer(db);
  provider.person = { email: customer.email, email_verified: true };
  const person = buildPerson(url);
  const path = await comeBack(person);
  assert.equal((await buildPerson(url).visit(path)).status, 403);
  assert.equal((await person.visit(path.replace(/state=[^&]+/, 'state=another'))).status, 403);
  assert.equal((await person.visit(path)).status, 303);
  assert.equal((await person.visit(path)).status, 403);
  for (const spoil of [{ nonce: 'another' }, { aud: 'another' }, { iss: 'https://elsewhere.example' }, { exp: 1 }]) {
    provider.spoil = spoil;
    assert.equal((await signIn(buildPerson(url))).status, 403, JSON.stringify(spoil));
  }
});

test('a person without a password cannot sign in with one [5.4]', async (t) => {
  const [{ url, db }, provider] = await startWithProvider(t);
  const customer = await createCustomer(db);
  provider.person = { email: customer.email, email_verified: true };
  await signIn(buildPerson(url));
  const person = buildPerson(url);
  await person.visit('/portal/sign-in');
  const headers = { origin: PUBLIC_URL };
  const tried = await person.post('/portal/sign-in', { email: customer.email, password: '' }, { headers });
  assert.equal(tried.status, 403);
});

test('this sign-in does not exist where no provider is configured [5.4]', async (t) => {
  const { url, person } = await openPortal(t);
  assert.equal((await person.visit('/portal/identity')).status, 404);
  assert.doesNotMatch((await buildPerson(url).visit('/portal/sign-in')).text, /portal\/identity/);
});

test('believes a forwarded address only of the proxies that were named [5.4]', async (t) => {
  const countedFor = async (trustedProxies: readonly string[], forwarded: string): Promise<string[]> => {
    const { url, db } = await startService(t, { config: { trustedProxies } });
    const form = { email: 'nobody@example.org', password: 'a guess' };
    const guesser = buildPerson(url);
    await guesser.visit('/portal/sign-in');
    await guesser.post('/portal/sign-in', form, { headers: { 'x-forwarded-for': forwarded } });
    const rows = await db.query<{ subject: Buffer }>(sql`select subject from portal_attempt`);
    const addresses = ['127.0.0.1', '203.0.113.9', '198.51.100.7', '10.0.0.2', 'nonsense'];
    return addresses.filter((address) => rows.some(({ subject }) => subject.equals(digestText(`address\0${address}`))));
  };
  const trusted = ['127.0.0.1', '10.0.0.0/8'];
  assert.deepEqual(await countedFor([], '203.0.113.9'), ['127.0.0.1']);
  assert.deepEqual(await countedFor(['10.0.0.0/8'], '203.0.113.9'), ['127.0.0.1']);
  assert.deepEqual(await countedFor(trusted, '203.0.113.9'), ['203.0.113.9']);
  assert.deepEqual(await countedFor(trusted, '198.51.100.7, 203.0.113.9'), ['203.0.113.9']);
  assert.deepEqual(await countedFor(trusted, '198.51.100.7, 203.0.113.9, 10.9.9.9'), ['203.0.113.9']);
  assert.deepEqual(await countedFor(trusted, '10.0.0.2'), ['10.0.0.2']);
  assert.deepEqual(await countedFor(trusted, 'nonsense'), ['127.0.0.1']);
});
