/** Customers suspended, resumed and removed: what their keys and people meet, and what stays. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { removeCustomer, renameCustomer, resumeCustomer, suspendCustomer } from '../../src/access/customers.ts';
import { inviteCustomer, issueKey, rotateKey } from '../../src/access/keys.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { findCustomer, holdCustomer, listCustomers } from '../../src/store/accounts/customers.ts';
import { putWatchWithin, takeTurn } from '../../src/store/watches/watches.ts';
import { connectTestDatabase, createTestDatabase, untilBlocked } from '../support/database.ts';
import { openPortal } from '../support/open-portal.ts';
import { buildPerson, createCustomer, joinPortal } from '../support/portal.ts';
import { PASSWORD } from '../support/portal-browser.ts';
import { refusalOf, startService, type TestService } from '../support/service.ts';
import { countUnits } from '../support/units.ts';

const actor = 'test';

function suspend(db: Database, customer: string, reason: string | null = null): Promise<void> {
  return db.transaction((tx) => suspendCustomer(tx, { customer, actor, reason }));
}

function resume(db: Database, customer: string): Promise<boolean> {
  return db.transaction((tx) => resumeCustomer(tx, { customer, actor }));
}

function remove(db: Database, customer: string): Promise<string> {
  return db.transaction((tx) => removeCustomer(tx, { customer, actor }));
}

/** Asks until the answer has this status; the number of answers with another one. */
async function askUntil(service: TestService, key: string, status: number): Promise<number> {
  for (let others = 0; ; others += 1) {
    if ((await service.call('/v1/jurisdictions', { key })).status === status) return others;
    assert.ok(others < 5000, `no answer has the status ${status}`);
  }
}

/** Every text of every table of accounts, to look for what must be gone. */
async function dumpAccounts(db: Database): Promise<string> {
  const tables = [
    'customer',
    'invitation',
    'access_key',
    'access_audit',
    'portal_user',
    'portal_session',
    'portal_form',
    'recent_search',
    'hit_seen',
  ];
  const rows: string[] = [];
  for (const table of tables) {
    const [dump] = await db.query<{ text: string | null }>(
      sql`select query_to_xml(format('select * from %I', ${table}::text), true, true, '')::text as text`,
    );
    rows.push(dump?.text ?? '');
  }
  return rows.join('\n');
}

test('refuses the keys of a suspended customer as revoked ones, in every process, and serves them again after [8, I-30]', async (t) => {
  const database = await createTestDatabase(t);
  const second = await connectTestDatabase(database.url);
  const service = await startService(t, { database });
  const other = await startService(t, { database: { db: second, url: database.url } });
  t.after(() => second.close());
  const { name, key, keyId } = await createCustomer(service.db);
  const { key: otherKey } = await service.issue();
  for (const each of [service, other]) assert.equal((await each.call('/v1/jurisdictions', { key })).status, 200);
  await suspend(service.db, name);
  for (const each of [service, other]) {
    const refused = await each.call('/v1/jurisdictions', { key });
    assert.deepEqual(refusalOf(refused), { status: 403, code: 'key_revoked', param: undefined });
    assert.match(refused.text, /This key was revoked or replaced\. Use the key that replaced it\./);
    // What is not metered is refused too, once what was read of the key is half a second old.
    await askUntil(each, key, 403);
    assert.equal((await each.call('/v1/jurisdictions', { key: otherKey })).status, 200);
  }
  assert.equal(await countUnits(service.db, keyId), 2);
  assert.equal(await resume(service.db, name), true);
  assert.equal(await resume(service.db, name), false);
  for (const each of [service, other]) await askUntil(each, key, 200);
  assert.equal(await countUnits(service.db, keyId), 4);
});

