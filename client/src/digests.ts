/**
 * The answers that verification needs: counts and digests of the service's records, in addition to the specification's
 * eight endpoints (docs/design/client.md). One unit a call. `replica/digest.ts` defines the digest.
 *
 * Every answer is about settled records: those whose latest change is at or before `as_of`. Records changed since then
 * are listed as `unsettled` and are in no count or digest. A replica that is complete up to `as_of` has an older
 * version of them, or none, and leaves them out too.
 */
import type { Instant } from '@tmds/contract/record';

interface DigestAnswer<Item> {
  /** The version of the digest, 1. Digests of other versions cannot be compared. */
  form: number;
  as_of: Instant;
  /** How many bits of the hash of `updated_at` make the number of a bucket. */
  bucket_bits: number;
  items: Item[];
}

export interface SetDigest {
  record_count: number;
  /** XOR of the records' digests, 16 hexadecimal digits. */
  digest: string;
}

/** GET /v1/digests?as_of= */
export interface DigestsPage extends DigestAnswer<SetDigest & { jurisdiction_code: string }> {
  unsettled: { jurisdiction_code: string; uid: string }[];
}

/** GET /v1/{jurisdiction_code}/digests?as_of= : the buckets with records. */
export interface RegisterDigestsPage extends DigestAnswer<SetDigest & { bucket: number }> {
  unsettled: { uid: string }[];
}

/** GET /v1/{jurisdiction_code}/digests/{bucket}?as_of=&cursor= : the records of one bucket. */
export interface BucketDigestsPage extends DigestAnswer<{ uid: string; digest: string }> {
  unsettled: { uid: string }[];
  next_cursor: string | null;
}
