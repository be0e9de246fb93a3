/** Roles of a team: every route by role, who can help, names, invitations with a role, and the last administrator. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import type { Area, PortalRoute } from '../../src/portal/frame/call.ts';
import { listPortalRoutes } from '../../src/portal/routes.ts';
import type { PortalServices } from '../../src/portal/services.ts';
import type { Role } from '../../src/store/accounts/portal.ts';
import { openPortal } from '../support/open-portal.ts';
import { buildPerson, createCustomer, follow, joinColleague, type Person } from '../support/portal.ts';
import { PASSWORD } from '../support/portal-browser.ts';
import { startService } from '../support/service.ts';

/** By hand, and not from the table that the gates ask. */
const OPENED: Readonly<Record<Role, readonly Area[]>> = {
  administrator: ['own', 'search', 'watches', 'dockets', 'keys', 'webhooks', 'usage', 'api', 'team'],
  member: ['own', 'search', 'watches', 'dockets'],
  developer: ['own', 'keys', 'webhooks', 'usage', 'api'],
};

/** The area of an address, by hand too: a route that is filed under another fails. */
const AREAS: readonly (readonly [RegExp, Area])[] = [
  [/^\/$|^\/account|^\/registers|^\/shortcuts|^\/dates-rules/, 'own'],
  [/^\/hits-seen$|^\/watches|^\/new-watch|^\/calendars|^\/filings|^\/new-filing/, 'watches'],
  [/^\/search(?:es|-|$)|^\/save|^\/explorer|^\/feed|^\/records|^\/history|^\/similar/, 'search'],
  [/^\/reconcile/, 'dockets'],
  [/^\/keys/, 'keys'],
  [/^\/webhooks/, 'webhooks'],
  [/^\/usage|^\/monitoring|^\/log/, 'usage'],
  [/^\/api/, 'api'],
  [/^\/team/, 'team'],
];

function areaOf(url: string): Area | undefined {
  return AREAS.find(([pattern]) => pattern.test(url))?.[1];
}

/** The routes for people of a customer. */
function listMemberRoutes(): PortalRoute[] {
  const services = { clock: systemClock, identity: null, publicUrl: null, isDemo: true } as unknown as PortalServices;
  const routes = listPortalRoutes(services, {} as never, {} as never);
  return routes.filter(({ members }) => members !== undefined);
}

async function idOf(db: Database, name: string): Promise<string> {
  const [row] = await db.query<{ user_id: string }>(sql`select user_id from portal_user where name = ${name}`);
  return row!.user_id;
}

const REFUSED = /<h1>Not part of your role<\/h1>/;

test('every route is open to the roles that it is for and to no other, and a refusal names the administrators', async (t) => {
  const { url, db, customer, person: administrator } = await openPortal(t);
  const routes = listMemberRoutes();
  assert.ok(routes.length > 60, String(routes.length));
  const people = {
    administrator,
    member: await joinColleague(url, db, customer, { role: 'member' }),
    developer: await joinColleague(url, db, customer, { role: 'developer' }),
  };
  for (const [role, person] of Object.entries(people) as [Role, Person][]) {
    await person.visit('/portal/account');
    for (const { method, url: pattern } of routes) {
      const area = areaOf(pattern);
      assert.ok(area !== undefined, `${pattern} belongs to an area`);
      const path = `/portal${pattern}`.replace(/:\w+/g, 'none').replace(/\/$/, '');
      // Without its one-use token, a form does nothing.
      const answer = await (method === 'GET' ? person.visit(path) : person.post(path, {}, { once: null }));
      const isOpen = OPENED[role].includes(area);
      assert.equal(REFUSED.test(answer.text), !isOpen, `${role} ${method} ${path}: ${answer.status}`);
      if (isOpen) continue;
      assert.equal(answer.status, 403, path);
      assert.ok(answer.text.includes(`mailto:${customer.email}`), `${path} says who can help`);
    }
  }
});

