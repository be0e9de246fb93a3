/**
 * Up to which instant a load makes its registers complete (rule I-37), and whether its sources held anything at all.
 * The database knows how far a register is already, and never moves it back.
 */
import { Readable } from 'node:stream';
import type { Instant } from '@tmds/contract/record';
import { OperatorError } from '../base/errors.ts';
import type { Format, SourceEntry } from './formats/format.ts';

/** The frontier of a load: the operator's, or else the latest that the files state. */
export interface Frontier {
  instant: Instant | null;
  note(instant: Instant): void;
}

export function openFrontier(stated: Instant | null): Frontier {
  return {
    instant: stated,
    note(instant) {
      if (stated === null && (this.instant === null || instant > this.instant)) this.instant = instant;
    },
  };
}

/** What one source was found to hold. */
export interface Contents {
  /** It holds records or rejects. */
  hasRecords: boolean;
  /** It states that it holds none. */
  saysNone: boolean;
}

/** Throws `OperatorError` if a source holds nothing, and neither it nor the operator says that this is intended. */
export function checkContents(name: string, { hasRecords, saysNone }: Contents, allowEmpty: boolean): void {
  if (hasRecords || saysNone || allowEmpty) return;
  throw new OperatorError(
    `${name} holds no records and does not say that this is intended; add --allow-empty to load it anyway`,
  );
}

/** The files of one source: how many the format reads, and the names of a few that it does not. */
export interface Members {
  read: number;
  skipped: string[];
  accepts(name: string): boolean;
}

const NAMED_MAX = 3;

export function watchMembers(format: Format): Members {
  const skipped: string[] = [];
  const accepts = (name: string): boolean => {
    const isRead = format.accepts(name);
    if (!isRead && skipped.length < NAMED_MAX) skipped.push(name);
    return isRead;
  };
  return { read: 0, skipped, accepts };
}

/**
 * Throws `OperatorError` if a source holds files, but none of the format. It is the wrong delivery, not an empty one,
 * so `--allow-empty` does not help; only an archive without any file is empty.
 */
export function checkMembers(name: string, format: Format, { read, skipped }: Members): void {
  if (read > 0 || skipped.length === 0) return;
  throw new OperatorError(`${name} holds no file that ${format.name} reads; it holds ${skipped.join(', ')}`);
}

const BLANK = /^[\s\ufeff]*$/;

/** The same entry; notes whether it holds anything but blanks. */
export function watchLines(entry: SourceEntry, contents: Contents): SourceEntry {
  async function* watched(): AsyncGenerator<Buffer> {
    for await (const chunk of entry.stream as AsyncIterable<Buffer>) {
      contents.hasRecords ||= !BLANK.test(chunk.toString('utf8'));
      yield chunk;
    }
  }
  return { name: entry.name, stream: Readable.from(watched(), { objectMode: false, highWaterMark: 256 * 1024 }) };
}
