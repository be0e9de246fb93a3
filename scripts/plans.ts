/** Prints what is done for each statement that touches records, on one database or on several nodes. */

import { CITUS_VARIABLE } from '../server/test/support/cluster.ts';
import { planTasks } from '../server/test/support/plans.ts';
import { buildCommand } from './command.ts';

const program = buildCommand('plans', 'print the plans of the statements that touch records')
  .option('--citus <url>', 'on the coordinator of a Citus cluster, such as ops/citus/start.sh prints')
  .option('--task <part>', 'only of tasks with this in their name')
  .addHelpText(
    'after',
    `
Each statement as the server plans it for the sessions that answer calls, with 10,000 records. Rows flow from the inside
out. On several nodes a task runs on one shard: "Task Count" says how many shards are asked, and a "Distributed
Subplan" is a part that runs before what uses it. "Could not get remote plan" stands where a part reads the result of an
earlier one, which is not there until the statement runs.`,
  )
  .parse();
const { citus, task: part = '' } = program.opts<{ citus?: string; task?: string }>();
if (citus !== undefined) process.env[CITUS_VARIABLE] = citus;
const ended: (() => Promise<void>)[] = [];
try {
  const tasks = await planTasks({ after: (work) => ended.push(work) }, { isSingle: citus === undefined });
  for (const { task, plans } of tasks.filter((each) => each.task.includes(part))) {
    console.log([`## ${task}`, ...plans].join('\n\n'), '\n');
  }
} finally {
  for (const end of ended) await end();
}
// The session that keeps the test server running would keep this process too.
process.exit();
