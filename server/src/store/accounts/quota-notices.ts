/**
 * Notices about quotas that are used up to a share. A notice is made once, and claimed for one attempt at a time; an
 * interrupted attempt is repeated after its pause. It knows nothing about mail. Invariant: a claimed notice has its
 * next attempt written down before anything is sent, so that a crash loses none.
 */
import type { Product } from '@tmds/contract/enums';
import type { Queryable } from '../../database/driver/db.ts';
import { instantText, sql } from '../../database/driver/sql.ts';

export interface NoticeKey {
  key_id: string;
  product: Product;
  /** The first day of the month, `YYYY-MM-DD`, UTC. */
  month: string;
  percent: number;
  /** Units a month. */
  quota: number;
}

export interface ClaimedNotice extends NoticeKey {
  key_name: string | null;
  customer_name: string;
  /** Units used when it was claimed. */
  used: number;
  noticed_at: string;
  attempts: number;
  /** Addresses of the customer's people; a bounded number. */
  emails: string[];
}

/** A customer's people beyond this number get no mail. */
const EMAILS_MAX = 100;

/**
 * Notes live keys of customers in good standing whose monthly quota is used up to a share; only the highest share
 * reached. Several processes may do so at once, in one order.
 */
export async function insertQuotaNotices(db: Queryable, percents: readonly number[]): Promise<void> {
  await db.query(sql`
    insert into quota_notice (key_id, product, month, percent, quota, noticed_at, next_attempt_at)
    select p.key_id, p.product, p.month, reached.percent, p.quota, now(), now()
    from key_product p join access_key k on k.key_id = p.key_id
      join customer on customer.customer_id = k.customer_id and customer.suspended_at is null
      cross join lateral (
        select max(percent) as percent from unnest(${percents}::int4[]) as percent
        where p.units_used * 100 >= p.quota * percent
      ) as reached
    where p.enabled and k.revoked_at is null and p.quota > 0 and reached.percent is not null
      and p.month = date_trunc('month', now() at time zone 'UTC')::date
    order by p.key_id, p.product
    on conflict do nothing`);
}

/**
 * Claims notices whose next attempt is due. The pauses double from `firstPauseSeconds` up to `pauseSecondsMax`.
 */
export async function claimQuotaNotices(
  db: Queryable,
  { limit, firstPauseSeconds, pauseSecondsMax }: { limit: number; firstPauseSeconds: number; pauseSecondsMax: number },
): Promise<ClaimedNotice[]> {
  return await db.query<ClaimedNotice>(sql`
    with due as (
      select key_id, product, month, percent, quota from quota_notice
      where next_attempt_at <= now() order by next_attempt_at limit ${limit}::int for update skip locked
    ), claimed as (
      update quota_notice n set attempts = n.attempts + 1,
        next_attempt_at = now() + make_interval(secs =>
          least(${pauseSecondsMax}::float8, ${firstPauseSeconds}::float8 * power(2, n.attempts)))
      from due where (n.key_id, n.product, n.month, n.percent, n.quota)
        = (due.key_id, due.product, due.month, due.percent, due.quota)
      returning n.key_id, n.product, n.month, n.percent, n.quota, n.noticed_at, n.attempts
    )
    select c.key_id, c.product, c.month::text as month, c.percent, c.quota::float8 as quota,
      ${instantText(sql`c.noticed_at`)} as noticed_at, c.attempts, k.name as key_name, customer.name as customer_name,
      (select case when p.month = c.month then p.units_used else 0 end from key_product p
        where p.key_id = c.key_id and p.product = c.product)::float8 as used,
      array(select u.email from portal_user u
        where u.customer_id = k.customer_id and u.removed_at is null
        order by u.created_at, u.email limit ${EMAILS_MAX}::int) as emails
    from claimed c join access_key k on k.key_id = c.key_id join customer on customer.customer_id = k.customer_id`);
}

/** Ends a notice: `failure` is null when it was sent. */
export async function endQuotaNotice(db: Queryable, notice: NoticeKey, failure: string | null): Promise<void> {
  const { key_id, product, month, percent, quota } = notice;
  await db.query(sql`
    update quota_notice set next_attempt_at = null, failure = ${failure},
      sent_at = case when ${failure}::text is null then now() end
    where key_id = ${key_id} and product = ${product} and month = ${month}::date and percent = ${percent}::int
      and quota = ${quota}::int8`);
}

/** Records why the last attempt failed; the next one is already scheduled. */
export async function noteFailedAttempt(db: Queryable, notice: NoticeKey, failure: string): Promise<void> {
  const { key_id, product, month, percent, quota } = notice;
  await db.query(sql`
    update quota_notice set failure = ${failure}
    where key_id = ${key_id} and product = ${product} and month = ${month}::date and percent = ${percent}::int
      and quota = ${quota}::int8`);
}
