/**
 * The answers that verification needs: counts and digests of the service's records, in addition to the specification's
 * eight endpoints (docs/design/client.md). One unit a call.
 *
 * Every answer is about settled records: those whose latest change is at or before `as_of`. Records changed since then
 * are listed as `unsettled` and are in no count or digest. A replica that is complete up to `as_of` has an older
 * version of them, or none, and leaves them out too.
 */
import type { Instant } from './record.ts';
import type { Count, PageCursor, Positive, RegisterCode, ShortDigest, Uid } from './values.ts';

/** @minLength 1 */
type DigestedUid = Uid;

/** Of the record, or the exclusive or of the digests of all records counted here. */
type RecordsDigest = ShortDigest;

interface DigestAnswer {
  /** Version of the method of digesting; digests of different versions cannot be compared. @const DIGEST_FORM */
  form: number;
  /** The requested position. */
  as_of: Instant;
  /** A register has 2 to this power buckets. */
  bucket_bits: Count;
}

export interface SetDigest {
  record_count: Positive;
  digest: RecordsDigest;
}

interface RegisterDigest {
  jurisdiction_code: RegisterCode;
  /** Settled records. */
  record_count: Positive;
  digest: RecordsDigest;
}

/** Digests of all registers. @schema */
export interface DigestsPage extends DigestAnswer {
  /** The digests. */
  items: RegisterDigest[];
  /** Identities of records that changed since. */
  unsettled: { jurisdiction_code: RegisterCode; uid: DigestedUid }[];
}

interface BucketDigest {
  /** Number of the bucket. */
  bucket: Count;
  /** Settled records. */
  record_count: Positive;
  digest: RecordsDigest;
}

/** Digests of one register by bucket; buckets without records are left out. @schema */
export interface RegisterDigestsPage extends DigestAnswer {
  /** The digests. */
  items: BucketDigest[];
  /** Identities of records that changed since. */
  unsettled: { uid: DigestedUid }[];
}

/** Digests of the records in one bucket. @schema */
export interface BucketDigestsPage extends DigestAnswer {
  /** The digests. */
  items: { uid: DigestedUid; digest: RecordsDigest }[];
  /** Identities of records that changed since. */
  unsettled: { uid: DigestedUid }[];
  next_cursor: PageCursor;
}
