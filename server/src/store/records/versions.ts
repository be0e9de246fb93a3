/**
 * Versions of records as SQL: the current ones in `record`, replaced ones in `record_version`. A version never changes,
 * so statements that read the same versions at different times read the same.
 */
import type { Instant } from '@tmds/contract/record';
import { documentBytes, type HeldColumns, heldDocument, heldIn } from '../documents/held.ts';
import { readDocuments } from '../documents/read.ts';
import type { Queryable } from '../driver/db.ts';
import { isStorable, type Statement, sql } from '../driver/sql.ts';

/** Names a version: columns of the caller, or values. */
export interface VersionName {
  readonly register: Statement;
  readonly uid: Statement;
  readonly stamp: Statement;
}

const KEPT = heldIn('record_version');

/** The texts of a version: one row, or none if there is no such version. */
export function textsOf({ register, uid, stamp }: VersionName): Statement {
  return sql`
    select detail, mark_variants from record
    where jurisdiction_code = ${register} and uid = ${uid} and updated_at = ${stamp}
    union all
    select detail, mark_variants from record_version
    where jurisdiction_code = ${register} and uid = ${uid} and updated_at = ${stamp}`;
}

/**
 * The version that a version replaced, with its stamp as `previous_at`, and its payload with its length where it is kept
 * with it: one row, or none.
 */
export function predecessorOf({ register, uid, stamp }: VersionName): Statement {
  return sql`
    select updated_at as previous_at, cause, detail, mark_variants, has_document,
      ${heldDocument(KEPT)} as document, ${documentBytes(KEPT)} as document_bytes
    from record_version
    where jurisdiction_code = ${register} and uid = ${uid} and updated_at < ${stamp}
    order by updated_at desc limit 1`;
}

/**
 * `value` of the payload of a version, as a scalar; null if it has none. A payload is kept with the last of the versions
 * that share it, and that of the current version with the record.
 */
export function documentOf(
  { register, uid, stamp }: VersionName,
  value: (held: HeldColumns) => Statement = heldDocument,
): Statement {
  return sql`(
    select value from (
      (select ${value(KEPT)} as value, updated_at from record_version
        where jurisdiction_code = ${register} and uid = ${uid} and updated_at >= ${stamp} and has_document
        order by updated_at limit 1)
      union all
      select ${value(heldIn('payload'))}, timestamptz 'infinity' from payload where jurisdiction_code = ${register} and uid = ${uid}
    ) as held order by updated_at limit 1)`;
}

const PAYLOAD_KEY = Buffer.from(',"payload":');
const NULL = Buffer.from('null');
const BRACE = Buffer.from('}');

/** A version of a record by its stamp. */
export interface RecordVersion {
  readonly register: string;
  readonly uid: string;
  readonly version: Instant;
}

export interface WantedVersion extends RecordVersion {
  readonly expandPayload: boolean;
}

/** A version as JSON text, as a look-up would have answered at its time; null if the record had no such version. */
export async function findVersion(db: Queryable, wanted: WantedVersion): Promise<Buffer | null> {
  const { register, uid, version, expandPayload } = wanted;
  if (!isStorable(register) || !isStorable(uid)) return null;
  const name: VersionName = { register: sql`${register}`, uid: sql`${uid}`, stamp: sql`${version}::timestamptz` };
  const [row] = await db.queryBytes<{ detail: Buffer; held: Buffer | null }>(sql`
    select detail, ${expandPayload ? documentOf(name) : sql`null`} as held from (${textsOf(name)}) as found`);
  if (row === undefined) return null;
  const { detail, held } = row;
  const [document] = await readDocuments(db, [held]);
  return expandPayload ? Buffer.concat([detail.subarray(0, -1), PAYLOAD_KEY, document ?? NULL, BRACE]) : detail;
}
