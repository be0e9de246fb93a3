/** A form does its work once: reload, back and double click repeat nothing, and what was typed is not lost. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { revokeKey } from '../../src/access/keys.ts';
import { parseKeyText } from '../../src/access/secret.ts';
import type { Clock } from '../../src/base/clock.ts';
import { systemClock } from '../../src/base/clock.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { FORM_SECONDS } from '../../src/portal/frame/once.ts';
import { openPortal } from '../support/open-portal.ts';
import { buildPerson, createCustomer, follow, joinPortal, type Person } from '../support/portal.ts';
import { PASSWORD } from '../support/portal-browser.ts';
import { refusalOf, startService } from '../support/service.ts';

const KEY_TEXT = /tmds_[0-9a-z]{12}_[0-9A-Za-z]{38}/;
const ORDER = { name: 'docketing', product: 'records', quota: '' };

async function countKeys(db: Database): Promise<number> {
  const [row] = await db.query<{ keys: number }>(sql`select count(*)::int as keys from access_key`);
  return row?.keys ?? 0;
}

/** The one-use token of the form with this action, as a browser would send it again. */
async function readOnce(person: Person, path: string, action: string): Promise<string> {
  const { text } = await person.visit(path);
  const form = text.slice(text.indexOf(`action="${action}"`));
  return /name="once" value="([^"]+)"/.exec(form)?.[1] ?? '';
}

test('a reload, a double click and the way back issue one key, whose text is shown once [5.4]', async (t) => {
  const { db, call, person } = await openPortal(t);
  const once = await readOnce(person, '/portal/keys/new', '/portal/keys');
  const sent = await Promise.all([1, 2, 3].map(() => person.post('/portal/keys', ORDER, { once })));
  sent.push(await person.post('/portal/keys', ORDER, { once }));
  assert.equal(await countKeys(db), 2);
  const [to] = new Set(sent.map((answer) => answer.to));
  assert.deepEqual(
    sent.map((answer) => [answer.status, answer.to, KEY_TEXT.test(answer.text)]),
    sent.map(() => [303, to, false]),
  );
  assert.doesNotMatch(to ?? '', KEY_TEXT);
  assert.equal((await person.visit(to ?? '', { 'sec-fetch-site': 'cross-site' })).status, 410);
  const shown = await person.visit(to ?? '');
  const key = KEY_TEXT.exec(shown.text)?.[0] ?? '';
  assert.notEqual(parseKeyText(key), null);
  assert.equal((await call('/v1/jurisdictions', { key })).status, 200);
  const again = await person.visit(to ?? '');
  assert.equal(again.status, 410);
  assert.doesNotMatch(again.text, KEY_TEXT);
});

test('a kept text is sealed, and opens for no other session and not for long [5.4]', async (t) => {
  const { url, db, customer, person } = await openPortal(t);
  const posted = await person.post('/portal/keys', ORDER);
  const rows = await db.query<{ held: string }>(
    sql`select encode(sealed, 'escape') || encode(sealed, 'hex') as held from portal_reveal`,
  );
  assert.equal(rows.length, 1);
  assert.doesNotMatch(rows[0]?.held ?? '', /tmds_/);
  const other = buildPerson(url);
  await other.visit('/portal/sign-in');
  assert.equal((await other.post('/portal/sign-in', { email: customer.email, password: PASSWORD })).status, 303);
  assert.equal((await other.visit(posted.to ?? '')).status, 410);
  await db.query(sql`update portal_reveal set expires_at = now() - interval '1 second'`);
  assert.equal((await person.visit(posted.to ?? '')).status, 410);
  assert.deepEqual(await db.query(sql`select subject from portal_reveal`), []);
});

