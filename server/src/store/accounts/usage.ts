/**
 * Judging and counting calls. One statement judges all calls that wait in a process: it locks the rows of their keys in
 * a fixed order (so that processes cannot deadlock), reads their newest state, admits what the window has left, grants
 * what the quota has left, and counts units by month and by day. If the calls are of one key, a shorter statement is
 * tried first. It costs half and succeeds if all calls are admitted, which is nearly always the case. Neither statement
 * knows what a call does.
 * Invariant: for every key, product and month, units_used = the sum of usage_by_day, and never more than the quota.
 */
import type { Product } from '@tmds/contract/enums';
import type { Instant } from '@tmds/contract/record';
import type { Database, Queryable } from '../../database/driver/db.ts';
import { findTransactionId, flushCommits } from '../../database/driver/outcome.ts';
import { instantText, type Statement, sql } from '../../database/driver/sql.ts';
import { LAST_STAMP } from '../../database/readers/publish-state.ts';

/** Calls with one secret of one key on one product, judged together. */
export interface CallGroup {
  key_id: string;
  product: Product;
  secret_number: number;
  /** The number of calls. Each takes a place in the minute's window if the secret is valid when judged. */
  calls: number;
  /** How many of them will be served if admitted. Each takes a unit. */
  units: number;
}

/** The verdict on all calls of one key on one product. Calls with an invalid secret take nothing. */
export interface JudgedGroup {
  key_id: string;
  product: Product;
  /** Or its customer is suspended; the caller gets the same answer for both. */
  revoked: boolean;
  enabled: boolean;
  /** Numbers of the valid secrets. */
  live_secrets: number[];
  rate_limit: number;
  /** Calls in the current window before these. */
  window_calls: number;
  /** How many calls with valid secrets the window admits, those that take a unit first. */
  admitted: number;
  /** Until the window ends; 0 if the next call opens a new one. */
  window_ms: number;
  quota: number | null;
  /** Units used this month, including these. */
  used: number;
  /** How many of the requested units are granted. */
  granted: number;
  /** The UTC day on which they were counted, `YYYY-MM-DD`. */
  day: string;
  /** The last stamp that the statement saw. A search takes it from here, and need not ask (docs/search.md). */
  last_stamp: Instant;
}

const WINDOW_SECONDS = 60;

/**
 * Groups whose key or product does not exist are left out of the answer. The secret is checked before anything is
 * counted, so that a rotated-out secret cannot use up the window or the quota of its key.
 *
 * @param isShared whether other processes count calls of these keys. If so, their rows are unlocked before the count is
 *   on disk. In both cases the count is on disk when this resolves.
 */
export async function judgeCalls(
  db: Queryable,
  groups: readonly CallGroup[],
  isShared: boolean,
): Promise<JudgedGroup[]> {
  const [first, ...others] = groups;
  const admitted = first !== undefined && others.length === 0 ? await admitCalls(db, first, isShared) : null;
  const judged = admitted === null ? await judgeGroups(db, groups, isShared) : [admitted];
  if (isShared && judged.some((group) => group.admitted > 0)) await flushCommits(db);
  return judged;
}

/** What the shorter statement returns; the rest of the verdict follows from its success. */
type AdmittedGroup = Pick<
  JudgedGroup,
  'rate_limit' | 'window_calls' | 'window_ms' | 'quota' | 'used' | 'day' | 'last_stamp'
>;

/**
 * Admits and counts the calls of one key if the current window, day and quota have room for all of them; otherwise
 * changes nothing and resolves to null. It locks only one row, so no order is needed. Nothing that varies is spliced
 * in: every call runs this statement, and a text that is always the same needs no hash.
 */
async function admitCalls(db: Queryable, group: CallGroup, isShared: boolean): Promise<JudgedGroup | null> {
  const { key_id, product, secret_number, calls, units } = group;
  const [admitted] = await db.query<AdmittedGroup>(sql`
    update key_product p
    set units_used = p.units_used + ${units}::int, day_units = p.day_units + ${units}::int,
      window_calls = p.window_calls + ${calls}::int
    where p.key_id = ${key_id} and p.product = ${product} and p.enabled
      and p.day = (statement_timestamp() at time zone 'UTC')::date
      and statement_timestamp() < p.window_started_at + make_interval(secs => ${WINDOW_SECONDS})
      and statement_timestamp() > p.window_started_at - interval '1 second'
      and p.window_calls <= p.rate_limit_per_minute - ${calls}::int
      and (p.quota is null or p.units_used <= p.quota - ${units}::int)
      and exists (select from access_key k join customer c on c.customer_id = k.customer_id
        where k.key_id = p.key_id and k.revoked_at is null and c.suspended_at is null)
      and exists (select from key_secret s where s.key_id = p.key_id and s.number = ${secret_number}::int
        and (s.ends_at is null or s.ends_at > statement_timestamp()))
    returning p.rate_limit_per_minute as rate_limit, p.window_calls - ${calls}::int as window_calls,
      date_part('epoch', p.window_started_at - statement_timestamp()) * 1000 + ${WINDOW_SECONDS * 1000}::float8
        as window_ms,
      p.quota::float8 as quota, p.units_used::float8 as used, p.day, ${LAST_STAMP} as last_stamp,
      case when ${isShared}::bool then set_config('synchronous_commit', 'off', true) end as commit`);
  if (admitted === undefined) return null;
  // Written out, because merging two objects would cost every call some microseconds.
  return {
    key_id,
    product,
    revoked: false,
    enabled: true,
    live_secrets: [secret_number],
    rate_limit: admitted.rate_limit,
    window_calls: admitted.window_calls,
    admitted: calls,
    window_ms: admitted.window_ms,
    quota: admitted.quota,
    used: admitted.used,
    granted: units,
    day: admitted.day,
    last_stamp: admitted.last_stamp,
  };
}

