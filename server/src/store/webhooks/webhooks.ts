/**
 * The webhooks of customers, as people and programs see them, and their deliveries as the portal shows them. It seals
 * no secret and decides no wording.
 * Invariant: what belongs to another customer is not found.
 */
import { WEBHOOKS_MAX, type WebhookOffReason } from '@tmds/contract/webhooks';
import type { Queryable, Transaction } from '../../database/driver/db.ts';
import { instantText, type Statement, sql } from '../../database/driver/sql.ts';

export interface CustomerWebhook {
  webhook_id: string;
  /** For programs: chosen by the customer, or that of the portal. */
  id: string;
  url: string;
  /** The watch that it is for, as the customer names it; null for all, and for a watch that no longer exists. */
  watch: string | null;
  watch_name: string | null;
  is_for_all: boolean;
  created_at: string;
  /** Until when the previous secret signs too; null if it does not. */
  former_ends_at: string | null;
  off_since: string | null;
  off_reason: WebhookOffReason | null;
  /** Failed attempts in a row. */
  failures: number;
  /** The next attempt after a failed one. */
  paused_until: string | null;
  /** Deliveries that are open. */
  waiting: number;
  delivered_at: string | null;
}

/** The id by which programs know a webhook `w`. */
const OWN_ID = sql`coalesce(w.id, w.webhook_id)`;

const COLUMNS = sql`w.webhook_id, ${OWN_ID} as id, w.url, watch.id as watch, watch.name as watch_name, w.watch_id is null as is_for_all,
  ${instantText(sql`w.created_at`)} as created_at,
  case when w.former_ends_at > now() then ${instantText(sql`w.former_ends_at`)} end as former_ends_at,
  ${instantText(sql`w.off_since`)} as off_since, w.off_reason, w.failures,
  case when w.failures > 0 then ${instantText(sql`w.paused_until`)} end as paused_until,
  (select count(*)::int4 from (select from webhook_delivery d where d.webhook_id = w.webhook_id and d.due_at is not null
    limit 1000) as open) as waiting,
  (select ${instantText(sql`max(d.delivered_at)`)} from (select delivered_at from webhook_delivery o
    where o.webhook_id = w.webhook_id order by o.created_at desc, o.delivery_id desc limit 200) as d) as delivered_at`;

export async function listWebhooks(db: Queryable, customerId: string): Promise<CustomerWebhook[]> {
  return await db.query<CustomerWebhook>(sql`
    select ${COLUMNS} from webhook w left join watch on watch.watch_id = w.watch_id
    where w.customer_id = ${customerId} order by w.created_at, w.webhook_id limit ${WEBHOOKS_MAX}::int`);
}

export async function findWebhook(db: Queryable, customerId: string, id: string): Promise<CustomerWebhook | null> {
  const [webhook] = await db.query<CustomerWebhook>(sql`
    select ${COLUMNS} from webhook w left join watch on watch.watch_id = w.watch_id
    where w.customer_id = ${customerId} and w.webhook_id = ${id}`);
  return webhook ?? null;
}

