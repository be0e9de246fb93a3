/**
 * The stage of a load between reading and publishing. Encoded rows go into the staging table of the load, in batches of
 * the size that one publish can take; rows of unchanged records and the keys of all go to a temporary file, because
 * they are needed only if a record may come twice. It publishes nothing.
 */
import type { Database } from '../../database/driver/db.ts';
import { assignBatch } from '../../store/publish/copy-rows.ts';
import { createStage, settleStage, stageRows } from '../../store/publish/stage.ts';
import { type EncodedRows, PARTIAL_ROWS } from '../rows/encode.ts';
import type { Spool } from './spool.ts';

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
  let held: Buffer[] = [];
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
    copying = copy(held);
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
      if (rowStarts.length === 0) return;
      const counted = rowStarts.length + (partials + rejoins) * (PARTIAL_ROWS - 1);
      const batch = batches.assign(counted, rows.length, rejoins > 0);
      if (batch !== heldBatch) await copyHeld();
      heldBatch = batch;
      assignBatch(rows, rowStarts, batch);
      held.push(Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength));
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
