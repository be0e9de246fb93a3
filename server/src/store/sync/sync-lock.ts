/** One sync at a time over all processes on one database: an advisory lock, which ends with its connection. */
import type { Database } from '../driver/db.ts';
import { sql } from '../driver/sql.ts';

const SYNC_LOCK_SPACE = 0x746d7379;
const SYNC_LOCK = 1;

export type HeldWork<T> = { held: true; result: T } | { held: false };

/**
 * Runs `work` while holding the lock; `held` is false if another process has it. `isHeld`, for `work` to ask before
 * each step, resolves to whether the connection with the lock still lives.
 */
export async function holdSync<T>(
  db: Database,
  work: (isHeld: () => Promise<boolean>) => Promise<T>,
): Promise<HeldWork<T>> {
  return await db.session(async (session) => {
    const key = sql`${SYNC_LOCK_SPACE}::int, ${SYNC_LOCK}::int`;
    const [lock] = await session.query<{ taken: boolean }>(sql`select pg_try_advisory_lock(${key}) as taken`);
    if (lock?.taken !== true) return { held: false };
    const isHeld = (): Promise<boolean> =>
      session.query(sql`select 1 as one`).then(
        () => true,
        () => false,
      );
    try {
      return { held: true, result: await work(isHeld) };
    } finally {
      // Fails only if the connection is lost, and the lock with it.
      await session.query(sql`select pg_advisory_unlock(${key})`).catch(() => undefined);
    }
  });
}
