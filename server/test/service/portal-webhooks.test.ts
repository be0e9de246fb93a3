/** The pages of webhooks: what a customer may do there, with its own alone, and secrets that are shown once. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { systemClock } from '../../src/base/clock.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { RECEIVER_JAVASCRIPT } from '../../src/portal/webhooks/guide.ts';
import { askNameServers } from '../../src/webhook/post.ts';
import { buildSecretBox } from '../../src/webhook/secrets.ts';
import { buildSender } from '../../src/webhook/sender.ts';
import { testLog } from '../support/database.ts';
import { createCustomer, follow, joinAsOperator, joinPortal, type Person } from '../support/portal.ts';
import { answerWith, startReceiver } from '../support/receiver.ts';
import { storeHit } from '../support/watch-hits.ts';
import { openDesk } from '../support/webhook-desk.ts';

/** Adds a webhook; resolves to its page and its secret. */
async function add(person: Person, url: string, watch = '*'): Promise<{ page: string; secret: string }> {
  await person.visit('/portal/webhooks/new');
  const shown = await follow(person, await person.post('/portal/webhooks', { url, watch }));
  const secret = /whsec_[A-Za-z0-9+/=]+/.exec(shown.text)?.[0];
  const page = /href="(\/portal\/webhooks\/[a-z0-9]{12})"/.exec(shown.text)?.[1];
  assert.ok(secret !== undefined && page !== undefined, shown.text);
  return { page, secret };
}

test('a webhook is added, notified of hits under the secret that was shown once, and its answers are on its page', async (t) => {
  const { service, person, watch, send } = await openDesk(t);
  const receiver = await startReceiver(t);
  const { page, secret } = await add(person, receiver.url, 'brands');
  assert.equal((await person.visit(`${page}/secret`)).status, 410);
  assert.ok(!(await person.visit(page)).text.includes(secret));
  await storeHit(service.db, watch);
  await send();
  const { body, headers } = receiver.received[0]!;
  assert.ok(new Webhook(secret).verify(body, headers as Record<string, string>));
  const shown = await person.visit(page);
  assert.match(shown.text, /Watch brands/);
  assert.match(shown.text, /204, 0 bytes, [\d,]+ ms/);
  assert.match(shown.text, />delivered</);
  const list = await person.visit('/portal/webhooks');
  assert.match(list.text, />live</);
  assert.match((await person.visit('/portal/team/activity')).text, /Webhook added/);
});

test('an address that is private, plain or invalid is refused with a message, and what was typed stays', async (t) => {
  const { person, service } = await openDesk(t, 'refuse');
  for (const [url, words] of [
    ['https://169.254.169.254/latest', /public internet/],
    ['https://[::ffff:10.0.0.1]/', /public internet/],
    ['http://example.com/', /begin with https/],
    ['example', /whole address/],
    ['https://a:b@example.com/', /user and password/],
  ] as const) {
    await person.visit('/portal/webhooks/new');
    const answer = await person.post('/portal/webhooks', { url, watch: '*' });
    assert.equal(answer.status, 422, url);
    assert.match(answer.text, words);
    assert.ok(answer.text.includes(`value="${url}"`), url);
  }
  await person.visit('/portal/webhooks/new');
  const unknown = await person.post('/portal/webhooks', { url: 'https://example.com/', watch: 'none' });
  assert.match(unknown.text, /no such watch/);
  assert.deepEqual(await service.db.query(sql`select webhook_id from webhook`), []);
});

