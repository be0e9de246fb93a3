/**
 * Deliveries: how hits become deliveries (`noteHits`), which are due, and how each attempt ended. It sends nothing.
 * Invariants: hits become deliveries in the transaction that moves the progress, so none is left out and none counted
 * twice; a delivery that has been tried takes no later hit, because its receiver may have read the feed already; the
 * next attempt is written down before anything is sent, so that a crash loses none. What changes deliveries locks their
 * webhooks first, in the order of their ids, so that no two transactions wait for each other.
 */
import type { WebhookOffReason } from '@tmds/contract/webhooks';
import type { Database, Queryable, Transaction } from '../../database/driver/db.ts';
import { instantText, type Statement, sql } from '../../database/driver/sql.ts';

/** Hits of one step, not counting further ones with the same stamp. */
const HITS_AT_ONCE = 50_000;

/**
 * Makes deliveries from the hits of every completely matched publish, also for webhooks that are switched off, whose
 * deliveries wait. For one webhook and watch, hits join the delivery that has not been tried yet. True if there may be
 * more.
 */
export async function noteHits(db: Database, hitsAtOnce = HITS_AT_ONCE): Promise<boolean> {
  return await db.transaction(async (tx) => {
    const [step] = await tx.query<{ after: string; through: string; hits: number }>(sql`
      with progress as (
        select noted_through, complete_through as edge from webhook_progress, watch_progress
        for update of webhook_progress
      ), hit as (
        select h.stamp from progress, watch_hit h where h.stamp > noted_through and h.stamp <= edge
        order by h.stamp limit ${hitsAtOnce}::int
      )
      select ${instantText(sql`noted_through`)} as after, count(hit.stamp)::int4 as hits,
        ${instantText(sql`case when count(hit.stamp) < ${hitsAtOnce}::int then greatest(noted_through, edge)
          else max(hit.stamp) end`)} as through
      from progress left join hit on true group by noted_through, edge`);
    const { after, through, hits } = step!;
    if (hits > 0) {
      await tx.query(sql`
        with receiver as materialized (
          select w.webhook_id, found.watch_id, found.through
          from (
            select watch_id, max(stamp) as through from watch_hit
            where stamp > ${after}::timestamptz and stamp <= ${through}::timestamptz group by watch_id
          ) as found join watch on watch.watch_id = found.watch_id
            join webhook w on w.customer_id = watch.customer_id
              and coalesce(w.watch_id, watch.watch_id) = watch.watch_id
          order by w.webhook_id for no key update of w
        )
        insert into webhook_delivery as d (delivery_id, webhook_id, watch_id, after, through, created_at, due_at)
        select gen_random_uuid(), webhook_id, watch_id, ${after}::timestamptz, through, now(), now() from receiver
        on conflict (webhook_id, watch_id) where due_at is not null and attempts = 0
          do update set through = greatest(d.through, excluded.through)`);
    }
    if (through > after) await tx.query(sql`update webhook_progress set noted_through = ${through}::timestamptz`);
    return hits >= hitsAtOnce;
  });
}

export interface ClaimedDelivery {
  delivery_id: string;
  webhook_id: string;
  customer_id: string;
  url: string;
  host: string;
  /** Sealed. */
  secret: Buffer;
  /** Sealed; null if no second secret signs too. */
  former_secret: Buffer | null;
  /** As the customer names it. */
  watch: string;
  /** The customer's own reference on the watch; null: none. */
  reference: string | null;
  after: string;
  created_at: string;
  /** Including this one. */
  attempts: number;
}

export interface ClaimBounds {
  readonly limit: number;
  readonly perHostMax: number;
  readonly perCustomerMax: number;
  /** The deliveries that are being sent, one entry for each. */
  readonly busyHosts: readonly string[];
  readonly busyCustomers: readonly string[];
  /** After this long without a result, an attempt is made again. */
  readonly leaseSeconds: number;
}

/**
 * Claims what is due, the longest waiting first. To a receiver whose last attempt failed, one goes out at a time.
 */
export async function claimDeliveries(db: Queryable, bounds: ClaimBounds): Promise<ClaimedDelivery[]> {
  const { limit, perHostMax, perCustomerMax, busyHosts, busyCustomers, leaseSeconds } = bounds;
  const lease = sql`now() + make_interval(secs => ${leaseSeconds}::float8)`;
  return await db.query<ClaimedDelivery>(sql`
    with waiting as (
      select w.webhook_id, w.host, w.customer_id, w.failures, d.delivery_id, d.due_at
      from webhook w join customer c on c.customer_id = w.customer_id and c.suspended_at is null
        cross join lateral (
          select delivery_id, due_at from webhook_delivery o
          where o.webhook_id = w.webhook_id and o.due_at <= now() and (o.attempts > 0 or not exists (
            select from webhook_delivery tried where tried.webhook_id = o.webhook_id
              and tried.watch_id = o.watch_id and tried.due_at is not null and tried.attempts > 0))
          order by o.due_at
          limit case when w.failures > 0 then 1 else ${perHostMax}::int end
        ) as d
      where w.off_since is null and (w.paused_until is null or w.paused_until <= now())
    ), ranked as (
      select webhook_id, delivery_id, due_at, failures,
        row_number() over (partition by host order by due_at, delivery_id)
          + cardinality(array_positions(${[...busyHosts]}::text[], host)) as of_host,
        row_number() over (partition by customer_id order by due_at, delivery_id)
          + cardinality(array_positions(${[...busyCustomers]}::text[], customer_id::text)) as of_customer
      from waiting
    ), chosen as (
      select webhook_id, delivery_id, failures from ranked
      where of_host <= ${perHostMax}::int and of_customer <= ${perCustomerMax}::int
      order by due_at, delivery_id limit ${limit}::int
    ), receiver as materialized (
      select w.webhook_id, w.customer_id, w.url, w.host, w.secret, w.former_secret, w.former_ends_at from webhook w
      where w.webhook_id in (select webhook_id from chosen) and w.off_since is null
      order by w.webhook_id for no key update
    ), held as (
      update webhook w set paused_until = ${lease}
      from receiver where w.webhook_id = receiver.webhook_id
        and w.webhook_id in (select webhook_id from chosen where failures > 0)
    )
    update webhook_delivery d set attempts = d.attempts + 1, attempted_at = now(), due_at = ${lease},
      tried_since = coalesce(d.tried_since, now())
    from chosen join receiver w on w.webhook_id = chosen.webhook_id, watch
    where d.delivery_id = chosen.delivery_id and d.due_at <= now() and watch.watch_id = d.watch_id
    returning d.delivery_id, d.webhook_id, w.customer_id::text as customer_id, w.url, w.host, w.secret,
      case when w.former_ends_at > now() then w.former_secret end as former_secret, watch.id as watch, watch.reference,
      ${instantText(sql`d.after`)} as after, ${instantText(sql`d.created_at`)} as created_at, d.attempts`);
}

