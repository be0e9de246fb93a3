/** Notes in the history how far a load has read, while it reads, so that a load that ends early shows it afterwards. */
import type { Clock } from '../../base/clock.ts';
import { startRounds } from '../../base/rounds.ts';
import type { Queryable } from '../../database/driver/db.ts';
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
  const note = async (): Promise<number> => {
    await noteRead(db, loadId, { read: findings.read, rejected: findings.rejected }).catch(() => undefined);
    return NOTE_EVERY_MS;
  };
  const notes = startRounds(clock, note, NOTE_EVERY_MS);
  try {
    return await reading();
  } finally {
    await notes.stop();
    await note();
  }
}
