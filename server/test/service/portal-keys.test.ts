/** Keys, people and counts of one customer: what the portal changes, and what it never shows to another. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inviteCustomer } from '../../src/access/keys.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { keepCallDays } from '../../src/store/accounts/call-log.ts';
import { openPortal } from '../support/open-portal.ts';
import { createCustomer, follow, joinPortal } from '../support/portal.ts';
import { refusalOf, startService } from '../support/service.ts';

const KEY_TEXT = /tmds_[0-9a-z]{12}_[0-9A-Za-z]{38}/;

test('issues a key that works, shows it once, rotates it with grace and revokes it [5.4, 5.6]', async (t) => {
  const { db, call, customer, person } = await openPortal(t);
  await person.visit('/portal/keys/new');
  const issued = await follow(
    person,
    await person.post('/portal/keys', { name: 'docketing', product: 'records', quota: '' }),
  );
  const key = KEY_TEXT.exec(issued.text)?.[0] ?? '';
  const id = key.split('_')[1] ?? '';
  assert.deepEqual([issued.status, issued.headers.get('cache-control')], [200, 'no-store']);
  assert.equal((await call('/v1/jurisdictions', { key })).status, 200);
  for (const path of ['/portal/keys', `/portal/keys/${id}`, '/portal/team/activity']) {
    const { text } = await person.visit(path);
    assert.match(text, new RegExp(id), path);
    assert.doesNotMatch(text, KEY_TEXT, path);
  }
  await person.visit(`/portal/keys/${id}/rotate`);
  const rotated = await follow(person, await person.post(`/portal/keys/${id}/rotate`, { grace: '3600' }));
  const newKey = KEY_TEXT.exec(rotated.text)?.[0] ?? '';
  assert.notEqual(newKey, key);
  assert.equal((await call('/v1/jurisdictions', { key })).status, 200);
  assert.equal((await call('/v1/jurisdictions', { key: newKey })).status, 200);
  assert.equal((await person.post(`/portal/keys/${id}/rotate`, { grace: '9999999' })).status, 422);
  assert.equal((await person.post(`/portal/keys/${id}/rotate`, { grace: '0' })).status, 303);
  assert.deepEqual(refusalOf(await call('/v1/jurisdictions', { key })).code, 'key_revoked');

  assert.equal((await person.post(`/portal/keys/${id}/name`, { name: ' Docketing  2 ' })).status, 303);
  assert.equal((await person.post(`/portal/keys/${id}/name`, { name: '   ' })).status, 422);
  assert.equal((await person.post(`/portal/keys/${id}/revoke`, {})).status, 422);
  assert.equal((await person.post(`/portal/keys/${id}/revoke`, { sure: 'yes' })).status, 303);
  assert.equal((await person.post(`/portal/keys/${id}/revoke`, { sure: 'yes' })).status, 409);
  assert.equal((await person.post(`/portal/keys/${id}/rotate`, { grace: '0' })).status, 409);
  const audit = await db.query<{ action: string; actor: string; name: string | null }>(sql`
    select action, actor, change->>'name' as name from access_audit where key_id = ${id} order by at`);
  const actor = `portal ${customer.email}`;
  assert.deepEqual(audit, [
    { action: 'key.issue', actor, name: 'docketing' },
    { action: 'key.rotate', actor, name: null },
    { action: 'key.rotate', actor, name: null },
    { action: 'key.set', actor, name: 'Docketing 2' },
    { action: 'key.revoke', actor, name: null },
  ]);
});

test('a key that was issued for the customer offers a secret until one was shown or a program used it', async (t) => {
  const { url, db, call, customer, person } = await openPortal(t);
  const page = `/portal/keys/${customer.keyId}`;
  const offer = /no program has used it yet/;
  for (const path of ['/portal/keys', page]) assert.match((await person.visit(path)).text, offer, path);
  const { text } = await person.visit('/portal/keys');
  assert.match(text, new RegExp(`action="${page}/rotate"[^]*Show a new secret`));
  const shown = await follow(person, await person.post(`${page}/rotate`, { grace: '86400' }));
  const secret = KEY_TEXT.exec(shown.text)?.[0] ?? '';
  assert.equal((await call('/v1/jurisdictions', { key: secret })).status, 200);
  assert.equal((await call('/v1/jurisdictions', { key: customer.key })).status, 200, 'the one that was given works on');
  for (const path of ['/portal/keys', page]) assert.doesNotMatch((await person.visit(path)).text, offer, path);

  const used = await createCustomer(db, { name: 'Used' });
  const other = await joinPortal(url, used);
  assert.match((await other.visit('/portal/keys')).text, offer);
  await call('/v1/jurisdictions', { key: used.key });
  assert.doesNotMatch((await other.visit('/portal/keys')).text, offer);
});

test('gives out no more than the agreement holds, however many ask at once [5.4]', async (t) => {
  const { db, customer, person } = await openPortal(t, { quota: 1000 });
  await person.visit('/portal/keys/new');
  const order = { name: 'second', product: 'records' };
  assert.equal((await person.post('/portal/keys', { ...order, quota: '1' })).status, 422);
  assert.equal((await person.post(`/portal/keys/${customer.keyId}/quota`, { quota: '1001' })).status, 422);
  assert.equal((await person.post(`/portal/keys/${customer.keyId}/quota`, { quota: '' })).status, 422);
  assert.equal((await person.post(`/portal/keys/${customer.keyId}/quota`, { quota: '400' })).status, 303);
  const bad = await Promise.all([
    person.post('/portal/keys', { ...order, quota: '' }),
    person.post('/portal/keys', { ...order, quota: '601' }),
    person.post('/portal/keys', { ...order, quota: '-5' }),
    person.post('/portal/keys', { ...order, quota: '0' }),
    person.post('/portal/keys', { ...order, product: 'analytics', quota: '10' }),
    person.post('/portal/keys', { ...order, product: 'nothing', quota: '10' }),
  ]);
  assert.deepEqual(
    bad.map(({ status }) => status),
    [422, 422, 422, 422, 422, 422],
  );
  const asked = await Promise.all(
    [1, 2, 3, 4].map((number) => person.post('/portal/keys', { ...order, name: `key ${number}`, quota: '300' })),
  );
  assert.deepEqual(asked.map(({ status }) => status).sort(), [303, 303, 422, 422]);
  const [given] = await db.query<{ units: number }>(sql`
    select sum(p.quota)::float8 as units from key_product p join access_key k on k.key_id = p.key_id
    where k.revoked_at is null`);
  assert.deepEqual(given, { units: 1000 });
});

test('a revoked key gives its units back, and lowering a limit gains none [5.4]', async (t) => {
  const { customer, person } = await openPortal(t, { quota: 1000 });
  await person.visit(`/portal/keys/${customer.keyId}/revoke`);
  assert.equal((await person.post(`/portal/keys/${customer.keyId}/revoke`, { sure: 'yes' })).status, 303);
  const order = { name: 'next', product: 'records' };
  assert.equal((await person.post('/portal/keys', { ...order, quota: '1001' })).status, 422);
  assert.equal((await person.post('/portal/keys', { ...order, quota: '1000' })).status, 303);
  assert.equal((await person.post('/portal/keys', { ...order, quota: '1' })).status, 422);
});

const THEIR_REQUEST = '6f2c41d8-5a0e-4d0b-9c55-31b1f2f0a7e4';

test('shows and changes nothing of another customer on any route [5.4]', async (t) => {
  const { url, db, call } = await startService(t);
  const mine = await createCustomer(db, { keyName: 'my own key' });
  const theirs = await createCustomer(db, { keyName: 'their secret project' });
  const me = await joinPortal(url, mine);
  const them = await joinPortal(url, theirs);
  await inviteCustomer(db, { customer: theirs.name, email: 'their-guest@example.org', actor: 'test' });
  await call('/v1/trademarks?q=1', { key: theirs.key });
  await call('/v1/jurisdictions', { key: theirs.key });
  await keepCallDays(db);
  await db.query(sql`
    insert into call_log (key_id, at, request_id, product, path, status, units, duration_ms, code, param, message)
    values (${theirs.keyId}, now(), ${THEIR_REQUEST}, 'records', '/v1/trademarks', 400, 0, 1, 'missing_filter',
      'their_param', 'told')`);
  await db.query(sql`insert into usage_day (key_id, product, day, units)
    values (${theirs.keyId}, 'records', (now() at time zone 'UTC')::date - 1, 987654) on conflict do nothing`);
  const [user] = await db.query<{ user_id: string }>(
    sql`select user_id from portal_user where email = ${theirs.email}`,
  );
  const [guest] = await db.query<{ id: string }>(sql`
    select encode(token_digest, 'hex') as id from invitation where email = 'their-guest@example.org'`);
  const state = (): Promise<unknown> =>
    db.query(sql`
      select (select json_agg(k order by k.key_id) from access_key k where k.key_id = ${theirs.keyId})::text as keys,
        (select json_agg(s order by s.number) from key_secret s where s.key_id = ${theirs.keyId})::text as secrets,
        (select json_agg(p) from (select product, quota, rate_limit_per_minute, units_used from key_product
          where key_id = ${theirs.keyId}) p)::text as products,
        (select json_agg(json_build_array(u.email, u.removed_at, u.password_hash)) from portal_user u
          where u.email = ${theirs.email})::text as users,
        (select json_agg(i order by i.email) from invitation i where i.email = 'their-guest@example.org')::text as guests,
        (select count(*)::int from portal_session s join portal_user u on u.user_id = s.user_id
          where u.email = ${theirs.email}) as sessions`);
  const before = await state();
  const secrets = [theirs.keyId, 'their secret project', theirs.email, theirs.name, 'their-guest@example.org'];
  const traces = new RegExp([...secrets, THEIR_REQUEST, 'their_param', '987,654'].join('|'));

  const gone = ['', '/rotate', '/revoke'].map((end) => `/portal/keys/${theirs.keyId}${end}`);
  for (const path of [...gone, `/portal/team/${user?.user_id}/remove`]) {
    const page = await me.visit(path);
    assert.equal(page.status, 404, path);
    assert.doesNotMatch(page.text, /their secret project/, path);
  }
  const open = ['/portal/keys', '/portal/keys/new', '/portal/team', '/portal/team/activity', '/portal/account'];
  const monitoring = ['', '/monitoring', '/monitoring/usage.csv', '/log'].flatMap((page) => [
    `/portal${page}`,
    `/portal${page}?key=${theirs.keyId}`,
  ]);
  const records = ['/portal/explorer', '/portal/feed', '/portal/explorer/records/FR/1', '/portal/feed?show=1'];
  const charged = [`/portal/explorer?key=${theirs.keyId}&status=Registered`, `/portal/feed?show=1&key=${theirs.keyId}`];
  for (const path of [...open, ...monitoring, ...records, ...charged]) {
    const page = await me.visit(path);
    assert.ok(page.status === 200 || page.status === 404, path);
    // The address that was asked for comes back in the form of the footer and in the search bar, and may.
    assert.doesNotMatch(page.text.replaceAll(/name="(?:next|key)" value="[^"]*"/g, ''), traces, path);
  }
  const posts: [string, Record<string, string>][] = [
    [`/portal/keys/${theirs.keyId}/name`, { name: 'mine now' }],
    [`/portal/keys/${theirs.keyId}/quota`, { quota: '1' }],
    [`/portal/keys/${theirs.keyId}/rotate`, { grace: '0' }],
    [`/portal/keys/${theirs.keyId}/revoke`, { sure: 'yes' }],
    [`/portal/team/${user?.user_id}/remove`, {}],
    [`/portal/team/invitations/${guest?.id}/withdraw`, {}],
  ];
  for (const [path, form] of posts) assert.equal((await me.post(path, form)).status, 404, path);
  assert.deepEqual(await state(), before);
  const own = await them.visit('/portal/monitoring');
  assert.match(own.text, new RegExp(THEIR_REQUEST));
  assert.match(own.text, /987,654/);
  assert.match((await them.visit('/portal/log')).text, new RegExp(THEIR_REQUEST));
  assert.match((await them.visit('/portal/monitoring/usage.csv')).text, /987654/);
});

test('keeps the team: invites, withdraws, removes at once, and lets nobody remove themselves [5.4]', async (t) => {
  const { url, db, customer, person } = await openPortal(t);
  await person.visit('/portal/team');
  assert.equal((await person.post('/portal/team/invitations', { email: 'no address' })).status, 422);
  const invited = await follow(
    person,
    await person.post('/portal/team/invitations', { email: 'Colleague@Example.org' }),
  );
  const link = /http:\/\/[^<]*(\/portal\/invitation\/[\w-]+)/.exec(invited.text)?.[1] ?? '';
  const colleague = await joinPortal(url, { ...customer, invitation: link });
  const team = await colleague.visit('/portal/team');
  assert.match(team.text, /colleague@example\.org/);
  const second = await follow(person, await person.post('/portal/team/invitations', { email: 'late@example.org' }));
  const lateLink = /http:\/\/[^<]*(\/portal\/invitation\/[\w-]+)/.exec(second.text)?.[1] ?? '';
  const withdraw = /\/portal\/team\/invitations\/[0-9a-f]{64}\/withdraw/.exec(
    (await person.visit('/portal/team')).text,
  );
  assert.equal((await person.post(withdraw?.[0] ?? '')).to, '/portal/team?done=withdrawn');
  assert.equal((await person.visit(lateLink)).status, 404);
  const users = await db.query<{ user_id: string; email: string }>(sql`select user_id, email from portal_user`);
  const idOf = (email: string): string => users.find((user) => user.email === email)?.user_id ?? '';
  assert.equal((await person.post(`/portal/team/${idOf(customer.email)}/remove`)).status, 409);
  await person.visit(`/portal/team/${idOf('colleague@example.org')}/remove`);
  assert.equal((await person.post(`/portal/team/${idOf('colleague@example.org')}/remove`)).status, 303);
  assert.equal((await colleague.visit('/portal/team')).status, 303);
  const changes = await person.visit('/portal/team/activity');
  for (const word of ['Person invited', 'Person joined', 'Invitation withdrawn', 'Person removed']) {
    assert.match(changes.text, new RegExp(word));
  }
});
