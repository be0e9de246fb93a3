/**
 * The wire of verification: counts and digests of the records a service holds, an extra beside the specification's
 * eight endpoints (decision 0014). One unit a call. What a digest is: `replica/digest.ts`.
 *
 * Every answer speaks of the settled records: those whose latest change is at or before `as_of`. Records changed since
 * are listed as `unsettled` and left out of every count and digest; a replica complete up to `as_of` holds an older
 * version of them, or none, and leaves them out on its side too.
 */
import type { Instant } from '@tmds/contract/record';

interface DigestAnswer<Item> {
  /** The form of the digest, 1; another one cannot be compared. */
  form: number;
  as_of: Instant;
  /** Bits of the hash of `updated_at` that number the buckets of a register. */
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

/** GET /v1/{jurisdiction_code}/digests?as_of= : the buckets that hold a record. */
export interface RegisterDigestsPage extends DigestAnswer<SetDigest & { bucket: number }> {
  unsettled: { uid: string }[];
}

/** GET /v1/{jurisdiction_code}/digests/{bucket}?as_of=&cursor= : the records of one bucket. */
export interface BucketDigestsPage extends DigestAnswer<{ uid: string; digest: string }> {
  unsettled: { uid: string }[];
  next_cursor: string | null;
}
