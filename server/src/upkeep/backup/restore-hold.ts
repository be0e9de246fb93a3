/** Allows one restore of a database at a time, and ends one that was killed. */
import { OperatorError } from '../../base/errors.ts';
import type { Database, Queryable } from '../../database/driver/db.ts';
import { sql } from '../../database/driver/sql.ts';
import { LOCK_SPACE, RESTORE_LOCK } from '../../database/schema/locks.ts';
import { unmarkRestore } from '../../database/schema/unfinished-restore.ts';

/** Runs `work` as the only restore of the database. */
export async function holdRestore<Result>(
  db: Database,
  work: (session: Queryable) => Promise<Result>,
): Promise<Result> {
  return await db.session(async (session) => {
    const [lock] = await session.query<{ taken: boolean }>(
      sql`select pg_try_advisory_lock(${LOCK_SPACE}::int, ${RESTORE_LOCK}::int) as taken`,
    );
    if (!lock!.taken) throw new OperatorError('another restore into this database is running; wait for it');
    return await work(session);
  });
}

/** Removes the mark of a killed restore: the database is unchanged. Throws OperatorError if a restore runs. */
export async function abandonRestore(db: Database): Promise<void> {
  await holdRestore(db, unmarkRestore);
}
