/**
 * The log of calls as a customer reads it: calls by filter, errors in groups, calls by hour. Every statement takes the
 * customer. Reads are bounded by what the log lists for a customer, and by the requested time.
 */

import type { Queryable } from '../../database/driver/db.ts';
import { containsAnyCase, instantText, joinSql, type Statement, sql } from '../../database/driver/sql.ts';
import { type LoggedCall, REFUSED } from './call-log.ts';
import { ownKeys } from './portal-reports.ts';

export const CALLS_PAGE = 50;
const GROUPS_MAX = 50;

/** A filter that is null lets every call pass. */
export interface CallFilter {
  readonly customerId: string;
  readonly keyId: string | null;
  /** How far back from now, 1 to 720. */
  readonly hours: number;
  readonly outcome: 'served' | 'refused' | 'failed' | null;
  readonly status: number | null;
  readonly code: string | null;
  readonly param: string | null;
  /** A part of path and query. */
  readonly path: string | null;
  readonly requestId: string | null;
  /** 0 or 1. */
  readonly units: number | null;
  /** The fewest milliseconds. */
  readonly durationMsMin: number | null;
}

export interface CallPosition {
  at: string;
  request_id: string;
}

export type CallRow = CallPosition & Omit<LoggedCall, 'age_ms'>;

const COLUMNS = sql`key_id, at, request_id, product, path, status, units, duration_ms, code, param, message`;

function conditionsOf(filter: CallFilter): Statement {
  const { outcome, status, code, param, path, requestId, units, durationMsMin } = filter;
  const conditions = [sql`at > now() - make_interval(hours => ${filter.hours}::int)`];
  if (outcome === 'served') conditions.push(sql`code is null`);
  if (outcome === 'failed') conditions.push(sql`code is not null`);
  if (outcome === 'refused') conditions.push(REFUSED);
  if (status !== null) conditions.push(sql`status = ${status}::int`);
  if (code !== null) conditions.push(sql`code = ${code}`);
  if (param !== null) conditions.push(sql`code is not null and param = ${param}`);
  if (path !== null) conditions.push(containsAnyCase(sql`path`, path));
  if (requestId !== null) conditions.push(sql`request_id = ${requestId}::uuid`);
  if (units !== null) conditions.push(sql`units = ${units}::int`);
  if (durationMsMin !== null) conditions.push(sql`duration_ms >= ${durationMsMin}::float8`);
  return joinSql(conditions, ' and ');
}

/** Newest first. One more than a page, to show whether there are others. */
export async function listCalls(db: Queryable, filter: CallFilter, before: CallPosition | null): Promise<CallRow[]> {
  const older =
    before === null ? sql`` : sql`and (at, request_id) < (${before.at}::timestamptz, ${before.request_id}::uuid)`;
  return db.query<CallRow>(
    sql`
    select last.key_id, ${instantText(sql`last.at`)} as at, last.request_id, last.product, last.path, last.status,
      last.units, last.duration_ms, last.code, last.param, last.message
    from (${ownKeys(filter)}) as own, lateral (
      select ${COLUMNS} from call_log
      where key_id = own.key_id and ${conditionsOf(filter)} ${older}
      order by at desc, request_id desc limit ${CALLS_PAGE + 1}::int
    ) as last
    order by last.at desc, last.request_id desc limit ${CALLS_PAGE + 1}::int`,
    { prepare: false },
  );
}

export interface CallGroup {
  code: string;
  param: string | null;
  key_id: string;
  calls: number;
  last_at: string;
}

/** Listed calls with an error by code, parameter and key; the most frequent first. */
export async function listCallGroups(db: Queryable, filter: CallFilter): Promise<CallGroup[]> {
  return db.query<CallGroup>(
    sql`
    select code, param, call_log.key_id, count(*)::float8 as calls, ${instantText(sql`max(at)`)} as last_at
    from (${ownKeys(filter)}) as own join call_log on call_log.key_id = own.key_id
    where code is not null and ${conditionsOf(filter)}
    group by code, param, call_log.key_id
    order by calls desc, code, param, key_id limit ${GROUPS_MAX}::int`,
    { prepare: false },
  );
}

export interface HourCalls {
  /** When the hour began. */
  hour: string;
  calls: number;
  refused: number;
  /** How many of the calls the log lists. */
  listed: number;
}

/** Hours in which there were calls, oldest first. */
export async function listCallHours(
  db: Queryable,
  scope: Pick<CallFilter, 'customerId' | 'keyId' | 'hours'>,
): Promise<HourCalls[]> {
  return db.query<HourCalls>(sql`
    select ${instantText(sql`h.hour`)} as hour, sum(h.calls)::float8 as calls,
      coalesce(sum(h.calls) filter (where h.refused), 0)::float8 as refused, sum(h.listed)::float8 as listed
    from (${ownKeys(scope)}) as own join call_hour h on h.key_id = own.key_id
    where h.hour > date_trunc('hour', now()) - make_interval(hours => ${scope.hours}::int)
    group by h.hour order by h.hour`);
}

/** Milliseconds from arrival to the end of the answer, of listed calls without an error; null for none. */
export interface Latency {
  median_ms: number | null;
  slowest_hundredth_ms: number | null;
}

export async function findLatency(
  db: Queryable,
  scope: Pick<CallFilter, 'customerId' | 'keyId' | 'hours'>,
): Promise<Latency> {
  const [found] = await db.query<Latency>(sql`
    select percentile_cont(0.5) within group (order by duration_ms) as median_ms,
      percentile_cont(0.99) within group (order by duration_ms) as slowest_hundredth_ms
    from (${ownKeys(scope)}) as own join call_log c on c.key_id = own.key_id
    where c.at > now() - make_interval(hours => ${scope.hours}::int) and c.code is null`);
  return found!;
}
