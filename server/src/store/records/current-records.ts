/** The current versions of a few records: their texts, their stamps, or the parties that they name by key. */
import type { Instant, TrademarkDetail } from '@tmds/contract/record';
import { keyLists, onNodesOf, type RecordKey, recordOf } from '../../database/distributed/by-key.ts';
import type { Queryable } from '../../database/driver/db.ts';
import { instantText, type Statement, sql } from '../../database/driver/sql.ts';
import { kindOfPart, type PartyKind } from '../../record/parties.ts';

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

/** The kinds of the parties that a record names by key, because their names are in separate files of the office. */
interface PartiesByKey extends RecordKey {
  readonly kinds: ReadonlySet<PartyKind>;
}

/** Likewise; a record that names no party by key is left out too. */
export async function listPartiesByKey(db: Queryable, records: readonly RecordKey[]): Promise<PartiesByKey[]> {
  if (records.length === 0) return [];
  const isNamed = sql`${onNodesOf(records)} and record.named_parts is not null`;
  const rows = await db.query<RecordKey & { named_parts: string[] }>(sql`
    select record.jurisdiction_code, record.uid, string_to_array(record.named_parts, chr(31)) as named_parts
    from ${listed(records)} cross join lateral ${recordOf(sql`record.named_parts`, isNamed)} as record`);
  return rows
    .map(({ named_parts: parts, ...key }) => ({
      ...key,
      kinds: new Set(parts.flatMap((part) => kindOfPart(part) ?? [])),
    }))
    .filter(({ kinds }) => kinds.size > 0);
}

function listed(records: readonly RecordKey[]): Statement {
  return sql`unnest(${keyLists(records)}) as listed (jurisdiction_code, uid)`;
}
