/** Records put into the tables as a publish would leave them, with stamps that a test chooses. */

import type { NormalizedRecord, SourceRecord } from '../../src/record/document.ts';
import { normalizeRecord } from '../../src/record/normalize.ts';
import { buildRow } from '../../src/record/row.ts';
import type { Queryable } from '../../src/store/db.ts';
import { sql } from '../../src/store/sql.ts';

export interface StoredRecord {
  readonly record: NormalizedRecord;
  /** Canonical instant. */
  readonly updated_at: string;
}

/** The JSON text under which a record is delivered. */
export function renderDetail({ record, updated_at }: StoredRecord): string {
  const { detail } = buildRow(record);
  return `${detail},"record_update_date":null,"first_seen_at":"${updated_at}","updated_at":"${updated_at}"}`;
}

export function buildStored(source: SourceRecord, updatedAt: string): StoredRecord {
  return { record: normalizeRecord(source), updated_at: updatedAt };
}

/** Adds the records and brings the register list up to date. */
export async function storeRecords(db: Queryable, records: readonly StoredRecord[]): Promise<void> {
  const rows = records.map((stored) => {
    const { detail: _content, source_version: _version, ...row } = buildRow(stored.record);
    const detail = renderDetail(stored);
    // JSON has no integers as long as these.
    const [first_signature, second_signature] = [row.first_signature, row.second_signature].map(String);
    return { ...row, first_signature, second_signature, detail, updated_at: stored.updated_at };
  });
  await db.query(
    sql`
    insert into record (jurisdiction_code, uid, updated_at, first_seen_at, application_date, registration_date,
      publication_date, status_date, expiry_date, termination_date, opposition_period_end, content_digest, terms,
      first_signature, second_signature, number_keys, mark_names, owner_names, representative_names, detail)
    select jurisdiction_code, uid, updated_at, updated_at, application_date, registration_date, publication_date,
      status_date, expiry_date, termination_date, opposition_period_end, decode(content_digest, 'hex'), terms,
      first_signature, second_signature, number_keys, mark_names, owner_names, representative_names, detail
    from json_to_recordset(${JSON.stringify(rows)}::json) as row (jurisdiction_code text, uid text,
      updated_at timestamptz, application_date date, registration_date date, publication_date date, status_date date,
      expiry_date date, termination_date date, opposition_period_end date, content_digest text, terms int[],
      first_signature int8, second_signature int8, number_keys text, mark_names text, owner_names text,
      representative_names text, detail text)`,
  );
  const payloads = rows.filter(({ payload }) => payload !== null);
  await db.query(sql`
    insert into payload (jurisdiction_code, uid, document)
    select jurisdiction_code, uid, payload
    from json_to_recordset(${JSON.stringify(payloads)}::json) as row (jurisdiction_code text, uid text, payload text)`);
  await db.query(sql`
    insert into register (jurisdiction_code, record_count)
    select jurisdiction_code, count(*) from record group by jurisdiction_code
    on conflict (jurisdiction_code) do update set record_count = excluded.record_count`);
}
