/** What each node reports about itself. One database is a single node. */
import { NoAnswer } from '../../base/no-answer.ts';
import type { Queryable } from '../driver/db.ts';
import { type Statement, sql } from '../driver/sql.ts';
import { isDistributed } from './distribution.ts';

interface NodeAnswer {
  readonly success: boolean;
  readonly result: string;
}

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
  const answers = await db.query<NodeAnswer>(sql`
    select success, result
    from run_command_on_all_nodes(${statement.text}, give_warning_for_connection_errors => true)`);
  if (answers.some(({ success }) => !success)) throw new NoAnswer('node_away');
  return answers.map(({ result }) => JSON.parse(result) as Answer);
}
