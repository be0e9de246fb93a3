/**
 * Transactions that change the same rows at the same time: in one order, so that none is undone as a deadlock. In each
 * test, one stops between its locks while another one begins.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { removeCustomer, suspendCustomer } from '../../src/access/customers.ts';
import { revokeKey, setKey } from '../../src/access/keys.ts';
import type { Database, Transaction } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { endAgreements } from '../../src/store/accounts/agreements.ts';
import { findCustomer } from '../../src/store/accounts/customers.ts';
import { lockMemory, openMemory } from '../../src/store/accounts/docket-memory.ts';
import { deleteDocket, lockDocket, putMarks } from '../../src/store/accounts/dockets.ts';
import { lockKey } from '../../src/store/accounts/keys.ts';
import { removeMember } from '../../src/store/accounts/portal.ts';
import { insertQuotaNotices } from '../../src/store/accounts/quota-notices.ts';
import { dismissFiling, noteOverdue } from '../../src/store/dates/filings.ts';
import { lockPublishing } from '../../src/store/publish/feed-clock.ts';
import { closeRejects } from '../../src/store/publish/findings.ts';
import { rowTable } from '../../src/store/publish/source-rows.ts';
import { settleSupplements } from '../../src/store/publish/supplements.ts';
import { putHandling } from '../../src/store/watches/hit-handling.ts';
import { writeForms } from '../../src/upkeep/retention/hold-pseudo-marks.ts';
import { createTestDatabase, untilBlocked } from '../support/database.ts';
import { storeDockets } from '../support/dockets.ts';
import { createCustomer, storeMark } from '../support/portal.ts';
import { storeHit, storeWatch, storeWebhook } from '../support/watch-hits.ts';

/** `other` begins between two parts of a transaction, and waits for it. Both have to succeed. */
async function meet(
  db: Database,
  first: (tx: Transaction) => Promise<unknown>,
  other: () => Promise<unknown>,
  second: (tx: Transaction) => Promise<unknown>,
): Promise<void> {
  let begun: Promise<unknown> = Promise.resolve();
  const whole = db.transaction(async (tx) => {
    await first(tx);
    begun = other();
    await untilBlocked(db);
    await second(tx);
  });
  const outcomes = [await Promise.allSettled([whole]), await Promise.allSettled([begun])].flat();
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}

const remove = (db: Database, customer: string): Promise<string> =>
  db.transaction((tx) => removeCustomer(tx, { customer, actor: 'test' }));

/** Rows on which the first transaction waits come last on the page, so that only an order finds them first. */
async function storePeople(db: Database, customer: string, count: number): Promise<string[]> {
  const rows = await db.query<{ user_id: string }>(sql`
    insert into portal_user (user_id, customer_id, email, created_at)
    select gen_random_uuid(), customer_id, 'p' || number || '@example.org', now()
    from customer, generate_series(1, ${count}::int) as number where name = ${customer} returning user_id`);
  return rows.map(({ user_id }) => user_id);
}

test('the limits of a key change while its calls are judged [5.4, I-29]', async (t) => {
  const { db } = await createTestDatabase(t);
  const { keyId } = await createCustomer(db, { products: ['records', 'analytics'] });
  const count = (product: string) => (tx: Transaction) =>
    tx.query(sql`
      update key_product set window_calls = window_calls + 1 where key_id = ${keyId} and product = ${product}`);
  // In the order of judged calls.
  await meet(db, count('analytics'), () => setKey(db, { id: keyId, quota: 5, actor: 'test' }), count('records'));
  const products = await db.query(sql`
    select product, quota::int4 as quota, window_calls from key_product order by product`);
  assert.deepEqual(products, [
    { product: 'analytics', quota: 5, window_calls: 1 },
    { product: 'records', quota: 5, window_calls: 1 },
  ]);
});

test('a customer is removed while one of its keys changes', async (t) => {
  const { db } = await createTestDatabase(t);
  const { name, keyId } = await createCustomer(db);
  await meet(
    db,
    (tx) => lockKey(tx, keyId),
    () => remove(db, name),
    (tx) => endAgreements(tx, keyId),
  );
  await revokeKey(db, { id: keyId, actor: 'test' });
});

