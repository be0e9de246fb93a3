/** Puts records into the tables as a publish would leave them, with stamps that a test chooses. */

import type { Queryable } from '../../src/database/driver/db.ts';
import { type Statement, sql } from '../../src/database/driver/sql.ts';
import type { NormalizedRecord, SourceRecord } from '../../src/record/document.ts';
import { normalizeRecord } from '../../src/record/normalize.ts';
import { buildRow } from '../../src/record/row.ts';
import { advanceClock } from '../../src/store/publish/announce.ts';
import { digestOf } from '../../src/store/publish/verification.ts';

export interface StoredRecord {
  readonly record: NormalizedRecord;
  /** Canonical instant. */
  readonly updated_at: string;
}

/** The JSON text under which a record is delivered. */
export function renderDetail({ record, updated_at }: StoredRecord, firstSeenAt: string = updated_at): string {
  const { detail } = buildRow(record);
  return `${detail},"record_update_date":null,"first_seen_at":"${firstSeenAt}","updated_at":"${updated_at}"}`;
}

export function buildStored(source: SourceRecord, updatedAt: string): StoredRecord {
  return { record: normalizeRecord(source), updated_at: updatedAt };
}

/** Adds the records and updates the list of registers. */
export async function storeRecords(
  db: Queryable,
  records: readonly StoredRecord[],
  firstSeenAt?: string,
): Promise<void> {
  const rows = records.map((stored) => {
    const { detail: _content, source_version: _version, ...row } = buildRow(stored.record);
    const detail = renderDetail(stored, firstSeenAt);
    const { updated_at } = stored;
    return { ...row, detail, updated_at, first_seen_at: firstSeenAt ?? updated_at };
  });
  await db.query(
    sql`
    with stated as materialized (
      select jurisdiction_code, uid, updated_at, first_seen_at, decode(content_digest, 'hex') as content_digest,
        mark_variants, detail
      from json_to_recordset(${literal(rows)}) as row (jurisdiction_code text, uid text,
        updated_at timestamptz, first_seen_at timestamptz, content_digest text, mark_variants text, detail text)
    )
    insert into record (jurisdiction_code, uid, updated_at, first_seen_at, content_digest, mark_variants, detail)
    select jurisdiction_code, uid, updated_at, first_seen_at, content_digest, mark_variants, detail from stated`,
  );
  const payloads = rows.filter(({ payload }) => payload !== null);
  await db.query(sql`
    with stated as materialized (
      select jurisdiction_code, uid, payload
      from json_to_recordset(${literal(payloads)}) as row (jurisdiction_code text, uid text, payload text)
    )
    insert into payload (jurisdiction_code, uid, document) select jurisdiction_code, uid, payload from stated`);
  await db.query(sql`
    insert into register (jurisdiction_code, record_count)
    select jurisdiction_code, count(*) from record group by jurisdiction_code
    on conflict (jurisdiction_code) do update set record_count = excluded.record_count`);
  await settlePublishes(db);
}

/** As part of the statement, since Citus inserts nothing that it selects by a function of a value. */
export function literal(value: number | readonly object[]): Statement {
  const text = typeof value === 'number' ? String(value) : `'${JSON.stringify(value).replaceAll("'", "''")}'::json`;
  return sql([text] as unknown as TemplateStringsArray);
}

/** Leaves what the publishes of all stored records would have left. */
export async function settlePublishes(db: Queryable): Promise<void> {
  await db.query(sql`truncate publish_digest`);
  await db.query(sql`
    insert into publish_digest (jurisdiction_code, updated_at, record_count, digest)
    select jurisdiction_code, updated_at, count(*), bit_xor(${digestOf(sql`detail`)}) from record group by 1, 2`);
  const [newest] = await db.query<{ stamp: string | null }>(sql`select max(updated_at)::text as stamp from record`);
  const stamp = sql`greatest(last_stamp, ${newest!.stamp}::timestamptz)`;
  const [clock] = await db.query<{ announces: boolean }>(
    sql`select to_jsonb(publish_clock) ? 'announced_stamp' as announces from publish_clock`,
  );
  // Older schemas announce nothing.
  const moved = clock!.announces ? advanceClock(stamp) : sql`last_stamp = ${stamp}`;
  await db.query(sql`update publish_clock set ${moved}`);
}
