/**
 * Everything that changes what customers have, at once and in any order, on few customers: nothing is undone as a
 * deadlock, and nothing fails but by its own words.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { removeCustomer, renameCustomer, resumeCustomer, suspendCustomer } from '../../src/access/customers.ts';
import { inviteCustomer, issueKey, issueKeyWithin, revokeKey, rotateKey, setKey } from '../../src/access/keys.ts';
import { systemClock } from '../../src/base/clock.ts';
import { OperatorError } from '../../src/base/errors.ts';
import { causeOf, NoAnswer } from '../../src/base/no-answer.ts';
import type { Database, Transaction } from '../../src/database/driver/db.ts';
import { errorCode } from '../../src/database/driver/failures.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { insertCalls } from '../../src/store/accounts/call-log.ts';
import { holdCustomer, lockCustomer } from '../../src/store/accounts/customers.ts';
import { forgetDockets, lockMemory, openMemory, rememberRows } from '../../src/store/accounts/docket-memory.ts';
import {
  countDockets,
  deleteDocket,
  insertDocket,
  insertDocketPart,
  lockDocket,
  notePrevious,
  putMarks,
  startDocket,
} from '../../src/store/accounts/dockets.ts';
import {
  countAttempts,
  deleteSessionsOf,
  insertSession,
  lockTeam,
  removeMember,
  setRole,
} from '../../src/store/accounts/portal.ts';
import { lockAddress } from '../../src/store/accounts/portal-invitations.ts';
import { claimQuotaNotices, endQuotaNotice, insertQuotaNotices } from '../../src/store/accounts/quota-notices.ts';
import { deleteRecentSearches, noteSearch } from '../../src/store/accounts/saved-searches.ts';
import { judgeCalls, returnUnits } from '../../src/store/accounts/usage.ts';
import { insertCalendar } from '../../src/store/dates/calendars.ts';
import { claimFilingNotices, dismissFiling, insertFiling, noteOverdue } from '../../src/store/dates/filings.ts';
import { claimReminders, insertReminder } from '../../src/store/dates/reminders.ts';
import { insertLikeness, putHandling } from '../../src/store/watches/hit-handling.ts';
import { markAllSeen, markWatchSeen } from '../../src/store/watches/new-hits.ts';
import { endWatch, putWatch, takeTurn } from '../../src/store/watches/watches.ts';
import { claimDeliveries, endDelivery, noteFailedDelivery, noteHits } from '../../src/store/webhooks/deliveries.ts';
import { claimDigests, endDigest, insertDigest } from '../../src/store/webhooks/digests.ts';
import { claimOffNotices } from '../../src/store/webhooks/messages.ts';
import { claimTests, insertTest } from '../../src/store/webhooks/tests.ts';
import {
  changeWebhook,
  deleteWebhook,
  insertWebhook,
  replayDelivery,
  switchOff,
  switchOn,
} from '../../src/store/webhooks/webhooks.ts';
import { prune } from '../../src/upkeep/retention/retention.ts';
import { connectTestDatabase, createTestDatabase } from '../support/database.ts';

const SECONDS = 30;
const WORKERS = 24;
const CUSTOMERS = 3;

const any = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)]!;
const shuffled = <Item>(items: readonly Item[]): Item[] =>
  items
    .map((item) => [Math.random(), item] as const)
    .sort(([one], [other]) => one - other)
    .map(([, item]) => item);
const PAUSES = { limit: 20, firstPauseSeconds: 0, pauseSecondsMax: 0 };
const ANSWER = { status: 500, bytes: 0, durationMs: 1, failure: 'no' };
const actor = 'test';

/** What there is of a customer at the moment; lists may be empty. */
interface Own {
  readonly id: string;
  readonly name: string;
  readonly users: string[];
  readonly keys: string[];
  readonly watches: { watch_id: string; id: string }[];
  readonly webhooks: string[];
  readonly dockets: string[];
  readonly hits: { watch_id: string; stamp: string; jurisdiction_code: string; uid: string; event: 'begins' }[];
}

