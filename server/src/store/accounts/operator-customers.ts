/**
 * Customers and keys as operators search for them, page by page. A page is found by the key of the last row before it,
 * and has one row more than is shown, so that the caller can see whether there is another page.
 */

import type { Product } from '@tmds/contract/enums';
import type { Queryable } from '../../database/driver/db.ts';
import { containsAnyCase, instantText, joinSql, type Statement, sql } from '../../database/driver/sql.ts';
import type { Customer } from './customers.ts';
import { type CustomerKey, KEY_MEMBERS, type ListPosition } from './portal-keys.ts';

export const OPERATOR_PAGE = 50;

export type CustomerState = 'active' | 'suspended' | 'removed';
export type KeyState = 'live' | 'revoked' | 'suspended';

export interface CustomerLine extends Customer {
  live_keys: number;
  /** Units of the current month, over all its keys. */
  used: number;
  /** Monthly units of all its live keys together; null = unlimited. */
  quota: number | null;
  /** When the current window of a rate limit began; within a minute of the last call. */
  last_used_at: string | null;
}

/** A filter that is null lets every customer pass. */
export interface CustomerSearch {
  /** A part of the name. */
  readonly text: string | null;
  readonly state: CustomerState | null;
  /** The name of the last customer on the previous page. */
  readonly after: string | null;
}

const CUSTOMER_STATES: Readonly<Record<CustomerState, Statement>> = {
  active: sql`suspended_at is null`,
  suspended: sql`suspended_at is not null and removed_at is null`,
  removed: sql`removed_at is not null`,
};

const thisMonth = sql`date_trunc('month', now() at time zone 'UTC')::date`;

/** By name. */
export async function listCustomerLines(
  db: Queryable,
  { text, state, after }: CustomerSearch,
): Promise<CustomerLine[]> {
  const conditions = [sql`true`];
  if (text !== null) conditions.push(containsAnyCase(sql`name`, text));
  if (state !== null) conditions.push(CUSTOMER_STATES[state]);
  if (after !== null) conditions.push(sql`name > ${after}`);
  return db.query<CustomerLine>(
    sql`
    select c.customer_id, c.name, ${instantText(sql`c.created_at`)} as created_at,
      ${instantText(sql`c.suspended_at`)} as suspended_at, c.suspension_reason,
      ${instantText(sql`c.removed_at`)} as removed_at, k.live_keys, k.used, k.quota,
      ${instantText(sql`k.last_used_at`)} as last_used_at
    from (
      select customer_id, name, created_at, suspended_at, suspension_reason, removed_at from customer
      where ${joinSql(conditions, ' and ')} order by name limit ${OPERATOR_PAGE + 1}::int
    ) as c cross join lateral (
      select (count(distinct k.key_id) filter (where k.revoked_at is null))::int as live_keys,
        coalesce(sum(p.units_used) filter (where p.month = ${thisMonth}), 0)::float8 as used,
        case when bool_or(p.quota is null) filter (where p.enabled and k.revoked_at is null) then null
          else coalesce(sum(p.quota) filter (where p.enabled and k.revoked_at is null), 0)::float8 end as quota,
        max(p.window_started_at) as last_used_at
      from access_key k left join key_product p on p.key_id = k.key_id where k.customer_id = c.customer_id
    ) as k
    order by c.name`,
    { prepare: false },
  );
}

/** A key with its customer. */
export interface OwnedKey extends CustomerKey {
  customer_id: string;
  customer: string;
  /** True if the customer is suspended, so that the key is refused. */
  suspended: boolean;
}

/** A filter that is null lets every key pass. */
export interface KeySearch {
  /** The beginning of an id, with or without `tmds_`, or a part of the name or of the customer's name. */
  readonly text: string | null;
  readonly state: KeyState | null;
  readonly before: ListPosition | null;
}

