/** How a transaction ended whose commit was never answered, because the connection broke first. */
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
