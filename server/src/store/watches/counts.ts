/** How many records a list of records has now, by the month of their last change, and how many hits a watch had. */
import type { Instant } from '@tmds/contract/record';
import type { Queryable } from '../driver/db.ts';
import { sql } from '../driver/sql.ts';

/** Counts by month, `YYYY-MM` in UTC. */
export type MonthCounts = ReadonlyMap<string, number>;

interface MonthRow {
  readonly month: string;
  readonly count: number;
}

const byMonth = (rows: readonly MonthRow[]): MonthCounts => new Map(rows.map(({ month, count }) => [month, count]));

/** The listed records that exist, by the month of their last change. */
export async function countListedRecords(
  db: Queryable,
  records: readonly { readonly jurisdiction_code: string; readonly uid: string }[],
): Promise<MonthCounts> {
  const rows = await db.query<MonthRow>(sql`
    select to_char(updated_at at time zone 'UTC', 'YYYY-MM') as month, count(*)::float8 as count
    from unnest(${records.map(({ jurisdiction_code }) => jurisdiction_code)}::text[],
        ${records.map(({ uid }) => uid)}::text[]) as item (jurisdiction_code, uid)
      join record using (jurisdiction_code, uid)
    group by 1`);
  return byMonth(rows);
}

/** Hits with stamps from an instant on. */
export async function countHits(db: Queryable, watchId: string, from: Instant): Promise<MonthCounts> {
  const rows = await db.query<MonthRow>(sql`
    select to_char(stamp at time zone 'UTC', 'YYYY-MM') as month, count(*)::float8 as count
    from watch_hit where watch_id = ${watchId} and stamp >= ${from}::timestamptz group by 1`);
  return byMonth(rows);
}