const KEY_STATES: Readonly<Record<KeyState, Statement>> = {
  live: sql`k.revoked_at is null and c.suspended_at is null`,
  revoked: sql`k.revoked_at is not null`,
  suspended: sql`k.revoked_at is null and c.suspended_at is not null`,
};

function selectOwnedKeys(conditions: readonly Statement[], limitMax: number): Statement {
  return sql`
    select json_build_object(${KEY_MEMBERS}, 'customer_id', c.customer_id, 'customer', c.name,
      'suspended', c.suspended_at is not null)::text as summary
    from access_key k join customer c on c.customer_id = k.customer_id where ${joinSql(conditions, ' and ')}
    order by k.created_at desc, k.key_id desc limit ${limitMax}::int`;
}

/** Newest first. */
export async function listOwnedKeys(db: Queryable, { text, state, before }: KeySearch): Promise<OwnedKey[]> {
  const conditions = [sql`true`];
  if (text !== null) {
    const idStart = text.replace(/^tmds_/, '');
    conditions.push(sql`(starts_with(k.key_id, ${idStart}) or ${containsAnyCase(sql`k.name`, text)}
      or ${containsAnyCase(sql`c.name`, text)})`);
  }
  if (state !== null) conditions.push(KEY_STATES[state]);
  if (before !== null) {
    conditions.push(sql`(k.created_at, k.key_id) < (${before.at}::timestamptz, ${before.id})`);
  }
  const rows = await db.query<{ summary: string }>(selectOwnedKeys(conditions, OPERATOR_PAGE + 1), { prepare: false });
  return rows.map(({ summary }) => JSON.parse(summary) as OwnedKey);
}

export async function findOwnedKey(db: Queryable, keyId: string): Promise<OwnedKey | null> {
  const [found] = await db.query<{ summary: string }>(selectOwnedKeys([sql`k.key_id = ${keyId}`], 1));
  return found === undefined ? null : (JSON.parse(found.summary) as OwnedKey);
}

/** How far the quota of a live key is used this month. */
export interface QuotaUse {
  key_id: string;
  name: string | null;
  customer: string;
  product: Product;
  /** Its first day, UTC. */
  month: string;
  used: number;
  quota: number;
}

/** Quotas of customers in good standing that are used up to a share, the fullest first. Reads a row for each key. */
export async function listNearQuota(
  db: Queryable,
  { percent, limitMax }: { percent: number; limitMax: number },
): Promise<QuotaUse[]> {
  return await db.query<QuotaUse>(sql`
    select k.key_id, k.name, c.name as customer, p.product, p.month::text as month, p.units_used::float8 as used,
      p.quota::float8 as quota
    from key_product p join access_key k on k.key_id = p.key_id
      join customer c on c.customer_id = k.customer_id and c.suspended_at is null
    where p.enabled and k.revoked_at is null and p.quota > 0 and p.month = ${thisMonth}
      and p.units_used * 100 >= p.quota * ${percent}::int
    order by p.units_used::float8 / p.quota desc, k.key_id, p.product limit ${limitMax}::int`);
}

export interface AccountTotals {
  customers: number;
  suspended_customers: number;
  live_keys: number;
  /** Units of the current month, of all keys. */
  units: number;
  /** Calls of the last 24 hours, and how many of them were refused. */
  calls: number;
  refused: number;
}

export async function countAccounts(db: Queryable): Promise<AccountTotals> {
  const [totals] = await db.query<AccountTotals>(sql`
    select
      (select count(*)::int from customer where removed_at is null) as customers,
      (select count(*)::int from customer where removed_at is null and suspended_at is not null) as suspended_customers,
      (select count(*)::int from access_key where revoked_at is null) as live_keys,
      (select coalesce(sum(units_used), 0)::float8 from key_product where month = ${thisMonth}) as units,
      coalesce(sum(h.calls), 0)::float8 as calls,
      coalesce(sum(h.calls) filter (where h.refused), 0)::float8 as refused
    from call_hour h where h.hour > date_trunc('hour', now()) - interval '24 hours'`);
  return totals!;
}