test('a second sending repeats no rotation, invitation, revocation, removal or withdrawal [5.4]', async (t) => {
  const { db, customer, person } = await openPortal(t);
  const path = `/portal/keys/${customer.keyId}`;
  const sendTwice = async (page: string, action: string, form: Record<string, string>): Promise<void> => {
    const once = await readOnce(person, page, action);
    const answers = [await person.post(action, form, { once }), await person.post(action, form, { once })];
    assert.deepEqual(
      answers.map(({ status, to }) => [status, to]),
      answers.map(() => [303, answers[0]?.to]),
      action,
    );
  };
  await sendTwice(`${path}/rotate`, `${path}/rotate`, { grace: '3600' });
  await sendTwice(path, `${path}/name`, { name: 'renamed' });
  await sendTwice(path, `${path}/quota`, { quota: '5' });
  await sendTwice('/portal/team', '/portal/team/invitations', { email: 'guest@example.org' });
  const withdraw = /\/portal\/team\/invitations\/[0-9a-f]{64}\/withdraw/.exec(
    (await person.visit('/portal/team')).text,
  );
  await sendTwice('/portal/team', withdraw?.[0] ?? '', {});
  await sendTwice(`${path}/revoke`, `${path}/revoke`, { sure: 'yes' });
  const audit = await db.query<{ action: string }>(sql`
    select action from access_audit where actor like 'portal%' and action <> 'user.join' order by at`);
  assert.deepEqual(
    audit.map(({ action }) => action),
    ['key.rotate', 'key.set', 'key.set', 'customer.invite', 'invitation.withdraw', 'key.revoke'],
  );
});

test('a double click on an invitation leads in, and not to a closed link [5.4]', async (t) => {
  const { url, db } = await startService(t);
  const customer = await createCustomer(db);
  const person = buildPerson(url);
  const once = /name="once" value="([^"]+)"/.exec((await person.visit(customer.invitation)).text)?.[1] ?? '';
  const before = new Map(person.cookies);
  const form = { password: PASSWORD, repeated: PASSWORD };
  assert.equal((await person.post(customer.invitation, form, { once })).to, '/portal');
  // The browser dropped the first answer, and its cookie with it.
  const csrf = /name="csrf" value="([^"]+)"/;
  person.cookies.clear();
  for (const [name, value] of before) person.cookies.set(name, value);
  const token = csrf.exec((await person.visit('/portal/sign-in')).text)?.[1] ?? '';
  const second = await person.post(customer.invitation, form, { once, csrf: token });
  assert.deepEqual([second.status, second.to], [303, '/portal']);
});

test('a form that was refused may be sent again, and one that did its work not with other content [5.4]', async (t) => {
  const { db, person } = await openPortal(t);
  const once = await readOnce(person, '/portal/keys/new', '/portal/keys');
  assert.equal((await person.post('/portal/keys', { ...ORDER, quota: 'many' }, { once })).status, 422);
  assert.equal((await person.post('/portal/keys', ORDER, { once })).status, 303);
  const other = await person.post('/portal/keys', { ...ORDER, name: 'another name' }, { once });
  assert.equal(other.status, 403);
  assert.match(other.text, /sent once before/);
  const link = /href="(\/portal\/keys\/new\?[^"]+)"/.exec(other.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  assert.match((await person.visit(link)).text, /value="another name"/);
  assert.equal(await countKeys(db), 2);
});

test('a form of a session that has ended keeps what was typed through the sign-in [5.4]', async (t) => {
  const { db, customer, person } = await openPortal(t);
  await person.visit('/portal/keys/new');
  await db.query(sql`delete from portal_session`);
  const ended = await person.post('/portal/keys', { ...ORDER, name: 'kept & <safe>', quota: '12' });
  assert.equal(ended.status, 403);
  assert.match(ended.text, /Your session has ended.*kept &amp; &lt;safe>.*name="password"/s);
  const next = /name="next" value="([^"]+)"/.exec(ended.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const signedIn = await person.post('/portal/sign-in', { email: customer.email, password: PASSWORD, next });
  const form = await follow(person, signedIn);
  assert.match(form.text, /name="name"[^>]*value="kept &amp; &lt;safe>"/);
  assert.match(form.text, /name="quota"[^>]*value="12"/);
  assert.equal(await countKeys(db), 1);
  await db.query(sql`delete from portal_session`);
  const secret = await person.post('/portal/account/password', { current: PASSWORD, password: 'p '.repeat(9) });
  assert.doesNotMatch(secret.text, /p p p p|quiet sentence/);
});