async function findAny(db: Database): Promise<Own> {
  const [own] = await db.query<{ own: string }>(sql`
    select json_build_object('id', c.customer_id, 'name', c.name,
      'users', array(select user_id from portal_user u where u.customer_id = c.customer_id and removed_at is null),
      'keys', array(select key_id from access_key k where k.customer_id = c.customer_id),
      'watches', coalesce((select json_agg(json_build_object('watch_id', watch_id, 'id', id))
        from watch w where w.customer_id = c.customer_id), '[]'),
      'webhooks', array(select webhook_id from webhook w where w.customer_id = c.customer_id),
      'dockets', array(select docket_id from docket d where d.customer_id = c.customer_id),
      'hits', coalesce((select json_agg(h) from (
        select h.watch_id, h.stamp::text as stamp, jurisdiction_code, uid, event
        from watch_hit h join watch w on w.watch_id = h.watch_id and w.customer_id = c.customer_id limit 30) as h), '[]')
    )::text as own from customer c where removed_at is null order by random() limit 1`);
  return JSON.parse(own!.own) as Own;
}

/** Another customer, with everything that it begins with. */
async function found(db: Database): Promise<void> {
  const name = `customer ${randomUUID()}`;
  const order = { customer: name, name: null, products: ['analytics', 'records'], actor } as const;
  await db.transaction(async (tx) => {
    for (const quota of [5, 1000]) await issueKeyWithin(tx, { ...order, quota });
    await tx.query(sql`
      insert into portal_user (user_id, customer_id, email, created_at)
      select gen_random_uuid(), customer_id, gen_random_uuid() || '@example.org', now()
      from customer, generate_series(1, 4) where name = ${name}`);
  });
}

const RECORDS = {
  kind: 'records',
  records: ['1', '2', '3'].map((uid) => ({ jurisdiction_code: 'FR', uid })),
} as const;

type Action = (db: Database, own: Own) => Promise<unknown>;

/** An invitation to a name that a customer had before adds a customer without a key. */
const ofKey =
  (work: (db: Database, id: string) => Promise<unknown>): Action =>
  async (db, { keys }) => {
    if (keys.length > 0) await work(db, any(keys));
  };

/** As forms of people do it. */
const once =
  (work: (tx: Transaction, own: Own) => Promise<unknown>): Action =>
  (db, own) =>
    db.transaction(async (tx) => {
      if ((await holdCustomer(tx, own.id)) !== null) await work(tx, own);
    });
const alone =
  (work: (tx: Transaction, own: Own) => Promise<unknown>): Action =>
  (db, own) =>
    db.transaction(async (tx) => {
      if ((await lockCustomer(tx, own.id)) !== null) await work(tx, own);
    });
const whole =
  (work: (tx: Transaction, order: { customer: string; actor: string }) => Promise<unknown>): Action =>
  (db, { name }) =>
    db.transaction((tx) => work(tx, { customer: name, actor }));

const marksOf = (lines: readonly number[]) =>
  shuffled(lines).map((line) => ({ line, part: 0, result: 'match', state: 'done' as const, note: null }));

