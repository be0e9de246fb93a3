/**
 * What was refused, for support and the portal: the last calls of each key, and counts by day and reason. Written late
 * and in bulk; nothing depends on its completeness.
 */
import type { Product } from '@tmds/contract/enums';
import type { Queryable } from '../driver/db.ts';
import { instantText } from '../driver/instants.ts';
import { sql } from '../driver/sql.ts';

/** How many refused calls of each key are kept. */
export const REFUSALS_KEPT = 100;

export interface Refusal {
  key_id: string;
  product: Product;
  /** UTC. */
  at: string;
  request_id: string;
  code: string;
  param: string | null;
  /** Path and query, and what the caller was told, without anything that looks like a key. */
  path: string | null;
  message: string | null;
}

export interface RefusalCount {
  key_id: string;
  product: Product;
  code: string;
  calls: number;
}

/** Adds the calls, and the counts under today's date. Only the last `REFUSALS_KEPT` calls of each key are kept. */
export async function insertRefusals(
  db: Queryable,
  calls: readonly Refusal[],
  counts: readonly RefusalCount[],
): Promise<void> {
  await db.query(sql`
    insert into refusal (key_id, at, request_id, product, code, param, path, message)
    select key_id, at, request_id, product, code, param, path, message
    from json_to_recordset(${JSON.stringify(calls)}::json)
      as call (key_id text, at timestamptz, request_id text, product text, code text, param text,
        path text, message text)
    on conflict do nothing`);
  await db.query(sql`
    insert into refusal_day as d (key_id, product, day, code, calls)
    select key_id, product, (now() at time zone 'UTC')::date, code, calls
    from json_to_recordset(${JSON.stringify(counts)}::json)
      as count (key_id text, product text, code text, calls bigint)
    order by key_id, product, code
    on conflict (key_id, product, day, code) do update set calls = d.calls + excluded.calls`);
  await db.query(sql`
    delete from refusal r using (
      select key_id, at, request_id, row_number() over (partition by key_id order by at desc, request_id) as place
      from refusal where key_id = any(${[...new Set(calls.map((call) => call.key_id))]}::text[])
    ) as listed
    where listed.place > ${REFUSALS_KEPT} and r.key_id = listed.key_id and r.at = listed.at
      and r.request_id = listed.request_id`);
}

/** The last refused calls of a key, newest first. */
export async function listRefusals(db: Queryable, keyId: string): Promise<Refusal[]> {
  return db.query<Refusal>(sql`
    select key_id, product, ${instantText(sql`at`)} as at, request_id, code, param, path, message
    from refusal where key_id = ${keyId} order by refusal.at desc, request_id limit ${REFUSALS_KEPT}::int`);
}

/** Refused calls of one UTC month by day and reason; null = the current month. */
export async function listRefusalDays(
  db: Queryable,
  only: { keyId: string; month: string | null },
): Promise<(RefusalCount & { day: string })[]> {
  const first = only.month === null ? sql`now() at time zone 'UTC'` : sql`${`${only.month}-01`}::timestamp`;
  return db.query(sql`
    with chosen as (select date_trunc('month', ${first}) as month)
    select d.key_id, d.product, d.day, d.code, d.calls::float8 as calls
    from chosen join refusal_day d on d.day >= chosen.month and d.day < chosen.month + interval '1 month'
    where d.key_id = ${only.keyId} order by d.day, d.product desc, d.code`);
}

/** Deletes counts older than 24 months, as long as usage is kept. */
export async function deleteOldRefusals(db: Queryable): Promise<void> {
  await db.query(sql`
    delete from refusal_day
    where day < date_trunc('month', now() at time zone 'UTC') - interval '24 months'`);
}
