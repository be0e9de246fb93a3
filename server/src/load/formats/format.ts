/**
 * What every register format is: a name and a reader of source entries. A reader streams; it holds one record at a
 * time, never a file. It yields records and rejects in source order and throws `OperatorError` when the file as a
 * whole is not what it claims to be (truncated, another format, an entity declaration): nothing of it is published.
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
  /** Whether it is one of the members of an archive: what is wrong with it need not be wrong with the rest. */
  isMember?: boolean;
}

export interface ReadContext {
  /** `--register CODE`, upper case; null when the format decides by itself. */
  register: string | null;
  /** Told the instant up to which a file says it is complete, where the file says so; a load may take the latest. */
  noteFrontier?(instant: Instant): void;
  /** Told where a file states that it holds no records. */
  noteNoRecords?(): void;
  /** Told that a file holds something, whether or not a record comes of it. */
  noteContent?(): void;
  /** Told what is odd about a delivery as a whole, and how often. */
  noteIssue?(issue: Issue, times: number): void;
}

export type FormatItem =
  | {
      kind: 'record';
      record: SourceRecord;
      issues: Issue[];
      position: string;
      /** The record as it stands in the source, should the stored form refuse it; without it, its values as JSON. */
      raw?: (() => string | Buffer) | undefined;
      /** The line, of a format of lines, where it stands in its block: to be looked at, not to be kept. */
      line?: Buffer;
    }
  /** `raw`: the record as it stands in the source, for the rejects file; bytes where they may be no UTF-8. */
  | { kind: 'reject'; raw: string | Buffer; reason: string; position: string };

export interface Format {
  readonly name: string;
  readonly title: string;
  /** The register of its files, unless the operator names another; null where each record names its own. */
  readonly register: string | null;
  /** Entries of an archive that the format does not read are skipped when this is false for their name. */
  accepts(entryName: string): boolean;
  read(entry: SourceEntry, context: ReadContext): AsyncIterable<FormatItem>;
}

export interface RecordIdentity {
  jurisdiction_code: string;
  uid: string;
}

/** A format of independent lines: blocks of whole lines can be read in any order, by several threads. */
export interface LineFormat extends Format {
  /**
   * Four hexadecimal digits that no other format has. They change whenever a line may come to be read as another
   * record than before, as a reject, or with an issue: stored records are told by their lines (`line-digest.ts`).
   */
  readonly reading: string;
  /** What record a line seems to state, by its looks; null when that takes reading. Nobody relies on it unchecked. */
  findIdentity(line: Buffer): RecordIdentity | null;
  /** The records and rejects of a block, in order; never throws for what a line says. */
  readBlock(block: LineBlock, entryName: string, context: ReadContext): Iterable<FormatItem>;
}

/**
 * A format whose records are what several tables say together. A delivery states only the rows that changed, so rows
 * are kept between deliveries, and a record is derived anew when any of its rows changes.
 */
export interface SetFormat extends Format {
  /** Parts of rows by their first characters, as `PartKinds` has them. */
  readonly rootPart: string;
  readonly chainedPart: string;
  /** Rejected rows, then the records that the delivery touches. Nothing is kept before the last entry has ended. */
  readSet(entries: AsyncIterable<SourceEntry>, context: ReadContext, kept: KeptRows): AsyncIterable<FormatItem>;
}
