/** The operators' pages: for whom they are, and that they do what the commands do. */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { suspendCustomer } from '../../src/access/customers.ts';
import { inviteOperator, removeOperator } from '../../src/access/operators.ts';
import { systemClock } from '../../src/base/clock.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { examineDatabase } from '../../src/monitor/doctor.ts';
import { listConcerns } from '../../src/portal/operator/attention.ts';
import { listOperatorRoutes } from '../../src/portal/operator/routes.ts';
import { findCustomer, listCustomers } from '../../src/store/accounts/customers.ts';
import { listKeys } from '../../src/store/accounts/keys.ts';
import { listOperators } from '../../src/store/accounts/operators.ts';
import { listUsageDays } from '../../src/store/accounts/usage.ts';
import { holdDuty } from '../../src/store/duties/duties.ts';
import { addIssues } from '../../src/store/publish/findings.ts';
import { listLoads } from '../../src/store/publish/loads.ts';
import { noteSeenFiles } from '../../src/store/sync/source-files.ts';
import { skipFile } from '../../src/sync/operator.ts';
import { describeSources } from '../../src/sync/overview.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeFolder } from '../support/folder.ts';
import { loadRecords, loadText, UNLIMITED } from '../support/loads.ts';
import { openPortal } from '../support/open-portal.ts';
import { buildPerson, createCustomer, follow, joinAsOperator, joinPortal, storeMark } from '../support/portal.ts';
import { PASSWORD } from '../support/portal-browser.ts';
import { startService } from '../support/service.ts';
import { buildStandingClock, checkSources, declareSources, statement } from '../support/sources-declared.ts';

const OPERATOR_ROUTES = listOperatorRoutes({} as never, () => undefined);

/** The address of a route for these ids. */
function pathTo(url: string, id: string): string {
  return `/portal${url.replace(':id', id).replace(':invitation', 'abc')}`;
}

async function countAudit(db: Database): Promise<number> {
  const [counted] = await db.query<{ entries: number }>(sql`select count(*)::int as entries from access_audit`);
  return counted!.entries;
}

async function idOf(db: Database, name: string): Promise<string> {
  const customer = await findCustomer(db, name);
  assert.ok(customer !== null);
  return customer.customer_id;
}

test('an operators’ page exists for operators alone, and all other callers are refused [5.4]', async (t) => {
  const { url, db } = await startService(t);
  const customer = await createCustomer(db);
  const suspended = await createCustomer(db, { name: 'Suspended' });
  const member = await joinPortal(url, customer);
  const outsider = await joinPortal(url, suspended);
  await db.transaction((tx) => suspendCustomer(tx, { customer: 'Suspended', reason: null, actor: 'test' }));
  const operator = await joinAsOperator(url, db);
  const former = await joinAsOperator(url, db, 'former@example.org');
  await db.transaction((tx) => removeOperator(tx, { email: 'former@example.org', actor: 'test' }));
  const visitor = buildPerson(url);
  await visitor.visit('/portal/sign-in');
  await member.visit('/portal/account');
  const customerId = await idOf(db, customer.name);
  await noteSeenFiles(db, 'weekly', [{ name: 'one.zip', period: '2026-W47', fingerprint: 'x' }], 0);
  await storeMark(db, { uid: '1', mark_name: 'A' });
  const idFor = (route: string): string => {
    if (route.startsWith('/operator/keys')) return customer.keyId;
    if (route.startsWith('/operator/registers')) return 'FR';
    return route.startsWith('/operator/sources') ? 'weekly' : customerId;
  };
  const before = await countAudit(db);
  assert.ok(OPERATOR_ROUTES.length > 25);
  for (const { method, url: route, operators, open, members, people } of OPERATOR_ROUTES) {
    assert.ok(operators !== undefined && open === undefined && members === undefined && people === undefined, route);
    const path = pathTo(route, idFor(route));
    const signIn = `/portal/sign-in?next=${encodeURIComponent(path)}`;
    for (const [who, person] of Object.entries({ visitor, outsider, former })) {
      const answer = method === 'GET' ? await person.visit(path) : await person.post(path, { name: 'x', sure: 'yes' });
      assert.deepEqual([answer.status, answer.to], method === 'GET' ? [303, signIn] : [403, null], `${who} ${path}`);
    }
    const answer = method === 'GET' ? await member.visit(path) : await member.post(path, { name: 'x', sure: 'yes' });
    assert.equal(answer.status, 404, `member ${method} ${path}`);
    assert.match(answer.text, /There is no such page, or you have no access to it\./);
    if (method === 'POST') assert.equal((await operator.post(path, {}, { csrf: 'forged' })).status, 403, path);
  }
  assert.equal(await countAudit(db), before);
  for (const { method, url: route } of OPERATOR_ROUTES) {
    if (method !== 'GET' || route.includes(':invitation') || route.endsWith('/text') || route.includes('/loads/'))
      continue;
    const path = pathTo(route, idFor(route));
    assert.equal((await operator.visit(path)).status, 200, path);
    assert.equal((await operator.visit(pathTo(route, 'none'))).status, route.includes(':id') ? 404 : 200, path);
  }
});

