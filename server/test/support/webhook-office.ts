/** An office with customers, watches and webhooks, whose sender and time the test has in hand. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { type Statement, sql } from '../../src/database/driver/sql.ts';
import { insertWebhook } from '../../src/store/webhooks/webhooks.ts';
import { buildSecret } from '../../src/webhook/message.ts';
import { buildSecretBox, type SecretBox } from '../../src/webhook/secrets.ts';
import { buildSender, type Sender, type SenderOptions } from '../../src/webhook/sender.ts';
import { createTestDatabase, testLog } from './database.ts';
import { createCustomer } from './portal.ts';
import type { Receiver } from './receiver.ts';
import type { TestContext } from './service.ts';
import { storeWatch } from './watch-hits.ts';

export interface Office {
  readonly db: Database;
  readonly url: string;
  readonly customer: string;
  /** The watch `brands`. */
  readonly watch: string;
  readonly options: SenderOptions;
  readonly sender: Sender;
  /** One round, and everything that it starts. */
  send(): Promise<void>;
  add(url: string, watch?: string | null, customer?: string): Promise<{ id: string; secret: string }>;
}

export const buildSenderOptions = (
  database: Database,
  secrets: SecretBox,
  changes: Partial<SenderOptions> = {},
): SenderOptions => ({
  database,
  secrets,
  privateTargets: 'allow',
  resolve: async () => ['127.0.0.1'],
  random: () => 0.5,
  clock: systemClock,
  log: testLog,
  version: '1.2.3',
  ...changes,
});

export async function openOffice(
  t: TestContext,
  changes: Partial<SenderOptions> = {},
  poolMax?: number,
): Promise<Office> {
  const { db, url } = await createTestDatabase(t, poolMax === undefined ? {} : { poolMax });
  const { name: customer } = await createCustomer(db);
  const watch = await storeWatch(db, customer);
  const secrets = buildSecretBox(db, null);
  const options = buildSenderOptions(db, secrets, changes);
  const sender = buildSender(options);
  return {
    db,
    url,
    customer,
    watch,
    options,
    sender,
    send: async () => {
      await sender.round();
      await sender.settled();
    },
    add: async (target, ofWatch = null, owner = customer) => {
      const id = randomUUID().slice(0, 12);
      const secret = buildSecret();
      const sealed = await secrets.seal(id, secret);
      const [found] = await db.query<{ customer_id: string }>(
        sql`select customer_id::text as customer_id from customer where name = ${owner}`,
      );
      const { customer_id } = found!;
      const { host } = new URL(target);
      const added = await db.transaction((tx) =>
        insertWebhook(tx, { webhook_id: id, customer_id, url: target, host, watch: ofWatch, secret: sealed }),
      );
      assert.ok(added);
      return { id, secret };
    },
  };
}

/** Rounds follow each other without pauses. */
export const hurried: Clock = { ...systemClock, sleep: (_ms, signal) => systemClock.sleep(5, signal) };

/** A clock whose alarms go off when the test says, and not before. */
export function holdAlarms(): { readonly clock: Clock; readonly ring: () => void } {
  const alarms = new Set<() => void>();
  const callAfter: Clock['callAfter'] = (_ms, act) => {
    alarms.add(act);
    return () => alarms.delete(act);
  };
  const ring = (): void => {
    for (const act of alarms) act();
  };
  return { clock: { ...hurried, callAfter }, ring };
}

const earlier = (column: Statement, seconds: number): Statement =>
  sql`${column} - make_interval(secs => ${seconds}::float8)`;

/** As if this much time had passed for everything that waits. */
export async function passTime(db: Database, seconds: number): Promise<void> {
  const of = (column: Statement): Statement => earlier(column, seconds);
  await db.transaction(async (tx) => {
    await tx.query(sql`select from webhook order by webhook_id for no key update`);
    await tx.query(sql`
      update webhook_delivery set due_at = ${of(sql`due_at`)}, tried_since = ${of(sql`tried_since`)}
      where due_at is not null`);
    await tx.query(sql`
      update webhook set paused_until = ${of(sql`paused_until`)}, former_ends_at = ${of(sql`former_ends_at`)}`);
  });
}

interface DeliveryRow {
  attempts: number;
  answer_status: number | null;
  failure: string | null;
  open: boolean;
}

export const listRows = (db: Database): Promise<DeliveryRow[]> =>
  db.query<DeliveryRow>(sql`
    select attempts, answer_status, failure, due_at is not null as open from webhook_delivery
    order by created_at, delivery_id`);

export const idsOf = ({ received }: Receiver): unknown[] => received.map(({ headers }) => headers['webhook-id']);
export const bodyOf = (receiver: Receiver, at: number) => JSON.parse(receiver.received[at]!.body);
