/** The history of records on the wire: every version of a record is an event at its own stamp (docs/history.md). */
import { CONTENT_FIELDS, type ContentField, type DateText, type Instant, type RecordContent } from './record.ts';
import type { Count, LoadId, RegisterCode, Sha256, Text, Uid } from './values.ts';

export const HISTORY_CAUSES = ['first', 'office', 'correction', 'renormalization', 'removal'] as const;
/**
 * `first`: the first version that the history has; `office`: the source says otherwise than before; `correction`: the
 * source states other content of the same date; `renormalization`: the source says the same, and the service reads it
 * otherwise; `removal`: the source no longer has the record.
 */
export type HistoryCause = (typeof HISTORY_CAUSES)[number];

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

/** A field with its whole value before and after. @table */
export type FieldChange = {
  [Field in ChangedContentField]: { field: Field; old: RecordContent[Field]; new: RecordContent[Field] };
}[ChangedContentField];

/** The payload differs. */
export interface PayloadChange {
  /** What differs. */
  field: 'payload';
  /**
   * JSON Pointers (RFC 6901) to what differs: places in the payload of this version and, for values that are gone, the
   * former place. The empty pointer is the whole payload.
   * @minItems 1
   * @maxItems PAYLOAD_PATHS_MAX
   */
  paths: string[];
  /** How many paths beyond {@link PAYLOAD_PATHS_MAX} are left out. */
  more_paths: Count;
}

/** One field that differs. @schema */
export type HistoryChange = FieldChange | PayloadChange;

/** A file of the load that published a version. */
export interface SourceFile {
  /** Name of the file. */
  name: Text;
  /** Digest of the file as delivered. */
  sha256: Sha256;
  /** Its size. */
  bytes: Count;
  /** The period that the file covers, if it or its source states one. */
  period: string | null;
}

/** The load that published a version. @schema */
export interface HistorySource {
  load_id: LoadId;
  /** Null if the load is no longer known. */
  format: string | null;
  /** Its first files, as delivered, in the order in which they were read. @maxItems SOURCE_FILES_MAX */
  files: SourceFile[];
  /** How many files beyond {@link SOURCE_FILES_MAX} are left out. */
  more_files: Count;
  /** The date that the source itself gives to its statement of the record; null if it gives none. */
  source_date: DateText | null;
}

/** One version of a record, described by its differences from the version before. @schema */
export interface HistoryEvent {
  jurisdiction_code: RegisterCode;
  /** @minLength 1 */
  uid: Uid;
  /** The `updated_at` of the version. */
  version: Instant;
  /** The version that it replaced; null for the first. */
  previous_version: Instant | null;
  cause: HistoryCause;
  /** Null for versions published before sources were kept. */
  source: HistorySource | null;
  /**
   * What differs from the version before: fields with their whole values, the payload last. Empty for a first version,
   * and where only held translations of the mark differ, which are searched but not delivered.
   */
  changes: HistoryChange[];
}

/** One page of a history. @schema */
export interface HistoryPage {
  /** The events. */
  items: HistoryEvent[];
  /** How far was read: send it back for the next page, also after an empty one. Null: nothing more was read. */
  next_cursor: string | null;
}
