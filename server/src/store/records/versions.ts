/**
 * Versions of records as SQL: the current ones in `record`, replaced ones in `record_version`. A version never changes,
 * so statements that read the same versions at different times read the same.
 */
import type { Instant } from '@tmds/contract/record';
import type { Queryable } from '../../database/driver/db.ts';
import { isStorable, type Statement, sql } from '../../database/driver/sql.ts';
import {
  documentBytes,
  expandDetail,
  type HeldColumns,
  heldDocument,
  heldIn,
  readDocuments,
} from '../documents/read.ts';

/** Identifies a version: columns of the caller, or values. */
export interface VersionName {
  readonly register: Statement;
  readonly uid: Statement;
  readonly stamp: Statement;
}

const KEPT = heldIn('record_version');

/** The texts of a version: one row, or none if there is no such version. */
function textsOf({ register, uid, stamp }: VersionName): Statement {
  return sql`
    select detail, mark_variants from record
    where jurisdiction_code = ${register} and uid = ${uid} and updated_at = ${stamp}
    union all
    select detail, mark_variants from record_version
    where jurisdiction_code = ${register} and uid = ${uid} and updated_at = ${stamp}`;
}

/**
 * The version that a version replaced, with its stamp as `previous_at`, and with the length of its payload if the
 * payload is kept with it: one row, or none.
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
 * `value` of the payload of a version, as a scalar; null if it has none. A payload is kept with the last of the
 * versions that share it; the current version's payload is kept with the record.
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

/**
 * The same for many versions, as named parts of a statement. `listed` is one of them, with a key `position`, and names
 * a version in each row. `uids`: the uids of all of them, if they are known; then only their nodes are asked.
 */
export interface ListedVersions {
  readonly uids: readonly string[] | null;
}

const ofListed = (table: Statement, { uids }: ListedVersions): Statement => sql`
        where ${table}.jurisdiction_code = listed.jurisdiction_code and ${table}.uid = listed.uid
          and ${uids === null ? sql`true` : sql`${table}.uid = any(${[...new Set(uids)]}::text[])`}`;

const VERSION = sql`version`;
const BY_VERSION = sql`group by version.jurisdiction_code, version.uid, version.updated_at`;
const BY_RECORD = sql`group by version.jurisdiction_code, version.uid`;

/**
 * `columns` of the versions themselves. On several nodes, a version that is being replaced may be found in both tables;
 * it is the same in both. It is never found in neither, since the table that it leaves is searched first.
 */
export function listedTexts(columns: Statement, among: ListedVersions): Statement {
  return sql`
      select listed.position, found.* from listed cross join lateral (
        select version.jurisdiction_code, version.uid, ${columns} from record as version ${ofListed(VERSION, among)}
          and version.updated_at = listed.updated_at ${BY_RECORD}
      ) as found
      union all
      select listed.position, found.* from listed cross join lateral (
        select version.jurisdiction_code, version.uid, ${columns} from record_version as version
        ${ofListed(VERSION, among)} and version.updated_at = listed.updated_at ${BY_VERSION}
      ) as found`;
}

/** `columns` of the versions that they replaced. */
export function listedPredecessors(columns: Statement, among: ListedVersions): Statement {
  return sql`
      select listed.position, found.* from listed cross join lateral (
        select version.jurisdiction_code, version.uid, ${columns} from record_version as version
        ${ofListed(VERSION, among)} and version.replaced_at = listed.updated_at ${BY_VERSION}
      ) as found`;
}

/** `value` of the payload of each; none if it has none. A payload may be found twice, like texts. */
export function listedDocuments(value: (held: HeldColumns) => Statement, among: ListedVersions): Statement {
  const found = value(heldIn('version'));
  const sooner = (than: Statement): Statement => sql`not exists (
            select from record_version sooner
            where sooner.jurisdiction_code = version.jurisdiction_code and sooner.uid = version.uid
              and sooner.has_document and sooner.updated_at >= listed.updated_at and ${than})`;
  return sql`
      select listed.position, found.value from listed cross join lateral (
        select version.jurisdiction_code, version.uid, ${found} as value from payload as version
        ${ofListed(VERSION, among)} and ${sooner(sql`true`)} ${BY_RECORD}
      ) as found
      union all
      select listed.position, found.value from listed cross join lateral (
        select version.jurisdiction_code, version.uid, ${found} as value from record_version as version
        ${ofListed(VERSION, among)} and version.updated_at >= listed.updated_at and version.has_document
          and ${sooner(sql`sooner.updated_at < version.updated_at`)} ${BY_VERSION}
      ) as found`;
}

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
  return expandPayload ? Buffer.concat(expandDetail(detail, document)) : detail;
}
