/**
 * The stage of a load between reading and publishing. Encoded rows go into the staging table of the load, in batches of
 * the size that one publish can take; rows of unchanged records and the keys of all go to a temporary file, because
 * they are needed only if a record may come twice. It publishes nothing.
 */

import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { OperatorError } from '../../base/errors.ts';
import type { Database } from '../../database/driver/db.ts';
import { assignBatch } from '../../store/publish/copy-rows.ts';
import { createStage, settleStage, stageRows } from '../../store/publish/stage.ts';
import { type EncodedRows, findRepeat, KEY_BYTES, PARTIAL_ROWS } from '../rows/encode.ts';
import { unwritable } from '../sources/files.ts';

/**
 * Bounds of one publish, so that its transaction stays short whatever the records carry: a change is invisible before
 * it commits, and a search that began in the meantime waits until the index includes it. With 1,000 a first load takes
 * an eighth longer, for the transactions themselves; with 2,000 searches wait a fifth longer (docs/design/loads.md).
 */
export const BATCH_ROWS_MAX = 1_400;
const BATCH_BYTES_MAX = 16 * 1024 * 1024;

export interface LoadStage {
  /** How many of the rows state only part of their record. */
  partials(): number;
  /** The number of the last batch; 0 if there is none. */
  lastBatch(): number;
  /** Called in the order of the source. Holds the rows of one batch, while those of the one before are copied. */
  add(encoded: EncodedRows): Promise<void>;
  /** Copies what is held. */
  flush(): Promise<void>;
  /**
   * Ends reading: of several versions of a record it decides which one counts. Resolves to the number of the others.
   * `isWhole`: the table is to hold every record that was read, and any of them may get another row.
   */
  settle(isWhole: boolean): Promise<number>;
  /** Waits for what is being copied, so that the table can be dropped. */
  close(): Promise<void>;
}

export function openLoadStage(db: Database, loadId: string, spool: Spool): LoadStage {
  const batches = openBatches();
  let held: EncodedRows[] = [];
  let heldBatch = 0;
  let isCreated = false;
  let partialRows = 0;
  let copying: Promise<unknown> = Promise.resolve();

  const copy = async (chunks: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<void> => {
    if (!isCreated) await createStage(db, loadId);
    isCreated = true;
    await stageRows(db, loadId, chunks);
  };
  const copyHeld = async (): Promise<void> => {
    await copying;
    if (held.length === 0) return;
    const copied = held;
    copying = copy(copied.map(({ rows }) => Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength))).then(() => {
      for (const { release } of copied) release?.();
    });
    // A failure is thrown by what comes next.
    copying.catch(() => undefined);
    held = [];
  };
  const flush = async (): Promise<void> => {
    await copyHeld();
    await copying;
  };
  return {
    partials: () => partialRows,
    lastBatch: batches.last,
    async add(encoded) {
      const { rows, rowStarts, partials, rejoins } = encoded;
      await spool.add(encoded);
      if (rowStarts.length === 0) return encoded.release?.();
      const counted = rowStarts.length + (partials + rejoins) * (PARTIAL_ROWS - 1);
      const batch = batches.assign(counted, rows.length, rejoins > 0);
      if (batch !== heldBatch) await copyHeld();
      heldBatch = batch;
      assignBatch(rows, rowStarts, batch);
      held.push(encoded);
      partialRows += partials;
    },
    flush,
    async settle(isWhole) {
      await flush();
      const mayRepeat = await spool.mayRepeat();
      if (mayRepeat || isWhole) await copy(spool.readUnchanged());
      if (!isCreated) return 0;
      const hasPartials = partialRows > 0 || isWhole;
      return await db.transaction((tx) => settleStage(tx, loadId, { mayRepeat, hasPartials }));
    },
    close: () =>
      copying.then(
        () => undefined,
        () => undefined,
      ),
  };
}

interface Batches {
  /** The batch of rows that stay together. Called in source order. Rejoin rows share a batch with no others. */
  assign(rows: number, bytes: number, areRejoins: boolean): number;
  /** The number of the last batch; 0 if there is none. */
  last(): number;
}

function openBatches(): Batches {
  let batch = 0;
  let openRows = Number.POSITIVE_INFINITY;
  let openBytes = 0;
  let openRejoins = false;
  return {
    assign(rows, bytes, areRejoins) {
      const isFull = openRows + rows > BATCH_ROWS_MAX || openBytes + bytes > BATCH_BYTES_MAX;
      if (isFull || areRejoins !== openRejoins) {
        batch += 1;
        openRejoins = areRejoins;
        openRows = 0;
        openBytes = 0;
      }
      openRows += rows;
      openBytes += bytes;
      return batch;
    },
    last: () => batch,
  };
}

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