async function judgeGroups(db: Queryable, groups: readonly CallGroup[], isShared: boolean): Promise<JudgedGroup[]> {
  return db.query<JudgedGroup>(sql`
    with asked as (
      select key_id, product, secret_number, calls, units
      from unnest(${groups.map((group) => group.key_id)}::text[], ${groups.map((group) => group.product)}::text[],
        ${groups.map((group) => group.secret_number)}::int[], ${groups.map((group) => group.calls)}::int[],
        ${groups.map((group) => group.units)}::int[]) as a(key_id, product, secret_number, calls, units)
    ), locked as materialized (
      select p.key_id, p.product, p.enabled, p.rate_limit_per_minute, p.quota, p.month, p.units_used,
        p.day as counted_day, p.day_units, p.window_started_at, p.window_calls,
        k.revoked_at is not null or c.suspended_at is not null as revoked
      from key_product p join access_key k on k.key_id = p.key_id join customer c on c.customer_id = k.customer_id
      where exists (select from asked a where a.key_id = p.key_id and a.product = p.product)
      order by p.key_id, p.product for update of p
    ), timed as materialized (
      select locked.key_id, locked.product, enabled, rate_limit_per_minute, quota, month, units_used,
        counted_day, day_units, window_started_at, window_calls, revoked, clock_timestamp() as at
      from locked
    ), valid as materialized (
      select t.key_id, t.product, array_agg(distinct s.number) as live_secrets, coalesce(sum(a.calls), 0)::int as calls,
        coalesce(sum(a.units), 0)::int as units
      from timed t
      join key_secret s on s.key_id = t.key_id and (s.ends_at is null or s.ends_at > t.at)
      left join asked a on a.key_id = t.key_id and a.product = t.product and a.secret_number = s.number
      group by t.key_id, t.product
    ), current as (
      select timed.key_id, timed.product, enabled, revoked, rate_limit_per_minute, quota, at,
        coalesce(valid.calls, 0) as calls, coalesce(valid.units, 0) as units,
        coalesce(valid.live_secrets, '{}') as live_secrets, (at at time zone 'UTC')::date as day,
        date_trunc('month', at at time zone 'UTC')::date as month,
        -- Another month than the counter's: the days have its units, even after the clock went back.
        case when month = date_trunc('month', at at time zone 'UTC')::date then units_used
          else coalesce((select sum(d.units) from usage_by_day d
            where d.key_id = timed.key_id and d.product = timed.product
              and d.day >= date_trunc('month', at at time zone 'UTC')
              and d.day < date_trunc('month', at at time zone 'UTC') + interval '1 month'), 0)::bigint end as used,
        counted_day, day_units as counted_units,
        case when counted_day = (at at time zone 'UTC')::date then day_units else 0 end as day_units,
        case when open then window_started_at else at end as window_started_at,
        case when open then window_calls else 0 end as window_calls
      from timed left join valid on valid.key_id = timed.key_id and valid.product = timed.product, lateral (
        select coalesce(at < window_started_at + make_interval(secs => ${WINDOW_SECONDS})
          and at > window_started_at - interval '1 second', false) as open
      ) as running
    ), admitted as (
      select current.key_id, product, enabled, revoked, rate_limit_per_minute, quota, units, live_secrets, at, day,
        month, used, counted_day, counted_units, day_units, window_started_at, window_calls,
        case when revoked or not enabled then 0
          else least(calls, greatest(rate_limit_per_minute - window_calls, 0)) end as admitted
      from current
    ), granted as materialized (
      select admitted.key_id, product, enabled, revoked, rate_limit_per_minute, quota, live_secrets, at, day, month,
        used, counted_day, counted_units, day_units, window_started_at, window_calls, admitted,
        least(units, admitted, greatest(coalesce(quota - used, units), 0))::int as granted
      from admitted
    ), counted as (
      update key_product p
      set month = g.month, units_used = g.used + g.granted, day = g.day, day_units = g.day_units + g.granted,
        window_started_at = g.window_started_at, window_calls = g.window_calls + g.admitted
      from granted g
      where p.key_id = g.key_id and p.product = g.product and g.admitted > 0
    ), finished as (
      insert into usage_day as u (key_id, product, day, units)
      select key_id, product, counted_day, counted_units from granted
      where admitted > 0 and counted_day <> day and counted_units > 0
      on conflict (key_id, product, day) do update set units = u.units + excluded.units
    )
    select key_id, product, revoked, enabled, rate_limit_per_minute as rate_limit, window_calls, admitted,
      greatest(extract(epoch from window_started_at + make_interval(secs => ${WINDOW_SECONDS}) - at), 0)::float8 * 1000
        as window_ms,
      quota::float8 as quota, (used + granted)::float8 as used, granted, day, live_secrets,
      ${LAST_STAMP} as last_stamp,
      case when ${isShared}::bool then set_config('synchronous_commit', 'off', true) end as commit
    from granted`);
}

