/**
 * The answers that prove a copy equal (docs/design/client.md): digests of registers, of their buckets, and of the
 * records of a bucket, from what every publish keeps (`publish/verification.ts`). It does not know how a copy is kept.
 * Invariant: settled and unsettled records come from one snapshot and make up the whole.
 */

import type { Instant } from '@tmds/contract/record';
import { NoAnswer } from '../../base/no-answer.ts';
import { isDistributed } from '../../database/distributed/distribution.ts';
import { type Database, withLimits } from '../../database/driver/db.ts';
import { instantText, type Statement, sql } from '../../database/driver/sql.ts';
import { readSettled } from '../publish/announce.ts';
import { clockEdge } from '../publish/feed-clock.ts';
import { digestOf } from '../publish/verification.ts';
import { changeOrder } from './changes.ts';

/** The stamps of a register fall into 2^10 buckets. */
export const BUCKET_BITS = 10;
export const BUCKET_PAGE_MAX = 5_000;
/** If more records than this have changed since the position, a load is running and verification has to wait. */
const UNSETTLED_MAX = 10_000;

function hexOf(digest: Statement): Statement {
  return sql`lpad(to_hex(${digest}), 16, '0')`;
}

/** The bucket of a stamp: the first bits of SHA-256 of its text on the wire. */
function bucketOf(stamp: Statement): Statement {
  const bytes = sql`sha256(convert_to(${instantText(stamp)}, 'UTF8'))`;
  return sql`((get_byte(${bytes}, 0) << 8 | get_byte(${bytes}, 1)) >> (16 - ${BUCKET_BITS}::int))`;
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

/** What an answer was read from. */
export interface DigestAnswer<Item> {
  readonly items: Item[];
  readonly unsettled: Unsettled[];
  /** The lineage of the history that it was read from (rule I-47). */
  readonly lineage: string;
}

export interface DigestOptions {
  readonly asOf: Instant;
  readonly horizonSeconds: number;
  readonly signal?: AbortSignal;
}

/** The settled records of every register (last changed at or before `asOf`), and the identities of the others. */
export async function listRegisterDigests(
  db: Database,
  options: DigestOptions,
): Promise<DigestAnswer<SetDigest & { jurisdiction_code: string }>> {
  const [row] = await readAnswerRow(
    db,
    options,
    sql`
    ${answerHead(options, null)},
    (select coalesce(json_agg(json_build_object('jurisdiction_code', jurisdiction_code, 'record_count', record_count,
        'digest', digest) order by jurisdiction_code), '[]')
      from (select jurisdiction_code, sum(record_count) as record_count, ${hexOf(sql`bit_xor(digest)`)} as digest
        from publish_digest where updated_at <= ${options.asOf}::timestamptz group by jurisdiction_code) as summed
    ) as items`,
  );
  return readAnswer(row!);
}

/** The settled records of one register by bucket; empty buckets are left out. */
export async function listBucketDigests(
  db: Database,
  register: string,
  options: DigestOptions,
): Promise<DigestAnswer<SetDigest & { bucket: number }>> {
  const [row] = await readAnswerRow(
    db,
    options,
    sql`
    ${answerHead(options, register)},
    (select coalesce(json_agg(json_build_object('bucket', bucket, 'record_count', record_count,
        'digest', digest) order by bucket), '[]')
      from (select ${bucketOf(sql`updated_at`)} as bucket, sum(record_count) as record_count,
          ${hexOf(sql`bit_xor(digest)`)} as digest
        from publish_digest where jurisdiction_code = ${register} and updated_at <= ${options.asOf}::timestamptz
        group by bucket) as summed
    ) as items`,
  );
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

/** The settled records of one bucket, by stamp and uid: `BUCKET_PAGE_MAX`, and one more if there is another page. */
export async function listBucketRecords(
  db: Database,
  place: { readonly register: string; readonly bucket: number; readonly after: BucketPosition | null },
  options: DigestOptions,
): Promise<DigestAnswer<BucketItem>> {
  const after = place.after ?? { updated_at: '0001-01-01T00:00:00.000000Z', uid: '' };
  const read = sql`,
    stamp as materialized (
      select updated_at from publish_digest
      where jurisdiction_code = ${place.register} and updated_at <= ${options.asOf}::timestamptz
        and ${bucketOf(sql`updated_at`)} = ${place.bucket}::int and updated_at >= ${after.updated_at}::timestamptz
      order by updated_at
    ), listed as materialized (
      select record.updated_at, record.uid, ${hexOf(digestOf(sql`record.detail`))} as digest
      from stamp join record on record.jurisdiction_code = ${place.register} and record.updated_at = stamp.updated_at
      where (record.updated_at, record.uid) > (${after.updated_at}::timestamptz, ${after.uid})
      order by record.updated_at, record.uid limit ${BUCKET_PAGE_MAX + 1}::int
    )`;
  const [row] = await readAnswerRow(
    db,
    options,
    sql`
    ${answerHead(options, place.register, read)},
    (select coalesce(json_agg(json_build_object('updated_at', ${instantText(sql`listed.updated_at`)},
        'uid', uid, 'digest', digest) order by listed.updated_at, uid), '[]') from listed) as items`,
  );
  return readAnswer(row!);
}

interface AnswerRow {
  served: boolean;
  within: boolean;
  lineage: string;
  /** JSON. */
  unsettled: string;
  items: string;
}

/** One statement is one snapshot, except on several nodes. */
async function readAnswerRow(db: Database, { signal }: DigestOptions, statement: Statement): Promise<AnswerRow[]> {
  const limits = signal === undefined ? {} : { signal };
  if (!(await isDistributed(withLimits(db, limits)))) return await db.query<AnswerRow>(statement, limits);
  return await readSettled(db, (tx) => tx.query<AnswerRow>(statement, limits));
}

/**
 * Everything in one statement, so that settled and unsettled records come from one snapshot and make up the whole.
 * `more`: further named parts of it.
 */
function answerHead(
  { asOf, horizonSeconds }: DigestOptions,
  register: string | null,
  more: Statement = sql``,
): Statement {
  const served =
    register === null ? sql`true` : sql`exists (select 1 from register where jurisdiction_code = ${register})`;
  const scope = register === null ? sql`true` : sql`jurisdiction_code = ${register}`;
  return sql`
    with edge as materialized (${clockEdge(horizonSeconds)}),
    changed as materialized (
      select jurisdiction_code, uid from record where ${scope} and updated_at > ${asOf}::timestamptz
      order by ${changeOrder({ register })} limit ${UNSETTLED_MAX + 1}::int
    )${more}
    select ${served} as served, ${asOf}::timestamptz <= (select horizon from edge) as within,
      (select lineage from edge) as lineage,
      (select coalesce(json_agg(json_build_object('jurisdiction_code', jurisdiction_code, 'uid', uid)), '[]')
        from changed
      ) as unsettled`;
}

/** @throws NoAnswer */
function readAnswer<Item>(row: AnswerRow): DigestAnswer<Item> {
  if (!row.served) throw new NoAnswer('register_not_served');
  if (!row.within) throw new NoAnswer('past_horizon');
  const unsettled: Unsettled[] = JSON.parse(row.unsettled);
  if (unsettled.length > UNSETTLED_MAX) throw new NoAnswer('too_many_changed');
  return { items: JSON.parse(row.items), unsettled, lineage: row.lineage };
}