test('a person becomes an operator by a link of the command, not of the portal, and ends with its removal', async (t) => {
  const { url, db, customer, person: member } = await openPortal(t);
  await assert.rejects(
    db.transaction((tx) => inviteOperator(tx, { email: customer.email, actor: 'test' })),
    { message: `${customer.email} signs in for a customer; give another address, or have it removed there` },
  );
  const operator = await joinAsOperator(url, db);
  assert.deepEqual(
    [(await operator.visit('/portal')).to, (await operator.visit('/portal/keys')).status],
    ['/portal/operator', 403],
  );
  // A customer's invitation to an operator's address opens nothing.
  await member.visit('/portal/team');
  const invited = await follow(member, await member.post('/portal/team/invitations', { email: 'op@example.org' }));
  const [link = ''] = /\/portal\/invitation\/[\w-]+/.exec(invited.text) ?? [];
  assert.equal((await buildPerson(url).visit(link)).status, 409);
  await operator.visit('/portal/account');
  assert.equal((await operator.post('/portal/sign-out')).to, '/portal/sign-in?done=signed_out');
  await operator.visit('/portal/sign-in');
  const back = await operator.post('/portal/sign-in', { email: 'op@example.org', password: PASSWORD });
  assert.deepEqual([back.status, back.to], [303, '/portal']);
  assert.equal((await operator.visit('/portal/operator')).status, 200);
  const [signedIn] = await db.query<{ actor: string; address: string }>(
    sql`select actor, address from access_audit where action = 'operator.sign_in'`,
  );
  assert.deepEqual(signedIn, { actor: 'operator op@example.org', address: '127.0.0.1' });
  assert.deepEqual(
    (await listOperators(db)).map(({ email, state }) => [email, state]),
    [['op@example.org', 'active']],
  );
  await db.query(sql`update portal_session set seen_at = now() - interval '31 minutes'`);
  assert.equal((await operator.visit('/portal/operator')).status, 303);
  assert.equal((await member.visit('/portal/keys')).status, 200);
  await db.transaction((tx) => removeOperator(tx, { email: 'op@example.org', actor: 'test' }));
  await operator.visit('/portal/sign-in');
  assert.equal((await operator.post('/portal/sign-in', { email: 'op@example.org', password: PASSWORD })).status, 403);
  await assert.rejects(
    db.transaction((tx) => removeOperator(tx, { email: 'op@example.org', actor: 'test' })),
    { message: 'op@example.org is not an operator; tmds operator list shows them' },
  );
});

test('a customer is added, renamed, invited to, suspended, resumed and removed, each with the person who did it', async (t) => {
  const service = await startService(t);
  const { url, db } = service;
  const operator = await joinAsOperator(url, db);
  await operator.visit('/portal/operator/customers');
  const added = await follow(operator, await operator.post('/portal/operator/customers', { name: ' Acme ' }));
  assert.match(added.text, /The customer is added\./);
  await operator.visit('/portal/operator/customers');
  const twice = await operator.post('/portal/operator/customers', { name: 'Acme' });
  assert.deepEqual([twice.status, /A customer Acme already exists\./.test(twice.text)], [422, true]);
  const path = `/portal/operator/customers/${await idOf(db, 'Acme')}`;
  await operator.visit(path);
  const renamed = await follow(operator, await operator.post(`${path}/name`, { name: 'Acme & Sons' }));
  assert.match(renamed.text, /Acme &amp; Sons/);
  const invited = await follow(operator, await operator.post(`${path}/invitations`, { email: 'ada@example.org' }));
  const [link = ''] = /\/portal\/invitation\/[\w-]+/.exec(invited.text) ?? [];
  const ada = buildPerson(url);
  await ada.visit(link);
  assert.equal((await ada.post(link, { password: PASSWORD, repeated: PASSWORD })).to, '/portal');
  assert.equal((await operator.visit(invited.headers.get('location') ?? path)).status, 200);

  await operator.visit(`${path}/keys/new`);
  const terms = { name: 'docketing', product: ['records'], rate: '500', quota: '1,000' };
  const issued = await follow(operator, await operator.post(`${path}/keys`, terms));
  const [key = ''] = /tmds_[\w-]{20,}/.exec(issued.text) ?? [];
  assert.equal((await service.call('/v1/jurisdictions', { key })).status, 200);

  await operator.visit(`${path}/suspend`);
  const unconfirmed = await operator.post(`${path}/suspend`, { reason: 'Unpaid.', password: 'not the password' });
  assert.deepEqual([unconfirmed.status, /Your password is wrong\./.test(unconfirmed.text)], [422, true]);
  assert.match(unconfirmed.text, /value="Unpaid\."/);
  assert.equal((await service.call('/v1/jurisdictions', { key })).status, 200);
  const suspended = await follow(
    operator,
    await operator.post(`${path}/suspend`, { reason: 'Unpaid.', password: PASSWORD }),
  );
  assert.match(suspended.text, /Its keys and people are refused from now on/);
  assert.equal((await service.call('/v1/jurisdictions', { key })).status, 403);
  assert.equal((await ada.visit('/portal/keys')).status, 303);
  const resumed = await follow(operator, await operator.post(`${path}/resume`));
  assert.match(resumed.text, /let in again/);
  assert.equal((await listCustomers(db))[0]?.suspended_at, null);

  await operator.visit(`${path}/remove`);
  const misnamed = await operator.post(`${path}/remove`, { confirmed: 'Acme', password: PASSWORD });
  assert.deepEqual([misnamed.status, /That is not the name of the customer\./.test(misnamed.text)], [422, true]);
  const removed = await follow(
    operator,
    await operator.post(`${path}/remove`, { confirmed: 'Acme & Sons', password: PASSWORD }),
  );
  assert.match(removed.text, /removed customer [0-9a-f-]{36}/);
  assert.doesNotMatch(removed.text, /Acme|ada@example/);
  assert.equal((await operator.visit(`${path}/suspend`)).status, 409);
  assert.equal((await service.call('/v1/jurisdictions', { key })).status, 403);

  const done = await db.query<{ action: string }>(sql`
    select action from access_audit where actor = 'operator op@example.org' and customer_id is not null order by at`);
  assert.deepEqual(
    done.map(({ action }) => action),
    [
      'customer.add',
      'customer.rename',
      'customer.invite',
      'key.issue',
      'customer.suspend',
      'customer.resume',
      'customer.remove',
    ],
  );
});

