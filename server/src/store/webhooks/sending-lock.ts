/** One process at a time sends, over all on one database: an advisory lock, which ends with its connection. */
import type { Database } from '../driver/db.ts';
import { sql } from '../driver/sql.ts';
import { LOCK_SPACE } from '../schema/locks.ts';

/** Within `LOCK_SPACE`. */
const SENDING_LOCK = 21;

/**
 * Runs `work` while holding the lock, if it is free. `isHeld`, for `work` to ask before each step, resolves to whether
 * the connection with the lock still lives. Resolves to whether it was free.
 */
export async function holdSending(
  db: Database,
  work: (isHeld: () => Promise<boolean>) => Promise<void>,
): Promise<boolean> {
  return await db.session(async (session) => {
    const key = sql`${LOCK_SPACE}::int, ${SENDING_LOCK}::int`;
    const [lock] = await session.query<{ taken: boolean }>(sql`select pg_try_advisory_lock(${key}) as taken`);
    if (lock?.taken !== true) return false;
    const isHeld = (): Promise<boolean> =>
      session.query(sql`select 1 as one`).then(
        () => true,
        () => false,
      );
    await work(isHeld);
    return true;
  });
}
