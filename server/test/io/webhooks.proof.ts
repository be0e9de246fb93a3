/** Servers that send to webhooks: real processes, of which the one that sends is killed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import { createCustomer, follow, joinPortal } from '../support/portal.ts';
import { startServing, waitFor } from '../support/process.ts';
import { startReceiver } from '../support/receiver.ts';
import { storeHit, storeWatch } from '../support/watch-hits.ts';

test('one of two servers sends, and when it is killed during a delivery the other makes it again', {
  timeout: 240_000,
}, async (t) => {
  const { db, url } = await createTestDatabase(t);
  const environment = {
    DATABASE_URL: url,
    TMDS_CHANGE_HORIZON_SECONDS: '0',
    TMDS_WEBHOOK_PRIVATE: 'allow',
    TMDS_WEBHOOK_KEY: 'a key for this trial that is long enough',
  };
  const servers = [await startServing(t, environment), await startServing(t, environment)];
  const receiver = await startReceiver(t, () => undefined);
  const customer = await createCustomer(db);
  const watch = await storeWatch(db, customer.name);
  const person = await joinPortal(servers[1]!.address, customer);
  await person.visit('/portal/webhooks/new');
  await follow(person, await person.post('/portal/webhooks', { url: receiver.url, watch: '*' }));
  await storeHit(db, watch);
  await receiver.waitFor(1);
  receiver.answer = (response) => response.writeHead(204).end();
  // The first that was started took the turn.
  servers[0]!.kill('SIGKILL');
  await servers[0]!.ended;
  await receiver.waitFor(2);
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  assert.equal(new Set(ids).size, 1);
  const [, page = ''] =
    /href="(\/portal\/webhooks\/[a-z0-9]{12})"/.exec((await person.visit('/portal/webhooks')).text) ?? [];
  await waitFor(async () => /204, 0 bytes/.test((await person.visit(page)).text));
  await storeHit(db, watch);
  await receiver.waitFor(3);
  servers[1]!.kill('SIGTERM');
  assert.equal((await servers[1]!.ended).status, 0);
});

test('a server takes no webhook to its own machine by default', { timeout: 240_000 }, async (t) => {
  const { db, url } = await createTestDatabase(t);
  const server = await startServing(t, { DATABASE_URL: url });
  const receiver = await startReceiver(t);
  const customer = await createCustomer(db);
  const person = await joinPortal(server.address, customer);
  await person.visit('/portal/webhooks/new');
  const refused = await person.post('/portal/webhooks', { url: receiver.url, watch: '*' });
  assert.equal(refused.status, 422);
  assert.match(refused.text, /begin with https/);
});