test('a key is found by id, name and customer, and set, rotated and revoked', async (t) => {
  const service = await startService(t);
  const { url, db } = service;
  const customer = await createCustomer(db, { name: 'Northwind', keyName: 'watch service' });
  await createCustomer(db, { name: 'Southwind', keyName: 'archive' });
  const operator = await joinAsOperator(url, db);
  for (const text of [customer.keyId, customer.keyId.slice(0, 6), `tmds_${customer.keyId}`, 'WATCH', 'northw']) {
    const { text: page } = await operator.visit(`/portal/operator/keys?q=${encodeURIComponent(text)}`);
    assert.ok(page.includes(customer.keyId) && !page.includes('archive'), text);
  }
  assert.match((await operator.visit('/portal/operator/keys?q=nothing')).text, /No key matches\./);
  const path = `/portal/operator/keys/${customer.keyId}`;
  await operator.visit(path);
  const terms = { name: 'watching', product: ['records', 'analytics'], rate: '120', quota: '9000' };
  const set = await follow(operator, await operator.post(`${path}/set`, terms));
  assert.match(set.text, /The key is changed\./);
  const [changed] = await listKeys(db, { keyId: customer.keyId });
  const limits = { rate_limit_per_minute: 120, quota: 9000 };
  assert.deepEqual(
    [changed?.name, changed?.products],
    [
      'watching',
      [
        { product: 'records', ...limits },
        { product: 'analytics', ...limits },
      ],
    ],
  );
  const wrong = await operator.post(`${path}/set`, { ...terms, rate: '0' });
  assert.match(wrong.text, /Calls a minute must be a whole number/);
  await operator.visit(`${path}/rotate`);
  const rotated = await follow(operator, await operator.post(`${path}/rotate`, { grace: '0' }));
  const [secret = ''] = /tmds_[\w-]{20,}/.exec(rotated.text) ?? [];
  assert.equal((await service.call('/v1/jurisdictions', { key: secret })).status, 200);
  assert.equal((await operator.visit(`${path}/text`)).status, 410);
  await operator.visit(`${path}/revoke`);
  assert.equal((await operator.post(`${path}/revoke`, { password: 'wrong' })).status, 422);
  const revoked = await follow(operator, await operator.post(`${path}/revoke`, { password: PASSWORD }));
  assert.match(revoked.text, /The key is revoked/);
  assert.equal((await service.call('/v1/jurisdictions', { key: secret })).status, 403);
});

