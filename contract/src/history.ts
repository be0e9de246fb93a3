/** The history of records on the wire: every version of a record is an event at its own stamp (docs/history.md). */
import { CONTENT_FIELDS, type ContentField, type Instant, type RecordContent } from './record.ts';

/** Why a version exists. */
export const HISTORY_CAUSES = ['first', 'office', 'correction', 'renormalization', 'removal'] as const;
export type HistoryCause = (typeof HISTORY_CAUSES)[number];

/** What each cause means, for people. */
export const CAUSE_MEANINGS = {
  first: 'the first version that the history has',
  office: 'the source says otherwise than before',
  correction: 'the source states other content of the same date',
  renormalization: 'the source says the same, and the service reads it otherwise',
  removal: 'the source no longer has the record',
} as const satisfies Record<HistoryCause, string>;

/** The fields that a version may differ in; `jurisdiction_code` and `uid` never change. */
export const CHANGED_FIELDS = [
  ...(Object.keys(CONTENT_FIELDS) as ContentField[]).filter(
    (field): field is ChangedContentField => field !== 'jurisdiction_code' && field !== 'uid',
  ),
  'payload',
] as const;
export type ChangedContentField = Exclude<ContentField, 'jurisdiction_code' | 'uid'>;
export type ChangedField = ChangedContentField | 'payload';

/** The maximum number of paths in one event. */
export const PAYLOAD_PATHS_MAX = 100;
/** The maximum number of files of a load in one event. */
export const SOURCE_FILES_MAX = 20;

/** A field with its whole value before and after. */
export type FieldChange = {
  [Field in ChangedContentField]: { field: Field; old: RecordContent[Field]; new: RecordContent[Field] };
}[ChangedContentField];

/** Where the payload differs. */
export interface PayloadChange {
  field: 'payload';
  /**
   * JSON Pointers (RFC 6901), at most `PAYLOAD_PATHS_MAX`: places in the payload of this version, or the former place
   * of a value that is gone. The empty pointer is the whole payload.
   */
  paths: string[];
  /** How many paths are left out. */
  more_paths: number;
}

/** A file of the load that published a version. */
export interface SourceFile {
  name: string;
  /** Digest of the file as delivered: 64 hexadecimal digits. */
  sha256: string;
  bytes: number;
  /** The period it covers, if the file or its source states one. */
  period: string | null;
}

/** Where a version came from. */
export interface HistorySource {
  load_id: string;
  /** Null if the load is no longer known. */
  format: string | null;
  /** The first `SOURCE_FILES_MAX` of the load, in the order in which they were read. */
  files: SourceFile[];
  /** How many files are left out. */
  more_files: number;
  /** The date that the source itself gives to its statement of the record; null if it gives none. */
  source_date: string | null;
}

/** One version of a record, described by its differences from the version before. */
export interface HistoryEvent {
  jurisdiction_code: string;
  uid: string;
  /** The stamp of the version: its `updated_at`. */
  version: Instant;
  /** The version that it replaced; null for the first one. */
  previous_version: Instant | null;
  cause: HistoryCause;
  /** Null for versions published before sources were kept. */
  source: HistorySource | null;
  /** Fields in the order of the record, the payload last. Empty for the first version. */
  changes: (FieldChange | PayloadChange)[];
}

export interface HistoryPage {
  items: HistoryEvent[];
  /**
   * Where reading stopped. With filters, an empty page may have a cursor: the next page continues from there. Null: no
   * event was read, so there is nothing more for now.
   */
  next_cursor: string | null;
}
