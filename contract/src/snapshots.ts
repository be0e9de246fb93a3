/**
 * Snapshots: the records of registers as files, from which a replica starts, with the cursors from which it continues
 * through the change feed. Deltas: the records that changed between two snapshots, for copies that follow by files
 * alone. A manifest describes either; `GET /v1/snapshots` and `GET /v1/snapshots/deltas` list them.
 */
import type { Instant } from './record.ts';
import type { Count, Positive, RegisterCode, Sha256, ShortDigest, Text } from './values.ts';

/** `form` of a manifest. Rises when older readers would misread what newer programs write. */
export const MANIFEST_FORM = 1;

/** Where the cursors of a snapshot begin: a feed since then holds every record. */
export const SNAPSHOT_SINCE: Instant = '1970-01-01T00:00:00.000000Z';

/** `jsonl`: lines as the feed delivers records, in its order, compressed by gzip. `parquet`: a column for each field. */
export const SNAPSHOT_FORMATS = ['jsonl', 'parquet'] as const;
export type SnapshotFormat = (typeof SNAPSHOT_FORMATS)[number];

/** How long a delta reaches back: to the delta of its period before it. */
export const DELTA_PERIODS = ['day', 'week', 'month'] as const;
export type DeltaPeriod = (typeof DELTA_PERIODS)[number];

/** Deltas between snapshots. @schema */
export interface DeltasPage {
  /** By their ends; of deltas that end together the longest last. */
  items: Delta[];
}

/**
 * The manifest of a delta: every record whose last change is after `from_as_of` and at or before `as_of`, as it was
 * when the delta was made. A copy that is complete up to any instant between the two is complete up to `as_of` once it
 * has taken each record of the delta instead of its own one. A register loses no records, so there are no deletions.
 * @schema
 */
export interface Delta {
  /** Opaque, in the path of its files; newer deltas of a period have ids that sort later. */
  id: Text;
  /** Version of the manifest. @const MANIFEST_FORM */
  form: number;
  /** The deltas of a period follow each other without a gap: one begins where the one before it ends. */
  period: DeltaPeriod;
  /** When it was begun. */
  made_at: Instant;
  /** It has no record that last changed at or before this instant. */
  from_as_of: Instant;
  /** It has every record that last changed between `from_as_of` and this instant. */
  as_of: Instant;
  /** Version of the text of a record and of its digest. */
  digest_form: Positive;
  /** Whether records have their payloads. */
  payloads: boolean;
  /** Identifies the schema of payloads. */
  document_schema: ShortDigest;
  /** The `since` of every feed that the cursors continue. */
  since: Instant;
  /** Where `/v1/changes` was at `from_as_of`. */
  from_cursor: string;
  /** Continues `/v1/changes`. */
  cursor: string;
  /** Every register, sorted by code, also those in which nothing changed. @minItems 1 */
  registers: DeltaRegister[];
}

/** A register in a delta. The files of one format hold all of its changed records, in the order of the feed. @schema */
export interface DeltaRegister {
  jurisdiction_code: RegisterCode;
  /** Records of the register in the delta; may be 0. */
  record_count: Count;
  /** Exclusive or of the digests of these records. */
  digest: ShortDigest;
  /** Where `/v1/{jurisdiction_code}/changes` was at `from_as_of`; null: the register had no records. */
  from_cursor: string | null;
  /** Continues `/v1/{jurisdiction_code}/changes`. */
  cursor: string;
  /** Its files, in the order of the feed, format by format; none if nothing changed in it. */
  files: SnapshotFile[];
}

/** All snapshots. @schema */
export interface SnapshotsPage {
  /** The newest first. */
  items: Snapshot[];
}

/** The manifest of a snapshot. @schema */
export interface Snapshot {
  /** Opaque; newer snapshots have ids that sort later. */
  id: Text;
  /** Version of the manifest. @const MANIFEST_FORM */
  form: number;
  /** When it was begun. */
  made_at: Instant;
  /** The files have every record that last changed at or before this instant, as it was when they were made. */
  as_of: Instant;
  /** The version of the text of a record and of its digest, as `/v1/digests` gives it. */
  digest_form: Positive;
  /** Whether records have their payloads. */
  payloads: boolean;
  /** The first 16 hexadecimal digits of the SHA-256 of the JSON Schema of payloads. */
  document_schema: ShortDigest;
  /** The `since` of every feed that the cursors continue. */
  since: Instant;
  /** Continues `/v1/changes`; null when the snapshot does not have every register. */
  cursor: string | null;
  /** The registers in it, sorted by code. @minItems 1 */
  registers: SnapshotRegister[];
}

/** A register in a snapshot. The files of one format hold all of its records, in the order of the feed. @schema */
export interface SnapshotRegister {
  jurisdiction_code: RegisterCode;
  /** Records of the register in the snapshot. */
  record_count: Positive;
  /** Exclusive or of the digests of the records, as `/v1/digests` gives it for the same position. */
  digest: ShortDigest;
  /** Continues `/v1/{jurisdiction_code}/changes`. */
  cursor: string;
  /** Its files, in the order of the feed, format by format. @minItems 1 */
  files: SnapshotFile[];
}

/** A file of a snapshot or delta. @schema */
export interface SnapshotFile {
  /** Its name in the path of the download, such as `US-0001.jsonl.gz`. */
  name: Text;
  /** jsonl: lines as the feed delivers records, compressed by gzip; parquet: a column for each field. */
  format: SnapshotFormat;
  /** Size of the download. */
  bytes: Positive;
  /** Digest of these bytes. */
  sha256: Sha256;
  /** Records in the file. */
  record_count: Positive;
}