test('an operator views a customer without changing or spending anything, and the customer can read that', async (t) => {
  const { url, db } = await startService(t);
  const customer = await createCustomer(db, { name: 'Viewed' });
  await createCustomer(db, { name: 'Another' });
  const member = await joinPortal(url, customer);
  const operator = await joinAsOperator(url, db);
  const path = `/portal/operator/customers/${await idOf(db, 'Viewed')}`;
  await operator.visit(path);
  assert.equal((await operator.post(`${path}/view`)).to, '/portal');
  assert.equal((await operator.visit('/portal')).to, '/portal/usage');
  for (const page of [
    '/portal/usage',
    '/portal/keys',
    `/portal/keys/${customer.keyId}`,
    '/portal/team',
    '/portal/log',
    '/portal/monitoring',
    '/portal/registers',
  ]) {
    const { status, text } = await operator.visit(page);
    assert.equal(status, 200, page);
    assert.match(text, /You view <strong><bdi>Viewed<\/bdi><\/strong>/);
    assert.doesNotMatch(text, /<form method="post" action="\/portal\/(?:keys|team)/, page);
    assert.doesNotMatch(text, /Another/);
  }
  const refused = [
    '/portal/explorer',
    '/portal/explorer?status=Registered',
    '/portal/feed?show=1',
    '/portal/search?q=a',
    '/portal/keys/new',
    `/portal/keys/${customer.keyId}/text`,
  ];
  for (const page of refused) assert.equal((await operator.visit(page)).status, 403, page);
  // A page that is open to everybody does not spend their units either.
  const tried = `/portal/api/listJurisdictions?key=${customer.keyId}&asked=${Date.now().toString(36)}`;
  assert.equal((await operator.visit(tried)).status, 200);
  const keyCount = (await listKeys(db)).length;
  for (const form of ['/portal/keys', `/portal/keys/${customer.keyId}/revoke`, '/portal/team/invitations']) {
    const answer = await operator.post(form, { sure: 'yes', name: 'x', product: 'records', email: 'x@example.org' });
    assert.equal(answer.status, 403, form);
  }
  assert.equal((await listKeys(db)).filter(({ revoked_at }) => revoked_at === null).length, keyCount);
  assert.deepEqual(await listUsageDays(db, { keyId: null, month: null }), []);
  assert.match((await member.visit('/portal/team')).text, /Viewed by an operator/);
  await db.query(sql`update portal_session set viewed_since = viewed_since - interval '31 minutes'`);
  assert.equal((await operator.visit('/portal/keys')).status, 403);
  await operator.visit(path);
  await operator.post(`${path}/view`);
  assert.equal((await operator.post('/portal/operator/view/end')).to, `${path}?done=view_ended`);
  assert.equal((await operator.visit('/portal/keys')).status, 403);
  assert.match((await member.visit('/portal/team')).text, /View by an operator ended/);
});

test('a view says until when, and ends when the operator leaves the customer’s pages or signs out', async (t) => {
  const { url, db } = await startService(t);
  const customer = await createCustomer(db, { name: 'Viewed' });
  await joinPortal(url, customer);
  const operator = await joinAsOperator(url, db);
  const path = `/portal/operator/customers/${await idOf(db, 'Viewed')}`;
  const countEnds = async (): Promise<number> => {
    const [counted] = await db.query<{ ends: number }>(
      sql`select count(*)::int4 as ends from access_audit where action = 'customer.view_end'`,
    );
    return counted!.ends;
  };
  await operator.visit(path);
  await operator.post(`${path}/view`);
  const viewing = await operator.visit('/portal/keys');
  const until = /You view <strong><bdi>Viewed<\/bdi><\/strong> until <time datetime="([^"]+)"/.exec(viewing.text)?.[1];
  const [since] = await db.query<{ minutes: number }>(sql`
    select extract(epoch from ${until}::timestamptz - viewed_since)::float8 / 60 as minutes from portal_session
    where viewed_since is not null`);
  assert.equal(since!.minutes, 30);
  for (const page of ['/portal/account', '/portal/api', '/portal/shortcuts']) {
    assert.equal((await operator.visit(page)).status, 200, page);
  }
  assert.equal((await operator.visit('/portal/keys')).status, 200, 'pages that are nobody’s do not end it');
  const left = await operator.visit('/portal/operator/audit?who=op');
  assert.equal(left.to, '/portal/operator/audit?who=op&done=view_ended');
  const shown = await operator.visit(left.to!);
  assert.match(shown.text, /You no longer view a customer\./);
  assert.doesNotMatch(shown.text, /You view <strong>/);
  assert.equal((await operator.visit('/portal/keys')).status, 403);
  assert.equal(await countEnds(), 1);
  await operator.visit(path);
  await operator.post(`${path}/view`);
  await operator.visit('/portal/keys');
  await operator.post('/portal/sign-out');
  assert.equal(await countEnds(), 2);
});