/** How an attempt ended. */
export interface AttemptEnd {
  readonly status: number | null;
  readonly bytes: number;
  readonly durationMs: number;
  readonly failure: string | null;
}

type Attempted = Pick<ClaimedDelivery, 'delivery_id' | 'webhook_id'>;

export async function endDelivery(
  db: Queryable,
  { delivery_id, webhook_id }: Attempted,
  answer: AttemptEnd,
): Promise<void> {
  await db.query(sql`
    with receiver as materialized (
      ${lockWebhook(webhook_id)}
    ), ended as (
      update webhook_delivery d set due_at = null, delivered_at = now(), ${answerOf(answer)}
      from receiver where d.webhook_id = receiver.webhook_id and d.delivery_id = ${delivery_id}
        and d.due_at is not null
      returning d.webhook_id
    )
    update webhook w set failures = 0, paused_until = null from ended where w.webhook_id = ended.webhook_id`);
}

function lockWebhook(webhookId: string): Statement {
  return sql`select webhook_id from webhook where webhook_id = ${webhookId} for no key update`;
}

/** Releases a claimed and unanswered delivery, so that the next sender need not wait for the lease. */
export async function releaseDelivery(db: Queryable, { delivery_id }: Attempted): Promise<void> {
  // One row, after which nothing else is locked.
  await db.query(sql`
    update webhook_delivery set due_at = now() where delivery_id = ${delivery_id} and due_at is not null`);
}

function answerOf({ status, bytes, durationMs, failure }: AttemptEnd): Statement {
  return sql`answer_status = ${status}::int, answer_bytes = ${bytes}::int, answer_ms = ${durationMs}::int,
    failure = ${failure}`;
}

export interface Patience {
  /**
   * The pauses double from the first to the longest, for a delivery by its attempts, for a receiver by its failures.
   */
  readonly firstPauseSeconds: number;
  readonly pauseSecondsMax: number;
  /** A webhook whose delivery is not taken for this long is switched off. */
  readonly trySeconds: number;
}

/**
 * Notes a failed attempt, and switches the webhook off if it `isGone` or a delivery has been tried for too long.
 *
 * @param spread of the pauses, about 1, so that receivers that failed together are not tried together
 * @returns why the webhook was switched off; null if it was not
 */
export async function noteFailedDelivery(
  tx: Transaction,
  { delivery_id, webhook_id }: Attempted,
  { answer, isGone }: { answer: AttemptEnd; isGone: boolean },
  { firstPauseSeconds, pauseSecondsMax, trySeconds, spread }: Patience & { spread: number },
): Promise<WebhookOffReason | null> {
  const pause = (times: Statement): Statement => sql`now() + make_interval(secs => ${spread}::float8
    * least(${pauseSecondsMax}::float8, ${firstPauseSeconds}::float8 * power(2, least(${times}, 60))))`;
  // On its own, so that the next statement sees what had the lock before.
  await tx.query(lockWebhook(webhook_id));
  const [ended] = await tx.query<{ off_reason: WebhookOffReason | null }>(sql`
    with failed as (
      update webhook_delivery set due_at = ${pause(sql`attempts - 1`)}, ${answerOf(answer)}
      where delivery_id = ${delivery_id} and due_at is not null returning webhook_id, tried_since
    ), judged as (
      select failed.webhook_id, case when ${isGone} then 'gone' when least(failed.tried_since, (
          select min(o.tried_since) from webhook_delivery o
          where o.webhook_id = failed.webhook_id and o.due_at is not null
        )) <= now() - make_interval(secs => ${trySeconds}::float8) then 'failed' end as reason
      from failed
    )
    update webhook w set failures = w.failures + 1, paused_until = ${pause(sql`w.failures`)},
      off_reason = judged.reason, off_since = case when judged.reason is not null then now() end,
      tell_at = case when judged.reason is not null then now() end, tell_attempts = 0, tell_failure = null
    from judged where w.webhook_id = judged.webhook_id and w.off_since is null
    returning w.off_reason`);
  return ended?.off_reason ?? null;
}
