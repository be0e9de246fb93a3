/**
 * Up to where a load leaves its registers complete (rule I-37), and whether what it was given held anything. It decides
 * what moves a frontier; how far a register already is, is the database's affair.
 */
import { Readable } from 'node:stream';
import type { Instant } from '@tmds/contract/record';
import { OperatorError } from '../base/errors.ts';
import type { Format, SourceEntry } from './formats/format.ts';

/** The frontier a load states: the operator's, else the latest that the files name themselves. */
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
  /** Records or rejects. */
  hasRecords: boolean;
  /** It states itself that it holds none. */
  saysNone: boolean;
}

/** Throws `OperatorError` when nothing was found in a source and nothing says that this is as it should be. */
export function checkContents(name: string, { hasRecords, saysNone }: Contents, allowEmpty: boolean): void {
  if (hasRecords || saysNone || allowEmpty) return;
  throw new OperatorError(
    `${name} holds no record and does not say that it has none; --allow-empty loads it all the same`,
  );
}

/** The files of one source: how many were read, and some of those that the format does not read. */
export interface Members {
  read: number;
  passedOver: string[];
  accepts(name: string): boolean;
}

const NAMED_MAX = 3;

export function watchMembers(format: Format): Members {
  const passedOver: string[] = [];
  const accepts = (name: string): boolean => {
    const isRead = format.accepts(name);
    if (!isRead && passedOver.length < NAMED_MAX) passedOver.push(name);
    return isRead;
  };
  return { read: 0, passedOver, accepts };
}

/**
 * Throws `OperatorError` when a source holds files and none is of the format. That is no empty delivery but another one,
 * so `--allow-empty` has no say in it; an archive without any file is empty.
 */
export function checkMembers(name: string, format: Format, { read, passedOver }: Members): void {
  if (read > 0 || passedOver.length === 0) return;
  throw new OperatorError(`${name} holds no file that ${format.name} reads; it holds ${passedOver.join(', ')}`);
}

const BLANK = /^[\s\ufeff]*$/;

/** The same entry; notes when anything but blanks is in it. */
export function watchLines(entry: SourceEntry, contents: Contents): SourceEntry {
  async function* watched(): AsyncGenerator<Buffer> {
    for await (const chunk of entry.stream as AsyncIterable<Buffer>) {
      contents.hasRecords ||= !BLANK.test(chunk.toString('utf8'));
      yield chunk;
    }
  }
  return { name: entry.name, stream: Readable.from(watched(), { objectMode: false, highWaterMark: 256 * 1024 }) };
}