test('a customer is removed while its hits become deliveries', async (t) => {
  const { db } = await createTestDatabase(t);
  const { name } = await createCustomer(db);
  const watch = await storeWatch(db, name);
  const webhook = await storeWebhook(db, name, watch);
  await meet(
    db,
    (tx) => tx.query(sql`select from webhook where webhook_id = ${webhook} for no key update`),
    () => remove(db, name),
    (tx) =>
      tx.query(sql`
        insert into webhook_delivery (delivery_id, webhook_id, watch_id, after, through, created_at, delivered_at)
        values (gen_random_uuid(), ${webhook}, ${watch}::uuid, now(), now(), now(), now())`),
  );
  assert.deepEqual(await db.query(sql`select from webhook_delivery`), []);
});

test('a customer is removed, or deletes a docket, while its rows are compared and marked', async (t) => {
  const { db } = await createTestDatabase(t);
  const { name, keyId } = await createCustomer(db);
  const { customer_id: id } = (await findCustomer(db, name))!;
  await storeDockets(db, keyId);
  const [docket] = await db.query<{ docket_id: string }>(sql`
    select docket_id::text as docket_id from docket_mark limit 1`);
  const { docket_id: docketId } = docket!;
  const mark = (line: number) => (tx: Transaction) =>
    putMarks(tx, docketId, [{ line, part: 0, result: 'match', state: 'done', note: null }], 'ada', false);
  const [marked] = await db.query<{ line: number }>(sql`
    select line from docket_mark where docket_id = ${docketId}::uuid`);
  await db.transaction((tx) => openMemory(tx, id, Buffer.alloc(32)));
  await meet(
    db,
    async (tx) => {
      await lockDocket(tx, docketId);
      await mark(marked!.line)(tx);
    },
    () => deleteDocket(db, id, docketId),
    mark(1_000),
  );
  const [other] = await db.query<{ docket_id: string }>(sql`select docket_id::text as docket_id from docket limit 1`);
  await meet(
    db,
    (tx) => lockMemory(tx, id),
    () => remove(db, name),
    async (tx) => assert.equal(await lockDocket(tx, other!.docket_id), true),
  );
  assert.deepEqual(await db.query(sql`select from docket`), []);
});

test('a customer is suspended while a person ends sessions', async (t) => {
  const { db } = await createTestDatabase(t);
  const { name } = await createCustomer(db);
  const [user] = await storePeople(db, name, 1);
  for (const token of ['b', 'a']) {
    await db.query(sql`
      insert into portal_session (token_digest, user_id, created_at, seen_at)
      values (${Buffer.from(token)}, ${user!}::uuid, now(), now())`);
  }
  const end = (token: string) => (tx: Transaction) =>
    tx.query(sql`delete from portal_session where token_digest = ${Buffer.from(token)}`);
  await meet(
    db,
    end('a'),
    () => db.transaction((tx) => suspendCustomer(tx, { customer: name, actor: 'test', reason: null })),
    end('b'),
  );
});

test('a person leaves the team while a colleague handles several hits', async (t) => {
  const { db } = await createTestDatabase(t);
  const { name } = await createCustomer(db);
  const [leaving, colleague] = await storePeople(db, name, 2);
  const watchId = await storeWatch(db, name);
  for (const uid of ['b', 'a']) await storeHit(db, watchId, uid);
  const hits = await db.query<{ stamp: string; jurisdiction_code: string; uid: string; event: 'begins' }>(sql`
    select stamp::text as stamp, jurisdiction_code, uid, event from watch_hit order by uid`);
  const handle = (at: number, by: string, assignedTo?: string) => (tx: Transaction) =>
    putHandling(tx, watchId, [hits[at]!], {
      change: assignedTo === undefined ? { isDone: true } : { assignedTo },
      userId: by,
    });
  for (const at of [1, 0]) await db.transaction(handle(at, leaving!, leaving!));
  await meet(
    db,
    handle(0, colleague!),
    () => db.transaction((tx) => removeMember(tx, leaving!)),
    handle(1, colleague!),
  );
  assert.deepEqual(
    await db.query(sql`select uid, assigned_to, done_at is not null as done from hit_handling order by uid`),
    [
      { uid: 'a', assigned_to: null, done: true },
      { uid: 'b', assigned_to: null, done: true },
    ],
  );
});