test('a webhook that was switched off is on its page with why, and once it is on gets what waited', async (t) => {
  const { service, person, watch, send } = await openDesk(t);
  const receiver = await startReceiver(t, answerWith(410));
  const { page } = await add(person, receiver.url);
  await storeHit(service.db, watch);
  await send();
  const off = await person.visit(page);
  assert.match(off.text, /answered 410, which means that it wants no more deliveries/);
  assert.match(off.text, /waits until the webhook is switched on/);
  assert.match((await person.visit('/portal/team/activity')).text, /the receiver answered 410/);
  assert.match((await person.visit('/portal')).text, /is off: the receiver answered 410/);
  receiver.answer = answerWith(200);
  await follow(person, await person.post(`${page}/on`));
  await send();
  assert.equal(receiver.received.length, 2);
  assert.match((await follow(person, await person.post(`${page}/off`))).text, /switched off/);
  await storeHit(service.db, watch);
  await send();
  assert.equal(receiver.received.length, 2);
});

test('a delivery that is replayed comes with the same cursor and a new id, once for each form', async (t) => {
  const { service, person, watch, send } = await openDesk(t);
  const receiver = await startReceiver(t);
  const { page } = await add(person, receiver.url);
  await storeHit(service.db, watch);
  await send();
  const shown = await person.visit(page);
  const action = /action="([^"]*\/replay)"/.exec(shown.text)![1]!;
  const once = /replay">.*?name="once" value="([^"]+)"/s.exec(shown.text)![1]!;
  await person.post(action, {}, { once });
  await person.post(action, {}, { once });
  await send();
  assert.equal(receiver.received.length, 2);
  const [first, second] = receiver.received.map(({ body }) => JSON.parse(body).data);
  assert.deepEqual(first, second);
  assert.notEqual(receiver.received[0]!.headers['webhook-id'], receiver.received[1]!.headers['webhook-id']);
  const unknown = await person.post(`${page}/deliveries/${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}/replay`);
  assert.match(unknown.text, /no longer kept/);
});

test('rotating shows the new secret once, and the old one signs until its grace has passed or is ended', async (t) => {
  const { service, person, watch, send } = await openDesk(t);
  const receiver = await startReceiver(t);
  const { page, secret } = await add(person, receiver.url);
  await person.visit(`${page}/rotate`);
  const shown = await follow(person, await person.post(`${page}/rotate`, { grace: '3600' }));
  const renewed = /whsec_[A-Za-z0-9+/=]+/.exec(shown.text)![0];
  assert.match(shown.text, /in one hour/);
  const signedBy = async (key: string): Promise<boolean> => {
    await storeHit(service.db, watch);
    await send();
    const { body, headers } = receiver.received.at(-1)!;
    try {
      new Webhook(key).verify(body, headers as Record<string, string>);
      return true;
    } catch {
      return false;
    }
  };
  assert.deepEqual([await signedBy(secret), await signedBy(renewed)], [true, true]);
  await follow(person, await person.post(`${page}/grace/end`));
  assert.deepEqual([await signedBy(secret), await signedBy(renewed)], [false, true]);
});

test('a test event is signed, sent once, and its answer is on the page of the webhook', async (t) => {
  const { person, send } = await openDesk(t);
  const receiver = await startReceiver(t);
  const { page, secret } = await add(person, receiver.url);
  const waiting = await follow(person, await person.post(`${page}/test`));
  assert.match(waiting.text, /on its way/);
  assert.equal(waiting.headers.get('refresh'), '2');
  await send();
  const { body, headers } = receiver.received[0]!;
  assert.ok(new Webhook(secret).verify(body, headers as Record<string, string>));
  const event = JSON.parse(body);
  assert.deepEqual([event.type, event.data], ['test', {}]);
  const shown = await person.visit(page);
  assert.match(shown.text, />accepted<.*204, 0 bytes, [\d,]+ ms/s);
  assert.equal(shown.headers.get('refresh'), null);
  assert.match(shown.text, /Nothing has been delivered yet/);
  assert.match((await person.visit('/portal/team/activity')).text, /Test event sent to a webhook/);
  await send();
  assert.equal(receiver.received.length, 1);
});

