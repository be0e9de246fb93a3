/**
 * The digest that proves two copies of a record equal, computed alike by service and replica:
 *
 *   text   = the record as the feed delivers it without `expand`: one JSON object, no white space, the contract's
 *            keys in the contract's order (content, record_update_date, first_seen_at, updated_at), escapes as
 *            JSON.stringify writes them
 *   digest = the first 8 bytes of SHA-256 of the text's UTF-8
 *   bucket = the first `bits` bits of SHA-256 of the text of updated_at: records that changed together fall together
 *
 * A set of records has their number and the XOR of their digests: both can be kept up change by change, in any order.
 * The payload is outside; a change of it moves `updated_at`, which is inside.
 */
import { hash } from 'node:crypto';
import { COLUMNS } from './columns.ts';
import type { StoredRecord } from './sink.ts';

export const BUCKET_BITS_MAX = 20;

/** 64 bits, as the unsigned integer whose 16 hexadecimal digits are on the wire. */
export function digestRecord(record: StoredRecord): bigint {
  return hash('sha256', renderDelivered(record), 'buffer').readBigUInt64BE(0);
}

/** The record's text on the wire, from its fields. */
export function renderDelivered(record: StoredRecord): string {
  const ordered: Record<string, unknown> = {};
  for (const { name } of COLUMNS) ordered[name] = record[name];
  return JSON.stringify(ordered);
}

/** @param bits 1 to 20; the bucket is a number from 0 to 2^bits − 1 */
export function findBucket(updatedAt: string, bits: number): number {
  return hash('sha256', updatedAt, 'buffer').readUInt32BE(0) >>> (32 - bits);
}

export function encodeDigest(digest: bigint): string {
  return digest.toString(16).padStart(16, '0');
}