test('counts exactly the calls that were served while a customer is suspended, resumed and removed [I-28, I-29]', async (t) => {
  const database = await createTestDatabase(t);
  const second = await connectTestDatabase(database.url);
  const services = [
    await startService(t, { database }),
    await startService(t, { database: { db: second, url: database.url } }),
  ];
  t.after(() => second.close());
  const { db } = services[0]!;
  const { name, key, keyId } = await createCustomer(db);
  const counts = { served: 0, refused: 0 };
  let isOver = false;
  const call = async (service: TestService): Promise<void> => {
    const { status } = await service.call('/v1/jurisdictions', { key });
    assert.ok(status === 200 || status === 403, `status ${status}`);
    counts[status === 200 ? 'served' : 'refused'] += 1;
  };
  const callUntil = async (isReached: () => boolean): Promise<void> => {
    while (!isReached()) await call(services[0]!);
  };
  const callers = Array.from({ length: 24 }, async (_, position) => {
    while (!isOver) await call(services[position % 2]!);
  });
  for (let round = 0; round < 3; round += 1) {
    const refusedMin = counts.refused + 200;
    await suspend(db, name);
    await callUntil(() => counts.refused >= refusedMin);
    const servedMin = counts.served + 200;
    await resume(db, name);
    await callUntil(() => counts.served >= servedMin);
  }
  await remove(db, name);
  const servedAtRemoval = counts.served;
  const refusedMin = counts.refused + 200;
  await callUntil(() => counts.refused >= refusedMin);
  isOver = true;
  await Promise.all(callers);
  // Calls that were judged before the removal were still under way.
  assert.ok(counts.served <= servedAtRemoval + callers.length);
  assert.equal(await countUnits(db, keyId), counts.served);
});

test('people of a suspended customer lose their sessions at once and see why after the right password [5.4]', async (t) => {
  const { url, db, customer, person } = await openPortal(t);
  assert.equal((await person.visit('/portal/keys')).status, 200);
  const late = await inviteCustomer(db, { customer: customer.name, email: 'late@example.org', actor });
  await suspend(db, customer.name, 'The invoice of October is open.');
  assert.equal((await person.visit('/portal/keys')).to, '/portal/sign-in?next=%2Fportal%2Fkeys');
  await person.visit('/portal/sign-in');
  const wrong = await person.post('/portal/sign-in', { email: customer.email, password: 'not the password' });
  assert.equal(wrong.status, 403);
  assert.doesNotMatch(wrong.text, /suspended/);
  const right = await person.post('/portal/sign-in', { email: customer.email, password: PASSWORD });
  assert.equal(right.status, 403);
  assert.match(right.text, /access is suspended.*The reason given: The invoice of October is open\./s);
  const invited = buildPerson(url);
  assert.equal((await invited.visit(`/portal/invitation/${late.token}`)).status, 200);
  const joined = await invited.post(`/portal/invitation/${late.token}`, { password: PASSWORD, repeated: PASSWORD });
  assert.equal(joined.status, 403);
  assert.match(joined.text, /access is suspended/);
  await resume(db, customer.name);
  await person.visit('/portal/sign-in');
  const back = await person.post('/portal/sign-in', { email: customer.email, password: PASSWORD });
  assert.equal(back.status, 303);
  // The link was not used up.
  await invited.visit(`/portal/invitation/${late.token}`);
  const again = await invited.post(`/portal/invitation/${late.token}`, { password: PASSWORD, repeated: PASSWORD });
  assert.equal(again.status, 303);
});

test('a removed customer leaves its usage and audit under a neutral name, and nothing that names it or its people', async (t) => {
  const service = await startService(t);
  const { url, db } = service;
  const customer = await createCustomer(db, { name: 'Zebulon Docketing', keyName: 'laptop of Quentin' });
  const person = await joinPortal(url, customer);
  await person.visit('/portal/account');
  await person.post('/portal/account/name', { name: 'Quentin' });
  await db.query(sql`
    insert into recent_search (user_id, digest, search, found, searched_at)
    select user_id, '\\x00', 'owner_name=Quentin', 1, now() from portal_user`);
  await person.visit('/portal/keys/new');
  await person.post('/portal/keys', { name: 'desk of Quentin', product: 'records' });
  await person.post('/portal/team/invitations', { email: 'quentin.second@example.org' });
  await inviteCustomer(db, { customer: customer.name, email: 'quentin.third@example.org', actor });
  await service.call('/v1/jurisdictions', { key: customer.key });
  const before = await db.query(sql`select from access_audit`);
  const named = new RegExp(`Zebulon|Quentin|${customer.email}`, 'i');
  assert.match(await dumpAccounts(db), named);

  const kept = await remove(db, customer.name);
  assert.match(kept, /^removed customer [0-9a-f-]{36}$/);
  assert.doesNotMatch(await dumpAccounts(db), named);
  assert.equal((await db.query(sql`select from access_audit`)).length, before.length + 1);
  assert.equal(await countUnits(db, customer.keyId), 1);
  const [audited] = await db.query<{ actors: number }>(sql`
    select count(distinct actor)::int as actors from access_audit where actor ~ '^portal person [0-9a-f]{8}$'`);
  assert.equal(audited?.actors, 1);
  assert.equal((await service.call('/v1/jurisdictions', { key: customer.key })).status, 403);
  assert.equal((await person.visit('/portal/keys')).status, 303);
  await person.visit('/portal/sign-in');
  const signIn = await person.post('/portal/sign-in', { email: customer.email, password: PASSWORD });
  assert.match(signIn.text, /The address or the password is wrong/);

  for (const change of [
    () => remove(db, kept),
    () => suspend(db, kept),
    () => resume(db, kept),
    () => issueKey(db, { customer: kept, name: null, products: ['records'], actor }),
    () => inviteCustomer(db, { customer: kept, email: 'a@example.org', actor }),
  ]) {
    await assert.rejects(change, { name: 'OperatorError', message: /is removed/ });
  }
  await assert.rejects(rotateKey(db, { id: customer.keyId, graceSeconds: 0, actor }), /is revoked/);
  // The name is free for somebody else, who gets nothing of what was.
  const successor = await issueKey(db, { customer: customer.name, name: null, products: ['records'], actor });
  assert.equal((await service.call('/v1/jurisdictions', { key: successor.key })).status, 200);
  assert.equal((await listCustomers(db)).length, 2);
});