test('customers near their quota are on the overview, and a matter is dismissed with a note until it changes', async (t) => {
  const { url, db } = await startService(t);
  const near = await createCustomer(db, { name: 'Near & Co', quota: 100 });
  const far = await createCustomer(db, { name: 'Far', quota: 100 });
  const member = await joinPortal(url, near);
  const use = (keyId: string, units: number): Promise<unknown> =>
    db.query(sql`update key_product set units_used = ${units}::int8,
      month = date_trunc('month', now() at time zone 'UTC')::date where key_id = ${keyId} and product = 'records'`);
  await use(near.keyId, 84);
  await use(far.keyId, 79);
  const operator = await joinAsOperator(url, db);
  const other = await joinAsOperator(url, db, 'other@example.org');
  const words = /Near &amp; Co, [^<]*84 % of the quota for records is used \(84 of 100 units\)/;
  const { text } = await operator.visit('/portal/operator');
  assert.match(text, words);
  assert.doesNotMatch(text, /Far, /);
  const field = (name: string): string => new RegExp(`name="${name}" value="([^"]+)"`).exec(text)![1]!;
  const asked = { matter: field('matter'), state: field('state') };
  const before = await countAudit(db);
  const empty = await operator.post('/portal/operator/attention/dismiss', { ...asked, note: ' ' });
  assert.deepEqual([empty.status, /Write a note of 1 to 500 characters/.test(empty.text)], [422, true]);
  const stale = await operator.post('/portal/operator/attention/dismiss', { ...asked, state: 'else', note: 'x' });
  assert.deepEqual([stale.status, /That has changed since/.test(stale.text)], [422, true]);
  assert.match(stale.text, /<details open[^>]*><summary>Dismiss…/, 'what was typed is shown again');
  assert.equal(await countAudit(db), before);
  const note = 'they <b>know</b>';
  const done = await follow(operator, await operator.post('/portal/operator/attention/dismiss', { ...asked, note }));
  assert.match(done.text, /1 dismissed until they change/);
  for (const person of [operator, other]) {
    const shown = (await person.visit('/portal/operator')).text;
    assert.match(shown, /All clear\./);
    assert.match(shown, /they &lt;b(?:>|&gt;)know.*op@example\.org/s);
  }
  const [line] = await db.query(sql`
    select actor, customer_id, change->>'note' as note, change->>'matter' as matter from access_audit
    where action = 'attention.dismiss'`);
  const matter = `tmds_${near.keyId}: 84 % of the quota for records is used`;
  assert.deepEqual(line, { actor: 'operator op@example.org', customer_id: null, note, matter });
  assert.doesNotMatch((await member.visit('/portal/team/activity')).text, /Dismissed|they &lt;b/);

  await use(near.keyId, 90);
  assert.match((await operator.visit('/portal/operator')).text, /All clear\./, 'a few more units are the same matter');
  await use(near.keyId, 100);
  const worse = (await operator.visit('/portal/operator')).text;
  assert.match(worse, /Near &amp; Co, [^<]*the quota for records is used up/);
  assert.doesNotMatch(worse, /dismissed until/);
  await use(near.keyId, 90);
  await operator.post('/portal/operator/attention/recall', { matter: asked.matter });
  assert.match((await operator.visit('/portal/operator')).text, /90 % of the quota for records is used/);
  assert.equal((await operator.post('/portal/operator/attention/recall', { matter: asked.matter })).status, 422);
  const audit = await operator.visit('/portal/operator/audit?what=attention.recall');
  assert.match(audit.text, /Back on the overview/);
  await member.visit('/portal/account');
  assert.equal((await member.post('/portal/operator/attention/dismiss', { ...asked, note })).status, 404);
});

test('a dismissal of a late register and of rejects ends with the next load, and with a year', async () => {
  const register = { jurisdiction_code: 'FR', age_days: 5, rhythm_days: 1, last_load_finished_at: 'a' } as never;
  const base = { health: { index: null }, sources: [], loads: [], nearQuota: [], wrong: [] };
  const list = (change: object) =>
    listConcerns({ ...base, totals: { suspended_customers: 0 }, registers: [], openRejects: [], ...change } as never);
  const stateOf = (change: object): string =>
    list(change)
      .map(({ matter, state }) => `${matter}: ${state}`)
      .join();
  const late = (change: object): string => stateOf({ registers: [{ ...(register as object), ...change }] });
  assert.equal(late({ age_days: 6 }), late({}));
  assert.notEqual(late({ age_days: 9 }), late({}));
  assert.notEqual(late({ last_load_finished_at: 'b' }), late({}));
  const rejects = (open: number): string => stateOf({ openRejects: [{ load_id: 'x', format: 'st66', open }] });
  assert.equal(rejects(2), 'rejects x: 2');
  assert.notEqual(rejects(2), rejects(3));
  const levels = list({ registers: [register], wrong: [{ seen: 'a', remedy: 'b' }] }).map(({ level }) => level);
  assert.deepEqual(levels, ['bad', 'warn']);
});

