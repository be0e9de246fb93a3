/**
 * One state of all nodes, for a transaction that reads them for long. Each node has snapshots of its own, and no others
 * exist: so the transaction takes one on every node while nothing is being published, and reads from these afterwards.
 * Invariant: it has one session on each node, whose first statement was run while publishes were held back.
 */
import type { Transaction } from '../driver/db.ts';
import { sql } from '../driver/sql.ts';
import { setOnNodes } from './settings.ts';

/**
 * Called in a `repeatable read` transaction with publishes held back (`readSettled`). A session that is lost makes the
 * transaction fail.
 */
export async function takeSnapshots(tx: Transaction): Promise<void> {
  await setOnNodes(tx, {
    idle_in_transaction_session_timeout: '0',
    // Rows are copied out as text.
    datestyle: 'ISO, YMD',
    timezone: 'UTC',
    extra_float_digits: '1',
  });
  // Shards that the coordinator holds are read like those of other nodes, by the session that took the snapshot.
  await tx.runScript(`set local citus.enable_local_execution to off;
    set local citus.max_adaptive_executor_pool_size to 1`);
  // Every shard is asked, and has no such record.
  await tx.query(sql`select count(*) from record where updated_at = '-infinity'`);
}