test('a test that fails is not repeated, counts as no failure, and switches nothing off or on', async (t) => {
  const { service, person, send } = await openDesk(t);
  const receiver = await startReceiver(t, answerWith(410));
  const { page } = await add(person, receiver.url);
  await person.visit(page);
  await person.post(`${page}/test`);
  await send();
  await send();
  assert.equal(receiver.received.length, 1);
  const refused = await person.visit(page);
  assert.match(refused.text, />not accepted<.*It answered 410/s);
  assert.match(refused.text, />live</);
  receiver.answer = answerWith(302, { location: 'http://127.0.0.1:1/' });
  await person.post(`${page}/off`);
  await person.visit(page);
  await person.post(`${page}/test`);
  await send();
  const off = await person.visit(page);
  assert.match(off.text, /It answered 302: redirects are not followed/);
  assert.match(off.text, />off</);
  assert.equal(receiver.received.length, 2);
  const rows = await service.db.query(sql`select failures, paused_until from webhook`);
  assert.deepEqual(rows, [{ failures: 0, paused_until: null }]);
});

test('a test goes to no private address, and one that nobody sends in time says so', async (t) => {
  const { service, person } = await openDesk(t);
  const { page } = await add(person, 'http://127.0.0.1:1/');
  await person.visit(page);
  await person.post(`${page}/test`);
  await service.db.query(sql`update webhook_test set created_at = created_at - interval '2 minutes'`);
  const strict = buildSender({
    database: service.db,
    secrets: buildSecretBox(service.db, null),
    privateTargets: 'refuse',
    resolve: askNameServers,
    random: () => 0.5,
    clock: systemClock,
    log: testLog,
    version: '1',
  });
  await strict.round();
  await strict.settled();
  assert.match((await person.visit(page)).text, /It was not sent/);
  await person.post(`${page}/test`);
  await strict.round();
  await strict.settled();
  assert.match((await person.visit(page)).text, />no answer<.*(?:port must be 443|public internet)/s);
  await service.db.query(sql`
    update webhook_test set ended_at = null, attempted_at = now() - interval '1 minute' where attempted_at is not null`);
  assert.match((await person.visit(page)).text, /The service stopped while sending it/);
});

