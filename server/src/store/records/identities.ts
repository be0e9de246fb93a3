/**
 * Which records of a load differ from what is stored, judged by digest and version. Identities go to the database as
 * binary arrays, one per column, which need no quoting here and no parsing there.
 */

import { recordOf } from '../../database/distributed/by-key.ts';
import type { Queryable } from '../../database/driver/db.ts';
import { sql } from '../../database/driver/sql.ts';

export interface ComparedRow {
  jurisdiction_code: string;
  uid: string;
  /**
   * Hexadecimal; digest of the content, or of the source line if the content was not read. Either one proves equality.
   */
  digest: string;
  source_version: string | null;
  /** Hexadecimal; digest of the source record in raw form. Null: equal content is enough. */
  source_digest: string | null;
}

/** Records by column; each column is an array in PostgreSQL's binary form, all in the same order. */
export interface Identities {
  readonly count: number;
  readonly columns: Readonly<Record<keyof ComparedRow, Uint8Array<ArrayBuffer>>>;
}

const TEXT_OID = 25;
const BYTEA_OID = 17;
const LENGTH_BYTES = 4;
const DIGEST_BYTES = 16;
/** The longest UTF-8 form of one UTF-16 unit. */
const UNIT_BYTES_MAX = 3;

export function encodeIdentities(rows: readonly ComparedRow[]): Identities {
  const columns = {
    jurisdiction_code: encodeTexts(rows.map((row) => row.jurisdiction_code)),
    uid: encodeTexts(rows.map((row) => row.uid)),
    digest: encodeDigests(rows.map((row) => row.digest)),
    source_version: encodeTexts(rows.map((row) => row.source_version)),
    source_digest: encodeTexts(rows.map((row) => row.source_digest)),
  };
  return { count: rows.length, columns };
}

/** The header of an array with one dimension: dimensions, has nulls, element type, length, first index. */
function openArray(oid: number, count: number, bytes: number): { array: Buffer; at: number } {
  const array = Buffer.from(new ArrayBuffer(20 + count * LENGTH_BYTES + bytes));
  let at = 0;
  for (const value of [1, 1, oid, count, 1]) at = array.writeInt32BE(value, at);
  return { array, at };
}

function encodeTexts(texts: readonly (string | null)[]): Uint8Array<ArrayBuffer> {
  const units = texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
  const { array, at: start } = openArray(TEXT_OID, texts.length, units * UNIT_BYTES_MAX);
  let at = start;
  for (const text of texts) {
    const length = text === null ? -1 : array.write(text, at + LENGTH_BYTES);
    at = array.writeInt32BE(length, at);
    if (length > 0) at += length;
  }
  return new Uint8Array(array.buffer.slice(0, at) as ArrayBuffer);
}

function encodeDigests(digests: readonly string[]): Uint8Array<ArrayBuffer> {
  const { array, at: start } = openArray(BYTEA_OID, digests.length, digests.length * DIGEST_BYTES);
  let at = start;
  for (const digest of digests) {
    at = array.writeInt32BE(DIGEST_BYTES, at);
    at += array.write(digest, at, 'hex');
  }
  return new Uint8Array(array.buffer as ArrayBuffer);
}

const COMPARED = sql`record.content_digest, record.line_digest, record.source_version, record.source_digest`;

/**
 * The records that are not stored with exactly this content, by position: new ones, changed ones, and ones with a
 * higher version or another source; each with the hexadecimal digest of the stored content, empty if there is none.
 */
export async function listDiffering(
  db: Queryable,
  { count, columns }: Identities,
): Promise<ReadonlyMap<number, string>> {
  const bytesOf = ({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): Buffer =>
    Buffer.from(buffer, byteOffset, byteLength);
  const [found] = await db.query<{ positions: number[]; stored: string[] }>(sql`
    with listed as materialized (
      select jurisdiction_code, uid, digest, source_version, source_digest, position from unnest(
        ${bytesOf(columns.jurisdiction_code)}::text[],
        ${bytesOf(columns.uid)}::text[],
        ${bytesOf(columns.digest)}::bytea[],
        ${bytesOf(columns.source_version)}::text[],
        ${bytesOf(columns.source_digest)}::text[]
      ) with ordinality as read (jurisdiction_code, uid, digest, source_version, source_digest, position)
    ), stored as materialized (
      select listed.position, encode(held.content_digest, 'hex') as digest,
        listed.digest in (held.content_digest, held.line_digest)
        and (listed.source_version is null or listed.source_version collate "C" <= held.source_version)
        and (listed.source_digest is null
          or held.source_digest is not distinct from decode(listed.source_digest, 'hex')) as is_same
      from listed cross join lateral ${recordOf(COMPARED, sql`true`)} as held
    )
    select coalesce(array_agg(numbered.position - 1), '{}') as positions,
      coalesce(array_agg(coalesce(stored.digest, '')), '{}') as stored
    from generate_series(1, ${count}::int4) as numbered (position)
    left join stored on stored.position = numbered.position
    where stored.is_same is not true`);
  return new Map(found?.positions.map((position, at) => [position, found.stored[at] ?? '']));
}