test('two servers note the same quotas', async (t) => {
  const { db } = await createTestDatabase(t);
  const { name, keyId } = await createCustomer(db, { quota: 10 });
  const { customer_id: id } = (await findCustomer(db, name))!;
  // The key that comes last in the order comes first on the page.
  await db.query(sql`
    update key_product set units_used = 9, month = date_trunc('month', now() at time zone 'UTC')::date`);
  await db.query(sql`
    insert into access_key (key_id, customer_id, created_at) values ('!', ${id}::uuid, now())`);
  await db.query(sql`
    insert into key_product (key_id, product, enabled, rate_limit_per_minute, quota, month, units_used)
    select '!', product, enabled, rate_limit_per_minute, quota, month, units_used from key_product`);
  const note = (key: string) => (tx: Transaction) =>
    tx.query(sql`
      insert into quota_notice (key_id, product, month, percent, quota, noticed_at)
      select key_id, product, month, 80, quota, now() from key_product where key_id = ${key} on conflict do nothing`);
  await meet(db, note('!'), () => insertQuotaNotices(db, [80]), note(keyId));
  assert.equal((await db.query(sql`select from quota_notice`)).length, 2);
});

test('filings that become overdue are noted without a wait for one that is being dismissed', async (t) => {
  const { db } = await createTestDatabase(t);
  const { name } = await createCustomer(db);
  const [user] = await storePeople(db, name, 1);
  const { customer_id: id } = (await findCustomer(db, name))!;
  const [dismissed] = await db.query<{ alarm_id: string }>(sql`
    insert into filing_alarm (alarm_id, customer_id, jurisdiction_code, uid, filing, filed_on, warn_on, created_at,
      created_by, checked_through)
    select gen_random_uuid(), ${id}::uuid, 'FR', uid, 'renewal', '2026-01-02', '2026-02-02', now(), ${user!}::uuid, now()
    from unnest(array['dismissed', 'overdue']) as uid returning alarm_id`);
  await db.transaction(async (tx) => {
    await dismissFiling(tx, id, dismissed!.alarm_id);
    await noteOverdue(db);
  });
  assert.deepEqual(await db.query(sql`select uid, is_warned from filing_alarm order by uid`), [
    { uid: 'dismissed', is_warned: false },
    { uid: 'overdue', is_warned: true },
  ]);
});

test('two loads settle the same supplements', async (t) => {
  const { db } = await createTestDatabase(t);
  const loadId = randomUUID();
  const parts = rowTable(loadId, 'parts');
  await db.query(sql`
    insert into supplement_change (part, load_id) select part, ${loadId}::uuid from unnest(array['b', 'a']) as part`);
  await db.query(sql`create table ${parts} as select part, load_id from supplement_change`, { prepare: false });
  const settle = (part: string) => (tx: Transaction) =>
    tx.query(sql`delete from supplement_change where part = ${part}`);
  await meet(db, settle('a'), () => settleSupplements(db, loadId), settle('b'));
  assert.deepEqual(await db.query(sql`select from supplement_change`), []);
});

test('pseudo marks are written while a publish changes the same records', async (t) => {
  const { db } = await createTestDatabase(t);
  for (const uid of ['b', 'a']) await storeMark(db, { uid, mark_name: uid });
  const changes = await db.query<{ uid: string; updated_at: string }>(sql`
    select uid, updated_at::text as updated_at from record order by uid desc`);
  const publish = (uid: string) => (tx: Transaction) =>
    tx.query(sql`update record set source_version = '1' where uid = ${uid}`);
  await meet(
    db,
    async (tx) => {
      await lockPublishing(tx);
      await publish('a')(tx);
    },
    () =>
      writeForms(
        db,
        changes.map(({ uid, updated_at }) => ({ key: ['FR', uid], updated_at, forms: uid })),
      ),
    publish('b'),
  );
  assert.deepEqual(await db.query(sql`select mark_variants, source_version from record order by uid`), [
    { mark_variants: 'a', source_version: '1' },
    { mark_variants: 'b', source_version: '1' },
  ]);
});

test('an operator closes the rejects of a load without a wait for those that a load is answering', async (t) => {
  const { db } = await createTestDatabase(t);
  const loadId = randomUUID();
  await db.query(sql`
    insert into load_reject (load_id, ordinal, position, reason, raw)
    select ${loadId}::uuid, ordinal, 'line', 'reason', '' from generate_series(1, 3) as ordinal`);
  const answer = (ordinal: number) => (tx: Transaction) =>
    tx.query(sql`update load_reject set closed_at = now(), closed_by = 'load' where ordinal = ${ordinal}`);
  await db.transaction(async (tx) => {
    await answer(2)(tx);
    assert.equal(await closeRejects(db, { loadId, ordinals: null, actor: 'operator' }), 2);
    await answer(1)(tx);
  });
  const closed = await db.query<{ closed_by: string }>(sql`select closed_by from load_reject order by ordinal`);
  assert.deepEqual(
    closed.map(({ closed_by }) => closed_by),
    ['load', 'load', 'operator'],
  );
});
