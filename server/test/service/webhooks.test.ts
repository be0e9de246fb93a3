/**
 * Nudges on their way to receivers that do everything wrong: none is lost while its webhook is live, none waits for
 * another's receiver, and what is abandoned is reported.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { removeCustomer } from '../../src/access/customers.ts';
import { systemClock } from '../../src/base/clock.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { CURSORS, decodeCursor } from '../../src/parse/cursor.ts';
import { claimDeliveries, endDelivery, noteFailedDelivery, noteHits } from '../../src/store/webhooks/deliveries.ts';
import { insertWebhook, replaceSecret, switchOff, switchOn } from '../../src/store/webhooks/webhooks.ts';
import { prune } from '../../src/upkeep/retention/retention.ts';
import { matchEvents, WatchedSearches } from '../../src/watches/match-events.ts';
import { buildSecret } from '../../src/webhook/message.ts';
import { buildSecretBox } from '../../src/webhook/secrets.ts';
import { buildSender, startWebhooks } from '../../src/webhook/sender.ts';
import { connectTestDatabase, testLog, untilBlocked } from '../support/database.ts';
import { createCustomer } from '../support/portal.ts';
import { answerWith, startReceiver } from '../support/receiver.ts';
import { startService } from '../support/service.ts';
import { storeHit, storeWatch } from '../support/watch-hits.ts';
import {
  bodyOf,
  buildSenderOptions,
  holdAlarms,
  hurried,
  idsOf,
  listRows,
  openOffice,
  passTime,
} from '../support/webhook-office.ts';
import { publishRecords } from '../torture/publish.ts';

test('a hit becomes one nudge to every webhook that is for its watch, signed, with the watch and the cursor', async (t) => {
  const office = await openOffice(t);
  const { db, watch, customer } = office;
  const [forAll, forOne, forOther, stranger] = [
    await startReceiver(t),
    await startReceiver(t),
    await startReceiver(t),
    await startReceiver(t),
  ];
  await storeWatch(db, customer, 'rivals');
  const { secret } = await office.add(forAll.url);
  await office.add(forOne.url, 'brands');
  await office.add(forOther.url, 'rivals');
  const other = await createCustomer(db);
  await office.add(stranger.url, null, other.name);
  await db.query(sql`update watch set reference = 'M-2041' where id = 'brands'`);
  await storeHit(db, watch);
  await office.send();
  await office.send();
  const counts = [forAll, forOne, forOther, stranger].map(({ received }) => received.length);
  assert.deepEqual(counts, [1, 1, 0, 0]);
  const [request] = forAll.received;
  const headers = request!.headers as Record<string, string>;
  assert.deepEqual(Object.keys(JSON.parse(request!.body)), ['type', 'timestamp', 'data']);
  const read = new Webhook(secret).verify(request!.body, headers) as { type: string; data: Record<string, string> };
  assert.deepEqual(
    [read.type, Object.keys(read.data), read.data.watch, read.data.reference],
    ['watch.hits', ['watch', 'reference', 'since', 'cursor'], 'brands', 'M-2041'],
  );
  const { since, cursor } = read.data;
  const key = decodeCursor(CURSORS.hits({ watch: 'brands', since: since! }), cursor!);
  assert.deepEqual([key.value, key.jurisdiction_code > 'ZZ'], [since, true]);
  assert.equal(headers['user-agent'], 'tmds/1.2.3');
  assert.throws(() => new Webhook(buildSecret()).verify(request!.body, headers));
  assert.deepEqual(
    (await listRows(db)).map(({ attempts, answer_status, open }) => [attempts, answer_status, open]),
    [
      [1, 204, false],
      [1, 204, false],
    ],
  );
});

test('hits that come before the first attempt are one nudge, later ones another with the cursor that follows', async (t) => {
  const office = await openOffice(t);
  const receiver = await startReceiver(t);
  await office.add(receiver.url);
  await storeHit(office.db, office.watch);
  await noteHits(office.db);
  await storeHit(office.db, office.watch);
  await office.send();
  assert.equal(receiver.received.length, 1);
  await storeHit(office.db, office.watch);
  await office.send();
  assert.equal(receiver.received.length, 2);
  assert.ok(bodyOf(receiver, 0).data.since < bodyOf(receiver, 1).data.since);
  await office.send();
  assert.equal(receiver.received.length, 2);
});

test('hits of a publish that is not matched to its end are not sent yet', async (t) => {
  const office = await openOffice(t);
  const receiver = await startReceiver(t);
  await office.add(receiver.url);
  await storeHit(office.db, office.watch);
  await office.db.query(sql`update watch_progress set complete_through = complete_through - interval '1 microsecond'`);
  await office.send();
  assert.equal(receiver.received.length, 0);
  assert.deepEqual(await listRows(office.db), []);
  await office.db.query(sql`update watch_progress set complete_through = complete_through + interval '1 microsecond'`);
  await office.send();
  assert.equal(receiver.received.length, 1);
});

test('read from where a nudge says, the feed gives the hits of that nudge, each once over all nudges', async (t) => {
  const service = await startService(t);
  const { db } = service;
  const { name: customer, key } = await createCustomer(db);
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ name: 'Class 9', search: 'nice_class=9' });
  assert.ok((await service.call('/v1/watches/nine', { key, method: 'PUT', headers, body })).status < 300);
  const receiver = await startReceiver(t);
  const secrets = buildSecretBox(db, null);
  const secret = await secrets.seal('hook', buildSecret());
  const [found] = await db.query<{ id: string }>(
    sql`select customer_id::text as id from customer where name = ${customer}`,
  );
  await db.transaction((tx) =>
    insertWebhook(tx, {
      webhook_id: 'hook',
      customer_id: found!.id,
      url: receiver.url,
      host: 'h',
      watch: 'nine',
      secret,
    }),
  );
  const sender = buildSender(buildSenderOptions(db, secrets));
  const searches = new WatchedSearches(testLog);
  const told: string[][] = [];
  for (const uids of [['a', 'b'], ['c'], ['a']]) {
    await publishRecords(
      db,
      uids.map((uid) => ({ uid, nice_classes: [9], mark_name: `${uid} ${told.length}` })),
    );
    while (await matchEvents(db, searches));
    await sender.round();
    await sender.settled();
    const { data } = bodyOf(receiver, receiver.received.length - 1);
    const path = `/v1/watches/${data.watch}/hits?since=${data.since}&cursor=${data.cursor}`;
    const page = (await service.call(path, { key })).body as { items: { uid: string }[] };
    told.push(page.items.map(({ uid }) => uid));
  }
  assert.equal(receiver.received.length, 3);
  assert.deepEqual(told, [['a', 'b'], ['c'], ['a']]);
});

for (const [name, answer, words] of [
  ['500', answerWith(500), 'It answered 500.'],
  ['a redirect', answerWith(302, { location: '/hooks' }), 'It answered 302: redirects are not followed.'],
  [
    'a redirect to itself for ever',
    answerWith(301, { location: '/hooks' }),
    'It answered 301: redirects are not followed.',
  ],
  ['404 and much more than anybody reads', answerWith(404, {}, 'x'.repeat(1_000_000)), 'It answered 404.'],
] as const) {
  test(`a receiver that answers ${name} gets the same nudge again, after growing pauses, until it takes it`, async (t) => {
    const office = await openOffice(t);
    const receiver = await startReceiver(t, answer);
    await office.add(receiver.url);
    await storeHit(office.db, office.watch);
    await office.send();
    await office.send();
    assert.equal(receiver.received.length, 1, 'not before its pause has passed');
    const [failed] = await listRows(office.db);
    assert.deepEqual([failed!.open, failed!.failure], [true, words]);
    await passTime(office.db, 11);
    await office.send();
    assert.equal(receiver.received.length, 2);
    await passTime(office.db, 11);
    await office.send();
    assert.equal(receiver.received.length, 2, 'the second pause is longer');
    receiver.answer = answerWith(200);
    await passTime(office.db, 10);
    await office.send();
    assert.equal(receiver.received.length, 3);
    assert.equal(new Set(idsOf(receiver)).size, 1);
    assert.equal(new Set(receiver.received.map(({ body }) => body)).size, 1);
    const [ended] = await listRows(office.db);
    assert.deepEqual(ended, { attempts: 3, answer_status: 200, failure: null, open: false });
  });
}

test('a receiver that refuses the connection, or is not there, is tried again', async (t) => {
  const office = await openOffice(t);
  await office.add('http://127.0.0.1:1/');
  await storeHit(office.db, office.watch);
  await office.send();
  const [row] = await listRows(office.db);
  assert.deepEqual(row, { attempts: 1, answer_status: null, failure: 'The connection was refused.', open: true });
});

test('410 switches a webhook off at once, and nudges that were not sent are kept until it is switched on', async (t) => {
  const office = await openOffice(t);
  const receiver = await startReceiver(t, answerWith(410));
  const { id } = await office.add(receiver.url);
  await storeHit(office.db, office.watch);
  await office.send();
  const [off] = await office.db.query(sql`select off_reason, tell_at is not null as told from webhook`);
  assert.deepEqual(off, { off_reason: 'gone', told: true });
  await storeHit(office.db, office.watch);
  await passTime(office.db, 86_400);
  await office.send();
  assert.equal(receiver.received.length, 1);
  receiver.answer = answerWith(200);
  await office.db.transaction((tx) => switchOn(tx, id));
  await office.send();
  assert.equal(receiver.received.length, 3, 'what was being tried, and what came since');
  assert.deepEqual(
    (await listRows(office.db)).map(({ open }) => open),
    [false, false],
  );
});

test('a receiver that takes nothing for three days is switched off, however often it was tried, and not before', async (t) => {
  const office = await openOffice(t);
  const receiver = await startReceiver(t, answerWith(503));
  await office.add(receiver.url);
  await storeHit(office.db, office.watch);
  const isOff = async (): Promise<boolean> =>
    (await office.db.query<{ off: boolean }>(sql`select off_since is not null as off from webhook`))[0]!.off;
  let days = 0;
  for (; days < 10 && !(await isOff()); days += 0.25) {
    await office.send();
    await passTime(office.db, 0.25 * 86_400);
  }
  // The longest pause is six hours, give or take.
  assert.ok(days >= 3 && days <= 3.75, `${days} days`);
  assert.ok(receiver.received.length >= 10);
  const [row] = await office.db.query(sql`select off_reason from webhook`);
  assert.deepEqual(row, { off_reason: 'failed' });
  assert.equal((await listRows(office.db))[0]!.open, true);
});

test('to a receiver that fails one nudge goes out at a time, and all of them once it takes one', async (t) => {
  const office = await openOffice(t);
  const receiver = await startReceiver(t, answerWith(500));
  await office.add(receiver.url);
  const watches = [office.watch];
  for (let number = 0; number < 9; number += 1)
    watches.push(await storeWatch(office.db, office.customer, `w${number}`));
  await storeHit(office.db, office.watch);
  await office.send();
  assert.equal(receiver.received.length, 1);
  for (const watch of watches.slice(1)) await storeHit(office.db, watch);
  await passTime(office.db, 15);
  await office.send();
  assert.equal(receiver.received.length, 2);
  receiver.answer = answerWith(200);
  await passTime(office.db, 60);
  await office.send();
  assert.equal(receiver.received.length, 2 + 10);
  assert.ok((await listRows(office.db)).every(({ open }) => !open));
});

test('receivers that hang delay nobody else, and no more of them are waited for than may be', async (t) => {
  const { clock, ring } = holdAlarms();
  const office = await openOffice(t, { clock });
  const hanging = await startReceiver(t, () => undefined);
  await office.add(hanging.url);
  const watches = [office.watch];
  for (let number = 0; number < 20; number += 1)
    watches.push(await storeWatch(office.db, office.customer, `w${number}`));
  const other = await createCustomer(office.db);
  const quick = await startReceiver(t);
  await office.add(quick.url, null, other.name);
  const otherWatch = await storeWatch(office.db, other.name);
  for (const watch of watches) await storeHit(office.db, watch);
  await office.sender.round();
  await hanging.waitFor(4);
  await storeHit(office.db, otherWatch);
  await office.sender.round();
  await quick.waitFor(1);
  while (!(await listRows(office.db)).some(({ open }) => !open));
  assert.deepEqual([hanging.received.length, office.sender.state().sending >= 4], [4, true]);
  // The time of each has passed; from then on it is a receiver that fails, and gets one at a time.
  ring();
  await office.sender.settled();
  assert.equal(hanging.received.length, 4);
  const rows = await listRows(office.db);
  assert.equal(rows.filter(({ failure }) => failure === 'There was no answer within 10 seconds.').length, 4);
});

test('a sender that dies at any step loses no nudge: it is made again under its id', async (t) => {
  const office = await openOffice(t);
  const receiver = await startReceiver(t);
  await office.add(receiver.url);
  const claim = () =>
    claimDeliveries(office.db, {
      limit: 10,
      perHostMax: 4,
      perCustomerMax: 8,
      busyHosts: [],
      busyCustomers: [],
      leaseSeconds: 60,
    });
  // Before its hits are noted: the transaction is undone, and the next one notes them.
  await storeHit(office.db, office.watch);
  const dying: Database = {
    ...office.db,
    transaction: (work) =>
      office.db.transaction(async (tx) => {
        await work(tx);
        throw new Error('killed');
      }),
  };
  await assert.rejects(noteHits(dying), /killed/);
  assert.deepEqual(await listRows(office.db), []);
  // After they are noted, and after one is claimed and not sent.
  await noteHits(office.db);
  const [claimed] = await claim();
  assert.equal(claimed?.attempts, 1);
  await office.send();
  assert.equal(receiver.received.length, 0, 'somebody may be at it');
  await passTime(office.db, 61);
  // After it was sent, before its answer is noted.
  const deaf = buildSender({
    ...office.options,
    database: {
      ...office.db,
      query: (statement, options) =>
        /delivered_at = now\(\)/.test(statement.text)
          ? Promise.reject(new Error('killed'))
          : office.db.query(statement, options),
    },
  });
  await deaf.round();
  await deaf.settled();
  assert.equal(receiver.received.length, 1);
  await passTime(office.db, 61);
  await office.send();
  assert.equal(receiver.received.length, 2);
  assert.equal(new Set(idsOf(receiver)).size, 1);
  const rows = await listRows(office.db);
  assert.deepEqual(rows, [{ attempts: 3, answer_status: 204, failure: null, open: false }]);
});

test('a sender that was paused makes no attempt that another process may have made', async (t) => {
  const receiver = await startReceiver(t);
  let pausedMs = 0;
  const clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + pausedMs };
  const office = await openOffice(t, { clock });
  await office.add(receiver.url);
  await storeHit(office.db, office.watch);
  const query: typeof office.db.query = async (statement, options) => {
    const rows = await office.db.query(statement, options);
    // The claim was made, and its answer is read long after.
    if (/tried_since = coalesce/.test(statement.text)) pausedMs = 3_600_000;
    return rows as never;
  };
  const paused = buildSender({ ...office.options, database: { ...office.db, query } });
  await paused.round();
  await paused.settled();
  assert.equal(receiver.received.length, 0);
  await passTime(office.db, 61);
  await office.send();
  assert.equal(receiver.received.length, 1);
});

test('a sender that is stopped abandons what hangs, and the next one makes it again', async (t) => {
  const office = await openOffice(t);
  const receiver = await startReceiver(t, () => undefined);
  await office.add(receiver.url);
  await storeHit(office.db, office.watch);
  await office.sender.round();
  await receiver.waitFor(1);
  await office.sender.stop();
  const [row] = await listRows(office.db);
  assert.deepEqual(row, { attempts: 1, answer_status: null, failure: null, open: true });
  receiver.answer = answerWith(200);
  const next = buildSender(office.options);
  await next.round();
  await next.settled();
  assert.equal(new Set(idsOf(receiver)).size, 1);
  assert.equal((await listRows(office.db))[0]!.open, false);
});

test('two processes send each nudge once, and the second goes on when the first is gone', async (t) => {
  const office = await openOffice(t);
  const receiver = await startReceiver(t);
  await office.add(receiver.url);
  const [one, other] = [await connectTestDatabase(office.url), await connectTestDatabase(office.url)];
  const runs = [one, other].map((database) => startWebhooks({ ...office.options, database, clock: hurried }));
  for (let count = 1; count <= 3; count += 1) {
    await storeHit(office.db, office.watch);
    await receiver.waitFor(count);
    while ((await listRows(office.db)).some(({ open }) => open));
  }
  await runs[0]!.stop();
  await one.close();
  await storeHit(office.db, office.watch);
  await receiver.waitFor(4);
  while ((await listRows(office.db)).some(({ open }) => open));
  await runs[1]!.stop();
  await other.close();
  assert.equal(new Set(idsOf(receiver)).size, 4);
  assert.equal(receiver.received.length, 4);
});

test('what changes deliveries waits for their webhook before it locks any of them, so that nothing deadlocks', async (t) => {
  const office = await openOffice(t);
  const { db } = office;
  const ids = [await office.add('http://127.0.0.1:1/'), await office.add('http://127.0.0.1:2/')].map(({ id }) => id);
  ids.sort();
  await storeHit(db, office.watch);
  const whileHeld = async <Result>(webhookId: string, work: () => Promise<Result>): Promise<Result> => {
    const working = await db.transaction(async (tx) => {
      await tx.query(sql`select from webhook where webhook_id = ${webhookId} for no key update`);
      const started = work();
      // Seen by the test at its end, whether or not this transaction fails first.
      started.catch(() => undefined);
      const ended = started.then(() => assert.fail('it did not wait for its webhook'));
      await Promise.race([untilBlocked(db), ended]);
      const [count] = await db.query<{ open: number; free: number }>(sql`
        select (select count(*)::int4 from webhook_delivery) as open, (select count(*)::int4
          from (select from webhook_delivery for update skip locked) as free) as free`);
      assert.equal(count!.free, count!.open);
      return { started };
    });
    return await working.started;
  };
  const bounds = { limit: 10, perHostMax: 4, perCustomerMax: 8, busyHosts: [], busyCustomers: [], leaseSeconds: 60 };
  const answer = { status: 204, bytes: 0, durationMs: 1, failure: null };
  const patience = { firstPauseSeconds: 1, pauseSecondsMax: 1, trySeconds: 60, spread: 1 };
  await whileHeld(ids[0]!, () => noteHits(db));
  await storeHit(db, office.watch);
  await whileHeld(ids[0]!, () => noteHits(db));
  const claimed = await whileHeld(ids[0]!, () => claimDeliveries(db, bounds));
  assert.deepEqual(claimed.map(({ webhook_id }) => webhook_id).sort(), ids);
  const [first, second] = claimed;
  await whileHeld(first!.webhook_id, () => endDelivery(db, first!, answer));
  await whileHeld(second!.webhook_id, () =>
    db.transaction((tx) => noteFailedDelivery(tx, second!, { answer, isGone: false }, patience)),
  );
  const rows = await listRows(db);
  assert.deepEqual(rows.map(({ open }) => open).sort(), [false, true]);
});

test('claims of two senders at the same moment share what is due', async (t) => {
  const office = await openOffice(t);
  await office.add('http://127.0.0.1:1/');
  const watches = [office.watch, await storeWatch(office.db, office.customer, 'second')];
  for (const watch of watches) await storeHit(office.db, watch);
  await noteHits(office.db);
  const bounds = { limit: 10, perHostMax: 4, perCustomerMax: 8, busyHosts: [], busyCustomers: [], leaseSeconds: 60 };
  const claimed = await Promise.all(Array.from({ length: 6 }, () => claimDeliveries(office.db, bounds)));
  assert.equal(claimed.flat().length, 2);
});

test('after a rotation both secrets sign until the grace has ended, and then the new one alone', async (t) => {
  const office = await openOffice(t);
  const receiver = await startReceiver(t);
  const { id, secret } = await office.add(receiver.url);
  const renewed = buildSecret();
  const sealed = await office.options.secrets.seal(id, renewed);
  await office.db.transaction((tx) => replaceSecret(tx, { id, secret: sealed, graceSeconds: 3600 }));
  const knows = (key: string, at: number): boolean => {
    const { body, headers } = receiver.received[at]!;
    try {
      new Webhook(key).verify(body, headers as Record<string, string>);
      return true;
    } catch {
      return false;
    }
  };
  await storeHit(office.db, office.watch);
  await office.send();
  assert.deepEqual([knows(secret, 0), knows(renewed, 0)], [true, true]);
  await passTime(office.db, 3601);
  await storeHit(office.db, office.watch);
  await office.send();
  assert.deepEqual([knows(secret, 1), knows(renewed, 1)], [false, true]);
});

test('no secret is in the database in the clear, and one that another key sealed is not opened', async (t) => {
  const office = await openOffice(t);
  const receiver = await startReceiver(t);
  const { id, secret } = await office.add(receiver.url);
  const [row] = await office.db.query<{ secret: Buffer }>(sql`select secret from webhook`);
  const bytes = Buffer.from(secret.replace('whsec_', ''), 'base64');
  assert.ok(!row!.secret.includes(bytes) && !row!.secret.includes(secret));
  const keyed = buildSecretBox(office.db, 'a key of the settings that is long enough');
  assert.equal(await keyed.open(id, await keyed.seal(id, secret)), secret);
  await assert.rejects(keyed.open(id, row!.secret));
  await assert.rejects(office.options.secrets.open('another', row!.secret));
  const sender = buildSender({ ...office.options, secrets: keyed });
  await storeHit(office.db, office.watch);
  await sender.round();
  await sender.settled();
  assert.equal(receiver.received.length, 0);
  assert.match((await listRows(office.db))[0]!.failure ?? '', /rotate the secret/);
});

test('a webhook that is off, or whose customer is suspended, is sent nothing until that has ended', async (t) => {
  const office = await openOffice(t);
  const receiver = await startReceiver(t);
  const { id } = await office.add(receiver.url);
  await office.db.transaction((tx) => switchOff(tx, id));
  for (let hits = 0; hits < 3; hits += 1) {
    await storeHit(office.db, office.watch);
    await office.send();
  }
  assert.equal(receiver.received.length, 0);
  await office.db.transaction((tx) => switchOn(tx, id));
  await office.db.query(sql`update customer set suspended_at = now()`);
  await office.send();
  assert.equal(receiver.received.length, 0);
  await office.db.query(sql`update customer set suspended_at = null`);
  await office.send();
  assert.equal(receiver.received.length, 1, 'three hits, one nudge');
});

test('more hits than one step takes become nudges step by step, and none of a stamp is cut off', async (t) => {
  const office = await openOffice(t);
  const receiver = await startReceiver(t);
  await office.add(receiver.url);
  for (let hits = 0; hits < 7; hits += 1) await storeHit(office.db, office.watch);
  await office.db.query(sql`
    insert into watch_hit (watch_id, stamp, jurisdiction_code, uid, event)
    select watch_id, stamp, 'DE', uid, event from watch_hit`);
  let steps = 1;
  while (await noteHits(office.db, 3)) steps += 1;
  assert.ok(steps > 2);
  const [row] = await office.db.query<{ whole: boolean; rows: number }>(sql`
    select bool_and(through = (select max(stamp) from watch_hit)) as whole, count(*)::int4 as rows
    from webhook_delivery`);
  assert.deepEqual(row, { whole: true, rows: 1 });
});

test('deliveries that were taken are kept for the days of the call log, and open ones until they are taken', async (t) => {
  const office = await openOffice(t);
  await office.add((await startReceiver(t)).url);
  await office.add('http://127.0.0.1:1/');
  await storeHit(office.db, office.watch);
  await office.send();
  await office.db.query(sql`
    update webhook_delivery set delivered_at = delivered_at - interval '8 days', created_at = created_at - interval '8 days'`);
  const bounds = { sessions: { idleSeconds: 60, absoluteSeconds: 600 }, attemptSeconds: 60 };
  const others = {
    keepRefusalsDays: null,
    keepUsageDays: null,
    keepAuditDays: null,
    keepFindingsDays: null,
    keepWatchesDays: null,
  };
  await prune(office.db, { days: { keepCallsDays: 9, ...others }, ...bounds });
  assert.equal((await listRows(office.db)).length, 2);
  await prune(office.db, { days: { keepCallsDays: 7, ...others }, ...bounds });
  assert.deepEqual(
    (await listRows(office.db)).map(({ open }) => open),
    [true],
  );
});

test('a customer that is removed is sent nothing more, and nothing of its receivers is kept', async (t) => {
  const office = await openOffice(t);
  const receiver = await startReceiver(t);
  await office.add(receiver.url);
  await storeHit(office.db, office.watch);
  await office.db.transaction((tx) => removeCustomer(tx, { customer: office.customer, actor: 'test' }));
  await office.send();
  assert.equal(receiver.received.length, 0);
  assert.deepEqual(await office.db.query(sql`select webhook_id from webhook`), []);
});