const ACTIONS: Readonly<Record<string, Action>> = {
  judge: async (db, { keys }) => {
    if (keys.length === 0) return;
    const groups = shuffled(keys).flatMap((key_id) =>
      (['records', 'analytics'] as const).map((product) => ({ key_id, product, secret_number: 1, calls: 1, units: 1 })),
    );
    await judgeCalls(db, groups, true);
    const day = new Date().toISOString().slice(0, 10);
    await returnUnits(
      db,
      groups.map(({ key_id, product }) => ({ key_id, product, day, units: 1 })),
    );
    const counts = groups.map(({ key_id, product }) => ({ key_id, product, code: 'rate_limited', calls: 1 }));
    await insertCalls(db, [], counts);
  },
  setKey: ofKey((db, id) => setKey(db, { id, quota: any([5, 1000]), products: ['records', 'analytics'], actor })),
  rotateKey: ofKey((db, id) => rotateKey(db, { id, graceSeconds: 0, actor })),
  revokeKey: ofKey((db, id) => revokeKey(db, { id, actor })),
  issueKey: (db, { name, keys }) =>
    keys.length > 6
      ? Promise.resolve()
      : issueKey(db, { customer: name, name: null, products: ['records', 'analytics'], quota: 5, actor }),
  suspend: whole((tx, order) => suspendCustomer(tx, { ...order, reason: null })),
  resume: whole(resumeCustomer),
  rename: whole((tx, order) => renameCustomer(tx, { ...order, name: any(['one', 'two', randomUUID()]) })),
  remove: async (db, { name }) => {
    if (Math.random() > 0.3) return;
    await db.transaction((tx) => removeCustomer(tx, { customer: name, actor }));
    await found(db);
  },
  invite: (db, { name }) =>
    inviteCustomer(db, { customer: name, email: any(['x@example.org', 'y@example.org']), actor }),
  putWatch: (db, { id }) => putWatch(db, id, any(['a', 'b', 'c']), { name: any(['n', 'm']), subject: RECORDS }),
  endWatch: async (db, { id }) => {
    const ended = await endWatch(db, id, any(['a', 'b', 'c']));
    if (ended !== null) {
      await db.query(sql`
        update watch set ended_at = now() - interval '50 days' where watch_id = ${ended.watch_id}::uuid
          and ended_at is not null`);
    }
  },
  match: (db, { watches }) =>
    db.transaction(async (tx) => {
      await takeTurn(tx);
      const [progress] = await tx.query<{ stamp: string }>(sql`
        update watch_progress set complete_through = greatest(clock_timestamp(), complete_through)
        returning complete_through::text as stamp`);
      for (const { watch_id } of shuffled(watches)) {
        const live = await tx.query(sql`select from watch where watch_id = ${watch_id}::uuid and ended_at is null`);
        if (live.length === 0) continue;
        const hit = { watch_id, stamp: progress!.stamp, jurisdiction_code: 'FR', uid: '1' };
        await tx.query(sql`
          insert into watch_hit (watch_id, stamp, jurisdiction_code, uid, event)
          values (${watch_id}::uuid, ${hit.stamp}::timestamptz, 'FR', '1', 'begins')`);
        await insertLikeness(tx, [{ ...hit, likeness: {} as never }]);
      }
    }),
  noteHits: (db) => noteHits(db),
  send: async (db) => {
    const bounds = { limit: 10, perHostMax: 5, perCustomerMax: 5, busyHosts: [], busyCustomers: [], leaseSeconds: 0 };
    for (const delivery of shuffled(await claimDeliveries(db, bounds))) {
      if (Math.random() < 0.5) await endDelivery(db, delivery, ANSWER);
      else {
        await db.transaction((tx) =>
          noteFailedDelivery(
            tx,
            delivery,
            { answer: ANSWER, isGone: Math.random() < 0.1 },
            {
              ...{ firstPauseSeconds: 0, pauseSecondsMax: 0, trySeconds: 60, spread: 0 },
            },
          ),
        );
      }
    }
    await claimTests(db, { limit: 5, fullHosts: [], fullCustomers: [] });
    await claimOffNotices(db, PAUSES);
  },
  addWebhook: alone(async (tx, { id, webhooks }) => {
    if (webhooks.length > 3) return;
    const webhook_id = randomUUID().slice(0, 12);
    const webhook = { webhook_id, customer_id: id, url: 'https://a.example/', host: 'a.example' };
    await insertWebhook(tx, { ...webhook, watch: any([null, 'a', 'b']), secret: Buffer.from('x') });
  }),
  changeWebhook: alone(async (tx, { id, webhooks }) => {
    if (webhooks.length === 0) return;
    const webhook_id = any(webhooks);
    const to = { webhook_id, customer_id: id, host: 'a.example', watch: any([null, 'a']) };
    await changeWebhook(tx, { ...to, url: `https://a.example/${randomUUID()}` });
    await (Math.random() < 0.4 ? switchOff : switchOn)(tx, webhook_id);
    if (Math.random() < 0.1) await deleteWebhook(tx, webhook_id);
    else if ((await tx.query(sql`select from webhook where webhook_id = ${webhook_id}`)).length > 0) {
      await insertTest(tx, { customerId: id, webhookId: webhook_id });
      const [one] = await tx.query<{ id: string }>(sql`
        select delivery_id::text as id from webhook_delivery where webhook_id = ${webhook_id} limit 1`);
      if (one !== undefined) await replayDelivery(tx, { webhookId: webhook_id, deliveryId: one.id });
    }
  }),
  handle: once(async (tx, { hits, users }) => {
    if (hits.length === 0 || users.length === 0) return;
    const { watch_id } = any(hits);
    const assignedTo = any([null, any(users)]);
    if (assignedTo !== null) {
      const held = await tx.query(sql`
        select user_id from portal_user where user_id = ${assignedTo}::uuid and removed_at is null for share`);
      if (held.length === 0) return;
    }
    const own = shuffled(hits.filter((hit) => hit.watch_id === watch_id));
    await putHandling(tx, watch_id, own, { change: { isDone: true, assignedTo }, userId: any(users) });
  }),
  leave: once(async (tx, { id, users }) => {
    if (users.length < 3) return;
    await lockTeam(tx, id);
    const user = any(users);
    await lockAddress(tx, user);
    await setRole(tx, user, 'member');
    await removeMember(tx, user);
    await tx.query(sql`
      insert into portal_user (user_id, customer_id, email, created_at)
      values (gen_random_uuid(), ${id}::uuid, gen_random_uuid() || '@example.org', now())`);
  }),
  seen: once(async (tx, { users }) => {
    if (users.length > 0) await markAllSeen(tx, any(users), new Date().toISOString());
  }),
  seenOne: async (db, { users, hits }) => {
    if (users.length === 0 || hits.length === 0) return;
    const { watch_id: watchId, stamp: through } = any(hits);
    await markWatchSeen(db, { userId: any(users), watchId, through });
  },
  search: async (db, { users }) => {
    const userId = any(users);
    if (userId !== undefined)
      await noteSearch(db, userId, { search: `${Math.floor(Math.random() * 24)}`, found: null });
  },
  clearSearches: once(async (tx, { users }) => {
    if (users.length > 0) await deleteRecentSearches(tx, any(users));
  }),
  signIn: async (db, { users }) => {
    if (users.length === 0) return;
    await countAttempts(
      db,
      shuffled(['a', 'b', 'c']).map((text) => Buffer.from(text)),
      1,
    );
    for (let at = 0; at < 3; at += 1) await insertSession(db, Buffer.from(randomUUID()), any(users));
  },
  signOut: once(async (tx, { users }) => {
    if (users.length > 0) await deleteSessionsOf(tx, any(users), null);
  }),
  mail: async (db, { users }) => {
    const user = any(users);
    if (user !== undefined) {
      await insertDigest(db, user);
      await insertReminder(db, user);
      await db.query(sql`update hit_digest set due_at = now() where user_id = ${user}::uuid`);
      await db.query(sql`update date_reminder set due_at = now() where user_id = ${user}::uuid`);
    }
    for (const digest of await claimDigests(db, PAUSES)) await endDigest(db, digest, 'sent');
    await claimReminders(db, PAUSES);
    await insertQuotaNotices(db, [80, 100]);
    for (const notice of await claimQuotaNotices(db, PAUSES)) await endQuotaNotice(db, notice, null);
    await noteOverdue(db);
    await claimFilingNotices(db, PAUSES);
  },
  file: alone(async (tx, { id, users, watches }) => {
    if (users.length === 0 || watches.length === 0) return;
    const { watch_id } = any(watches);
    const record = { jurisdiction_code: 'FR', uid: '1', filing: 'renewal' } as const;
    const filed = { customer_id: id, user_id: any(users), watch_id: any([null, watch_id]), ...record };
    const alarm = await insertFiling(tx, { ...filed, filed_on: '2026-01-02', warn_on: '2026-01-03' });
    if (Math.random() < 0.3) await dismissFiling(tx, id, alarm);
    const live = await tx.query(sql`
      select watch_id from watch where watch_id = ${watch_id}::uuid and ended_at is null for key share`);
    const secretDigest = Buffer.from(randomUUID());
    if (live.length === 0) return;
    await insertCalendar(tx, { customerId: id, subject: { watch_id }, secretDigest, userId: any(users) });
  }),
  upload: once(async (tx, { id }) => {
    if ((await countDockets(tx, id)) >= 3) return;
    const docket_id = randomUUID();
    await insertDocket(tx, { docket_id, customer_id: id, name: 'd', rows: 5, survey: {} });
    await insertDocketPart(tx, docket_id, { number: 0, rows: 5, cells: Buffer.from('x') });
  }),
  startDocket: once(async (tx, { id, dockets, keys }) => {
    if (dockets.length === 0 || keys.length === 0) return;
    await openMemory(tx, id, Buffer.alloc(32));
    const start = { isFirst: true, reading: {}, key_id: any(keys), known_through: {}, remembers: true };
    await startDocket(tx, any(dockets), start, 0);
  }),
  compareDocket: (db, { id, dockets }) =>
    db.transaction(async (tx) => {
      if (dockets.length === 0 || (await lockMemory(tx, id)) === null) return;
      const docketId = any(dockets);
      if (!(await lockDocket(tx, docketId))) return;
      const rows = shuffled([1, 2, 3, 4, 5]).map((row) => ({
        ...{
          row_digest: Buffer.from([row]),
          result: 'match',
          finding_digest: Buffer.from('f'),
          state: null,
          note: null,
        },
      }));
      await rememberRows(tx, id, docketId, rows);
      await putMarks(tx, docketId, marksOf([1, 2, 3, 4, 5]), 'x', false);
      await notePrevious(tx, docketId, docketId);
    }),
  markRows: once(async (tx, { id, dockets }) => {
    if (dockets.length === 0) return;
    const docketId = any(dockets);
    await lockMemory(tx, id);
    if (await lockDocket(tx, docketId)) await putMarks(tx, docketId, marksOf([2, 3, 4, 6]), 'y', true);
  }),
  deleteDocket: async (db, { id, dockets }) => {
    if (dockets.length > 0 && Math.random() < 0.3) await deleteDocket(db, id, any(dockets));
  },
  forget: once((tx, { id }) => forgetDockets(tx, id)),
  prune: (db) => {
    const days = { keepRefusalsDays: 0, keepUsageDays: 0, keepAuditDays: 0, keepFindingsDays: 0, keepWatchesDays: 0 };
    const sessions = { idleSeconds: 1, absoluteSeconds: 2 };
    return prune(db, { days: { keepCallsDays: 0, ...days }, sessions, attemptSeconds: 1 });
  },
};

