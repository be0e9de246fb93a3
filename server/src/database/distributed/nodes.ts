/**
 * What each node reports about itself, and one state of all of them for a transaction that reads for a long time. One
 * database is a single node.
 */
import { NoAnswer } from '../../base/no-answer.ts';
import type { Queryable, Transaction } from '../driver/db.ts';
import { type Statement, sql } from '../driver/sql.ts';
import { isDistributed } from './distribution.ts';
import { setOnNodes } from './settings.ts';

/**
 * The answer of every node, coordinator included, to a statement without values that reads one JSON document.
 *
 * @throws NoAnswer if one does not answer
 */
export async function askEachNode<Answer>(db: Pick<Queryable, 'query'>, statement: Statement): Promise<Answer[]> {
  if (!(await isDistributed(db))) {
    const [own] = await db.query<{ result: string }>(sql`select (${statement})::text as result`);
    return [JSON.parse(own!.result) as Answer];
  }
  const answers = await db.query<{ readonly success: boolean; readonly result: string }>(sql`
    select success, result
    from run_command_on_all_nodes(${statement.text}, give_warning_for_connection_errors => true)`);
  if (answers.some(({ success }) => !success)) throw new NoAnswer('node_away');
  return answers.map(({ result }) => JSON.parse(result) as Answer);
}

/**
 * Takes a snapshot on every node, since each has only its own, for the statements that follow in the transaction. Call
 * it in a `repeatable read` transaction with publishes held back (`readSettled`). If a session is lost, the transaction
 * fails. Invariant: it has one session on each node, whose first statement ran while publishes were held back.
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
