/**
 * The log of calls: each call with a known key for 30 days, and the number of calls per hour. It is written late and in
 * bulk, and nothing depends on its completeness. Each customer has a bounded share of it; calls beyond that are only
 * counted.
 */
import type { Product } from '@tmds/contract/enums';
import type { Database, Queryable } from '../../database/driver/db.ts';
import { type Statement, sql } from '../../database/driver/sql.ts';
import { CALL_DAYS_LOCK, LOCK_SPACE } from '../../database/schema/locks.ts';

/** Calls of one customer that the log lists per hour. Refused calls have a separate bound. */
export const LISTED_MAX = { served: 5000, refused: 1000 } as const;

/** A call, without anything that looks like a key. */
export interface LoggedCall {
  key_id: string;
  product: Product;
  request_id: string;
  /** How long ago it ended. */
  age_ms: number;
  path: string;
  /** Null if nothing was sent. */
  status: number | null;
  units: number;
  duration_ms: number;
  code: string | null;
  param: string | null;
  message: string | null;
}

export interface CallCount {
  key_id: string;
  product: Product;
  /** Null for a call without an error. */
  code: string | null;
  calls: number;
}

/** Calls of a key that the log no longer lists in this hour. */
export interface FullLog {
  key_id: string;
  refused: boolean;
}

/** A record that does not exist is an answer, not a refusal. */
export function isRefusal(code: string | null): boolean {
  return code !== null && code !== 'not_found';
}

/** The same condition for a column. */
export const REFUSED = sql`(code is not null and code <> 'not_found')`;

/**
 * Adds the calls that fit, and the counts of all. Two processes that write at the same time may exceed the bound by as
 * many calls as they hold. Resolves to the keys whose log is full.
 */
export async function insertCalls(
  db: Queryable,
  calls: readonly LoggedCall[],
  counts: readonly CallCount[],
): Promise<FullLog[]> {
  const full = await db.query<FullLog>(sql`
    with held as materialized (
      select k.customer_id, c.key_id, c.product, c.request_id, c.age_ms, c.path, c.status, c.units, c.duration_ms,
        c.code, c.param, c.message, ${REFUSED} as refused
      from ${unnestCalls(calls)} join access_key k on k.key_id = c.key_id
    ), counted as (
      select key_id, ${REFUSED} as refused, sum(calls) as calls from ${unnestCounts(counts)} group by key_id, refused
    ), taken as materialized (
      select k.customer_id, h.refused, sum(h.listed) as listed
      from access_key k join call_hour h on h.key_id = k.key_id and h.hour = date_trunc('hour', now())
      where k.customer_id in (select customer_id from held)
      group by k.customer_id, h.refused
    ), placed as (
      select held.*, row_number() over (partition by customer_id, refused order by age_ms desc, request_id) as place
      from held
    ), listed as (
      insert into call_log (key_id, at, request_id, product, path, status, units, duration_ms, code, param, message)
      select p.key_id, now() - make_interval(secs => p.age_ms / 1000), p.request_id, p.product, p.path, p.status,
        p.units, p.duration_ms, p.code, p.param, p.message
      from placed p left join taken t on t.customer_id = p.customer_id and t.refused = p.refused
      where p.place + coalesce(t.listed, 0)
        <= case when p.refused then ${LISTED_MAX.refused}::int else ${LISTED_MAX.served}::int end
      returning key_id, ${REFUSED} as refused
    ), kept as (
      select key_id, refused, count(*) as listed from listed group by key_id, refused
    ), noted as (
      insert into call_hour as h (key_id, hour, refused, calls, listed)
      select c.key_id, date_trunc('hour', now()), c.refused, c.calls, coalesce(kept.listed, 0)
      from counted c join access_key k on k.key_id = c.key_id
      left join kept on kept.key_id = c.key_id and kept.refused = c.refused
      order by c.key_id, c.refused
      on conflict (key_id, hour, refused)
        do update set calls = h.calls + excluded.calls, listed = h.listed + excluded.listed
    )
    select held.key_id, held.refused from held
    left join kept on kept.key_id = held.key_id and kept.refused = held.refused
    group by held.key_id, held.refused, kept.listed having count(*) > coalesce(kept.listed, 0)`);
  await insertRefusalCounts(db, counts);
  return full;
}

async function insertRefusalCounts(db: Queryable, counts: readonly CallCount[]): Promise<void> {
  const refused = counts.filter(({ code }) => isRefusal(code));
  if (refused.length === 0) return;
  await db.query(sql`
    insert into refusal_day as d (key_id, product, day, code, calls)
    select key_id, product, (now() at time zone 'UTC')::date, code, calls from ${unnestCounts(refused)}
    order by key_id, product, code
    on conflict (key_id, product, day, code) do update set calls = d.calls + excluded.calls`);
}

function unnestCounts(counts: readonly CallCount[]): Statement {
  return sql`unnest(${counts.map((count) => count.key_id)}::text[], ${counts.map((count) => count.product)}::text[],
    ${counts.map((count) => count.code)}::text[], ${counts.map((count) => count.calls)}::int[])
    as c(key_id, product, code, calls)`;
}

function unnestCalls(calls: readonly LoggedCall[]): Statement {
  return sql`unnest(${calls.map((call) => call.key_id)}::text[], ${calls.map((call) => call.product)}::text[],
    ${calls.map((call) => call.request_id)}::uuid[], ${calls.map((call) => call.age_ms)}::float8[],
    ${calls.map((call) => call.path)}::text[], ${calls.map((call) => call.status)}::int[],
    ${calls.map((call) => call.units)}::int[], ${calls.map((call) => call.duration_ms)}::float8[],
    ${calls.map((call) => call.code)}::text[], ${calls.map((call) => call.param)}::text[],
    ${calls.map((call) => call.message)}::text[])
    as c(key_id, product, request_id, age_ms, path, status, units, duration_ms, code, param, message)`;
}

/** Makes room for the calls of the coming days, and drops days older than 30. */
export async function keepCallDays(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(${LOCK_SPACE}::int, ${CALL_DAYS_LOCK}::int)`);
    await tx.query(sql`select keep_call_days()`, { prepare: false });
  });
}
