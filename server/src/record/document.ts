/**
 * The two forms a record has before it is stored: what a format reads (`SourceRecord`, values as the office states
 * them) and what the service keeps (`NormalizedRecord`, rules I-31 and I-32 applied). Both are plain data.
 */
import type { Payload, RecordContent } from '@tmds/contract/record';

/** What a format yields for one record. Text may still carry odd blanks, lists repeats, codes any letter case. */
export interface SourceRecord extends RecordContent {
  /** Held translations and transliterations of the mark text; searched like the mark text itself (rule I-12). */
  mark_name_variants: string[] | null;
  payload: Payload | null;
  /** The payload as JSON text, where the format holds it; left out, it is what JSON.stringify makes of the payload. */
  payload_text?: string | undefined;
  /**
   * Orders versions of one record where the source does (USPTO transaction-date): a version that compares lower, as
   * text in byte order, never overwrites a higher one. Null where the source states no order.
   */
  source_version: string | null;
  /**
   * The source states a part of the record: what is null is not stated, and its events add up (`merge.ts`). Left out,
   * the source states all of it, and null is what it says. Formats of lines state whole records only.
   */
  is_partial?: boolean | undefined;
}

/** A record in its stored form: every value checked and canonical, lists never empty. */
export interface NormalizedRecord extends SourceRecord {
  is_partial: boolean;
  readonly normalized: true;
}

/** A signal about one source value: it was kept out or mapped to Unknown, and the load reports it (habit 11). */
export interface Issue {
  /** What happened, one word group from a closed set of each format: `unmapped_status`, `impossible_date`, … */
  code: string;
  /** Where in the source: an element path or a field name. */
  path: string;
  /** The value as it stands, cut to 200 characters. */
  value: string;
}
