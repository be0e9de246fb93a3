/**
 * The pace of loads while a search index follows them. Publishing is faster than indexing, so a load at full speed
 * would leave the indexes further and further behind, and a search waits for every publish that had committed when it
 * began (I-41). An index that is behind holds the pace lock while it reads, and a load waits for the lock before its
 * next publish. The wait is bounded: a hanging index slows a load down, and never stops it. A lock on a standby would
 * delay no load, so an index that follows a standby holds the pace on the primary, unless it knows only the standby.
 */
import type { Database, Transaction } from '../../database/driver/db.ts';
import { isLockRefused } from '../../database/driver/failures.ts';
import { sql } from '../../database/driver/sql.ts';
import { LOCK_SPACE, PACE_LOCK } from '../../database/schema/locks.ts';

/**
 * An index is behind when it lacks publishes of this many milliseconds. This is more than a load at full speed commits
 * while the index takes in the publish before (about 35 ms each).
 */
export const PACE_AFTER_MS = 50;

/** Longest wait of a load before a publish: the time that an index needs for some four publishes of full size. */
const PACE_WAIT_MS = 200;

/** Makes loads wait until the transaction ends. Does nothing while a load is already waiting for another index. */
export async function holdPace(tx: Transaction): Promise<void> {
  await tx.query(sql`select pg_try_advisory_xact_lock_shared(${LOCK_SPACE}::int, ${PACE_LOCK}::int)`);
}

/** The same for a reading of a standby, until the result is called. */
export function holdPaceAt(primary: Pick<Database, 'transaction'>): () => void {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const holding = primary.transaction(async (tx) => {
    await holdPace(tx);
    await released;
  });
  // Without its primary a standby receives nothing new.
  holding.catch(() => undefined);
  return release;
}

/** Waits while an index holds the pace, `waitMs` milliseconds at most. */
export async function keepPace(
  db: Pick<Database, 'query' | 'transaction'>,
  waitMs: number = PACE_WAIT_MS,
): Promise<void> {
  const [pace] = await db.query<{ is_free: boolean }>(sql`
    select pg_try_advisory_xact_lock(${LOCK_SPACE}::int, ${PACE_LOCK}::int) as is_free`);
  if (pace!.is_free) return;
  try {
    await db.transaction(async (tx) => {
      await tx.query(sql`select set_config('lock_timeout', ${String(waitMs)}, true)`);
      await tx.query(sql`select pg_advisory_xact_lock(${LOCK_SPACE}::int, ${PACE_LOCK}::int)`);
    });
  } catch (error) {
    if (!isLockRefused(error)) throw error;
  }
}
