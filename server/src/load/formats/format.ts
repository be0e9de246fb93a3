/**
 * What every register format provides: a name and a reader of source entries. A reader streams; it holds one record at
 * a time, never a file. It yields records, rejects and supplements in source order. It throws `OperatorError` when the
 * file as a whole is not what it claims to be (truncated, another format, an entity declaration). `delivery.ts` decides
 * the consequence: a member of an archive is rejected, a file given alone ends the load. The message begins with the
 * name of the entry and need not say what the file is instead.
 */
import type { Instant } from '@tmds/contract/record';
import type { Issue, SourceRecord } from '../../record/document.ts';
import type { KeptRows, SourceRow, SupplementRow } from '../kept/kept.ts';
import type { SourceEntry } from '../sources/source.ts';
import type { LineBlock } from './lines.ts';

export interface ReadContext {
  /** `--register CODE`, upper case; null when the operator leaves it to the format. */
  register: string | null;
  /** Distinguishes the rows of this load from those that other loads have kept. */
  loadId?: string;
  /** When this load began to read: loads of a format with kept rows run one after the other. */
  startedAt?: Instant;
  /** Which file of the delivery this is, from 1. */
  fileNumber?: number;
  /** Called with the instant up to which a file says it is complete, if it does; a load may take the latest. */
  noteFrontier?(instant: Instant): void;
  /** Called with the period that a file states: a day `2026-11-20`, or a number as `labelNumber` writes it. */
  notePeriod?(label: string): void;
  /** Called when a file states that it holds no records. */
  noteNoRecords?(): void;
  /** Called when a file holds something, even if no record comes of it. */
  noteContent?(): void;
  /** Called with an issue of the delivery as a whole, and how often it occurs. */
  noteIssue?(issue: Issue, times: number): void;
}

/** A record of the register, or the unreadable text in its place. */
export type RegisterItem =
  | {
      kind: 'record';
      record: SourceRecord;
      issues: Issue[];
      position: string;
      /** The raw text of the record, in case its stored form is refused; without it, its values as JSON. */
      raw?: (() => string | Buffer) | undefined;
      /** The digest of everything that the source states about it (`source-digest.ts`), if that is more than `raw`. */
      sourceDigest?: string | null;
      /** For a format of lines, the line, still inside its `LineBlock`: read it, but do not keep it. */
      line?: Buffer;
    }
  | RejectItem;

export interface RejectItem {
  kind: 'reject';
  /** The raw text of the record, for the rejects file; bytes if it may not be UTF-8. */
  raw: string | Buffer;
  reason: string;
  position: string;
  /** The record that it states, as far as it says so; a later statement of that record answers the reject. */
  record?: RecordIdentity | null;
  /** The record is of another register or right: a file that holds nothing else is not of this format. */
  isForeign?: boolean;
}

/** What a source states about records of other files, such as a party's name; `record/supplements.ts` joins it. */
export interface SupplementItem {
  kind: 'supplement';
  /** Empty if nothing of it is to be kept. */
  rows: readonly SupplementRow[];
  issues: Issue[];
}

export type FormatItem = RegisterItem | SupplementItem;

export interface Format {
  readonly name: string;
  readonly title: string;
  /** The register of its files, unless the operator names another; null where each record names its own. */
  readonly register: string | null;
  /** Entries of an archive are skipped when this is false for their name. */
  accepts(entryName: string): boolean;
  read(entry: SourceEntry, context: ReadContext): AsyncIterable<FormatItem>;
}

export interface RecordIdentity {
  jurisdiction_code: string;
  uid: string;
}

/** A format of independent lines: whole lines can be read in any order, by several threads. */
export interface LineFormat extends Format {
  /**
   * Four hexadecimal digits that no other format has. Change them whenever a line may now give another record, a reject
   * or an issue: `line-digest.ts` recognizes stored records by their lines.
   */
  readonly reading: string;
  read(entry: SourceEntry, context: ReadContext): AsyncIterable<RegisterItem>;
  /** A guess at the record a line states, without parsing it; null when only parsing can tell. Callers verify it. */
  findIdentity(line: Buffer): RecordIdentity | null;
  /** The records and rejects of these lines, in order. It never throws because of what a line says. */
  readBlock(block: LineBlock, entryName: string, context: ReadContext): Iterable<RegisterItem>;
}

/**
 * A format whose records are joined from several tables. A delivery states only the rows that changed, so rows are kept
 * between deliveries, and a record is derived again when any of its rows changes.
 */
export interface SetFormat extends Format {
  /** Whether `read` finds records in a file alone, without the rows kept before. */
  readonly readsFiles: boolean;
  /** Parts by their first characters, as in `PartKinds`. */
  readonly rootPart: string;
  readonly chainedPart: string;
  /** Whether rows state the day of their delivery as a version, so that an older delivery replaces no newer row. */
  readonly ordersRows: boolean;
  /** The rows and rejects of one table, some at a time. */
  readRows(entry: SourceEntry, context: ReadContext): AsyncIterable<SetItem[]>;
  /** The records that the rows kept by this load touch. */
  deriveRecords(kept: KeptRows, context: ReadContext): AsyncIterable<RegisterItem>;
}

export type SetItem = { kind: 'row'; row: SourceRow } | RejectItem;

export function isLineFormat(format: Format): format is LineFormat {
  return 'readBlock' in format;
}

export function isSetFormat(format: Format): format is SetFormat {
  return 'readRows' in format;
}
