/** Publishes next to receivers that do everything wrong: matched and sent while those are waited for. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { sql } from '../../src/database/driver/sql.ts';
import { switchOn } from '../../src/store/webhooks/webhooks.ts';
import { matchEvents, WatchedSearches } from '../../src/watches/match-events.ts';
import { startWebhooks } from '../../src/webhook/sender.ts';
import { testLog } from '../support/database.ts';
import { createCustomer } from '../support/portal.ts';
import { answerWith, startReceiver } from '../support/receiver.ts';
import { storeWatch } from '../support/watch-hits.ts';
import { holdAlarms, listRows, openOffice, passTime } from '../support/webhook-office.ts';
import { publishRecords } from '../torture/publish.ts';

/** Fewer than the requests that hang, so that a request which kept a connection would keep it from a publish. */
const CONNECTIONS = 4;

test('publishes are matched and sent to others while receivers hang, and those lose no nudge', {
  timeout: 300_000,
}, async (t) => {
  const { clock, ring } = holdAlarms();
  // Before the database is closed, which waits for what holds a connection.
  let stop = async (): Promise<void> => undefined;
  t.after(() => stop());
  const office = await openOffice(t, { clock }, CONNECTIONS);
  const { db, watch } = office;
  const open: ServerResponse[] = [];
  const hang = (response: ServerResponse): void => {
    open.push(response);
  };
  const drip = (response: ServerResponse): void => {
    response.writeHead(200).write('.');
    open.push(response);
  };
  const hanging = await Promise.all([hang, hang, hang, drip, drip].map((answer) => startReceiver(t, answer)));
  const failing = await Promise.all([
    startReceiver(t, answerWith(302, { location: '/hooks' })),
    startReceiver(t, (response) => response.destroy()),
  ]);
  const gone = await startReceiver(t, answerWith(410));
  for (const { url } of [...hanging, ...failing]) await office.add(url);
  const { id: refusingId } = await office.add('http://127.0.0.1:1/');
  const { id: goneId } = await office.add(gone.url);
  const neighbour = await createCustomer(db);
  await storeWatch(db, neighbour.name);
  const [own, other] = [await startReceiver(t), await startReceiver(t)];
  await office.add(own.url);
  await office.add(other.url, null, neighbour.name);

  const searches = new WatchedSearches(testLog);
  const publish = async (uid: string): Promise<void> => {
    assert.equal((await publishRecords(db, [{ uid, nice_classes: [9] }])).newCount, 1);
    while (await matchEvents(db, searches));
  };
  const run = startWebhooks({ ...office.options, clock });
  stop = () => run.stop();
  await publish('before');
  await Promise.all([...hanging, own, other, gone, ...failing].map((receiver) => receiver.waitFor(1)));
  for (const [index, uid] of ['first', 'second', 'third'].entries()) {
    await publish(uid);
    await Promise.all([own, other].map((receiver) => receiver.waitFor(index + 2)));
  }
  assert.ok(
    open.length === hanging.length && open.every((response) => !response.destroyed),
    'all are waited for still',
  );
  assert.ok(open.length > CONNECTIONS);
  const hits = await db.query<{ uid: string }>(sql`
    select uid from watch_hit where watch_id = ${watch}::uuid order by stamp`);
  assert.deepEqual(
    hits.map(({ uid }) => uid),
    ['before', 'first', 'second', 'third'],
  );

  for (const receiver of [...hanging, ...failing, gone]) receiver.answer = answerWith(204);
  await db.query(sql`update webhook set url = ${own.url} where webhook_id = ${refusingId}`);
  while (!(await db.transaction((tx) => switchOn(tx, goneId))));
  ring();
  while ((await listRows(db)).some(({ open: isOpen }) => isOpen)) await passTime(db, 60);
  const told = await db.query<{ live: boolean; whole: boolean }>(sql`
    select w.off_since is null as live, max(d.through) = (select max(stamp) from watch_hit h
      where h.watch_id = d.watch_id) as whole
    from webhook w join webhook_delivery d on d.webhook_id = w.webhook_id group by w.webhook_id, d.watch_id`);
  assert.deepEqual(new Set(told.map(({ live, whole }) => live && whole)), new Set([true]));
  assert.equal(told.length, hanging.length + failing.length + 4);
});
