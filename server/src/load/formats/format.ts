/**
 * What every register format provides: a name and a reader of source entries. A reader streams; it holds one record at
 * a time, never a file. It yields records and rejects in source order. It throws `OperatorError` when the file as a
 * whole is not what it claims to be (truncated, another format, an entity declaration); then nothing of it is
 * published.
 */
import type { Readable } from 'node:stream';
import type { Instant } from '@tmds/contract/record';
import type { Issue, SourceRecord } from '../../record/document.ts';
import type { KeptRows } from '../kept-rows.ts';
import type { LineBlock } from './lines.ts';

/** One stream of source text: a plain file, the inside of a .gz, or one member of a .zip. */
export interface SourceEntry {
  /** For messages: `EUTM-sample.zip/EUTM/018/228/018228823.xml`. */
  name: string;
  stream: Readable;
  /** Whether it is a member of an archive: a bad member need not spoil the others. */
  isMember?: boolean;
}

export interface ReadContext {
  /** `--register CODE`, upper case; null when the operator leaves it to the format. */
  register: string | null;
  /** Tells the rows that this load brings from those that others have kept. */
  loadId?: string;
  /** Called with the instant up to which a file says it is complete, if it does; a load may take the latest. */
  noteFrontier?(instant: Instant): void;
  /** Called when a file states that it holds no records. */
  noteNoRecords?(): void;
  /** Called when a file holds something, even if no record comes of it. */
  noteContent?(): void;
  /** Called with an issue of the delivery as a whole, and how often it occurs. */
  noteIssue?(issue: Issue, times: number): void;
}

export type FormatItem =
  | {
      kind: 'record';
      record: SourceRecord;
      issues: Issue[];
      position: string;
      /** The record as it stands in the source, in case the stored form refuses it; without it, its values as JSON. */
      raw?: (() => string | Buffer) | undefined;
      /** For a format of lines, the line, still inside its `LineBlock`: read it, but do not keep it. */
      line?: Buffer;
    }
  /** `raw`: the record as it stands in the source, for the rejects file; bytes where it may not be UTF-8. */
  | { kind: 'reject'; raw: string | Buffer; reason: string; position: string };

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
   * Four hexadecimal digits that no other format has. Change them whenever a line may come to be read as another
   * record, as a reject or with an issue: `line-digest.ts` recognizes stored records by their lines.
   */
  readonly reading: string;
  /** A guess at the record a line states, without parsing it; null when only parsing can tell. Callers verify it. */
  findIdentity(line: Buffer): RecordIdentity | null;
  /** The records and rejects of these lines, in order. It never throws because of what a line says. */
  readBlock(block: LineBlock, entryName: string, context: ReadContext): Iterable<FormatItem>;
}

/**
 * A format whose records are joined from several tables. A delivery states only the rows that changed, so rows are kept
 * between deliveries, and a record is derived anew when any of its rows changes.
 */
export interface SetFormat extends Format {
  /** Parts by their first characters, as in `PartKinds`. */
  readonly rootPart: string;
  readonly chainedPart: string;
  /** Rejected rows, then the records that the delivery touches. It keeps nothing before the last entry has ended. */
  readSet(entries: AsyncIterable<SourceEntry>, context: ReadContext, kept: KeptRows): AsyncIterable<FormatItem>;
}
