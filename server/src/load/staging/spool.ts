/**
 * What a load may need once it has read everything, kept in a temporary file until then: a key for each record, which
 * shows whether one may have come twice, and the rows of unchanged records, which are staged only in that case. The
 * file is unlinked as soon as it is open, so that nothing is left behind however the process ends. Memory stays bounded
 * whatever the size of the load.
 */
import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { OperatorError } from '../../base/errors.ts';
import type { EncodedRows } from '../rows/encode.ts';
import { findRepeat, KEY_BYTES } from '../rows/repeats.ts';
import { unwritable } from '../sources/file-errors.ts';

export interface Spool {
  add(encoded: Pick<EncodedRows, 'unchanged' | 'keys'>): Promise<void>;
  /** False only if no record was added twice. A false alarm is rare: one load in thousands. */
  mayRepeat(): Promise<boolean>;
  /** The rows of unchanged records. */
  readUnchanged(): AsyncGenerator<Buffer>;
  close(): Promise<void>;
}

/** A stretch of the file. */
interface Extent {
  at: number;
  length: number;
}

/** Keys are collected up to this size, so that each extent is worth a separate read. */
const KEYS_BYTES_HELD = 512 * 1024;
const READ_BYTES_MAX = 1024 * 1024;

/** Uses the first folder that can be written, and makes it if missing. Throws `OperatorError`. */
export async function openSpool(folders: readonly string[]): Promise<Spool> {
  const { file, folder } = await openNameless(folders);
  const unchanged: Extent[] = [];
  const keys: Extent[] = [];
  let heldKeys: Uint8Array[] = [];
  let heldBytes = 0;
  let end = 0;

  const append = async (extents: Extent[], parts: readonly Uint8Array[]): Promise<void> => {
    const length = parts.reduce((sum, part) => sum + part.byteLength, 0);
    if (length === 0) return;
    const last = extents.at(-1);
    if (last !== undefined && last.at + last.length === end) last.length += length;
    else extents.push({ at: end, length });
    try {
      await writeWhole(file, parts, end);
    } catch (error) {
      throw unwritable(`a temporary file in ${folder}`, error);
    }
    end += length;
  };
  const flushKeys = async (): Promise<void> => {
    const parts = heldKeys;
    heldKeys = [];
    heldBytes = 0;
    await append(keys, parts);
  };
  return {
    async add(encoded) {
      await append(unchanged, [encoded.unchanged]);
      const added = new Uint8Array(encoded.keys.buffer, encoded.keys.byteOffset, encoded.keys.byteLength);
      heldKeys.push(added);
      heldBytes += added.byteLength;
      if (heldBytes >= KEYS_BYTES_HELD) await flushKeys();
    },
    async mayRepeat() {
      await flushKeys();
      const count = keys.reduce((sum, extent) => sum + extent.length, 0) / KEY_BYTES;
      return await findRepeat(count, () => readExtents(file, keys));
    },
    readUnchanged: () => readExtents(file, unchanged),
    close: () => file.close(),
  };
}

async function openNameless(folders: readonly string[]): Promise<{ file: FileHandle; folder: string }> {
  let failure: OperatorError | undefined;
  for (const folder of folders) {
    try {
      await mkdir(folder, { recursive: true });
      const path = join(folder, `load-${randomUUID()}.tmp`);
      const file = await open(path, 'wx+', 0o600);
      await unlink(path);
      return { file, folder };
    } catch (error) {
      failure ??= unwritable(`a temporary file in ${folder}`, error);
    }
  }
  throw failure ?? new Error('no folder for the temporary file of a load');
}

async function writeWhole(file: FileHandle, parts: readonly Uint8Array[], at: number): Promise<void> {
  let next = at;
  for (const part of parts) {
    for (let from = 0; from < part.byteLength; ) {
      const { bytesWritten } = await file.write(part, from, part.byteLength - from, next);
      from += bytesWritten;
      next += bytesWritten;
    }
  }
}

/** Buffers of at most `READ_BYTES_MAX`, each with its own memory. */
async function* readExtents(file: FileHandle, extents: readonly Extent[]): AsyncGenerator<Buffer> {
  for (const { at, length } of extents) {
    for (let done = 0; done < length; done += READ_BYTES_MAX) {
      const bytes = Buffer.from(new ArrayBuffer(Math.min(READ_BYTES_MAX, length - done)));
      await readWhole(file, bytes, at + done);
      yield bytes;
    }
  }
}

async function readWhole(file: FileHandle, into: Buffer, at: number): Promise<void> {
  for (let done = 0; done < into.length; ) {
    const { bytesRead } = await file.read(into, done, into.length - done, at + done);
    if (bytesRead === 0) throw new Error('the temporary file of the load is shorter than what was written to it');
    done += bytesRead;
  }
}
