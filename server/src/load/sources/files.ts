/**
 * What a source yields, and what can be said of its files: why one cannot be read (missing, truncated, damaged, a
 * compression bomb) or written, and the digests of files, of raw source records, and of lines with the rules by which
 * they are read. Every failure below a format passes through here, so that each message names its file.
 */

import { createHash, hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline, Readable, Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { OperatorError } from '../../base/errors.ts';

/** One stream of source text: a plain file, the inside of a .gz, one member of a .zip, one file of a folder. */
export interface SourceEntry {
  /** For messages: `EUTM-sample.zip/EUTM/018/228/018228823.xml`. */
  name: string;
  stream: Readable;
  /** The name of a plain file after the name of its folder, which may state the day of a delivery. */
  placedAs?: string;
  /** Whether it is one of many, in an archive or a folder: a bad member does not spoil the others. */
  isMember?: boolean;
  /** Why it cannot be opened, as the rest of a sentence about it: `is encrypted`. Its stream is empty then. */
  refusal?: string;
}

/**
 * Inflated bytes per compressed byte. Real daily files inflate 10 to 30 times, annual ones up to 137 times. Nothing
 * packed by deflate inflates more than 1,032 times, and bombs come close to it.
 */
const INFLATION_RATIO_MAX = 500;
/** Files that inflate to less than this are not judged: a run of blanks compresses a thousand times. */
export const INFLATION_FREE_BYTES = 64 * 1024 * 1024;

/**
 * A file or archive whose bytes cannot be read to their end. The load fails whatever the file holds, because nobody can
 * know what is missing.
 */
export class UnreadableSource extends OperatorError {}

/** Passes bytes through, and fails once there are far more of them than of the compressed bytes read so far. */
export function boundInflation(name: string, compressedBytes: () => number): Transform {
  let inflated = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      inflated += chunk.length;
      if (isBomb(inflated, compressedBytes())) done(new UnreadableSource(`${name} ${BOMB}`));
      else done(null, chunk);
    },
  });
}

export function isBomb(inflatedBytes: number, compressedBytes: number): boolean {
  return inflatedBytes > INFLATION_FREE_BYTES && inflatedBytes > compressedBytes * INFLATION_RATIO_MAX;
}

/** The last bytes of a gzip file: the length of what it inflates to. */
const GZIP_LENGTH_BYTES = 4;

/**
 * Whether a gzip file states, as a zip does for its members, that it inflates too far, and really does. A damaged file
 * is not judged here: reading it fails.
 */
export async function isGzipBomb(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const stated = Buffer.alloc(GZIP_LENGTH_BYTES);
    await file.read(stated, 0, GZIP_LENGTH_BYTES, Math.max(0, size - GZIP_LENGTH_BYTES));
    if (!isBomb(stated.readUInt32LE(), size)) return false;
    const inflating = pipeline([createReadStream(path), createGunzip()], () => undefined) as unknown as Readable;
    let inflated = 0;
    for await (const chunk of inflating) {
      inflated += (chunk as Buffer).length;
      if (isBomb(inflated, size)) return true;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code?.startsWith('Z_') !== true) throw unreadable(path, error);
  } finally {
    await file.close();
  }
  return false;
}

/** Fails when it is read. */
export function refuseBomb(name: string): Readable {
  return new Readable({
    read: (): never => {
      throw new UnreadableSource(`${name} ${BOMB}`);
    },
  });
}

/** The rest of a sentence about a file or a member. */
export const BOMB = `inflates more than ${INFLATION_RATIO_MAX} times: refused as a compression bomb`;

/** The same bytes. If the stream fails, the error is an `OperatorError` that names the file. */
export function nameFailures(name: string, stream: AsyncIterable<Buffer>): Readable {
  async function* named(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of stream) yield chunk;
    } catch (error) {
      throw unreadable(name, error);
    }
  }
  return Readable.from(named(), { objectMode: false, highWaterMark: 256 * 1024 });
}