test('people and keys that come in while their customer is removed are removed with it, or belong to a new one', async (t) => {
  const { url, db } = await startService(t);
  for (let round = 0; round < 5; round += 1) {
    const customer = await createCustomer(db, { name: `Contested ${round}` });
    const person = buildPerson(url);
    await person.visit(customer.invitation);
    const [joined] = await Promise.all([
      person.post(customer.invitation, { password: PASSWORD, repeated: PASSWORD }),
      issueKey(db, { customer: customer.name, name: 'late', products: ['records'], actor }),
      remove(db, customer.name),
    ]);
    assert.ok([303, 403, 404].includes(joined.status), `status ${joined.status}`);
    const left = await db.query(sql`
      select from customer c
      left join portal_user u on u.customer_id = c.customer_id and u.removed_at is null
      left join access_key k on k.customer_id = c.customer_id and k.revoked_at is null
      where c.removed_at is not null and (u.user_id is not null or k.key_id is not null)`);
    assert.equal(left.length, 0);
    const [mailed] = await db.query<{ users: number }>(
      sql`select count(*)::int as users from portal_user where email = ${customer.email}`,
    );
    assert.equal(mailed?.users, 0);
  }
});

test('a renamed customer keeps its keys, people and usage, and no two share a name', async (t) => {
  const service = await startService(t);
  const { db } = service;
  const customer = await createCustomer(db, { name: 'Old Name' });
  await createCustomer(db, { name: 'Taken' });
  const rename = (name: string): Promise<void> =>
    db.transaction((tx) => renameCustomer(tx, { customer: 'Old Name', name, actor }));
  await assert.rejects(rename('Taken'), { message: 'a customer Taken already exists; give another name' });
  const id = (await findCustomer(db, 'Old Name'))?.customer_id;
  const person = await joinPortal(service.url, customer);
  await person.visit('/portal/team');
  await rename('New Name');
  assert.equal((await findCustomer(db, 'New Name'))?.customer_id, id);
  assert.equal((await service.call('/v1/jurisdictions', { key: customer.key })).status, 200);
  // A form from before the change invites into the same customer.
  assert.equal((await person.post('/portal/team/invitations', { email: 'next@example.org' })).status, 303);
  assert.equal(await findCustomer(db, 'Old Name'), null);
});

test('a customer is removed while one of its watches is put, without a deadlock', async (t) => {
  const { db } = await createTestDatabase(t);
  const { name } = await createCustomer(db);
  const customer = await findCustomer(db, name);
  let removed: Promise<string> | undefined;
  const put = await db.transaction(async (tx) => {
    await holdCustomer(tx, customer!.customer_id);
    await takeTurn(tx);
    removed = remove(db, name);
    await untilBlocked(db);
    return await putWatchWithin(tx, customer!.customer_id, 'own', {
      name: 'own',
      subject: { kind: 'search', search: 'mark_name=ACME' },
    });
  });
  assert.equal(put.outcome, 'created');
  await removed;
  const [watch] = await db.query<{ name: string; ended: boolean }>(
    sql`select name, ended_at is not null as ended from watch`,
  );
  assert.deepEqual(
    watch,
    { name: 'removed', ended: true },
    'the watch was there before, and is gone with the customer',
  );
});
