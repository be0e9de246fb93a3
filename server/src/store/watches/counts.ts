/** How many records of a list exist now, by the month of their last change, and how many hits a watch had. */
import type { Instant } from '@tmds/contract/record';
import { keyLists, onNodesOf, type RecordKey } from '../../database/distributed/by-key.ts';
import type { Queryable } from '../../database/driver/db.ts';
import { type Statement, sql } from '../../database/driver/sql.ts';

/** Counts by month, `YYYY-MM` in UTC. */
export type MonthCounts = ReadonlyMap<string, number>;

interface MonthRow {
  readonly month: string;
  readonly count: number;
}

const byMonth = (rows: readonly MonthRow[]): MonthCounts => new Map(rows.map(({ month, count }) => [month, count]));

/** The listed records that exist, by the month of their last change. */
export async function countListedRecords(db: Queryable, records: readonly RecordKey[]): Promise<MonthCounts> {
  const rows = await db.query<MonthRow>(sql`
    select to_char(updated_at at time zone 'UTC', 'YYYY-MM') as month, count(*)::float8 as count
    from unnest(${keyLists(records)}) as item (jurisdiction_code, uid)
      join record using (jurisdiction_code, uid)
    where ${onNodesOf(records)}
    group by 1`);
  return byMonth(rows);
}

/** The versions of the listed records with stamps from an instant on: each is an event. */
export async function countListedEvents(
  db: Queryable,
  records: readonly RecordKey[],
  from: Instant,
): Promise<MonthCounts> {
  const versions = (table: Statement): Statement => sql`
      select jurisdiction_code, uid, record.updated_at from item join ${table} as record using (jurisdiction_code, uid)
      where ${onNodesOf(records)} and record.updated_at >= ${from}::timestamptz`;
  // On several nodes, a version that is being replaced may be found in both tables.
  const rows = await db.query<MonthRow>(sql`
    with item as materialized (
      select jurisdiction_code, uid from unnest(${keyLists(records)}) as item (jurisdiction_code, uid)
    )
    select to_char(updated_at at time zone 'UTC', 'YYYY-MM') as month, count(*)::float8 as count
    from (${versions(sql`record`)} union ${versions(sql`record_version`)}) as version group by 1`);
  return byMonth(rows);
}

/** Hits with stamps from an instant on. */
export async function countHits(db: Queryable, watchId: string, from: Instant): Promise<MonthCounts> {
  const rows = await db.query<MonthRow>(sql`
    select to_char(stamp at time zone 'UTC', 'YYYY-MM') as month, sum(hit_count)::float8 as count
    from watch_hit where watch_id = ${watchId} and stamp >= ${from}::timestamptz group by 1`);
  return byMonth(rows);
}

/** More hits than this are not counted for a list. */
export const HITS_COUNTED_MAX = 1_000;

/** Hits with stamps from an instant on, of each watch, up to `HITS_COUNTED_MAX`; a watch without any is left out. */
export async function countRecentHits(
  db: Queryable,
  watchIds: readonly string[],
  from: Instant,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.query<{ watch_id: string; hits: number }>(sql`
    select listed.watch_id, (
      select least(coalesce(sum(hit_count), 0), ${HITS_COUNTED_MAX}::int)::float8 from (
        select hit_count from watch_hit where watch_hit.watch_id = listed.watch_id and stamp >= ${from}::timestamptz
        limit ${HITS_COUNTED_MAX}::int) as counted
    ) as hits
    from unnest(${watchIds}::uuid[]) as listed (watch_id)`);
  return new Map(rows.map(({ watch_id, hits }) => [watch_id, hits]));
}

/** The records of the list that no register has now, in their order. */
export async function listMissingRecords<Listed extends RecordKey>(
  db: Queryable,
  records: readonly Listed[],
): Promise<Listed[]> {
  const rows = await db.query<{ position: number }>(sql`
    select (item.position - 1)::float8 as position
    from unnest(${keyLists(records)}) with ordinality as item (jurisdiction_code, uid, position)
      join record on record.jurisdiction_code = item.jurisdiction_code and record.uid = item.uid
    where ${onNodesOf(records)}`);
  const found = new Set(rows.map(({ position }) => position));
  return records.filter((_, position) => !found.has(position));
}
