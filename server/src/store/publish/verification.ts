/**
 * Digests that prove a copy equal without reading the records (docs/design/client.md). For each register and stamp, a
 * publish keeps the count of the records with that stamp and the XOR of their digests. They are kept by stamp because
 * there is an index on it and a load has few stamps; `records/digests.ts` answers from them.
 * Invariant: after every commit, the rows of a register add up to its records as they are delivered.
 */
import type { Transaction } from '../../database/driver/db.ts';
import { type Statement, sql } from '../../database/driver/sql.ts';

/** The first 8 bytes of SHA-256 of the text, as a signed integer. */
export function digestOf(detail: Statement): Statement {
  return sql`('x' || encode(substring(sha256(convert_to(${detail}, 'UTF8')) for 8), 'hex'))::bit(64)::bigint`;
}

/**
 * Called before a publish overwrites records. `replaced` selects the old `jurisdiction_code`, `updated_at` and `detail`
 * of exactly the records it will overwrite.
 */
export async function subtractDigests(tx: Transaction, replaced: Statement): Promise<void> {
  const gone = await tx.query<WrittenSet & { updated_at: string }>(
    sql`select jurisdiction_code, updated_at::text as updated_at, count(*)::int4 as record_count,
        bit_xor(${digestOf(sql`detail`)}) as digest
      from (${replaced}) as replaced group by jurisdiction_code, updated_at`,
    { prepare: false },
  );
  if (gone.length === 0) return;
  await tx.query(
    sql`with gone as materialized (
        select jurisdiction_code, updated_at, record_count, digest
        from unnest(${gone.map((set) => set.jurisdiction_code)}::text[],
          ${gone.map((set) => set.updated_at)}::timestamptz[],
          ${gone.map((set) => set.record_count)}::int4[], ${gone.map((set) => set.digest)}::int8[])
          as gone (jurisdiction_code, updated_at, record_count, digest)
      ), emptied as (
        delete from publish_digest kept using gone
        where kept.jurisdiction_code = gone.jurisdiction_code and kept.updated_at = gone.updated_at
          and kept.record_count = gone.record_count
      )
      update publish_digest kept
      set record_count = kept.record_count - gone.record_count, digest = kept.digest # gone.digest
      from gone
      where kept.jurisdiction_code = gone.jurisdiction_code and kept.updated_at = gone.updated_at
        and kept.record_count > gone.record_count`,
    { prepare: false },
  );
}

/** What one statement of a publish has written in one register. */
export interface WrittenSet {
  jurisdiction_code: string;
  record_count: number;
  /** The XOR of the records' `digestOf`, as a decimal number. */
  digest: string;
}

/**
 * Called after a publish has written its records, which are exactly those with `stamp`. The digests come from the write
 * itself, so that nothing is read again.
 */
export async function addDigests(tx: Transaction, stamp: string, written: readonly WrittenSet[]): Promise<void> {
  await tx.query(sql`
    insert into publish_digest (jurisdiction_code, updated_at, record_count, digest)
    select jurisdiction_code, ${stamp}::timestamptz, sum(record_count), bit_xor(digest)
    from unnest(${written.map((set) => set.jurisdiction_code)}::text[],
      ${written.map((set) => set.record_count)}::int4[], ${written.map((set) => set.digest)}::int8[])
      as written (jurisdiction_code, record_count, digest)
    group by jurisdiction_code`);
}