/** In the order of the ids for programs, after one of them; null = from the first. */
export async function listOwnWebhooks(
  db: Queryable,
  customerId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<CustomerWebhook[]> {
  return await db.query<CustomerWebhook>(sql`
    select ${COLUMNS} from webhook w left join watch on watch.watch_id = w.watch_id
    where w.customer_id = ${customerId} and ${OWN_ID} > ${after ?? ''} order by ${OWN_ID} limit ${limit}::int`);
}

/** By its id for programs. */
export async function findOwnWebhook(db: Queryable, customerId: string, id: string): Promise<CustomerWebhook | null> {
  const [webhook] = await db.query<CustomerWebhook>(sql`
    select ${COLUMNS} from webhook w left join watch on watch.watch_id = w.watch_id
    where w.customer_id = ${customerId} and ${OWN_ID} = ${id}`);
  return webhook ?? null;
}

/** The caller has locked the customer. */
export async function countWebhooks(tx: Transaction, customerId: string): Promise<number> {
  const [counted] = await tx.query<{ webhooks: number }>(
    sql`select count(*)::int4 as webhooks from webhook where customer_id = ${customerId}`,
  );
  return counted!.webhooks;
}

export interface NewWebhook {
  readonly webhook_id: string;
  /** For programs; default: `webhook_id`. */
  readonly id?: string;
  readonly customer_id: string;
  readonly url: string;
  readonly host: string;
  /** As the customer names it; null = all. */
  readonly watch: string | null;
  /** Sealed. */
  readonly secret: Buffer;
}

/** False if the customer has no such watch. */
export async function insertWebhook(tx: Transaction, webhook: NewWebhook): Promise<boolean> {
  const { webhook_id, customer_id, id = null, url, host, watch, secret } = webhook;
  const inserted = await tx.query(sql`
    insert into webhook (webhook_id, customer_id, id, url, host, watch_id, secret, created_at)
    select ${webhook_id}, ${customer_id}::uuid, ${id}, ${url}, ${host}, watch.watch_id, ${secret}::bytea, now()
    from (select 1) as once left join watch
      on watch.customer_id = ${customer_id}::uuid and watch.id = ${watch} and watch.ended_at is null
    where ${watch}::text is null or watch.watch_id is not null
    returning webhook_id`);
  return inserted.length > 0;
}

/**
 * Leads to another receiver, or is for other watches from now on; the watch that it is for may have ended. What waits
 * goes to the new receiver, at once. False if the customer has no such watch.
 */
export async function changeWebhook(
  tx: Transaction,
  { webhook_id, customer_id, url, host, watch }: Omit<NewWebhook, 'id' | 'secret'>,
): Promise<boolean> {
  const moved = await tx.query(sql`
    update webhook w set failures = 0, paused_until = null where webhook_id = ${webhook_id} and url <> ${url}
    returning webhook_id`);
  if (moved.length > 0) await hurryDeliveries(tx, webhook_id);
  const changed = await tx.query(sql`
    update webhook w set url = ${url}, host = ${host}, watch_id = chosen.watch_id
    from (
      select watch.watch_id, watch.ended_at from (select 1) as once left join watch
        on watch.customer_id = ${customer_id}::uuid and watch.id = ${watch}
    ) as chosen
    where w.webhook_id = ${webhook_id} and (${watch}::text is null
      or (chosen.watch_id is not null and (chosen.ended_at is null or chosen.watch_id = w.watch_id)))
    returning w.webhook_id`);
  return changed.length > 0;
}

/**
 * A second new secret within the grace of the first replaces the first: the old one, which the receiver has, signs on.
 * So a caller that lost the answer may repeat the call.
 *
 * @param graceSeconds how long the old secret signs together with the new one; 0 = not at all
 */
export async function replaceSecret(
  tx: Transaction,
  { id, secret, graceSeconds }: { id: string; secret: Buffer; graceSeconds: number },
): Promise<void> {
  await tx.query(sql`
    update webhook set secret = ${secret},
      former_secret = case when ${graceSeconds}::float8 > 0
        then case when former_ends_at > now() then former_secret else secret end end,
      former_ends_at = case when ${graceSeconds}::float8 > 0
        then now() + make_interval(secs => ${graceSeconds}::float8) end
    where webhook_id = ${id}`);
}

export async function endFormerSecret(tx: Transaction, id: string): Promise<void> {
  await tx.query(sql`update webhook set former_secret = null, former_ends_at = null where webhook_id = ${id}`);
}

/** Its deliveries wait until it is switched on again. False if it was off already. */
export async function switchOff(tx: Transaction, id: string): Promise<boolean> {
  const changed = await tx.query(sql`
    update webhook set off_since = now(), off_reason = 'customer' where webhook_id = ${id} and off_since is null
    returning webhook_id`);
  return changed.length > 0;
}

/** Waiting deliveries are due at once, and tried for as long as if they were new. False if it was on already. */
export async function switchOn(tx: Transaction, id: string): Promise<boolean> {
  const changed = await tx.query(sql`
    update webhook set off_since = null, off_reason = null, failures = 0, paused_until = null, tell_at = null
    where webhook_id = ${id} and off_since is not null returning webhook_id`);
  if (changed.length === 0) return false;
  await hurryDeliveries(tx, id);
  return true;
}

/** What waits is due at once, and tried for as long as if it were new. The caller has locked the webhook. */
async function hurryDeliveries(tx: Transaction, id: string): Promise<void> {
  await tx.query(sql`
    update webhook_delivery set due_at = now(), tried_since = null where webhook_id = ${id} and due_at is not null`);
}

/** Deletes its deliveries too. */
export async function deleteWebhook(tx: Transaction, id: string): Promise<void> {
  await tx.query(sql`delete from webhook where webhook_id = ${id}`);
}

/** Deletes the webhooks of a removed customer, in the order in which a sender locks them, and their test events. */
export async function eraseWebhooks(tx: Transaction, customerId: string): Promise<void> {
  await tx.query(sql`
    delete from webhook w using (
      select webhook_id from webhook where customer_id = ${customerId} order by webhook_id for update
    ) as own where w.webhook_id = own.webhook_id`);
  await tx.query(sql`delete from webhook_test where customer_id = ${customerId}`);
}

export interface ShownDelivery {
  delivery_id: string;
  /** As the customer names it. */
  watch: string;
  watch_name: string;
  created_at: string;
  attempts: number;
  attempted_at: string | null;
  /** When the next attempt is made; null once it is delivered. */
  due_at: string | null;
  delivered_at: string | null;
  answer_status: number | null;
  answer_bytes: number | null;
  answer_ms: number | null;
  failure: string | null;
}

/** A place in the list of deliveries. */
export interface DeliveryPosition {
  readonly created_at: string;
  readonly delivery_id: string;
}

/** Newest first, from after `before` on. */
export async function listDeliveries(
  db: Queryable,
  { webhookId, before, limit }: { webhookId: string; before: DeliveryPosition | null; limit: number },
): Promise<ShownDelivery[]> {
  const earlier: Statement =
    before === null
      ? sql`true`
      : sql`(d.created_at, d.delivery_id) < (${before.created_at}::timestamptz, ${before.delivery_id}::uuid)`;
  return await db.query<ShownDelivery>(sql`
    select d.delivery_id::text as delivery_id, watch.id as watch, watch.name as watch_name,
      ${instantText(sql`d.created_at`)} as created_at, d.attempts, ${instantText(sql`d.attempted_at`)} as attempted_at,
      ${instantText(sql`d.due_at`)} as due_at, ${instantText(sql`d.delivered_at`)} as delivered_at,
      d.answer_status, d.answer_bytes, d.answer_ms, d.failure
    from webhook_delivery d join watch on watch.watch_id = d.watch_id
    where d.webhook_id = ${webhookId} and ${earlier}
    order by d.created_at desc, d.delivery_id desc limit ${limit}::int`);
}

/**
 * Makes a delivery with the cursor of an earlier one, or gives that cursor to the one that waits. The new delivery has
 * a new id, because receivers drop ids that they know. False if there is no delivery with this id.
 */
export async function replayDelivery(
  tx: Transaction,
  { webhookId, deliveryId }: { webhookId: string; deliveryId: string },
): Promise<boolean> {
  const made = await tx.query(sql`
    insert into webhook_delivery as d (delivery_id, webhook_id, watch_id, after, through, created_at, due_at)
    select gen_random_uuid(), webhook_id, watch_id, after, through, now(), now()
    from webhook_delivery where webhook_id = ${webhookId} and delivery_id::text = ${deliveryId}
    on conflict (webhook_id, watch_id) where due_at is not null and attempts = 0 do update
      set after = least(d.after, excluded.after), through = greatest(d.through, excluded.through)
    returning delivery_id`);
  return made.length > 0;
}

export interface WebhookFigures {
  readonly live: number;
  /** Switched off by their customers. */
  readonly off: number;
  /** Switched off because of the receiver's answers or failures. */
  readonly failed: number;
  /** Open deliveries of live webhooks. */
  readonly waiting: number;
  /** Age of the oldest of them; 0 if there is none. */
  readonly waiting_seconds: number;
}

export async function countWebhookFigures(db: Queryable): Promise<WebhookFigures> {
  const [figures] = await db.query<WebhookFigures>(sql`
    select count(*) filter (where off_since is null)::float8 as live,
      count(*) filter (where off_reason = 'customer')::float8 as off,
      count(*) filter (where off_reason <> 'customer')::float8 as failed,
      coalesce(sum(open.deliveries), 0)::float8 as waiting,
      coalesce(extract(epoch from now() - min(open.since)), 0)::float8 as waiting_seconds
    from webhook left join (
      select d.webhook_id, count(*) as deliveries, min(d.created_at) as since from webhook_delivery d
      where d.due_at is not null group by d.webhook_id
    ) as open on open.webhook_id = webhook.webhook_id and webhook.off_since is null`);
  return figures!;
}
