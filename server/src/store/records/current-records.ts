/** The current versions of a few records: their texts, or their stamps alone. */
import type { Instant, TrademarkDetail } from '@tmds/contract/record';
import { keyLists, onNodesOf, type RecordKey, recordOf } from '../../database/distributed/by-key.ts';
import type { Queryable } from '../../database/driver/db.ts';
import { instantText, type Statement, sql } from '../../database/driver/sql.ts';

/** In any order; a record that no register has is left out. */
export async function listCurrentRecords(db: Queryable, records: readonly RecordKey[]): Promise<TrademarkDetail[]> {
  if (records.length === 0) return [];
  const rows = await db.query<{ detail: string }>(sql`
    select record.detail
    from ${listed(records)} cross join lateral ${recordOf(sql`record.detail`, onNodesOf(records))} as record`);
  return rows.map(({ detail }) => JSON.parse(detail) as TrademarkDetail);
}

/** Likewise. */
export async function listCurrentStamps(
  db: Queryable,
  records: readonly RecordKey[],
): Promise<(RecordKey & { readonly updated_at: Instant })[]> {
  if (records.length === 0) return [];
  return db.query<RecordKey & { updated_at: Instant }>(sql`
    select record.jurisdiction_code, record.uid, ${instantText(sql`record.updated_at`)} as updated_at
    from ${listed(records)} cross join lateral ${recordOf(sql`record.updated_at`, onNodesOf(records))} as record`);
}

function listed(records: readonly RecordKey[]): Statement {
  return sql`unnest(${keyLists(records)}) as listed (jurisdiction_code, uid)`;
}
