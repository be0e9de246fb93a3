/**
 * What a load has read, kept in a file of its own until every source has been read to its end: the rows of its batches,
 * the identities of unchanged records, and a key of each record. It decides nothing about either. The file has no name,
 * so that nothing stays behind whatever becomes of the process. Memory is bounded whatever the load holds.
 */
import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '../base/errors.ts';
import type { EncodedBlock } from './block.ts';
import { findRepeat, KEY_BYTES } from './repeats.ts';

export interface Spool {
  add(batch: number, block: Pick<EncodedBlock, 'bytes' | 'unchanged' | 'keys'>): Promise<void>;
  /** False only when no record was added twice; true is right but for one load among thousands. */
  mayRepeat(): Promise<boolean>;
  /** Rows of a batch, as they were encoded. */
  readBatch(batch: number): Promise<Buffer>;
  /** Rows of all batches but the first so many; with the rows of unchanged records if wanted. */
  readRows(from: { afterBatch: number; unchanged: boolean }): AsyncGenerator<Buffer>;
  close(): Promise<void>;
}

interface Segment {
  at: number;
  length: number;
}

/** Keys are written when there are so many, in segments of a size worth reading. */
const KEYS_BYTES_HELD = 512 * 1024;
const READ_BYTES_MAX = 1024 * 1024;

/** In the first of the folders that can be written; made if missing. Throws `OperatorError`. */
export async function openSpool(folders: readonly string[]): Promise<Spool> {
  const { file, folder } = await openNameless(folders);
  const batches = new Map<number, Segment[]>();
  const unchanged: Segment[] = [];
  const keys: Segment[] = [];
  let heldKeys: Uint8Array[] = [];
  let heldBytes = 0;
  let end = 0;

  const append = async (segments: Segment[], parts: readonly Uint8Array[]): Promise<void> => {
    const length = parts.reduce((sum, part) => sum + part.byteLength, 0);
    if (length === 0) return;
    const last = segments.at(-1);
    if (last !== undefined && last.at + last.length === end) last.length += length;
    else segments.push({ at: end, length });
    try {
      await writeWhole(file, parts, end);
    } catch (error) {
      throw unwritable(folder, error);
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
    async add(batch, { bytes, unchanged: identities, keys: added }) {
      let segments = batches.get(batch);
      if (segments === undefined) {
        segments = [];
        batches.set(batch, segments);
      }
      await append(segments, [bytes]);
      await append(unchanged, [identities]);
      heldKeys.push(new Uint8Array(added.buffer, added.byteOffset, added.byteLength));
      heldBytes += added.byteLength;
      if (heldBytes >= KEYS_BYTES_HELD) await flushKeys();
    },
    async mayRepeat() {
      await flushKeys();
      const count = keys.reduce((sum, segment) => sum + segment.length, 0) / KEY_BYTES;
      return await findRepeat(count, () => readSegments(file, keys));
    },
    async readBatch(batch) {
      const segments = batches.get(batch) ?? [];
      const bytes = Buffer.from(new ArrayBuffer(segments.reduce((sum, { length }) => sum + length, 0)));
      let at = 0;
      for (const segment of segments) {
        await readWhole(file, bytes.subarray(at, at + segment.length), segment.at);
        at += segment.length;
      }
      return bytes;
    },
    async *readRows(from) {
      if (from.unchanged) yield* readSegments(file, unchanged);
      for (const [batch, segments] of batches) if (batch > from.afterBatch) yield* readSegments(file, segments);
    },
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
      failure ??= unwritable(folder, error);
    }
  }
  throw failure ?? new Error('no folder for what a load reads');
}

function unwritable(folder: string, error: unknown): OperatorError {
  const reason = error instanceof Error ? error.message : String(error);
  return new OperatorError(`cannot keep what was read in ${folder}: ${reason}`, { cause: error });
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

/** Pieces of at most `READ_BYTES_MAX`, each in memory of its own. */
async function* readSegments(file: FileHandle, segments: readonly Segment[]): AsyncGenerator<Buffer> {
  for (const { at, length } of segments) {
    for (let done = 0; done < length; done += READ_BYTES_MAX) {
      const piece = Buffer.from(new ArrayBuffer(Math.min(READ_BYTES_MAX, length - done)));
      await readWhole(file, piece, at + done);
      yield piece;
    }
  }
}

async function readWhole(file: FileHandle, into: Buffer, at: number): Promise<void> {
  for (let done = 0; done < into.length; ) {
    const { bytesRead } = await file.read(into, done, into.length - done, at + done);
    if (bytesRead === 0) throw new Error('the file of what was read is shorter than what was written');
    done += bytesRead;
  }
}
