/**
 * One state of all nodes, for a transaction that reads them for a long time. Each node has only its own snapshots. The
 * transaction therefore takes one on every node while nothing is being published, and reads from these afterwards.
 * Invariant: it has one session on each node, whose first statement ran while publishes were held back.
 */
import type { Transaction } from '../driver/db.ts';
import { sql } from '../driver/sql.ts';
import { setOnNodes } from './settings.ts';

/**
 * Call it in a `repeatable read` transaction with publishes held back (`readSettled`). If a session is lost, the
 * transaction fails.
 */
export async function takeSnapshots(tx: Transaction): Promise<void> {
  await setOnNodes(tx, {
    idle_in_transaction_session_timeout: '0',
    // Rows are copied out as text.
    datestyle: 'ISO, YMD',
    timezone: 'UTC',
    extra_float_digits: '1',
  });
  // Shards on the coordinator are read like those of other nodes, by the session that took the snapshot.
  await tx.runScript(`set local citus.enable_local_execution to off;
    set local citus.max_adaptive_executor_pool_size to 1`);
  // Every shard is asked; none has such a record.
  await tx.query(sql`select count(*) from record where updated_at = '-infinity'`);
}
