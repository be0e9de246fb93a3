/**
 * Digests a file that is read anyway: bytes are digested as they stream by, and only the parts that no reader asked for
 * are read at the end. An archive is read again completely, because its reader goes by the table of contents.
 */
import { createHash } from 'node:crypto';
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
