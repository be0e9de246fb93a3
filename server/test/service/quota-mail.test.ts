/** Mail about quotas: one for each share that is reached, to the people of the customer, and none is lost. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import type { MailOptions } from '../../src/mail/due-mail.ts';
import { openMailer } from '../../src/mail/mailer.ts';
import { sendQuotaMail } from '../../src/mail/quota-mail.ts';
import { testLog } from '../support/database.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { type Customer, createCustomer, joinPortal } from '../support/portal.ts';
import { startService, type TestContext, type TestService } from '../support/service.ts';

interface Post {
  readonly service: TestService;
  readonly server: MailServer;
  readonly customer: Customer;
  readonly options: MailOptions;
}

async function openPost(t: TestContext, keyName = 'production'): Promise<Post> {
  const service = await startService(t);
  const server = await startMailServer(t);
  const mailer = openMailer({ url: `smtp://127.0.0.1:${server.port}`, from: 'noreply@example.com' });
  t.after(async () => mailer.close());
  const customer = await createCustomer(service.db, { quota: 1000, keyName });
  await joinPortal(service.url, customer);
  const options = { database: service.db, mailer, publicUrl: 'https://api.example', clock: systemClock, log: testLog };
  return { service, server, customer, options };
}

async function use(db: Database, keyId: string, units: number): Promise<void> {
  await db.query(sql`update key_product set units_used = ${units}::int8,
    month = date_trunc('month', now() at time zone 'UTC')::date where key_id = ${keyId}`);
}

const makeDue = (db: Database): Promise<unknown> =>
  db.query(sql`update quota_notice set next_attempt_at = now() where next_attempt_at is not null`);

const subjectsOf = ({ taken }: MailServer): string[] =>
  taken.map(({ source }) => /^Subject: (.*(?:\r\n .*)*)/m.exec(source)?.[1] ?? '');

test('mail goes out once at 80 % and once at 100 % of a quota, to everybody of the customer and nobody else', async (t) => {
  const { service, server, customer, options } = await openPost(t);
  const other = await createCustomer(service.db, { quota: 1000 });
  await joinPortal(service.url, other);
  for (const units of [799, 800, 801, 1000, 1000]) {
    await use(service.db, customer.keyId, units);
    await sendQuotaMail(options);
  }
  assert.deepEqual(subjectsOf(server), [
    '80 % of the quota used: production (records)',
    'Quota used up: production (records)',
  ]);
  assert.deepEqual(
    server.taken.map(({ from, to }) => [from, to]),
    [
      ['noreply@example.com', [customer.email]],
      ['noreply@example.com', [customer.email]],
    ],
  );
  const [first] = server.taken;
  assert.match(first!.source, /800 of 1,000 units/);
  assert.match(first!.source.replace(/=\r\n/g, ''), new RegExp(`https://api\\.example/portal/keys/${customer.keyId}`));
  assert.ok(!first!.source.includes(customer.key));
});

test('a quota that is reached at once sends one notice, and another when it was raised and is reached again', async (t) => {
  const { service, server, customer, options } = await openPost(t);
  await use(service.db, customer.keyId, 1000);
  await sendQuotaMail(options);
  assert.deepEqual(subjectsOf(server), ['Quota used up: production (records)']);
  await service.db.query(sql`update key_product set quota = 1200 where key_id = ${customer.keyId}`);
  await sendQuotaMail(options);
  await sendQuotaMail(options);
  assert.deepEqual(subjectsOf(server).slice(1), ['80 % of the quota used: production (records)']);
});

test('processes that check at the same time send one mail', async (t) => {
  const { service, server, customer, options } = await openPost(t);
  await use(service.db, customer.keyId, 850);
  await Promise.all(Array.from({ length: 8 }, () => sendQuotaMail(options)));
  assert.equal(server.taken.length, 1);
});

test('a mail that the server refuses is sent later, and one attempt that was cut off too', async (t) => {
  const { service, server, customer, options } = await openPost(t);
  await use(service.db, customer.keyId, 850);
  server.refuse(1);
  await sendQuotaMail(options);
  await sendQuotaMail(options);
  assert.equal(server.taken.length, 0, 'not before its pause has passed');
  const [notice] = await service.db.query<{ attempts: number; failure: string }>(
    sql`select attempts, failure from quota_notice`,
  );
  assert.equal(notice?.attempts, 1);
  assert.match(notice?.failure ?? '', /try again later/);
  await makeDue(service.db);
  const cut: MailOptions = {
    ...options,
    mailer: { ...options.mailer, send: async () => await Promise.reject(new Error('the process died')) },
  };
  await sendQuotaMail(cut);
  await makeDue(service.db);
  await sendQuotaMail(options);
  await makeDue(service.db);
  await sendQuotaMail(options);
  assert.equal(server.taken.length, 1);
});

test('a mail is not tried again after days of failures, and the notice has the reason', async (t) => {
  const { service, server, customer, options } = await openPost(t);
  await use(service.db, customer.keyId, 850);
  server.refuse(1000);
  for (let attempt = 0; attempt < 25; attempt += 1) {
    await sendQuotaMail(options);
    await makeDue(service.db);
  }
  const [notice] = await service.db.query<Record<string, unknown>>(
    sql`select attempts, sent_at::text as sent_at, failure, next_attempt_at::text as next_attempt_at from quota_notice`,
  );
  assert.deepEqual({ ...notice, failure: null }, { attempts: 20, sent_at: null, failure: null, next_attempt_at: null });
});

test('a name cannot add a header or a line to a mail', async (t) => {
  const { service, server, customer, options } = await openPost(t, 'a\r\nBcc: victim@example.com');
  await use(service.db, customer.keyId, 850);
  await sendQuotaMail(options);
  assert.deepEqual(server.taken[0]?.to, [customer.email]);
  assert.doesNotMatch(server.taken[0]?.source ?? '', /^Bcc:/im);
});

test('keys without a quota, revoked keys and units of an earlier month are no reason for mail', async (t) => {
  const { service, server, customer, options } = await openPost(t);
  await service.db.query(
    sql`update key_product set units_used = 1000, month = '2020-01-01' where key_id = ${customer.keyId}`,
  );
  await sendQuotaMail(options);
  await use(service.db, customer.keyId, 1000);
  await service.db.query(sql`update key_product set quota = null where key_id = ${customer.keyId}`);
  await sendQuotaMail(options);
  await service.db.query(sql`update key_product set quota = 10 where key_id = ${customer.keyId}`);
  await service.db.query(sql`update access_key set revoked_at = now() where key_id = ${customer.keyId}`);
  await sendQuotaMail(options);
  assert.deepEqual(server.taken, []);
});

test('a mail server whose certificate nobody vouches for gets no mail', async (t) => {
  const server = await startMailServer(t, { secure: true });
  const mailer = openMailer({ url: `smtps://127.0.0.1:${server.port}`, from: 'noreply@example.com' });
  t.after(async () => mailer.close());
  const message = { to: ['a@example.com'], subject: 'x', text: 'x', messageId: '<x@example.com>' };
  await assert.rejects(mailer.send(message), /self.signed|certificate/i);
  assert.deepEqual(server.taken, []);
});
