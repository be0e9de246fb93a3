/** The current texts of a few records. */
import type { TrademarkDetail } from '@tmds/contract/record';
import { onNodesOf, recordOf } from '../distributed/by-key.ts';
import type { Queryable } from '../driver/db.ts';
import { sql } from '../driver/sql.ts';

export interface Identity {
  readonly jurisdiction_code: string;
  readonly uid: string;
}

/** In any order; a record that no register has is left out. */
export async function listCurrentRecords(db: Queryable, records: readonly Identity[]): Promise<TrademarkDetail[]> {
  if (records.length === 0) return [];
  const rows = await db.query<{ detail: string }>(sql`
    select record.detail
    from unnest(${records.map(({ jurisdiction_code }) => jurisdiction_code)}::text[],
        ${records.map(({ uid }) => uid)}::text[]) as listed (jurisdiction_code, uid)
      cross join lateral ${recordOf(sql`record.detail`, onNodesOf(records))} as record`);
  return rows.map(({ detail }) => JSON.parse(detail) as TrademarkDetail);
}
