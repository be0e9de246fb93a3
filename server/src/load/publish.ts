/**
 * The last stage of a load: its batches, published in order. A publish that takes too long is retried. Batches that
 * skipped the staging table are copied as they were read; if another load makes that impossible, the rest is staged.
 */
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { PayloadPlace } from '../base/payload-places.ts';
import { writeDocuments } from '../store/documents/write.ts';
import type { Database } from '../store/driver/db.ts';
import { StatementOverTime } from '../store/driver/failures.ts';
import { keepPace } from '../store/publish/pace.ts';
import { PublishNeedsStage, type PublishStep, PublishTooLate, publishBatch } from '../store/publish/publish.ts';
import { buildRecordBatch, type RecordBatch, type WriteDocuments } from '../store/publish/record-batch.ts';
import type { Progress } from './progress.ts';

/**
 * How often a publish that took too long, and was rolled back, is tried before the load fails: a database that is slow
 * for a quarter of an hour does not end a load.
 */
const ATTEMPTS_MAX = 20;
const RETRY_MS = 1_000;

export interface PublishRun {
  db: Database;
  clock: Clock;
  log: Log;
  loadId: string;
  batches: number;
  registers: readonly string[];
  progress: Progress;
  /** Where payloads are to be held. */
  payloads: PayloadPlace;
  /** The batches, if they are not staged; else null. */
  unstaged: UnstagedRows | null;
  onStep?: (step: PublishStep) => Promise<void>;
}

export interface UnstagedRows {
  readBatch(batch: number): Promise<Buffer>;
  /** Stages the rows of all batches after `afterBatch`. */
  stage(afterBatch: number): Promise<unknown>;
}

/** Resolves to the number of records that name a part for which no supplement is held. */
export async function publishBatches(run: PublishRun): Promise<number> {
  run.progress.startPublishing(run.batches);
  const { db, payloads } = run;
  let { unstaged } = run;
  const write: WriteDocuments | null =
    payloads === 'database' ? null : (documents) => writeDocuments(db, payloads, documents);
  const prepare = async (batch: number): Promise<RecordBatch | undefined> =>
    unstaged === null || batch > run.batches
      ? undefined
      : await buildRecordBatch(await unstaged.readBatch(batch), write);
  let next = prepare(1);
  let waiting = 0;
  for (let batch = 1; batch <= run.batches; batch += 1) {
    const rows = await next;
    // Prepared while this batch is published; a failure is thrown when its turn comes.
    next = prepare(batch + 1);
    next.catch(() => undefined);
    await keepPace(run.db);
    try {
      waiting += await publishWithRetry(run, batch, rows);
    } catch (error) {
      if (!(error instanceof PublishNeedsStage) || unstaged === null) throw error;
      await unstaged.stage(batch - 1);
      unstaged = null;
      next = prepare(batch + 1);
      waiting += await publishWithRetry(run, batch, undefined);
    }
    run.progress.notePublished(batch);
  }
  return waiting;
}

async function publishWithRetry(run: PublishRun, batch: number, rows: RecordBatch | undefined): Promise<number> {
  const { registers, payloads, onStep } = run;
  const options = { registers, rows, payloads, ...(onStep === undefined ? {} : { onStep }) };
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { waitingCount } = await publishBatch(run.db, run.loadId, batch, options);
      return waitingCount;
    } catch (error) {
      if (!isLate(error) || attempt === ATTEMPTS_MAX) throw error;
      run.log.warn({ load: run.loadId, batch, attempt }, 'a publish missed its deadline; trying again');
      await run.clock.sleep(RETRY_MS * attempt);
    }
  }
}

/** It missed the deadline, or the server stopped it there. */
function isLate(error: unknown): boolean {
  return error instanceof PublishTooLate || error instanceof StatementOverTime;
}
