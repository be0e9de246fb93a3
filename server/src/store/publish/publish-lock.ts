/** The lock that allows one publish at a time in the whole database, so that stamps are committed in order. */
import type { Transaction } from '../../database/driver/db.ts';
import { sql } from '../../database/driver/sql.ts';
import { LOCK_SPACE, PUBLISH_LOCK } from '../../database/schema/locks.ts';

/** Waits for earlier publishes to end, without its own time limit. */
export async function lockPublishing(tx: Transaction): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(${LOCK_SPACE}::int, ${PUBLISH_LOCK}::int)`);
}

/** False if a publish is under way. */
export async function tryLockPublishing(tx: Transaction): Promise<boolean> {
  const [lock] = await tx.query<{ taken: boolean }>(
    sql`select pg_try_advisory_xact_lock(${LOCK_SPACE}::int, ${PUBLISH_LOCK}::int) as taken`,
  );
  return lock?.taken === true;
}

/**
 * Keeps publishes from beginning until the transaction ends; several transactions may do so together. Waits for a
 * running publish.
 */
export async function holdPublishing(tx: Transaction): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock_shared(${LOCK_SPACE}::int, ${PUBLISH_LOCK}::int)`);
}

export interface Stamp {
  /** As PostgreSQL prints it, to be bound as timestamptz. */
  stamp: string;
  /** The wire's form (rule I-31). */
  instant: string;
  /** Whether the publish is committed on several nodes, and has to be announced (`announce.ts`). */
  is_distributed: boolean;
}

/** The parts that complete a staged `detail`: the text before the instant of first sight, and the text after it. */
export function stampTexts({ instant }: Pick<Stamp, 'instant'>): { start: string; end: string } {
  return {
    start: `,"record_update_date":"${instant.slice(0, 10)}","first_seen_at":"`,
    end: `","updated_at":"${instant}"}`,
  };
}
