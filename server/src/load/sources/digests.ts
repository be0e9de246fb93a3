/**
 * Digests of what a load reads: files as they were delivered, raw source records, and lines with the rules by which they
 * are read. A file is digested while its bytes stream by, and only the parts that no reader asked for are read at the
 * end. An archive is read again completely, because its reader goes by the table of contents.
 */
import { createHash, hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { unreadable } from './file-errors.ts';

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
