/** Has the pseudo marks of earlier loads read while a server runs, once. */
import type { Clock } from '../../base/clock.ts';
import { failureForLog } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { Database } from '../../database/driver/db.ts';
import { holdPseudoMarks } from './hold-pseudo-marks.ts';

export interface PseudoMarksWatchOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  /** Aborted once the server stops: failures from then on are not reported. */
  readonly signal: AbortSignal;
}

/** One run; never rejects. */
export function buildPseudoMarksLook({
  database: db,
  clock,
  log,
  signal,
}: PseudoMarksWatchOptions): () => Promise<void> {
  let isOver = false;
  return async () => {
    if (isOver || signal.aborted) return;
    try {
      const outcome = await holdPseudoMarks({ db, clock, isPatient: true, signal });
      isOver = outcome.kind !== 'ended';
      if (outcome.kind === 'withheld') {
        log.warn('the role of this server may not change records: run tmds migrate as their owner for pseudo marks');
      }
      if (outcome.kind === 'done') {
        const { read, changed } = outcome;
        log.info({ documents: read, records: changed }, 'the pseudo marks of earlier loads are held');
      }
    } catch (error) {
      if (signal.aborted) return;
      log.warn(failureForLog(error), 'pseudo marks could not be read from documents; the next run tries again');
    }
  };
}
