/**
 * Snapshots: the records of registers as files, from which a replica starts, with the cursors from which it continues
 * through the change feed. Deltas: the records that changed between two snapshots, for copies that follow by files
 * alone. A manifest describes either; `GET /v1/snapshots` and `GET /v1/snapshots/deltas` list them.
 */
import type { Instant } from './record.ts';

/** `form` of a manifest. Rises when older readers would misread what newer programs write. */
export const MANIFEST_FORM = 1;

/** Where the cursors of a snapshot begin: a feed since then holds every record. */
export const SNAPSHOT_SINCE: Instant = '1970-01-01T00:00:00.000000Z';

/** `jsonl`: lines as the feed delivers records, in its order, compressed by gzip. `parquet`: a column for each field. */
export const SNAPSHOT_FORMATS = ['jsonl', 'parquet'] as const;
export type SnapshotFormat = (typeof SNAPSHOT_FORMATS)[number];

export interface SnapshotFile {
  /** Such as `US-0001.jsonl.gz`. */
  name: string;
  format: SnapshotFormat;
  bytes: number;
  /** Digest of the stored file, in hexadecimal digits. */
  sha256: string;
  record_count: number;
}

export interface SnapshotRegister {
  jurisdiction_code: string;
  record_count: number;
  /** Exclusive or of the records' digests, as `/v1/digests` gives it for the same position: 16 hexadecimal digits. */
  digest: string;
  /** Continues `/v1/{jurisdiction_code}/changes`. */
  cursor: string;
  /** In the order of the feed, format by format. */
  files: SnapshotFile[];
}

export interface Snapshot {
  /** Opaque; newer snapshots have ids that sort later. */
  id: string;
  form: number;
  made_at: Instant;
  /** The files have every record that last changed at or before this instant, as it was when they were made. */
  as_of: Instant;
  /** The version of the text of a record and of its digest, as `/v1/digests` gives it. */
  digest_form: number;
  /** Whether records have their payloads. */
  payloads: boolean;
  /** The first 16 hexadecimal digits of the SHA-256 of the JSON Schema of payloads. */
  document_schema: string;
  /** The `since` of every feed that the cursors continue. */
  since: Instant;
  /** Continues `/v1/changes`; null when the snapshot does not have every register. */
  cursor: string | null;
  /** Sorted by code. */
  registers: SnapshotRegister[];
}

/** GET /v1/snapshots: the newest first. */
export interface SnapshotsPage {
  items: Snapshot[];
}

/** How long a delta reaches back: to the delta of its period before it. */
export const DELTA_PERIODS = ['day', 'week', 'month'] as const;
export type DeltaPeriod = (typeof DELTA_PERIODS)[number];

export interface DeltaRegister {
  jurisdiction_code: string;
  /** Records of the register in the delta; may be 0. */
  record_count: number;
  /** Exclusive or of their digests: 16 hexadecimal digits. */
  digest: string;
  /** Where `/v1/{jurisdiction_code}/changes` was at `from_as_of`; null: the register had no records. */
  from_cursor: string | null;
  /** Continues `/v1/{jurisdiction_code}/changes`. */
  cursor: string;
  /** In the order of the feed, format by format. */
  files: SnapshotFile[];
}

/**
 * Every record whose last change is after `from_as_of` and at or before `as_of`, as it was when the delta was made. A
 * copy that is complete up to any instant between the two is complete up to `as_of` once it has taken each record of the
 * delta instead of its own one. A register loses no records, so there are no deletions.
 */
export interface Delta {
  /** Opaque; newer deltas of a period have ids that sort later. */
  id: string;
  form: number;
  period: DeltaPeriod;
  made_at: Instant;
  from_as_of: Instant;
  as_of: Instant;
  digest_form: number;
  payloads: boolean;
  document_schema: string;
  /** The `since` of every feed that the cursors continue. */
  since: Instant;
  /** Where `/v1/changes` was at `from_as_of`. */
  from_cursor: string;
  /** Continues `/v1/changes`. */
  cursor: string;
  /** Every register, sorted by code. */
  registers: DeltaRegister[];
}

/** GET /v1/snapshots/deltas: in the order in which they are applied. */
export interface DeltasPage {
  items: Delta[];
}
