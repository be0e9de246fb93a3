/** Digests of hits and mail about webhooks: once, to whom they are for, and none is lost. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import type { MailOptions } from '../../src/mail/due-mail.ts';
import { sendHitDigests } from '../../src/mail/hit-digest.ts';
import { openMailer } from '../../src/mail/mailer.ts';
import { sendWebhookMail } from '../../src/mail/webhook-mail.ts';
import { testLog } from '../support/database.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { openPortal } from '../support/open-portal.ts';
import { type Customer, createCustomer, follow, joinPortal, type Person } from '../support/portal.ts';
import { startService, type TestContext, type TestService } from '../support/service.ts';
import { storeHit, storeWatch, storeWebhook } from '../support/watch-hits.ts';

interface Post {
  readonly service: TestService;
  readonly server: MailServer;
  readonly customer: Customer;
  readonly person: Person;
  readonly watch: string;
  readonly options: MailOptions;
}

async function openPost(t: TestContext): Promise<Post> {
  const service = await startService(t, { config: { smtpUrl: 'smtp://127.0.0.1:1' } });
  const server = await startMailServer(t);
  const mailer = openMailer({ url: `smtp://127.0.0.1:${server.port}`, from: 'noreply@example.com' });
  t.after(async () => mailer.close());
  const customer = await createCustomer(service.db);
  return {
    service,
    server,
    customer,
    person: await joinPortal(service.url, customer),
    watch: await storeWatch(service.db, customer.name),
    options: { database: service.db, mailer, publicUrl: 'https://api.example', log: testLog },
  };
}

async function ask(person: Person, digest: 'on' | 'off'): Promise<string> {
  await person.visit('/portal/account');
  return (await follow(person, await person.post('/portal/account/digest', { digest }))).text;
}

const makeDue = (db: Database): Promise<unknown> => db.query(sql`update hit_digest set due_at = now()`);

const subjectsOf = ({ taken }: MailServer): string[] =>
  taken.map(({ source }) => /^Subject: (.*(?:\r\n .*)*)/m.exec(source)?.[1] ?? '');

test('a person who asks for a digest gets one a day with counts by watch, nothing of a record, and none on a quiet day', async (t) => {
  const { service, server, customer, person, watch, options } = await openPost(t);
  await storeHit(service.db, watch, 'before it was asked for');
  assert.match(await ask(person, 'on'), /daily digest from now on/);
  await sendHitDigests(options);
  assert.equal(server.taken.length, 0, 'it is not due');
  await makeDue(service.db);
  await sendHitDigests(options);
  assert.equal(server.taken.length, 0, 'nothing to send');
  await storeHit(service.db, watch, 'FR-SECRET-1');
  await storeHit(service.db, watch, 'FR-SECRET-2');
  await sendHitDigests(options);
  assert.equal(server.taken.length, 0, 'once a day');
  await makeDue(service.db);
  await Promise.all(Array.from({ length: 6 }, () => sendHitDigests(options)));
  assert.deepEqual(subjectsOf(server), ['Hits of 1 watch']);
  const [mail] = server.taken;
  assert.deepEqual(mail!.to, [customer.email]);
  assert.match(mail!.source, /Watch brands \(brands\): 2 began to match/);
  assert.match(mail!.source, /https:\/\/api\.example\/portal\/watches/);
  assert.doesNotMatch(mail!.source, /FR-SECRET/);
  await makeDue(service.db);
  await sendHitDigests(options);
  assert.equal(server.taken.length, 1, 'each hit once');
  await service.db.query(sql`update watch set reference = ${'M-2041\nBcc: x'}`);
  await storeHit(service.db, watch);
  await makeDue(service.db);
  await sendHitDigests(options);
  assert.match(server.taken[1]!.source, /Watch brands \(brands, your reference M-2041 Bcc: x\): 1 began to match/);
});

test('a digest that cannot be sent comes later with the same hits, and an abandoned one is in the next', async (t) => {
  const { service, server, person, watch, options } = await openPost(t);
  await ask(person, 'on');
  await storeHit(service.db, watch);
  server.refuse(1000);
  await makeDue(service.db);
  await sendHitDigests(options);
  await storeHit(service.db, watch);
  server.refuse(0);
  await makeDue(service.db);
  await sendHitDigests(options);
  assert.match(server.taken[0]!.source, /: 1 began to match/, 'what it covers is settled by the first attempt');
  server.refuse(1000);
  for (let attempt = 0; attempt < 20; attempt += 1) {
    await makeDue(service.db);
    await sendHitDigests(options);
  }
  await storeHit(service.db, watch);
  server.refuse(0);
  await makeDue(service.db);
  await sendHitDigests(options);
  assert.match(server.taken[1]!.source, /: 2 began to match/);
});

test('a digest ends when it is switched off, when the person is removed, and while the customer is suspended', async (t) => {
  const { service, server, customer, person, watch, options } = await openPost(t);
  await ask(person, 'on');
  await storeHit(service.db, watch);
  await service.db.query(sql`update customer set suspended_at = now()`);
  await makeDue(service.db);
  await sendHitDigests(options);
  assert.equal(server.taken.length, 0);
  await service.db.query(sql`update customer set suspended_at = null`);
  assert.match(await ask(person, 'off'), /no more digests/);
  await sendHitDigests(options);
  assert.equal(server.taken.length, 0);
  await ask(person, 'on');
  await service.db.query(sql`update portal_user set removed_at = now() where email = ${customer.email}`);
  await storeHit(service.db, watch);
  await makeDue(service.db);
  await sendHitDigests(options);
  assert.equal(server.taken.length, 0);
});

test('without a mail server nobody is offered a digest, and none can be asked for', async (t) => {
  const { person } = await openPortal(t);
  assert.doesNotMatch((await person.visit('/portal/account')).text, /digest/);
  assert.equal((await person.post('/portal/account/digest', { digest: 'on' })).status, 409);
});

test('everybody of a customer gets one mail that a webhook was switched off, without its path', async (t) => {
  const { service, server, customer, watch, options } = await openPost(t);
  const id = await storeWebhook(service.db, customer.name, watch);
  await sendWebhookMail(options);
  assert.equal(server.taken.length, 0, 'it is live');
  await service.db.query(sql`update webhook set off_since = now(), off_reason = 'failed', tell_at = now()`);
  server.refuse(1);
  await sendWebhookMail(options);
  const due = sql`update webhook set tell_at = now() where tell_at is not null`;
  await service.db.query(due);
  await Promise.all(Array.from({ length: 6 }, () => sendWebhookMail(options)));
  await service.db.query(due);
  await sendWebhookMail(options);
  assert.deepEqual(subjectsOf(server), ['Webhook switched off: example.com:443']);
  const [mail] = server.taken;
  assert.deepEqual(mail!.to, [customer.email]);
  assert.match(mail!.source, /accepted nothing for three days/);
  assert.ok(mail!.source.includes(`https://api.example/portal/webhooks/${id}`));
  assert.doesNotMatch(mail!.source, /hooks\/trademarks/);
});