/** Gives back units of calls that failed. */
export interface ReturnedUnits {
  key_id: string;
  product: Product;
  day: string;
  units: number;
}

/**
 * `onBegun` gets the transaction's number: if the commit is not answered, `findOutcome` finds out whether it took
 * effect.
 */
export async function returnUnits(
  db: Database,
  returned: readonly ReturnedUnits[],
  onBegun: (transactionId: string) => void = () => undefined,
): Promise<void> {
  await db.transaction(async (tx) => {
    onBegun(await findTransactionId(tx));
    await subtractUnits(tx, returned);
  });
}

/**
 * Never subtracts more from a day than the day has counted: a primary that replaced another may lack the units that
 * were owed. The rows are locked first, so that the subtracting statement sees a day that ended in the meantime.
 */
async function subtractUnits(tx: Queryable, returned: readonly ReturnedUnits[]): Promise<void> {
  await tx.query(sql`
    select from key_product p
    where exists (select from ${unnestUnits(returned)} as b(key_id, product, day, units)
      where b.key_id = p.key_id and b.product = p.product)
    order by key_id, product for update`);
  await tx.query(sql`
    with back as materialized (
      select b.key_id, b.product, b.day, date_trunc('month', b.day)::date = p.month as is_of_month,
        of_running, least(b.units - of_running, coalesce(u.units, 0)) as of_finished
      from ${unnestUnits(returned)} as b(key_id, product, day, units)
      join key_product p on p.key_id = b.key_id and p.product = b.product
      left join usage_day u on u.key_id = b.key_id and u.product = b.product and u.day = b.day,
      lateral (select case when p.day = b.day then least(b.units, p.day_units) else 0 end as of_running) as running
    ), uncounted as (
      update key_product p set units_used = p.units_used - s.of_month, day_units = p.day_units - s.of_running
      from (
        select key_id, product, coalesce(sum(of_running + of_finished) filter (where is_of_month), 0) as of_month,
          sum(of_running) as of_running
        from back group by key_id, product
      ) as s
      where p.key_id = s.key_id and p.product = s.product
    )
    update usage_day u set units = u.units - b.of_finished
    from back b
    where b.of_finished > 0 and u.key_id = b.key_id and u.product = b.product and u.day = b.day`);
}

function unnestUnits(rows: readonly ReturnedUnits[]): Statement {
  return sql`unnest(${rows.map((row) => row.key_id)}::text[], ${rows.map((row) => row.product)}::text[],
    ${rows.map((row) => row.day)}::date[], ${rows.map((row) => row.units)}::int[])`;
}

interface ProductCount {
  product: Product;
  calls: number;
  quota: number | null;
  rate_limit_per_minute: number;
}

export interface MonthCount {
  /** `YYYY-MM`, UTC. */
  month: string;
  resets_at: string;
  products: ProductCount[];
}

/** What a key has used this month, for every product it is enabled for. */
export async function findMonthCount(db: Queryable, keyId: string): Promise<MonthCount> {
  const [row] = await db.query<{ month: string; resets_at: string; products: string }>(sql`
    with today as (select date_trunc('month', now() at time zone 'UTC') as month)
    select to_char(month, 'YYYY-MM') as month,
      ${instantText(sql`(month + interval '1 month') at time zone 'UTC'`)} as resets_at,
      coalesce((select json_agg(json_build_object('product', p.product,
          'calls', case when p.month = today.month::date then p.units_used else 0 end,
          'quota', p.quota, 'rate_limit_per_minute', p.rate_limit_per_minute) order by p.product desc)
        from key_product p where p.key_id = ${keyId} and p.enabled), '[]')::text as products
    from today`);
  return { ...row!, products: JSON.parse(row!.products) as ProductCount[] };
}

export interface UsageDay {
  key_id: string;
  product: Product;
  day: string;
  units: number;
}

/** Units by key, product and day of one UTC month; null = the current one. */
export async function listUsageDays(
  db: Queryable,
  only: { keyId: string | null; month: string | null },
): Promise<UsageDay[]> {
  const first = only.month === null ? sql`now() at time zone 'UTC'` : sql`${`${only.month}-01`}::timestamp`;
  return db.query<UsageDay>(sql`
    with chosen as (select date_trunc('month', ${first}) as month)
    select u.key_id, u.product, u.day, sum(u.units)::float8 as units
    from chosen join usage_by_day u on u.day >= chosen.month and u.day < chosen.month + interval '1 month'
    where ${only.keyId}::text is null or u.key_id = ${only.keyId}
    group by u.key_id, u.product, u.day
    order by u.key_id, u.product desc, u.day`);
}
