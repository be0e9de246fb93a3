/** Every version of every record as the tables hold it, current or past; not as a server reads it. */
import type { Queryable } from '../../src/database/driver/db.ts';
import { instantText, sql } from '../../src/database/driver/sql.ts';

/**
 * As a derived table; `next_cause` is why the version was replaced, `document` is the document of the version itself.
 */
export const VERSIONS = sql`(
  with version as (
    select jurisdiction_code, uid, updated_at, null::timestamptz as replaced_at, null::text as next_cause,
      source_version, detail, true as has_document, document
    from record left join payload using (jurisdiction_code, uid)
    union all
    select jurisdiction_code, uid, updated_at, replaced_at, cause, source_version, detail, has_document, document
    from record_version
  ), grouped as (
    select *, count(*) filter (where has_document) over (partition by jurisdiction_code, uid order by updated_at desc)
      as documents from version
  )
  select jurisdiction_code, uid, updated_at, replaced_at, next_cause, source_version, detail,
    first_value(document) over (partition by jurisdiction_code, uid, documents order by updated_at desc) as document,
    lag(next_cause, 1, 'first') over (partition by jurisdiction_code, uid order by updated_at) as cause
  from grouped)`;

export interface Version {
  uid: string;
  updated_at: string;
  replaced_at: string | null;
  /** Why it came: `first`, or what its predecessor was replaced for. */
  cause: string;
  source_version: string | null;
  detail: string;
  document: string | null;
}

/** Oldest first, by uid. */
export async function listVersions(db: Queryable): Promise<Version[]> {
  return await db.query<Version>(sql`
    select uid, ${instantText(sql`updated_at`)} as updated_at, ${instantText(sql`replaced_at`)} as replaced_at, cause,
      source_version, detail, document
    from ${VERSIONS} as version order by jurisdiction_code, uid, version.updated_at`);
}