test('the audit is filtered by the names of customers, keys and operators, which it offers', async (t) => {
  const { url, db } = await startService(t);
  const acme = await createCustomer(db, { name: 'Acme' });
  await createCustomer(db, { name: 'Acme Two' });
  const gone = await createCustomer(db, { name: 'Other' });
  const operator = await joinAsOperator(url, db);
  const customersOf = async (query: string): Promise<string[]> => {
    const { text } = await operator.visit(`/portal/operator/audit?${query}`);
    const found = [...text.matchAll(/operator\/customers\/[^"]+"><bdi>([^<]+)/g)].map(([, name]) => name!);
    return [...new Set(found)].sort();
  };
  assert.deepEqual(await customersOf('customer=Acme'), ['Acme'], 'a whole name means that customer');
  assert.deepEqual(await customersOf('customer=acm'), ['Acme', 'Acme Two']);
  assert.deepEqual(await customersOf('customer=nobody'), []);
  assert.deepEqual(await customersOf(`key=tmds_${gone.keyId}`), ['Other']);
  const id = await idOf(db, 'Acme');
  const { text } = await operator.visit(`/portal/operator/audit?customer=${id}`);
  assert.match(text, /id="customer"[^>]*value="Acme"|value="Acme"[^>]*id="customer"/);
  assert.match(text, /<option value="Acme Two"><\/option>/);
  assert.match(text, /<option value="op@example.org"><\/option>/);
  assert.ok((await operator.visit(`/portal/operator/audit?key=${acme.keyId}`)).text.includes(`tmds_${acme.keyId}`));
});

test('pages of customers, keys, loads and audit go on where the last one ended, and leave nothing out', async (t) => {
  const { url, db } = await startService(t);
  const names = Array.from({ length: 120 }, (_, position) => `Customer ${String(position).padStart(3, '0')}`);
  for (const name of names) await createCustomer(db, { name });
  const operator = await joinAsOperator(url, db);
  const walk = async (path: string, label: string, pattern: RegExp): Promise<string[]> => {
    const found: string[] = [];
    for (let next: string | null = path; next !== null; ) {
      const { status, text }: { status: number; text: string } = await operator.visit(next);
      assert.equal(status, 200, next);
      found.push(...[...text.matchAll(pattern)].map(([, name = '']) => name));
      next = new RegExp(`href="([^"]+)">${label}<`).exec(text)?.[1]?.replaceAll('&amp;', '&') ?? null;
    }
    return found;
  };
  const customers = await walk(
    '/portal/operator/customers',
    'Next page',
    /<a href="\/portal\/operator\/customers\/[0-9a-f-]+"><bdi>([^<]+)/g,
  );
  assert.deepEqual(customers, names);
  const keys = await walk('/portal/operator/keys', 'Older keys', /<a href="\/portal\/operator\/keys\/([^"]+)">/g);
  assert.deepEqual([...keys].sort(), (await listKeys(db)).map(({ id }) => id).sort());
  const entries = await walk('/portal/operator/audit?who=test', 'Older', /(data-label="Who")/g);
  const [counted] = await db.query<{ entries: number }>(
    sql`select count(*)::int as entries from access_audit where actor like '%test%'`,
  );
  assert.equal(entries.length, counted?.entries);
  assert.match((await operator.visit('/portal/operator/customers?q=119')).text, /Customer 119/);
  assert.match((await operator.visit('/portal/operator/customers?state=suspended')).text, /No customer matches\./);
  const audit = await operator.visit('/portal/operator/audit?what=operator.join&from=2020-01-01&to=2999-12-31');
  assert.match(audit.text, /operator op@example\.org.*127\.0\.0\.1/s);
  assert.match((await operator.visit('/portal/operator/audit?to=2020-01-01')).text, /No activity matches\./);
});

test('usage of all customers equals the output of the command, by day, customer and key', async (t) => {
  const service = await startService(t);
  const { url, db } = service;
  const one = await createCustomer(db, { name: 'One', keyName: '=cmd()' });
  const other = await createCustomer(db, { name: 'Other' });
  for (const { key, calls } of [
    { ...one, calls: 3 },
    { ...other, calls: 2 },
  ]) {
    for (let call = 0; call < calls; call += 1) await service.call('/v1/jurisdictions', { key });
  }
  const operator = await joinAsOperator(url, db);
  const page = await operator.visit('/portal/operator/usage');
  assert.match(page.text, /5 units in \w+ \d{4}/);
  const file = await operator.visit('/portal/operator/usage.csv');
  const days = await listUsageDays(db, { keyId: null, month: null });
  const named = new Map([
    [one.keyId, "One,KEY,'=cmd()"],
    [other.keyId, 'Other,KEY,production'],
  ]);
  const lines = days.map(
    ({ key_id, day, product, units }) => `${day},${named.get(key_id)?.replace('KEY', key_id)},${product},${units}`,
  );
  assert.deepEqual(
    file.text.trim().split('\r\n').sort(),
    ['day,customer,key_id,key_name,product,units', ...lines].sort(),
  );
  assert.match((await operator.visit('/portal/operator/usage?product=analytics')).text, /No customer used a unit/);
});