test('a form without its token, or with one that is forged, of another session or too old, does nothing [5.4]', async (t) => {
  let aheadMs = 0;
  const clock: Clock = { ...systemClock, nowMs: () => systemClock.nowMs() + aheadMs };
  const { url, db, person } = await openPortal(t, {}, { clock });
  const other = await joinPortal(url, await createCustomer(db));
  const foreign = await readOnce(other, '/portal/keys/new', '/portal/keys');
  const own = await readOnce(person, '/portal/keys/new', '/portal/keys');
  const forged = own.replace(/.{3}$/, (end) => (end === 'AAA' ? 'BBB' : 'AAA'));
  for (const once of [null, '', 'nonsense', forged, foreign]) {
    const answer = await person.post('/portal/keys', ORDER, { once });
    assert.equal(answer.status, 403, String(once));
    assert.match(answer.text, /too old.*docketing.*Back to the form/s);
  }
  aheadMs = (FORM_SECONDS + 5) * 1000;
  assert.equal((await person.post('/portal/keys', ORDER, { once: own })).status, 403);
  aheadMs = 0;
  assert.equal(await countKeys(db), 2);
  assert.equal((await person.post('/portal/keys', ORDER, { once: own })).status, 303);
});

test('a grace period is ended now, from the page of the key [5.4, I-30]', async (t) => {
  const { call, customer, person } = await openPortal(t);
  const path = `/portal/keys/${customer.keyId}`;
  assert.doesNotMatch((await person.visit(path)).text, /grace\/end/);
  const rotated = await follow(person, await person.post(`${path}/rotate`, { grace: '604800' }));
  const key = KEY_TEXT.exec(rotated.text)?.[0] ?? '';
  assert.equal((await call('/v1/jurisdictions', { key: customer.key })).status, 200);
  assert.match((await person.visit(path)).text, /grace\/end/);
  assert.equal((await person.post(`${path}/grace/end`)).to, `${path}?done=grace_ended`);
  assert.equal(refusalOf(await call('/v1/jurisdictions', { key: customer.key })).code, 'key_revoked');
  assert.equal((await call('/v1/jurisdictions', { key })).status, 200);
  assert.match((await person.visit(path)).text, /Old secret ended/);
  assert.equal((await person.post(`${path}/grace/end`)).status, 422);
});

test('what cannot succeed is not offered [5.4]', async (t) => {
  const { db, customer, person } = await openPortal(t, { quota: 100 });
  assert.doesNotMatch((await person.visit('/portal/keys')).text, /href="\/portal\/keys\/new"/);
  assert.match((await person.visit('/portal/keys/new')).text, /All units of your agreement are assigned/);
  await person.post(`/portal/keys/${customer.keyId}/quota`, { quota: '60' });
  assert.match((await person.visit('/portal/keys')).text, /href="\/portal\/keys\/new"/);
  const posted = await person.post('/portal/keys', { ...ORDER, quota: '40' });
  const id = posted.to?.split('/')[3] ?? '';
  // The operator ends the agreement: the key made here lives on, but has nothing to take units from.
  await revokeKey(db, { id: customer.keyId, actor: 'test' });
  assert.doesNotMatch((await person.visit(`/portal/keys/${id}`)).text, /name="quota"/);
  assert.equal((await person.post(`/portal/keys/${id}/quota`, { quota: '' })).status, 422);
  for (const page of ['rotate', 'revoke']) {
    assert.equal((await person.visit(`/portal/keys/${customer.keyId}/${page}`)).status, 409, page);
  }
  await db.query(sql`update portal_user set password_hash = null`);
  assert.doesNotMatch((await person.visit('/portal/account')).text, /name="current"/);
});