test('the navigation and the search bar lead nowhere that the role does not open', async (t) => {
  const { url, db } = await startService(t);
  const customer = await createCustomer(db);
  const expected = {
    administrator: ['Search', 'Watches', 'Dockets', 'Keys', 'Webhooks', 'Usage', 'API', 'Team'],
    member: ['Search', 'Watches', 'Dockets'],
    developer: ['Keys', 'Webhooks', 'Usage', 'API'],
  };
  for (const role of ['administrator', 'member', 'developer'] as const) {
    const person = await joinColleague(url, db, customer, { role: role });
    const { text } = await person.visit('/portal');
    const nav = /<nav aria-label="Portal">(.*?)<\/nav>/s.exec(text)?.[1] ?? '';
    assert.deepEqual(
      [...nav.matchAll(/<a [^>]*>([^<]+)<\/a>/g)].map(([, label]) => label),
      expected[role],
    );
    assert.equal(text.includes('role="search"'), role !== 'developer', role);
    const hrefs = [...text.matchAll(/href="(\/portal[^"#]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
    for (const href of new Set(hrefs.filter((each) => !each.includes('/assets/')))) {
      assert.doesNotMatch((await person.visit(href)).text, REFUSED, `${role} ${href}`);
    }
  }
});

test('a member reads the reference of the API, and spends nothing with its console', async (t) => {
  const { url, db } = await startService(t);
  const customer = await createCustomer(db);
  const member = await joinColleague(url, db, customer, { role: 'member' });
  const page = await member.visit(`/portal/api/listJurisdictions?key=${customer.keyId}&asked=a`);
  assert.equal(page.status, 200);
  assert.doesNotMatch(page.text, /200 OK/);
  const units = await db.query(sql`select from usage_day`);
  assert.equal(units.length, 0);
  const developer = await joinColleague(url, db, customer, { role: 'developer' });
  const asked = await developer.visit(`/portal/api/listJurisdictions?key=${customer.keyId}&asked=a`);
  assert.match(asked.text, /200 OK/);
});

test('an invitation gives the role that was chosen, and a person who has an account keeps role and name', async (t) => {
  const { url, db, person: administrator } = await openPortal(t);
  await administrator.visit('/portal/team');
  const invited = { email: 'grace@example.org', role: 'developer' };
  const unknown = await administrator.post('/portal/team/invitations', { ...invited, role: 'owner' });
  assert.equal(unknown.status, 422);
  const inviteAgain = async (role: string): Promise<string> => {
    const shown = await follow(
      administrator,
      await administrator.post('/portal/team/invitations', { ...invited, role }),
    );
    return /\/portal\/invitation\/[\w-]+/.exec(shown.text)?.[0] ?? '';
  };
  const link = await inviteAgain('developer');
  assert.match((await administrator.visit('/portal/team')).text, /grace@example\.org.*?Developer/s);
  const grace = buildPerson(url);
  assert.match((await grace.visit(link)).text, /Your role: <strong>Developer<\/strong>/);
  const long = await grace.post(link, { name: 'x'.repeat(101), password: PASSWORD, repeated: PASSWORD });
  assert.equal(long.status, 422);
  await grace.post(link, { name: ' Grace <Hopper> ', password: PASSWORD, repeated: PASSWORD });
  assert.equal((await grace.visit('/portal/keys')).status, 200);
  assert.equal((await grace.visit('/portal/watches')).status, 403);
  const second = await inviteAgain('administrator');
  const again = buildPerson(url);
  const page = await again.visit(second);
  assert.match(page.text, /value="Grace &lt;Hopper(?:>|&gt;)"/);
  assert.doesNotMatch(page.text, /Your role/);
  await again.post(second, { password: PASSWORD, repeated: PASSWORD });
  const rows = await db.query<{ name: string; role: string }>(
    sql`select name, role from portal_user where email = 'grace@example.org'`,
  );
  assert.deepEqual(rows, [{ name: 'Grace <Hopper>', role: 'developer' }]);
});

test('people are shown by name, which they change themselves, and never an account of the machine', async (t) => {
  const { customer, person: administrator } = await openPortal(t);
  await administrator.visit('/portal/account');
  assert.equal((await administrator.post('/portal/account/name', { name: 'two\nlines' })).status, 422);
  const named = await follow(administrator, await administrator.post('/portal/account/name', { name: 'Ada Lovelace' }));
  assert.match(named.text, /Your name is changed\./);
  assert.match(named.text, /<span class="email"><bdi>Ada Lovelace<\/bdi><\/span>/);
  await administrator.post('/portal/team/invitations', { email: 'x@example.org', role: 'member' });
  const { text } = await administrator.visit('/portal/team');
  assert.match(text, /<bdi>Ada Lovelace<\/bdi>/);
  const activity = await administrator.visit('/portal/team/activity');
  const who = [...activity.text.matchAll(/data-label="Who"><bdi>([^<]*)<\/bdi>/g)].map(([, each]) => each);
  assert.deepEqual(new Set(who), new Set(['Ada Lovelace', 'Setup']));
  await administrator.post('/portal/account/name', { name: '' });
  const nameless = await administrator.visit('/portal/team/activity');
  assert.match(nameless.text, new RegExp(`data-label="Who"><bdi>${customer.email}</bdi>`));
});

test('the last administrator is neither demoted nor removed, even by two requests at once', async (t) => {
  const { url, db } = await startService(t);
  const customer = await createCustomer(db);
  const ada = await joinColleague(url, db, customer, { role: 'administrator', name: 'Ada' });
  const adaId = await idOf(db, 'Ada');
  await ada.visit('/portal/account');
  const refused = await ada.post(`/portal/team/${adaId}/role`, { role: 'member' });
  assert.equal(refused.status, 422);
  assert.match(refused.text, /This is the only administrator\./);
  const bob = await joinColleague(url, db, customer, { role: 'administrator', name: 'Bob' });
  const bobId = await idOf(db, 'Bob');
  await bob.visit('/portal/account');
  const both = await Promise.all([
    ada.post(`/portal/team/${bobId}/role`, { role: 'member' }),
    bob.post(`/portal/team/${adaId}/role`, { role: 'developer' }),
  ]);
  assert.equal(both.filter(({ status }) => status === 303).length, 1, both.map(({ status }) => status).join());
  const left = await db.query<{ name: string }>(sql`select name from portal_user where role = 'administrator'`);
  assert.equal(left.length, 1);
  const [last, lastId, otherId] = left[0]?.name === 'Ada' ? [ada, adaId, bobId] : [bob, bobId, adaId];
  assert.equal((await last.post(`/portal/team/${lastId}/remove`)).status, 409);
  assert.equal((await last.post(`/portal/team/${otherId}/role`, { role: 'administrator' })).status, 303);
  const stepped = await last.post(`/portal/team/${lastId}/role`, { role: 'member' });
  assert.deepEqual([stepped.status, stepped.to], [303, '/portal?done=role']);
  assert.equal((await last.visit('/portal/team')).status, 403);
  const entries = await db.query(sql`select from access_audit where action = 'user.role'`);
  assert.equal(entries.length, 3);
});

test('a developer asks for no digest of watches, and somebody who becomes one gets none any more', async (t) => {
  const {
    url,
    db,
    customer,
    person: administrator,
  } = await openPortal(t, {}, { config: { smtpUrl: 'smtp://localhost:1' } });
  const grace = await joinColleague(url, db, customer, { role: 'member', name: 'Grace' });
  const digests = async (): Promise<number> => (await db.query(sql`select from hit_digest`)).length;
  await grace.visit('/portal/account');
  await grace.post('/portal/account/digest', { digest: 'on' });
  assert.equal(await digests(), 1);
  await administrator.visit('/portal/account');
  await administrator.post(`/portal/team/${await idOf(db, 'Grace')}/role`, { role: 'developer' });
  assert.equal(await digests(), 0);
  await grace.visit('/portal/account');
  const refused = await grace.post('/portal/account/digest', { digest: 'on' });
  assert.equal(refused.status, 403);
  assert.match(refused.text, REFUSED);
  assert.equal(await digests(), 0);
});

test('an administrator changes the role of nobody in another team', async (t) => {
  const { url, db, person: one } = await openPortal(t);
  const other = await createCustomer(db);
  await joinColleague(url, db, other, { role: 'administrator', name: 'Theirs' });
  await joinColleague(url, db, other, { role: 'member', name: 'Also theirs' });
  await one.visit('/portal/account');
  for (const name of ['Theirs', 'Also theirs']) {
    const path = `/portal/team/${await idOf(db, name)}`;
    assert.equal((await one.visit(`${path}/role`)).status, 404);
    assert.equal((await one.post(`${path}/role`, { role: 'developer' })).status, 404);
    assert.equal((await one.post(`${path}/remove`)).status, 404);
  }
  const roles = await db.query<{ role: string }>(
    sql`select role from portal_user where name is not null and removed_at is null order by role`,
  );
  assert.deepEqual(
    roles.map(({ role }) => role),
    ['administrator', 'member'],
  );
});