test('a load shows its issues with meaning and examples, its rejects with their source, and both as files', async (t) => {
  const database = await createTestDatabase(t, UNLIMITED);
  const { url, db } = await startService(t, { database });
  const odd = Array.from({ length: 60 }, (_, position) => ({
    jurisdiction_code: 'XA',
    uid: String(position),
    status: 'Pending',
    vienna_codes: [`x<b>${position}`],
  }));
  const { load_id } = await loadRecords(db, odd);
  const rejected = await loadText(db, '{"jurisdiction_code":"XA","uid":"9","status":"Pending"}\nno <json> here\n');
  const operator = await joinAsOperator(url, db);
  const list = await operator.visit('/portal/operator/loads');
  assert.ok(list.text.includes(load_id.slice(0, 8)) && list.text.includes(rejected.load_id.slice(0, 8)));
  const path = `/portal/operator/loads/${load_id}`;
  const first = await operator.visit(path);
  assert.match(first.text, /x&lt;b>\d+|x&lt;b&gt;\d+/);
  assert.match(first.text, /test\.ndjson, line \d+/);
  assert.match(first.text, /<dt>unfindable_value<\/dt><dd>a value that no filter can find/);
  const more = /href="([^"]+)">More issues</.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const second = await operator.visit(more);
  const valuesOf = (text: string): string[] =>
    [...text.matchAll(/<bdi>(x[^<]+?\d+)<\/bdi>/g)].map(([, value = '']) => value);
  assert.equal(new Set([...valuesOf(first.text), ...valuesOf(second.text)]).size, 60);
  assert.match((await operator.visit(`${path}?kind=unmapped_kind`)).text, /No issue of this kind and path\./);
  assert.equal((await operator.visit(`${path}?after=nonsense`)).status, 200);

  const rejects = await operator.visit(`/portal/operator/loads/${rejected.load_id}`);
  const waiting = { path: 'parties', value: '', count: 561, examples: [] };
  await addIssues(db, rejected.load_id, [{ code: 'waiting_party', ...waiting }]);
  const waited = await operator.visit(`/portal/operator/loads/${rejected.load_id}`);
  assert.match(waited.text, /download and load those next, for EUIPO EM_APPLICANT and EM_REPRESENTATIVE/);
  assert.doesNotMatch(rejects.text, /EM_APPLICANT/);

  assert.match(rejects.text, /test\.ndjson, line 2.*no &lt;json(?:>|&gt;) here/s);
  const file = JSON.parse((await operator.visit(`${path}/findings.json`)).text) as { issues: unknown[] };
  assert.equal(file.issues.length, 60);
  const lines = (await operator.visit(`/portal/operator/loads/${rejected.load_id}/findings.ndjson`)).text.trim();
  const findings = lines.split('\n').map((line) => JSON.parse(line) as { finding: string; source: string });
  assert.deepEqual(findings.map(({ finding, source }) => [finding, source]).at(-1), ['reject', 'no <json> here']);
  const registers = await operator.visit('/portal/operator/registers');
  assert.match(registers.text, /XA/);
  assert.match(
    (await operator.visit('/portal/operator')).text,
    /1 rejected record or file of a load of ndjson is not stored/,
  );
  assert.match(rejects.text, /1 of them open: not stored since\./);
  assert.doesNotMatch(rejects.text, /Every value was understood/);
  await operator.post(`/portal/operator/loads/${rejected.load_id}/close`);
  assert.doesNotMatch((await operator.visit('/portal/operator')).text, /rejected record/);
  assert.match((await operator.visit(`/portal/operator/loads/${rejected.load_id}`)).text, /none of them open/);

  const clean = await loadRecords(db, [{ jurisdiction_code: 'XA', uid: 'clean', status: 'Pending' }]);
  const { text } = await operator.visit(`/portal/operator/loads/${clean.load_id}`);
  assert.match(text, /Every value was understood\..*No record was rejected\./s);
  assert.doesNotMatch(text, /findings\.|id="kind"/, 'nothing to filter or to download');
  assert.match(rejects.text, /findings\.json/, 'rejects alone are worth a download');
});

const WEEKLY = ['one', 'two', 'three'].map((name, at) => [`week-2026-W${45 + at}.ndjson`, name] as const);

