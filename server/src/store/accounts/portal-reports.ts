/**
 * Usage and refused calls of a customer in one month, for one or all of its keys. Bounded by the primary keys of usage
 * and refusals: a month has at most 31 rows for each key and product.
 */
import type { Product } from '@tmds/contract/enums';
import type { Queryable } from '../../database/driver/db.ts';
import { instantText, type Statement, sql } from '../../database/driver/sql.ts';
import { REFUSED } from './call-log.ts';

export interface ReportScope {
  readonly customerId: string;
  /** One key of the customer; null = all. */
  readonly keyId: string | null;
  /** `YYYY-MM`, UTC. */
  readonly month: string;
}

/** The ids of the customer's keys, or the one named key. */
export function ownKeys({ customerId, keyId }: { customerId: string; keyId: string | null }): Statement {
  const one = keyId === null ? sql`` : sql`and k.key_id = ${keyId}`;
  return sql`select k.key_id from access_key k where k.customer_id = ${customerId} ${one}`;
}

function monthBounds(month: string): { first: Statement; next: Statement } {
  const first = sql`${`${month}-01`}::date`;
  return { first, next: sql`(${first} + interval '1 month')::date` };
}

/** The current month, `YYYY-MM`, and the oldest one whose usage is kept. */
export async function findMonths(db: Queryable): Promise<{ current: string; today: string }> {
  const [found] = await db.query<{ current: string; today: string }>(sql`
    select to_char(now() at time zone 'UTC', 'YYYY-MM') as current,
      to_char(now() at time zone 'UTC', 'YYYY-MM-DD') as today`);
  return found!;
}

export interface DayUnits {
  day: string;
  product: Product;
  units: number;
}

export async function listDayUnits(db: Queryable, scope: ReportScope): Promise<DayUnits[]> {
  const { first, next } = monthBounds(scope.month);
  return db.query<DayUnits>(sql`
    select u.day, u.product, sum(u.units)::float8 as units
    from (${ownKeys(scope)}) as own join usage_by_day u on u.key_id = own.key_id
    where u.day >= ${first} and u.day < ${next}
    group by u.day, u.product order by u.day, u.product desc`);
}

export interface KeyDayUnits extends DayUnits {
  key_id: string;
}

/** The same, separately for each key. */
export async function listKeyDayUnits(db: Queryable, scope: ReportScope): Promise<KeyDayUnits[]> {
  const { first, next } = monthBounds(scope.month);
  return db.query<KeyDayUnits>(sql`
    select u.key_id, u.day, u.product, sum(u.units)::float8 as units
    from (${ownKeys(scope)}) as own join usage_by_day u on u.key_id = own.key_id
    where u.day >= ${first} and u.day < ${next}
    group by u.key_id, u.day, u.product order by u.day, u.key_id, u.product desc`);
}

export interface RefusalReason {
  code: string;
  calls: number;
}

/** Most frequent first. */
export async function listRefusalReasons(db: Queryable, scope: ReportScope): Promise<RefusalReason[]> {
  const { first, next } = monthBounds(scope.month);
  return db.query<RefusalReason>(sql`
    select r.code, sum(r.calls)::float8 as calls
    from (${ownKeys(scope)}) as own join refusal_day r on r.key_id = own.key_id
    where r.day >= ${first} and r.day < ${next}
    group by r.code order by calls desc, r.code`);
}

/** How many of them are shown. */
export const REFUSALS_SHOWN = 100;

export interface RefusedCallRow {
  at: string;
  key_id: string;
  request_id: string;
  code: string;
  param: string | null;
  path: string | null;
  message: string | null;
}

/** The last refused calls of the month that the log lists, newest first. */
export async function listLastRefusals(db: Queryable, scope: ReportScope): Promise<RefusedCallRow[]> {
  const { first, next } = monthBounds(scope.month);
  return db.query<RefusedCallRow>(sql`
    select ${instantText(sql`last.at`)} as at, last.key_id, last.request_id, last.code, last.param,
      last.path, last.message
    from (${ownKeys(scope)}) as own, lateral (
      select r.at, r.key_id, r.request_id, r.code, r.param, r.path, r.message from call_log r
      where r.key_id = own.key_id and ${REFUSED} and r.at >= ${first}::timestamp at time zone 'UTC'
        and r.at < ${next}::timestamp at time zone 'UTC'
      order by r.at desc limit ${REFUSALS_SHOWN}::int
    ) as last
    order by last.at desc, last.request_id limit ${REFUSALS_SHOWN}::int`);
}
