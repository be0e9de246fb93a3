/**
 * Digests by which a copy is proven equal without reading the records: each publish keeps, per register and stamp, the
 * count of the records that bear the stamp and the exclusive or of their digests (docs/decisions/0014). Grouped by
 * stamp, because that has an index already and a load writes few of them; a client groups them on into buckets.
 * Invariant: after every commit, the rows of a register add up to its records as they are delivered.
 */
import type { Instant } from '@tmds/contract/record';
import { apiError } from '../../base/errors.ts';
import type { Queryable, Transaction } from '../driver/db.ts';
import { instantText } from '../driver/instants.ts';
import { type Statement, sql } from '../driver/sql.ts';
import { clockEdge } from '../records/changes.ts';
import { registerNotServed } from '../records/registers.ts';

/** Changes this with the text that is digested, or with the way it is. */
export const DIGEST_FORM = 1;
/** A register's stamps fall into 2^10 buckets. */
export const BUCKET_BITS = 10;
export const BUCKET_PAGE_MAX = 5_000;
/** More records changed since the position than this: a load is under way, verification waits. */
const UNSETTLED_MAX = 10_000;

/** The first 8 bytes of SHA-256 of the text, as a signed integer. */
export function digestOf(detail: Statement): Statement {
  return sql`('x' || encode(substring(sha256(convert_to(${detail}, 'UTF8')) for 8), 'hex'))::bit(64)::bigint`;
}

function hexOf(digest: Statement): Statement {
  return sql`lpad(to_hex(${digest}), 16, '0')`;
}

/** The bucket of a stamp: the first bits of SHA-256 of its text on the wire. */
function bucketOf(stamp: Statement): Statement {
  const bytes = sql`sha256(convert_to(${instantText(stamp)}, 'UTF8'))`;
  return sql`((get_byte(${bytes}, 0) << 8 | get_byte(${bytes}, 1)) >> (16 - ${BUCKET_BITS}::int))`;
}

/**
 * Before a publish overwrites records. `replaced` yields the old `jurisdiction_code`, `updated_at` and `detail` of
 * exactly those that it will.
 */