test('a customer sends five tests in ten minutes, over all webhooks and deleted ones, and another its own five', async (t) => {
  const { service, person } = await openDesk(t);
  const first = await add(person, 'http://127.0.0.1:1/');
  const second = await add(person, 'http://127.0.0.1:1/');
  const forms = [first, first, first, second];
  for (const { page } of forms) {
    await person.visit(page);
    assert.equal((await person.post(`${page}/test`)).status, 303);
  }
  await person.visit(`${first.page}/delete`);
  await person.post(`${first.page}/delete`, { sure: 'yes' });
  const opened = await Promise.all([1, 2, 3].map(() => person.visit(second.page)));
  const sent = await Promise.all(
    opened.map(({ text }) => {
      const once = /\/test".*?name="once" value="([^"]+)"/s.exec(text)![1]!;
      return person.post(`${second.page}/test`, {}, { once });
    }),
  );
  assert.deepEqual(sent.map(({ status }) => status).sort(), [303, 422, 422]);
  assert.match(sent.find(({ status }) => status === 422)!.text, /sent 5 test events in the last 10 minutes/);
  const stranger = await joinPortal(service.url, await createCustomer(service.db, { name: 'Another' }));
  const own = await add(stranger, 'http://127.0.0.1:1/');
  await stranger.visit(own.page);
  assert.equal((await stranger.post(`${own.page}/test`)).status, 303);
  await service.db.query(sql`update webhook_test set created_at = created_at - interval '11 minutes'`);
  await person.visit(second.page);
  assert.equal((await person.post(`${second.page}/test`)).status, 303);
});

test('the receiver of the guide runs where it is pasted, and accepts the test event', async (t) => {
  const { service, person, send } = await openDesk(t);
  const { page, secret } = await add(person, 'http://127.0.0.1:1/');
  assert.ok((await person.visit('/portal/webhooks')).text.includes('id="guide-javascript"'));
  const child = spawn(process.execPath, ['--input-type=module', '-e', RECEIVER_JAVASCRIPT], {
    cwd: import.meta.dirname,
    env: { PATH: process.env.PATH, WEBHOOK_SECRET: secret, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill());
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const port = /^Listening on port (\d+)$/.exec((await lines.next()).value)?.[1];
  await service.db.query(sql`update webhook set url = ${`http://127.0.0.1:${port}/`}`);
  await person.visit(page);
  await person.post(`${page}/test`);
  await send();
  assert.equal((await lines.next()).value, 'The test event is here.');
  assert.match((await person.visit(page)).text, />accepted</);
});

test('nobody sees or changes a webhook of another customer, and one that is deleted is gone', async (t) => {
  const { service, person } = await openDesk(t);
  const receiver = await startReceiver(t);
  const { page } = await add(person, receiver.url);
  const stranger = await joinPortal(service.url, await createCustomer(service.db));
  for (const path of ['', '/secret', '/rotate', '/delete']) {
    assert.equal((await stranger.visit(`${page}${path}`)).status, 404, path);
  }
  for (const [path, form] of [
    ['/rotate', { grace: '0' }],
    ['/grace/end', {}],
    ['/off', {}],
    ['/on', {}],
    ['/test', {}],
    ['/delete', { sure: 'yes' }],
    ['/deliveries/x/replay', {}],
  ] as const) {
    assert.equal((await stranger.post(`${page}${path}`, form)).status, 404, path);
  }
  assert.doesNotMatch((await stranger.visit('/portal/webhooks')).text, /127\.0\.0\.1/);
  await person.visit(`${page}/delete`);
  assert.equal((await person.post(`${page}/delete`)).status, 422);
  await follow(person, await person.post(`${page}/delete`, { sure: 'yes' }));
  assert.equal((await person.visit(page)).status, 404);
});

test('a customer has no more webhooks than it may, however many forms are sent at once', async (t) => {
  const { service, person } = await openDesk(t);
  for (let count = 0; count < 19; count += 1) await add(person, 'http://127.0.0.1:1/');
  // All forms are opened before one of them is sent: with the last one taken there is no form any more.
  const forms = await Promise.all(Array.from({ length: 4 }, () => person.visit('/portal/webhooks/new')));
  const others = await Promise.all(
    forms.map(({ text }) => {
      const once = /name="once" value="([^"]+)"/.exec(text)![1]!;
      return person.post('/portal/webhooks', { url: 'http://127.0.0.1:1/', watch: '*' }, { once });
    }),
  );
  assert.deepEqual(others.map(({ status }) => status).sort(), [303, 422, 422, 422]);
  const [counted] = await service.db.query(sql`select count(*)::int4 as webhooks from webhook`);
  assert.deepEqual(counted, { webhooks: 20 });
});

test('an operator who views the customer sees where webhooks lead, not the path, and changes nothing', async (t) => {
  const { service, person, customer } = await openDesk(t);
  const { page } = await add(person, 'http://127.0.0.1:1/secret-path');
  const operator = await joinAsOperator(service.url, service.db);
  const [row] = await service.db.query<{ id: string }>(
    sql`select customer_id::text as id from customer where name = ${customer.name}`,
  );
  await operator.visit(`/portal/operator/customers/${row!.id}`);
  await follow(operator, await operator.post(`/portal/operator/customers/${row!.id}/view`));
  for (const path of ['/portal/webhooks', page]) {
    const shown = await operator.visit(path);
    assert.equal(shown.status, 200);
    assert.match(shown.text, /127\.0\.0\.1:1/);
    assert.doesNotMatch(shown.text, /secret-path|action="\/portal\/webhooks/);
  }
  for (const change of ['off', 'test']) {
    const refused = await operator.post(`${page}/${change}`);
    assert.ok(refused.status >= 400, `${change} ${refused.status}`);
  }
  assert.deepEqual(await service.db.query(sql`select test_id from webhook_test`), []);
});
