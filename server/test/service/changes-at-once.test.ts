/**
 * Two changes at once: what a change decided before it waited for the other is decided again after it, and no bound is
 * passed by two that are both just within it.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { removeCustomer, renameCustomer } from '../../src/access/customers.ts';
import type { Transaction } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { findCustomer, holdCustomer } from '../../src/store/accounts/customers.ts';
import { leaveDocket, startDocket } from '../../src/store/accounts/dockets.ts';
import { noteSearch } from '../../src/store/accounts/saved-searches.ts';
import { endWatch, findSubject, findWatch, putWatch, putWatchWithin } from '../../src/store/watches/watches.ts';
import { prune } from '../../src/upkeep/retention/retention.ts';
import { createTestDatabase, untilBlocked } from '../support/database.ts';
import { storeDockets } from '../support/dockets.ts';
import { openPortal } from '../support/open-portal.ts';
import { createCustomer, joinAsOperator } from '../support/portal.ts';
import { storeWatch } from '../support/watch-hits.ts';

const rename = (customer: string, name: string) => (tx: Transaction) =>
  renameCustomer(tx, { customer, name, actor: 'test' });

test('of two customers that are renamed to one name at once, one is refused', async (t) => {
  const { db } = await createTestDatabase(t);
  const [one, other] = [await createCustomer(db), await createCustomer(db)];
  let refused: Promise<unknown> = Promise.resolve();
  await db.transaction(async (tx) => {
    await rename(one.name, 'Same')(tx);
    refused = assert.rejects(db.transaction(rename(other.name, 'Same')), {
      message: 'a customer Same already exists; give another name',
    });
    await untilBlocked(db);
  });
  await refused;
  assert.notEqual(await findCustomer(db, other.name), null);
});

test('an operator issues a key, and invites, while the customer is renamed: to the same customer', async (t) => {
  const { db, customer, url } = await openPortal(t);
  const operator = await joinAsOperator(url, db);
  const { customer_id: id } = (await findCustomer(db, customer.name))!;
  const path = `/portal/operator/customers/${id}`;
  await operator.visit('/portal/account');
  let sent: Promise<{ status: number }[]> = Promise.resolve([]);
  await db.transaction(async (tx) => {
    await rename(customer.name, 'New name')(tx);
    sent = Promise.all([
      operator.post(`${path}/keys`, { name: 'new', product: ['records'], rate: '60', quota: '' }),
      operator.post(`${path}/invitations`, { email: 'next@example.org' }),
    ]);
    await untilBlocked(db, 2);
  });
  assert.deepEqual(
    (await sent).map(({ status }) => status),
    [303, 303],
  );
  assert.deepEqual(await db.query(sql`select name from customer`), [{ name: 'New name' }]);
});

test('a team has as many open invitations as it may, also if two people invite at once', async (t) => {
  const { db, person, customer } = await openPortal(t);
  const { customer_id: id } = (await findCustomer(db, customer.name))!;
  await db.query(sql`
    insert into invitation (token_digest, customer_id, email, created_at, expires_at)
    select sha256(number::text::bytea), ${id}::uuid, number || '@example.org', now(), now() + interval '1 day'
    from generate_series(1, 49) as number`);
  await person.visit('/portal/account');
  let sent: Promise<{ status: number }[]> = Promise.resolve([]);
  await db.transaction(async (tx) => {
    await tx.query(sql`select from customer where customer_id = ${id}::uuid for update`);
    sent = Promise.all(
      ['a', 'b'].map((who) => person.post('/portal/team/invitations', { email: `${who}@example.org`, role: 'member' })),
    );
    await untilBlocked(db, 2);
  });
  assert.deepEqual((await sent).map(({ status }) => status).sort(), [303, 422]);
});

test('a watch that is made live again while it is being removed for its age stays, with what it lists', async (t) => {
  const { db } = await createTestDatabase(t);
  const { name } = await createCustomer(db);
  const { customer_id: id } = (await findCustomer(db, name))!;
  const records = [{ jurisdiction_code: 'FR', uid: 'one' }];
  const definition = { name: 'own', subject: { kind: 'records', records } } as const;
  await putWatch(db, id, 'own', definition);
  await endWatch(db, id, 'own');
  await db.query(sql`update watch set ended_at = now() - interval '50 days'`);
  const keep = { keepCallsDays: 1, keepRefusalsDays: 1, keepUsageDays: 1, keepAuditDays: 1, keepFindingsDays: 1 };
  const clean = (): Promise<unknown> =>
    prune(db, {
      days: { ...keep, keepWatchesDays: 1 },
      sessions: { idleSeconds: 60, absoluteSeconds: 600 },
      attemptSeconds: 60,
    });
  await db.transaction(async (tx) => {
    const { outcome } = await putWatchWithin(tx, id, 'own', definition);
    assert.equal(outcome, 'changed');
    await clean();
  });
  await clean();
  const watch = await findWatch(db, id, 'own');
  assert.equal(watch?.ended_at, null);
  assert.deepEqual(await findSubject(db, watch!), { kind: 'records', records });
});

test('a docket that another person has begun to compare is not read in a second way', async (t) => {
  const { db } = await createTestDatabase(t);
  const { keyId } = await createCustomer(db);
  await storeDockets(db, keyId);
  const [docket] = await db.query<{ docket_id: string }>(sql`
    select docket_id::text as docket_id from docket where reading is null`);
  const start = (isFirst: boolean, reading: string): Promise<boolean> =>
    db.transaction((tx) =>
      startDocket(
        tx,
        docket!.docket_id,
        { isFirst, reading: { reading }, key_id: keyId, known_through: {}, remembers: false },
        60,
      ),
    );
  assert.equal(await start(true, 'one'), true);
  await leaveDocket(db, docket!.docket_id, null);
  assert.equal(await start(true, 'other'), false);
  assert.equal(await start(false, 'one'), true);
});

test('a person has as many recent searches as are kept, also if several are made at once', async (t) => {
  const { db } = await createTestDatabase(t);
  const { name } = await createCustomer(db);
  const [user] = await db.query<{ user_id: string }>(sql`
    insert into portal_user (user_id, customer_id, email, created_at)
    select gen_random_uuid(), customer_id, 'a@example.org', now() from customer where name = ${name} returning user_id`);
  const search = (at: number): Promise<void> =>
    noteSearch(db, user!.user_id, { search: `mark_name=${at}`, found: null });
  for (let at = 0; at < 20; at += 1) await search(at);
  let searches: Promise<unknown> = Promise.resolve();
  await db.transaction(async (tx) => {
    await tx.query(sql`select from portal_user for no key update`);
    searches = Promise.all([20, 21, 22].map(search));
    await untilBlocked(db, 3);
  });
  await searches;
  assert.equal((await db.query(sql`select from recent_search`)).length, 20);
});

test('what a person or a program does while the customer is being removed is refused, and leaves nothing [5.6]', async (t) => {
  const { db, person, customer, url } = await openPortal(t);
  await storeWatch(db, customer.name);
  await person.visit('/portal/account');
  const forms: [path: string, form: Record<string, string>][] = [
    ['/portal/account/name', { name: 'Ada' }],
    ['/portal/searches/new', { search: 'nice_class=9', name: 'kept' }],
    ['/portal/new-watch', { kind: 'search', name: 'kept', search: 'nice_class=9', do: 'save' }],
  ];
  const put = (path: string, body: object): Promise<Response> =>
    fetch(`${url}${path}`, {
      method: 'PUT',
      headers: { 'x-api-key': customer.key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  let sent: Promise<{ status: number }[]> = Promise.resolve([]);
  await db.transaction(async (tx) => {
    const { customer_id: id } = (await findCustomer(db, customer.name))!;
    await tx.query(sql`select from customer where customer_id = ${id}::uuid for update`);
    sent = Promise.all([
      ...forms.map(([path, form]) => person.post(path, form)),
      put('/v1/watches/kept', { name: 'kept', search: 'nice_class=9' }),
      put('/v1/webhooks/kept', { url: 'https://kept.example/hook' }),
    ]);
    await untilBlocked(db, forms.length + 2);
    await removeCustomer(tx, { customer: customer.name, actor: 'test' });
  });
  assert.deepEqual(
    (await sent).map(({ status }) => status),
    [404, 404, 404, 403, 403],
  );
  const kept = await db.query(sql`
    select name from watch where name <> 'removed' union all select name from saved_search union all
    select name from portal_user where name is not null union all select url from webhook union all
    select change::text from access_audit where change::text ~ 'kept|Ada|@'`);
  assert.deepEqual(kept, []);
  const { customer_id: gone } = (await db.query<{ customer_id: string }>(sql`select customer_id from customer`))[0]!;
  assert.equal(await db.transaction((tx) => holdCustomer(tx, gone)), null);
});
