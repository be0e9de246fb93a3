/**
 * How a transaction ended whose commit was never answered, because the connection broke first; and when commits are
 * safe that release their rows before the disk has them. A row that many processes change at once is locked until the
 * commit of each has been flushed, so they wait for the disk one after the other. A statement that sets
 * `synchronous_commit` to `off` for its transaction releases them first, and `flushCommits` waits for the disk,
 * together with any other caller that does (docs/design/shared-keys.md).
 * Invariant, kept by the caller: nothing is said of such a commit before `flushCommits` has resolved.
 */
import type { Queryable } from './db.ts';
import { errorCode } from './failures.ts';
import { sql } from './sql.ts';

export type Outcome = 'committed' | 'aborted' | 'in progress';

const INVALID_PARAMETER = '22023';

/** The number by which `findOutcome` knows the transaction. Asking assigns one, so this belongs at its beginning. */
export async function findTransactionId(tx: Queryable): Promise<string> {
  const [row] = await tx.query<{ id: string }>(sql`select pg_current_xact_id()::text as id`);
  return row!.id;
}

/** Null if the server cannot know: the transaction is too old, or the database was restored to before it. */
export async function findOutcome(db: Queryable, transactionId: string): Promise<Outcome | null> {
  try {
    const [row] = await db.query<{ outcome: Outcome | null }>(
      sql`select pg_xact_status(${transactionId}::xid8) as outcome`,
    );
    return row!.outcome;
  } catch (error) {
    if (errorCode(error) === INVALID_PARAMETER) return null;
    throw error;
  }
}

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