test('whatever customers, their people, programs and senders change at once is never undone as a deadlock', {
  timeout: 600_000,
}, async (t) => {
  const { db: first, url } = await createTestDatabase(t);
  const db = await connectTestDatabase(url, { poolMax: WORKERS + 4, settings: { deadlock_timeout: '10ms' } });
  t.after(() => db.close());
  for (let at = 0; at < CUSTOMERS; at += 1) await found(first);
  const done: Record<string, number> = {};
  const failures: Record<string, number> = {};
  const endMs = systemClock.monotonicMs() + SECONDS * 1000;
  const work = async (): Promise<void> => {
    while (systemClock.monotonicMs() < endMs) {
      const name = any(Object.keys(ACTIONS));
      const own = await findAny(db);
      try {
        await ACTIONS[name]!(db, own);
        done[name] = (done[name] ?? 0) + 1;
      } catch (error) {
        if (error instanceof OperatorError) continue;
        if (error instanceof NoAnswer && error.code === 'customer_removed') continue;
        const cause = causeOf(error) as { message?: string } | undefined;
        const said = `${name}: ${errorCode(cause) ?? ''} ${cause?.message ?? String(error)}`;
        failures[said] = (failures[said] ?? 0) + 1;
      }
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
  t.diagnostic(JSON.stringify(done));
  assert.deepEqual(failures, {});
});
