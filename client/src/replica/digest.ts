/**
 * The digest that proves two copies of a record equal, computed the same way by service and replica:
 *
 * text   = the record as the feed delivers it without `expand`: one JSON object, no white space, the contract's keys in
 * the contract's order (content, record_update_date, first_seen_at, updated_at), escapes as JSON.stringify writes them
 * digest = the first 8 bytes of SHA-256 of the text's UTF-8 bucket = the first `bits` bits of SHA-256 of the text of
 * updated_at: records that changed together share a bucket
 *
 * A set of records has their count and the XOR of their digests, which can both be updated change by change, in any
 * order. The digest does not cover the payload, but a change of it moves `updated_at`, which is covered.
 */
import { hash } from 'node:crypto';
import { COLUMNS } from './columns.ts';
import type { StoredRecord } from './sink.ts';

export const BUCKET_BITS_MAX = 20;

/** 64 bits as an unsigned integer; the API has them as 16 hexadecimal digits. */
export function digestRecord(record: StoredRecord): bigint {
  return hash('sha256', renderDelivered(record), 'buffer').readBigUInt64BE(0);
}

/** The text of the record as the API delivers it. */
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
