/** Invitations end: with the next one, with joining, with removal, with a new password. An address has one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inviteCustomer } from '../../src/access/keys.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { openPortal } from '../support/open-portal.ts';
import { buildPerson, createCustomer, follow, joinPortal, type Person } from '../support/portal.ts';
import { PASSWORD } from '../support/portal-browser.ts';
import { startService } from '../support/service.ts';

const OTHER_PASSWORD = 'another quiet sentence';

async function makeLink(db: Database, customer: string, email: string): Promise<string> {
  return `/portal/invitation/${(await inviteCustomer(db, { customer, email, actor: 'test' })).token}`;
}

async function countOpen(db: Database): Promise<number> {
  const [row] = await db.query<{ open: number }>(sql`
    select count(*)::int as open from invitation where accepted_at is null and ended_at is null and expires_at > now()`);
  return row?.open ?? 0;
}

async function isOpen(url: string, link: string): Promise<boolean> {
  const visitor = buildPerson(url);
  const { status } = await visitor.visit(link);
  const taken = await visitor.post(link, { password: OTHER_PASSWORD, repeated: OTHER_PASSWORD });
  assert.equal(taken.status === 303, status === 200, 'the page and the form agree');
  return status === 200;
}

async function canSignIn(url: string, email: string, password: string): Promise<boolean> {
  const person = buildPerson(url);
  await person.visit('/portal/sign-in');
  return (await person.post('/portal/sign-in', { email, password })).status === 303;
}

async function removeFrom(db: Database, remover: Person, email: string): Promise<void> {
  const [row] = await db.query<{ user_id: string }>(
    sql`select user_id from portal_user where email = ${email} and removed_at is null`,
  );
  const path = `/portal/team/${row?.user_id}/remove`;
  await remover.visit(path);
  assert.equal((await remover.post(path)).status, 303);
}

test('an address has one open invitation, the newest, in any spelling and from any sender [5.4]', async (t) => {
  const { url, db } = await startService(t);
  const customer = await createCustomer(db);
  const other = await createCustomer(db);
  const links = [customer.invitation];
  for (const email of [customer.email, customer.email.toUpperCase(), ` ${customer.email} `]) {
    links.push(await makeLink(db, customer.name, email));
  }
  links.push(await makeLink(db, other.name, customer.email));
  // The other customer's own first invitation is for another address.
  assert.equal(await countOpen(db), 2);
  for (const link of links.slice(0, -1)) assert.equal(await isOpen(url, link), false, link);
  assert.equal(await isOpen(url, links.at(-1)!), true);
});

test('invitations made at the same time leave one that opens [5.4]', async (t) => {
  const { url, db } = await startService(t);
  const customer = await createCustomer(db);
  const links = await Promise.all([1, 2, 3, 4, 5, 6].map(() => makeLink(db, customer.name, 'many@example.org')));
  const statuses = await Promise.all(links.map(async (link) => (await buildPerson(url).visit(link)).status));
  assert.deepEqual(statuses.sort(), [200, 404, 404, 404, 404, 404]);
});

test('joining ends every other link, so that none of them resets the live account [5.4]', async (t) => {
  const { url, db } = await startService(t);
  const customer = await createCustomer(db);
  // As a database may hold them from before: an older row that nobody ended.
  await db.query(sql`drop index invitation_open`);
  const newer = await makeLink(db, customer.name, customer.email);
  await db.query(sql`update invitation set ended_at = null`);
  const person = await joinPortal(url, { ...customer, invitation: newer });
  assert.equal(await isOpen(url, customer.invitation), false);
  assert.equal(await countOpen(db), 0);
  // Not even when its row says that it is open.
  await db.query(sql`update invitation set ended_at = null`);
  assert.equal(await isOpen(url, customer.invitation), false);
  assert.equal((await person.visit('/portal/account')).status, 200);
  assert.equal(await canSignIn(url, customer.email, PASSWORD), true);
});

test('a removed person cannot return by an earlier link, and can by a later one [5.4]', async (t) => {
  const { url, db, customer, person: remover } = await openPortal(t);
  const email = 'leaver@example.org';
  const leaver = await joinPortal(url, { ...customer, email, invitation: await makeLink(db, customer.name, email) });
  const kept = await makeLink(db, customer.name, email);
  await removeFrom(db, remover, email);
  assert.equal((await leaver.visit('/portal/account')).status, 303);
  assert.equal(await isOpen(url, kept), false);
  assert.equal(await countOpen(db), 0);
  await db.query(sql`update invitation set ended_at = null where accepted_at is null`);
  assert.equal(await isOpen(url, kept), false);
  assert.equal(await canSignIn(url, email, OTHER_PASSWORD), false);
  await db.query(sql`update invitation set ended_at = now() where accepted_at is null`);
  assert.equal(await isOpen(url, await makeLink(db, customer.name, email)), true);
  assert.equal(await canSignIn(url, email, OTHER_PASSWORD), true);
});

test('removal and a link that is taken at the same moment leave the person removed [5.4]', async (t) => {
  const { url, db, customer, person: remover } = await openPortal(t);
  for (const round of [1, 2, 3, 4]) {
    const email = `racer${round}@example.org`;
    await joinPortal(url, { ...customer, email, invitation: await makeLink(db, customer.name, email) });
    const link = await makeLink(db, customer.name, email);
    const racer = buildPerson(url);
    await racer.visit(link);
    await Promise.all([
      removeFrom(db, remover, email),
      racer.post(link, { password: OTHER_PASSWORD, repeated: OTHER_PASSWORD }),
    ]);
    assert.equal((await racer.visit('/portal/account')).status, 303);
    assert.equal(await canSignIn(url, email, OTHER_PASSWORD), false);
    assert.equal(await isOpen(url, link), false);
  }
});

test('a changed password ends the link that could change it again [5.4]', async (t) => {
  const { url, db, customer, person } = await openPortal(t);
  const link = await makeLink(db, customer.name, customer.email);
  await person.visit('/portal/account');
  const form = { current: PASSWORD, password: 'a third quiet sentence', repeated: 'a third quiet sentence' };
  assert.equal((await person.post('/portal/account/password', form)).to, '/portal/account?done=password');
  assert.equal(await isOpen(url, link), false);
});

test('the team page shows the one link of an address, and a replaced one is no longer listed [5.4]', async (t) => {
  const { url, person } = await openPortal(t);
  await person.visit('/portal/team');
  const links: string[] = [];
  for (const email of ['guest@example.org', 'Guest@Example.org']) {
    const page = await follow(person, await person.post('/portal/team/invitations', { email }));
    links.push(/\/portal\/invitation\/[\w-]{43}/.exec(page.text)?.[0] ?? '');
  }
  const { text } = await person.visit('/portal/team');
  assert.equal([...text.matchAll(/\/invitations\/[0-9a-f]{64}\/withdraw/g)].length, 1);
  assert.equal(await isOpen(url, links[0]!), false);
  assert.equal(await isOpen(url, links[1]!), true);
});

test('a link that cannot be taken says so before anything is typed [5.4]', async (t) => {
  const { url, db } = await startService(t);
  const customer = await createCustomer(db);
  await joinPortal(url, customer);
  const other = await createCustomer(db);
  const page = await buildPerson(url).visit(await makeLink(db, other.name, customer.email));
  assert.equal(page.status, 409);
  assert.doesNotMatch(page.text, /type="password"/);
});
