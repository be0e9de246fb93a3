/** Webhooks by program: the same ones as in the portal, with secrets that are shown once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type {
  WebhookDeliveriesPage,
  WebhookDelivery,
  WebhookInfo,
  WebhooksPage,
  WebhookWithSecret,
} from '@tmds/contract/webhooks';
import { WEBHOOKS_MAX } from '@tmds/contract/webhooks';
import { Webhook } from 'standardwebhooks';
import { isApiError, TrademarkClient } from '../../../client/src/main.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { createCustomer, follow } from '../support/portal.ts';
import { answerWith, type Receiver, startReceiver } from '../support/receiver.ts';
import { refusalOf, startWithKey, type TestAnswer, type TestService } from '../support/service.ts';
import { readUnits } from '../support/units.ts';
import { storeHit } from '../support/watch-hits.ts';
import { openDesk } from '../support/webhook-desk.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

function put(service: TestService, key: string, path: string, body: unknown): Promise<TestAnswer> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return service.call(`/v1/webhooks/${path}`, { key, method: 'PUT', headers: JSON_TYPE, body: text });
}

function isSigned({ received }: Receiver, secret: string, at = received.length - 1): boolean {
  try {
    new Webhook(secret).verify(received[at]!.body, received[at]!.headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

test('a webhook is added by program, shown and changed in the portal, and the other way round', async (t) => {
  const { service, customer, person, send, watch } = await openDesk(t);
  const { key } = customer;
  const receiver = await startReceiver(t);
  const made = (await put(service, key, 'docketing', { url: receiver.url, watch: 'brands' })).body as WebhookWithSecret;
  assert.match(made.secret!, /^whsec_/);
  const { secret, ...info } = made;
  assert.deepEqual(
    { ...info, created_at: '' },
    {
      id: 'docketing',
      url: receiver.url,
      watch: 'brands',
      created_at: '',
      off_since: null,
      off_reason: null,
      failures: 0,
      next_attempt_at: null,
      waiting: 0,
      delivered_at: null,
      old_secret_until: null,
    },
  );
  const again = (await put(service, key, 'docketing', { url: ` ${receiver.url} `, watch: 'brands' })).body;
  assert.deepEqual(again, { ...info, secret: null }, 'nothing has changed, and the secret is not shown again');
  assert.deepEqual((await service.call('/v1/webhooks/docketing', { key })).body, info);
  assert.deepEqual((await service.call('/v1/webhooks', { key })).body, { items: [info], next_cursor: null });

  await storeHit(service.db, watch);
  await send();
  assert.equal(isSigned(receiver, secret!), true);

  const list = await person.visit('/portal/webhooks');
  const page = /href="(\/portal\/webhooks\/[a-z0-9]{12})"/.exec(list.text)![1]!;
  assert.match((await person.visit(page)).text, /Id for programs<\/dt>\s*<dd><code>docketing</);
  await follow(person, await person.post(`${page}/off`));
  const off = (await service.call('/v1/webhooks/docketing', { key })).body as WebhookInfo;
  assert.deepEqual([off.off_reason, off.off_since !== null], ['customer', true]);
  await person.visit('/portal/webhooks/new');
  await person.post('/portal/webhooks', { url: `${receiver.url}/2`, watch: '*' });
  const { items } = (await service.call('/v1/webhooks', { key })).body as WebhooksPage;
  assert.deepEqual(items.map(({ url }) => url).sort(), [receiver.url, `${receiver.url}/2`]);
  const ofPortal = items.find(({ id }) => id !== 'docketing')!;
  const moved = (await put(service, key, ofPortal.id, { url: `${receiver.url}/3` })).body as WebhookWithSecret;
  assert.deepEqual([moved.url, moved.watch, moved.secret], [`${receiver.url}/3`, null, null]);

  const removed = await service.call('/v1/webhooks/docketing', { key, method: 'DELETE' });
  assert.equal((removed.body as WebhookInfo).id, 'docketing');
  for (const method of ['GET', 'DELETE']) {
    assert.equal(refusalOf(await service.call('/v1/webhooks/docketing', { key, method })).code, 'not_found');
  }
  assert.equal((await person.visit(page)).status, 404);
  const activity = (await person.visit('/portal/team/activity')).text;
  assert.match(activity, />Webhook deleted<.*>Program<.*>Webhook changed<.*>Webhook added<.*>Webhook added</s);
  assert.doesNotMatch(activity, /whsec_/);
});

test('nobody sees or changes webhooks of another customer, and a page continues where the one before ended', async (t) => {
  const { service, customer } = await openDesk(t);
  const other = await createCustomer(service.db);
  const ids = ['b', 'A', 'c.1', 'a'];
  for (const id of ids) await put(service, customer.key, id, { url: 'https://example.com/hooks' });
  await put(service, other.key, 'a', { url: 'https://example.org/theirs' });
  const listed: string[] = [];
  let cursor: string | null = null;
  do {
    const more: string = cursor === null ? '' : `&cursor=${cursor}`;
    const { body } = await service.call(`/v1/webhooks?limit=3${more}`, { key: customer.key });
    const page = body as WebhooksPage;
    listed.push(...page.items.map(({ id }) => id));
    cursor = page.next_cursor;
  } while (cursor !== null);
  assert.deepEqual(listed, ['A', 'a', 'b', 'c.1']);
  const { key } = other;
  const theirs = (await service.call('/v1/webhooks', { key })).body as WebhooksPage;
  assert.deepEqual(
    theirs.items.map(({ url }) => url),
    ['https://example.org/theirs'],
  );
  for (const path of ['b', 'b/deliveries']) {
    assert.equal(refusalOf(await service.call(`/v1/webhooks/${path}`, { key })).code, 'not_found', path);
  }
  for (const path of ['b/secret', 'b/test']) {
    assert.equal(refusalOf(await put(service, key, path, {})).code, 'not_found', path);
  }
  assert.equal(refusalOf(await service.call('/v1/webhooks/b', { key, method: 'DELETE' })).code, 'not_found');
  const foreign = await put(service, key, 'c', { url: 'https://example.org/', watch: 'brands' });
  assert.deepEqual([refusalOf(foreign).code, refusalOf(foreign).param], ['invalid_parameter', 'watch']);
  const cursors = ['x', Buffer.from('nothing').toString('base64url')];
  for (const wrong of cursors) {
    const refused = await service.call(`/v1/webhooks?cursor=${wrong}`, { key });
    assert.equal(refusalOf(refused).code, 'cursor_invalid');
  }
});

test('addresses that the portal refuses are refused, like wrong members, and cost no unit [I-28]', async (t) => {
  const { key, ...service } = await startWithKey(t);
  const before = await readUnits(service, key);
  const wrong: [unknown, string, string | undefined][] = [
    [{ url: 'http://example.com/' }, 'invalid_parameter', 'url'],
    [{ url: 'https://10.0.0.1/' }, 'invalid_parameter', 'url'],
    [{ url: 'https://[::ffff:127.0.0.1]/' }, 'invalid_parameter', 'url'],
    [{ url: 'https://169.254.169.254/latest/meta-data' }, 'invalid_parameter', 'url'],
    [{ url: 'https://example.com:25/' }, 'invalid_parameter', 'url'],
    [{ url: 'https://user:secret@example.com/' }, 'invalid_parameter', 'url'],
    [{ url: `https://example.com/${'x'.repeat(2000)}` }, 'invalid_parameter', 'url'],
    [{ url: '' }, 'invalid_parameter', 'url'],
    [{ url: 7 }, 'invalid_parameter', 'url'],
    [{}, 'invalid_parameter', 'url'],
    [{ url: 'https://example.com/', watch: 'none' }, 'invalid_parameter', 'watch'],
    [{ url: 'https://example.com/', is_off: 'no' }, 'invalid_parameter', 'is_off'],
    [{ url: 'https://example.com/', secret: 'whsec_AA==' }, 'unknown_parameter', 'secret'],
    ['[]', 'invalid_parameter', undefined],
    ['{', 'invalid_parameter', undefined],
    [`${'['.repeat(100)}`, 'invalid_parameter', undefined],
  ];
  for (const [body, code, param] of wrong) {
    const refused = refusalOf(await put(service, key, 'one', body));
    assert.deepEqual([refused.code, refused.param], [code, param], JSON.stringify(body));
  }
  assert.equal(refusalOf(await put(service, key, '-', { url: 'https://example.com/' })).param, 'webhook');
  assert.equal(await readUnits(service, key), before + 1);
  await put(service, key, 'one', { url: 'https://example.com/' });
  for (const grace of [-1, 1.5, '60', 7 * 86_400 + 1, null]) {
    const refused = refusalOf(await put(service, key, 'one/secret', { grace_seconds: grace }));
    assert.deepEqual([refused.code, refused.param], ['invalid_parameter', 'grace_seconds']);
  }
  await service.call('/v1/webhooks', { key });
  await service.call('/v1/webhooks/none', { key });
  assert.equal(await readUnits(service, key), before + 5, 'added, listed, not found, and usage twice');
});

test('a customer has no more webhooks than it may, however many calls add them at once', async (t) => {
  const { service, customer } = await openDesk(t);
  const answers = await Promise.all(
    Array.from({ length: WEBHOOKS_MAX + 3 }, (_, at) =>
      new TrademarkClient({ baseUrl: service.url, apiKey: customer.key }).webhooks
        .put(`w${at}`, { url: 'https://example.com/' })
        .then(() => 'added')
        .catch((error: unknown) => (isApiError(error) ? error.code : error)),
    ),
  );
  assert.deepEqual(answers.filter((each) => each === 'added').length, WEBHOOKS_MAX);
  assert.deepEqual(new Set(answers), new Set(['added', 'invalid_parameter']));
});

test('a webhook that is off keeps what waits, and gets it when it is put again, at a new address too', async (t) => {
  const { service, customer, watch, send } = await openDesk(t);
  const { key } = customer;
  const gone = await startReceiver(t, answerWith(410));
  await put(service, key, 'one', { url: gone.url });
  await storeHit(service.db, watch);
  await send();
  const off = (await service.call('/v1/webhooks/one', { key })).body as WebhookInfo;
  assert.deepEqual([off.off_reason, off.waiting, off.failures], ['gone', 1, 1]);
  const receiver = await startReceiver(t);
  const kept = (await put(service, key, 'one', { url: receiver.url, is_off: true })).body as WebhookInfo;
  assert.deepEqual([kept.url, kept.off_reason, kept.waiting], [receiver.url, 'gone', 1]);
  await send();
  assert.equal(receiver.received.length, 0);
  const on = (await put(service, key, 'one', { url: receiver.url })).body as WebhookInfo;
  assert.deepEqual([on.off_since, on.failures], [null, 0]);
  await send();
  assert.equal(receiver.received.length, 1);
  const made = (await put(service, key, 'two', { url: receiver.url, is_off: true })).body as WebhookWithSecret;
  assert.deepEqual([made.off_reason, made.secret !== null], ['customer', true]);
  // One that is for a watch that has ended can still be switched off, and led elsewhere.
  await put(service, key, 'three', { url: receiver.url, watch: 'brands' });
  await service.call('/v1/watches/brands', { key, method: 'DELETE' });
  const ended = await put(service, key, 'three', { url: `${receiver.url}/3`, watch: 'brands', is_off: true });
  assert.equal((ended.body as WebhookInfo).watch, 'brands');
  assert.equal(refusalOf(await put(service, key, 'four', { url: receiver.url, watch: 'brands' })).param, 'watch');
});

test('a new secret is shown once, and the one that the receiver has signs for the grace, however often it is renewed', async (t) => {
  const { service, customer, watch, send } = await openDesk(t);
  const { key } = customer;
  const receiver = await startReceiver(t);
  const renew = async (body: unknown) => (await put(service, key, 'one/secret', body)).body as WebhookWithSecret;
  const signers = async (...secrets: (string | null)[]): Promise<boolean[]> => {
    await storeHit(service.db, watch);
    await send();
    return secrets.map((secret) => isSigned(receiver, secret!));
  };
  const { secret: first } = (await put(service, key, 'one', { url: receiver.url })).body as WebhookWithSecret;
  const { secret: lost } = await renew({ grace_seconds: 3600 });
  const renewed = await renew({ grace_seconds: 3600 });
  assert.notEqual(renewed.old_secret_until, null);
  assert.deepEqual(await signers(first, lost, renewed.secret), [true, false, true]);
  const last = await renew({});
  assert.equal(last.old_secret_until, null);
  assert.deepEqual(await signers(first, renewed.secret, last.secret), [false, false, true]);
  assert.equal('secret' in ((await service.call('/v1/webhooks/one', { key })).body as object), false);
});

test('a test event goes out once for each call, deliveries say how it ended, and the sixth in ten minutes waits', async (t) => {
  const { service, customer, send } = await openDesk(t);
  const { key } = customer;
  const receiver = await startReceiver(t);
  const { secret } = (await put(service, key, 'one', { url: receiver.url })).body as WebhookWithSecret;
  const sendTest = () => service.call('/v1/webhooks/one/test', { key, method: 'PUT' });
  const asked = (await sendTest()).body as WebhookDelivery;
  assert.deepEqual([asked.event, asked.state, asked.attempts, asked.watch], ['test', 'waiting', 0, null]);
  assert.deepEqual((await sendTest()).body, asked, 'the one that waits');
  await send();
  assert.equal(receiver.received.length, 1);
  assert.equal(isSigned(receiver, secret!), true);
  assert.equal(receiver.received[0]!.headers['webhook-id'], asked.id);
  const deliveries = async (): Promise<readonly WebhookDelivery[]> =>
    ((await service.call('/v1/webhooks/one/deliveries', { key })).body as WebhookDeliveriesPage).items;
  const [taken] = await deliveries();
  assert.deepEqual([taken!.id, taken!.state, taken!.status, taken!.failure], [asked.id, 'delivered', 204, null]);
  receiver.answer = answerWith(500);
  for (let sent = 1; sent < 5; sent += 1) {
    assert.equal((await sendTest()).status, 200);
    await send();
  }
  const units = await readUnits(service, key);
  const refused = await sendTest();
  assert.deepEqual([refused.status, refusalOf(refused).code], [429, 'rate_limited']);
  const seconds = Number(refused.headers['retry-after']);
  assert.ok(seconds > 500 && seconds <= 600, String(seconds));
  assert.equal(await readUnits(service, key), units + 1);
  assert.deepEqual(
    (await deliveries()).map(({ state, failure }) => [state, failure]),
    [...Array.from({ length: 4 }, () => ['failed', 'It answered 500.']), ['delivered', null]],
  );
  await service.db.query(sql`
    update webhook_test set attempted_at = null, ended_at = null, failure = null,
      created_at = created_at - interval '1 hour'`);
  assert.equal((await deliveries())[0]!.state, 'unsent');
  await service.db.query(sql`update webhook_test set attempted_at = now() - interval '1 hour'`);
  assert.deepEqual((await deliveries()).map(({ state, failure }) => [state, failure])[0], [
    'failed',
    'The service stopped while it was sent.',
  ]);
});

test('messages are listed newest first, each once over pages of any size, with what became of each', async (t) => {
  const { service, customer, watch, send } = await openDesk(t);
  const { key } = customer;
  const receiver = await startReceiver(t);
  await put(service, key, 'one', { url: receiver.url });
  for (let hit = 0; hit < 4; hit += 1) {
    await storeHit(service.db, watch);
    await send();
    if (hit % 2 === 0) await service.call('/v1/webhooks/one/test', { key, method: 'PUT' });
  }
  receiver.answer = answerWith(503);
  await storeHit(service.db, watch);
  await send();
  await service.db.query(sql`update webhook set off_since = now(), off_reason = 'customer'`);
  await storeHit(service.db, watch);
  await send();
  const walk = async (limit: number): Promise<WebhookDelivery[]> => {
    const found: WebhookDelivery[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await service.call(`/v1/webhooks/one/deliveries?limit=${limit}${cursor}`, { key });
      const { items, next_cursor } = body as WebhookDeliveriesPage;
      found.push(...items);
      if (next_cursor === null) return found;
      cursor = `&cursor=${next_cursor}`;
    }
  };
  const whole = await walk(500);
  assert.deepEqual(whole.map(({ event, state }) => [event, state]).slice(0, 3), [
    ['watch.hits', 'waiting'],
    ['watch.hits', 'failed'],
    ['watch.hits', 'delivered'],
  ]);
  const [waiting, failed, delivered] = whole;
  assert.deepEqual([waiting!.attempts, waiting!.attempted_at, waiting!.status], [0, null, null]);
  assert.deepEqual(
    [failed!.status, failed!.failure, failed!.next_attempt_at !== null],
    [503, 'It answered 503.', true],
  );
  assert.deepEqual([delivered!.status, delivered!.watch, delivered!.next_attempt_at], [204, 'brands', null]);
  assert.deepEqual(whole.map(({ event }) => event).sort(), [
    ...Array.from({ length: 2 }, () => 'test'),
    ...Array.from({ length: 6 }, () => 'watch.hits'),
  ]);
  assert.deepEqual(
    whole.map(({ created_at }) => created_at),
    whole
      .map(({ created_at }) => created_at)
      .sort()
      .reverse(),
  );
  for (const limit of [1, 2, 3]) assert.deepEqual(await walk(limit), whole);
  await put(service, key, 'two', { url: receiver.url });
  const { next_cursor } = (await service.call('/v1/webhooks/one/deliveries?limit=1', { key }))
    .body as WebhookDeliveriesPage;
  const other = await service.call(`/v1/webhooks/two/deliveries?cursor=${next_cursor}`, { key });
  assert.equal(refusalOf(other).code, 'cursor_query_mismatch');
});

test('every path of webhooks says which methods it takes [I-2]', async (t) => {
  const { key, ...service } = await startWithKey(t);
  const allowed = {
    '/v1/webhooks': 'GET',
    '/v1/webhooks/one': 'GET, PUT, DELETE',
    '/v1/webhooks/one/deliveries': 'GET',
    '/v1/webhooks/one/secret': 'PUT',
    '/v1/webhooks/one/test': 'PUT',
  };
  for (const [path, methods] of Object.entries(allowed)) {
    const refused = await service.call(path, { key, method: 'POST' });
    assert.deepEqual([refused.status, refused.headers.allow], [405, methods], path);
  }
});
