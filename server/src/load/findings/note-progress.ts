/** Notes in the history how far a load has read, while it reads, so that a load that ends early shows it afterwards. */
import type { Clock } from '../../base/clock.ts';
import type { Queryable } from '../../store/driver/db.ts';
import { noteRead } from '../../store/publish/loads.ts';
import type { Findings } from './report.ts';

const NOTE_EVERY_MS = 5_000;

/** Runs `reading`; its findings are noted every few seconds and at its end. A failed note does not affect the load. */
export async function noteWhileReading<T>(
  { db, clock }: { readonly db: Queryable; readonly clock: Clock },
  loadId: string,
  findings: Findings,
  reading: () => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const note = (): Promise<void> =>
    noteRead(db, loadId, { read: findings.read, rejected: findings.rejected }).catch(() => undefined);
  const notes = (async () => {
    while (!ending.signal.aborted) {
      await clock.sleep(NOTE_EVERY_MS, ending.signal).catch(() => undefined);
      await note();
    }
  })();
  try {
    return await reading();
  } finally {
    ending.abort();
    await notes;
  }
}
