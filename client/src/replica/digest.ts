/**
 * The digest that proves two copies of a record equal, computed alike by service and replica. Covers every delivered
 * field but two: `payload`, and `record_update_date`, which may change without the record being delivered again (I-22).
 *
 *   content = SHA-256 of the UTF-8 text of JSON.stringify([each CONTENT_FIELDS value, in the contract's order])
 *   digest  = first 8 bytes of SHA-256 of (content's 32 bytes, then the text of first_seen_at, then of updated_at)
 *   bucket  = the first `bits` bits of SHA-256 of the UTF-8 text of uid
 *
 * A set of records has their number and the XOR of their digests: both can be kept up change by change, in any order.
 */
import { createHash } from 'node:crypto';
import { CONTENT_FIELDS, type ContentField } from '@tmds/contract/record';
import type { StoredRecord } from './sink.ts';

const FIELDS = Object.keys(CONTENT_FIELDS) as ContentField[];

export const BUCKET_BITS_MAX = 20;

/** 64 bits, as the unsigned integer whose 16 hexadecimal digits are on the wire. */
export function digestRecord(record: StoredRecord): bigint {
  const content = createHash('sha256')
    .update(JSON.stringify(FIELDS.map((field) => record[field])))
    .digest();
  const digest = createHash('sha256').update(content).update(record.first_seen_at).update(record.updated_at).digest();
  return digest.readBigUInt64BE(0);
}

/** @param bits 1 to 20; the bucket is a number from 0 to 2^bits − 1 */
export function findBucket(uid: string, bits: number): number {
  return createHash('sha256').update(uid).digest().readUInt32BE(0) >>> (32 - bits);
}

export function encodeDigest(digest: bigint): string {
  return digest.toString(16).padStart(16, '0');
}