type Reasons = Readonly<Record<string, string>>;

const REASONS: Reasons = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EIO: 'the disk reported an error',
};

const READING_REASONS: Reasons = {
  ...REASONS,
  ENOENT: 'there is no such file',
  ELOOP: 'its links lead in a circle',
  Z_BUF_ERROR: 'it is truncated',
  Z_DATA_ERROR: 'its compressed data is damaged',
};

/** One sentence for the operator, whatever failed. */
export function unreadable(name: string, error: unknown): OperatorError {
  if (error instanceof OperatorError) return error;
  return new UnreadableSource(`cannot read ${name}: ${explain(error, READING_REASONS)}`, { cause: error });
}

/** A file that the load writes; the source is not at fault. */
export class UnwritableFile extends OperatorError {}

const WRITING_REASONS: Reasons = {
  ...REASONS,
  ENOSPC: 'its disk is full; make room there, or choose another place',
  EDQUOT: 'the disk quota of this account is used up; make room there, or choose another place',
  EROFS: 'its disk is mounted read-only; choose another place',
};

/** `what` names the file: `the rejects file /data/rejects/1.txt`. */
export function unwritable(what: string, error: unknown): OperatorError {
  return new UnwritableFile(`cannot write ${what}: ${explain(error, WRITING_REASONS)}`, { cause: error });
}

function explain(error: unknown, reasons: Reasons): string {
  const { code, message } = error as { code?: string; message?: string };
  return reasons[code ?? ''] ?? message ?? String(error);
}

/** A file as it was delivered, once a load has read it. */
export interface DeliveredFile {
  /** The name of its entry, relative to the path given to the load. */
  readonly name: string;
  readonly bytes: number;
  /** Hexadecimal SHA-256. */
  readonly digest: string;
}

export type NoteFile = (file: DeliveredFile) => Promise<void>;

export interface FileDigest {
  /** The next bytes, from the first one on. Ignored once the digest is being completed. */
  add(chunk: Buffer): void;
  /** With the rest of the file at `path`. Throws `OperatorError` if that cannot be read. */
  complete(path: string): Promise<Omit<DeliveredFile, 'name'>>;
  /** The digest of the added bytes. */
  end(): Omit<DeliveredFile, 'name'>;
}

const READ_BYTES = 1024 * 1024;

export function openFileDigest(): FileDigest {
  const sum = createHash('sha256');
  let bytes = 0;
  let isOpen = true;
  const add = (chunk: Buffer): void => {
    sum.update(chunk);
    bytes += chunk.length;
  };
  const end = (): Omit<DeliveredFile, 'name'> => {
    isOpen = false;
    return { bytes, digest: sum.digest('hex') };
  };
  return {
    add(chunk) {
      if (isOpen) add(chunk);
    },
    async complete(path) {
      isOpen = false;
      try {
        const rest = createReadStream(path, { start: bytes, highWaterMark: READ_BYTES });
        for await (const chunk of rest) add(chunk as Buffer);
      } catch (error) {
        throw unreadable(path, error);
      }
      return end();
    },
    end,
  };
}

const SOURCE_DIGITS = 16;

/** 16 hexadecimal digits, the first 8 bytes of the SHA-256; text counts as UTF-8. */
export function digestSource(source: string | Buffer): string {
  return hash('sha256', source, 'hex').slice(0, SOURCE_DIGITS);
}

/** For a record not read from a line, or from one that raised an issue, which the next load has to raise again. */
export const NO_LINE = '';

const DIGITS = 32;

/** 32 hexadecimal digits: 28 of the SHA-256 of the line without its ending, then the 4 of `LineFormat.reading`. */
export function digestLine(reading: string, line: Buffer): string {
  return hash('sha256', line, 'hex').slice(0, DIGITS - reading.length) + reading;
}

/** What `digestSource` makes of the same line. */
export function sourceOfLine(lineDigest: string): string {
  return lineDigest.slice(0, SOURCE_DIGITS);
}
