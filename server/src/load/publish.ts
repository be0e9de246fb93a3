/** The last stage of a load: its batches, published in order. A publish that takes too long is retried. */
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { PayloadPlace } from '../base/payload-places.ts';
import type { Database } from '../database/driver/db.ts';
import { StatementOverTime } from '../database/driver/failures.ts';
import { keepPace } from '../store/publish/pace.ts';
import { type PublishStep, PublishTooLate, publishBatch } from '../store/publish/publish.ts';
import type { Progress } from './findings/progress.ts';

/**
 * How often a publish that took too long, and was rolled back, is tried before the load fails: a database that is slow
 * for a quarter of an hour does not end a load.
 */
const ATTEMPTS_MAX = 20;
const RETRY_MS = 1_000;

interface PublishRun {
  db: Database;
  clock: Clock;
  log: Log;
  loadId: string;
  batches: number;
  registers: readonly string[];
  progress: Progress;
  /** Where payloads are to be held. */
  payloads: PayloadPlace;
  onStep?: (step: PublishStep) => Promise<void>;
}

/** Resolves to the number of records that name a part for which no supplement is held. */
export async function publishBatches(run: PublishRun): Promise<number> {
  run.progress.startPublishing(run.batches);
  let waiting = 0;
  for (let batch = 1; batch <= run.batches; batch += 1) {
    await keepPace(run.db);
    waiting += await publishWithRetry(run, batch);
    run.progress.notePublished(batch);
  }
  return waiting;
}

async function publishWithRetry(run: PublishRun, batch: number): Promise<number> {
  const { registers, payloads, onStep } = run;
  const options = { registers, payloads, ...(onStep === undefined ? {} : { onStep }) };
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { waitingCount } = await publishBatch(run.db, run.loadId, batch, options);
      return waitingCount;
    } catch (error) {
      const isLate = error instanceof PublishTooLate || error instanceof StatementOverTime;
      if (!isLate || attempt === ATTEMPTS_MAX) throw error;
      run.log.warn({ load: run.loadId, batch, attempt }, 'a publish missed its deadline; trying again');
      await run.clock.sleep(RETRY_MS * attempt);
    }
  }
}
