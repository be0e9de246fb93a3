/**
 * The two forms of a record before it is stored: as a format reads it (`SourceRecord`, with the values that the office
 * states) and as the service keeps it (`NormalizedRecord`, after rules I-31 and I-32). Both are plain data.
 */
import type { Payload, RecordContent } from '@tmds/contract/record';

/** What a format yields for one record. White space, repeats in lists and the case of codes are not yet normalized. */
export interface SourceRecord extends RecordContent {
  /** Held translations and transliterations of the mark text; searched like the mark text itself (rule I-12). */
  mark_name_variants: string[] | null;
  payload: Payload | null;
  /** The payload as JSON text, if the format has it; otherwise it is `JSON.stringify(payload)`. */
  payload_text?: string | undefined;
  /**
   * Orders the versions of a record if the source does (USPTO transaction-date): a version that compares lower, as text
   * in byte order, never overwrites a higher one. Null if the source states no order.
   */
  source_version: string | null;
  /**
   * True if the source states only a part of the record: then null means "not stated", and events are added to those
   * already known (`merge.ts`). Otherwise the source states the whole record, and null means "none". Line formats
   * always state whole records.
   */
  is_partial?: boolean | undefined;
  /** True if the source says that the register no longer has the record. It stays, with an event (rule I-22). */
  is_removal?: boolean | undefined;
  /** Parts that the record names and other files state (`supplements.ts`), such as `EM applicant 507772`. */
  named_parts?: readonly string[] | null | undefined;
}

/** A record in its stored form: every value is checked and canonical, and lists are never empty. */
export interface NormalizedRecord extends SourceRecord {
  is_partial: boolean;
  is_removal: boolean;
  named_parts: readonly string[] | null;
  readonly normalized: true;
}

/** A source value that was left out or mapped to Unknown; the load reports it. */
export interface Issue {
  /** What happened, from a closed set for each format: `unmapped_status`, `impossible_date`, … */
  code: string;
  /** Where in the source: an element path or a field name. */
  path: string;
  /** The value as stated, cut to 200 characters. */
  value: string;
}
