/**
 * Commits that release their rows before the disk has them. A row that many processes change at once is locked until
 * the commit of each has been flushed, so they wait for the disk one after the other. A statement that sets
 * `synchronous_commit` to `off` for its transaction releases them first, and `flushCommits` waits for the disk, together
 * with any other caller that does (docs/design/shared-keys.md).
 * Invariant, kept by the caller: nothing is said of such a commit before `flushCommits` has resolved.
 */
import type { Queryable } from './db.ts';
import { sql } from './sql.ts';

/**
 * Resolves once whatever was committed before is as safe as any other commit: on the disk, and on the standbys that
 * `synchronous_commit` waits for. If it already is, nothing is written. Rejects as any statement does; a crash may then
 * have lost those commits.
 */
export async function flushCommits(db: Queryable): Promise<void> {
  // The log is flushed in order, so that a commit of its own takes all earlier ones along.
  await db.query(sql`
    select case
      when pg_current_wal_insert_lsn() > pg_current_wal_flush_lsn()
        or current_setting('synchronous_standby_names') <> ''
      then pg_logical_emit_message(true, 'tmds', '')
    end as at`);
}