test('sources are shown as tmds sources says, with their files, and a stopped one is on the overview', async (t) => {
  const database = await createTestDatabase(t, { ...UNLIMITED, poolMax: 10 });
  const clock = buildStandingClock('2026-11-23T12:00:00Z');
  const { url, db } = await startService(t, { database, clock: { ...systemClock, nowMs: clock.nowMs } });
  const operator = await joinAsOperator(url, db);
  assert.match((await operator.visit('/portal/operator/sources')).text, /No source has been checked yet\./);
  const [folder, dataDir] = [makeFolder(t), makeFolder(t)];
  const put = (name: string, content: Buffer | string): void => {
    writeFileSync(join(folder, name), content);
    utimesSync(join(folder, name), 0, 0);
  };
  for (const [name, mark] of WEEKLY) put(name, statement('XA1', mark));
  const declared = declareSources(
    ['office', 'peer']
      .map(
        (source) => `[source.${source}]
        kind = "folder"
        folder = "${folder}"
        format = "ndjson"
        register = "XA"
        files = "${source === 'peer' ? 'peer-' : 'week-'}{YYYY}-W{WW}.ndjson"
        rhythm = "weekly"
        since = "2026-W44"
        gaps = "pass"
        grace = "1h"`,
      )
      .join('\n'),
  );
  const check = async (): Promise<void> => {
    await checkSources(declared, { db, dataDir, clock });
  };
  await check();
  const listed = await operator.visit('/portal/operator/sources');
  for (const { source, condition, last_file, next_period } of await describeSources(db, declared, clock.nowMs())) {
    const row = new RegExp(`sources/${source}">.*?</tr>`, 's').exec(listed.text)?.[0] ?? '';
    assert.ok(row.includes(`>${condition}</span>`), `${source} ${condition}: ${row}`);
    for (const text of [last_file, next_period]) assert.ok(row.includes(text ?? ''), `${source} ${text}: ${row}`);
  }
  const office = await operator.visit('/portal/operator/sources/office');
  assert.match(office.text, /<dt>Gaps<\/dt><dd>2026-W44/);
  const [load] = await listLoads(db, { limitMax: 1 });
  const digest = createHash('sha256').update(statement('XA1', 'three')).digest('hex');
  const [first = ''] = /<tbody.*?<\/tr>/s.exec(office.text) ?? [];
  for (const text of ['week-2026-W47.ndjson', 'loaded', digest, `/loads/${load?.load_id}`]) {
    assert.ok(first.includes(text), `${text}: ${first}`);
  }

  put('week-2026-W48.ndjson', '<html>not <b>records</b></html>');
  clock.set('2026-11-30T12:00:00Z');
  await check();
  const [stopped, peer] = await describeSources(db, declared, clock.nowMs());
  assert.deepEqual([stopped?.condition, peer?.condition], ['stopped', 'stopped']);
  const told = {
    office: /<bdi>week-2026-W48\.ndjson failed: /,
    peer: /a file of office, week-2026-W48\.ndjson, failed: /,
  };
  for (const [source, problem] of Object.entries(told)) {
    const { text } = await operator.visit(`/portal/operator/sources/${source}`);
    assert.match(text, new RegExp(`${problem.source}.*--retry FILE`, 's'), source);
    assert.doesNotMatch(text, /<b>records/);
  }
  const overview = await operator.visit('/portal/operator');
  assert.match(overview.text, /sources\/office"><bdi>Source office is stopped: week-2026-W48\.ndjson failed: /);
  const failed = await operator.visit('/portal/operator/sources/office?state=failed');
  assert.deepEqual(namesIn(failed.text), ['week-2026-W48.ndjson']);
  assert.match((await operator.visit('/portal/operator/sources/office?state=late')).text, /No file is late\./);

  await skipFile('week-2026-W48.ndjson', { db, clock, dataDir, sources: declared });
  await check();
  await db.query(sql`update source_check set due_at = '2026-11-30T11:00:00Z', next_period = '2026-W49'`);
  const mended = await operator.visit('/portal/operator');
  assert.match(mended.text, /Source office is overdue: the file of 2026-W49 has not come\./);
  assert.doesNotMatch(mended.text, /stopped/);
  assert.match(mended.text, /No process holds a duty\./);
  await holdDuty(db, 'webhooks', async () => {
    const { text } = await operator.visit('/portal/operator');
    assert.match(text, /webhooks.*<bdi>tmds test<\/bdi>.*<time/s);
  });
});

/** The files of a page, in its order. */
function namesIn(text: string): string[] {
  return [...text.matchAll(/<th[^>]*scope="row"[^>]*>.*?<bdi>([^<]+)<\/bdi>([^<]*)/gs)].map(
    ([, name = '', revision = '']) => name + revision,
  );
}

test('the files of a source go on page by page, each revision once, whatever the address says', async (t) => {
  const { url, db } = await startService(t);
  await db.query(sql`
    insert into source_file (source, name, revision, period, fingerprint, state, seen_at)
    select 'weekly', 'n' || number % 60, number / 60 + 1, lpad((number % 60 / 7)::text, 9, '0'), 'x', 'superseded', now()
    from generate_series(0, 119) as number`);
  const operator = await joinAsOperator(url, db);
  const path = '/portal/operator/sources/weekly';
  const names: string[] = [];
  let next: string | undefined = path;
  while (next !== undefined) {
    const { text }: { text: string } = await operator.visit(next);
    names.push(...namesIn(text));
    next = /href="([^"]+)"[^>]*>Older files</.exec(text)?.[1]?.replaceAll('&amp;', '&');
  }
  assert.deepEqual([names.length, new Set(names).size], [120, 120]);
  const position = (values: unknown): string => Buffer.from(JSON.stringify(values)).toString('base64url');
  for (const odd of ['nonsense', position({}), position(['1', 'n', 9e9]), position(['\0', 'n', 1]), position([1, 2])]) {
    assert.equal(namesIn((await operator.visit(`${path}?before=${odd}`)).text).length, 50, odd);
  }
  assert.match((await operator.visit('/portal/operator/sources')).text, /never checked/);
  for (const absent of ['daily', 'A%00', '%F0%9F%98%80']) {
    assert.equal((await operator.visit(`/portal/operator/sources/${absent}`)).status, 404, absent);
  }
});

test('the overview and the doctor say what the checks say, in their words', async (t) => {
  const database = await createTestDatabase(t);
  const fixed = { dataDir: '/', changeHorizonSeconds: 0, replicaUrls: [], poolMax: 16 };
  const config = { ...fixed, databaseUrl: database.url };
  const findings = await examineDatabase({ config, database: database.db, clock: systemClock });
  const wrong = { subject: 'feed', seen: 'a <b>publish</b> is overdue', remedy: 'end it' };
  const { url, db } = await startService(t, {
    database,
    operations: {
      examine: async () => [...findings, wrong],
      readHealth: async () => {
        throw new Error('unused');
      },
    },
  });
  const operator = await joinAsOperator(url, db);
  const { text } = await operator.visit('/portal/operator/doctor');
  // What is wrong with the machine of the test is wrong here too.
  const failed = findings.filter(({ remedy }) => remedy !== null).length + 1;
  assert.match(text, new RegExp(`${failed} of ${findings.length + 1} checks failed\\.`));
  for (const { subject, seen } of findings)
    assert.ok(text.includes(subject) && text.includes(seen.replaceAll('&', '&amp;')), seen);
  assert.match(text, /a &lt;b(?:>|&gt;)publish.*end it/s);
});