export async function subtractDigests(tx: Transaction, replaced: Statement): Promise<void> {
  await tx.query(
    sql`with gone as materialized (
        select jurisdiction_code, updated_at, count(*)::int4 as record_count, bit_xor(${digestOf(sql`detail`)}) as digest
        from (${replaced}) as replaced group by jurisdiction_code, updated_at
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

/** The records of one register that a publish has written. */
export interface WrittenSet {
  jurisdiction_code: string;
  record_count: number;
  /** The exclusive or of `digestOf` their rendered texts, as a decimal number. */
  digest: string;
}

/**
 * After a publish has written its records, all of which bear `stamp` and no others do. The digests come from the write
 * itself, so that nothing is read again.
 */
export async function addDigests(tx: Transaction, stamp: string, written: readonly WrittenSet[]): Promise<void> {
  await tx.query(sql`
    insert into publish_digest (jurisdiction_code, updated_at, record_count, digest)
    select jurisdiction_code, ${stamp}::timestamptz, record_count, digest
    from unnest(${written.map((set) => set.jurisdiction_code)}::text[],
      ${written.map((set) => set.record_count)}::int4[], ${written.map((set) => set.digest)}::int8[])
      as written (jurisdiction_code, record_count, digest)`);
}

export interface SetDigest {
  readonly record_count: number;
  /** 16 hexadecimal digits. */
  readonly digest: string;
}

export interface Unsettled {
  readonly jurisdiction_code: string;
  readonly uid: string;
}

export interface DigestOptions {
  readonly asOf: Instant;
  readonly horizonSeconds: number;
}

/** Every register's settled records, those whose latest change is at or before `asOf`, and the names of the others. */
export async function listRegisterDigests(
  db: Queryable,
  options: DigestOptions,
): Promise<{ items: (SetDigest & { jurisdiction_code: string })[]; unsettled: Unsettled[] }> {
  const [row] = await db.query<AnswerRow>(sql`
    ${answerHead(options, null)},
    (select coalesce(json_agg(json_build_object('jurisdiction_code', jurisdiction_code, 'record_count', record_count,
        'digest', digest) order by jurisdiction_code), '[]')
      from (select jurisdiction_code, sum(record_count) as record_count, ${hexOf(sql`bit_xor(digest)`)} as digest
        from publish_digest where updated_at <= ${options.asOf}::timestamptz group by jurisdiction_code) as summed
    ) as items`);
  return readAnswer(row!);
}

/** One register's settled records by bucket; buckets without records are left out. */
export async function listBucketDigests(
  db: Queryable,
  register: string,
  options: DigestOptions,
): Promise<{ items: (SetDigest & { bucket: number })[]; unsettled: Unsettled[] }> {
  const [row] = await db.query<AnswerRow>(sql`
    ${answerHead(options, register)},
    (select coalesce(json_agg(json_build_object('bucket', bucket, 'record_count', record_count,
        'digest', digest) order by bucket), '[]')
      from (select ${bucketOf(sql`updated_at`)} as bucket, sum(record_count) as record_count,
          ${hexOf(sql`bit_xor(digest)`)} as digest
        from publish_digest where jurisdiction_code = ${register} and updated_at <= ${options.asOf}::timestamptz
        group by bucket) as summed
    ) as items`);
  return readAnswer(row!);
}

/** Where a page of a bucket starts: after this stamp and uid. */
export interface BucketPosition {
  readonly updated_at: Instant;
  readonly uid: string;
}

export interface BucketItem extends BucketPosition {
  readonly digest: string;
}

/**
 * The settled records of one bucket, by stamp and uid, up to `BUCKET_PAGE_MAX` and one more that tells of a next page.
 */
export async function listBucketRecords(
  db: Queryable,
  place: { readonly register: string; readonly bucket: number; readonly after: BucketPosition | null },
  options: DigestOptions,
): Promise<{ items: BucketItem[]; unsettled: Unsettled[] }> {
  const after = place.after ?? { updated_at: '0001-01-01T00:00:00.000000Z', uid: '' };
  const [row] = await db.query<AnswerRow>(sql`
    ${answerHead(options, place.register)},
    (select coalesce(json_agg(json_build_object('updated_at', ${instantText(sql`listed.updated_at`)},
        'uid', uid, 'digest', ${hexOf(digestOf(sql`detail`))}) order by listed.updated_at, uid), '[]')
      from (select record.updated_at, record.uid, record.detail
        from publish_digest stamp join record
          on record.jurisdiction_code = stamp.jurisdiction_code and record.updated_at = stamp.updated_at
        where stamp.jurisdiction_code = ${place.register} and stamp.updated_at <= ${options.asOf}::timestamptz
          and ${bucketOf(sql`stamp.updated_at`)} = ${place.bucket}::int
          and stamp.updated_at >= ${after.updated_at}::timestamptz
          and (record.updated_at, record.uid) > (${after.updated_at}::timestamptz, ${after.uid})
        order by stamp.updated_at, record.uid limit ${BUCKET_PAGE_MAX + 1}::int) as listed
    ) as items`);
  return readAnswer(row!);
}

interface AnswerRow {
  served: boolean;
  within: boolean;
  /** JSON. */
  unsettled: string;
  items: string;
}

/** One statement is one snapshot: what is settled in it and what is not complete each other. */
function answerHead({ asOf, horizonSeconds }: DigestOptions, register: string | null): Statement {
  const served =
    register === null ? sql`true` : sql`exists (select from register where jurisdiction_code = ${register})`;
  const scope = register === null ? sql`true` : sql`jurisdiction_code = ${register}`;
  return sql`
    with edge as materialized (${clockEdge(horizonSeconds)})
    select ${served} as served, ${asOf}::timestamptz <= (select horizon from edge) as within,
      (select coalesce(json_agg(json_build_object('jurisdiction_code', jurisdiction_code, 'uid', uid)), '[]')
        from (select jurisdiction_code, uid from record where ${scope} and updated_at > ${asOf}::timestamptz
          order by updated_at limit ${UNSETTLED_MAX + 1}::int) as changed
      ) as unsettled`;
}

/**
 * @throws ApiError `not_found` for a register that is not served, `invalid_parameter` for a position that the feed has
 *   not reached, `unavailable` while too many records have changed since.
 */
function readAnswer<Item>(row: AnswerRow): { items: Item[]; unsettled: Unsettled[] } {
  if (!row.served) {
    throw registerNotServed();
  }
  if (!row.within) {
    throw apiError(
      'invalid_parameter',
      'as_of is later than the horizon of the change feed; send its X-Change-Horizon.',
      {
        param: 'as_of',
      },
    );
  }
  const unsettled: Unsettled[] = JSON.parse(row.unsettled);
  if (unsettled.length > UNSETTLED_MAX) {
    throw apiError('unavailable', 'Too many records have changed since as_of. Catch up, then verify again.');
  }
  return { items: JSON.parse(row.items), unsettled };
}
