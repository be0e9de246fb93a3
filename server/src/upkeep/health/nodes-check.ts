/**
 * Checks the nodes of a database whose records lie on several, for `tmds doctor` (docs/design/standbys-and-nodes.md).
 */

import type { Observation } from '../../base/observation.ts';
import { isDistributed } from '../../database/distributed/distribution.ts';
import type { Queryable } from '../../database/driver/db.ts';
import { sql } from '../../database/driver/sql.ts';

interface NodeRow {
  readonly place: string;
  readonly is_coordinator: boolean;
  readonly is_active: boolean;
  readonly answers: boolean;
  readonly shards: number;
  readonly of_shards: number;
}

/** One finding for each node, the coordinator first; none for one database. */
export async function checkNodes(db: Queryable): Promise<Observation[]> {
  if (!(await isDistributed(db))) return [];
  const nodes = await db.query<NodeRow>(sql`
    select node.nodename || ':' || node.nodeport as place, node.groupid = 0 as is_coordinator,
      node.isactive as is_active, node.groupid = 0 or coalesce(answer.success, false) as answers,
      (select count(*)::float8 from pg_dist_placement placement join pg_dist_shard shard using (shardid)
        where placement.groupid = node.groupid and shard.logicalrelid = 'record'::regclass) as shards,
      (select count(*)::float8 from pg_dist_shard where logicalrelid = 'record'::regclass) as of_shards
    from pg_dist_node node
      left join run_command_on_workers('select 1') as answer
        on answer.nodename = node.nodename and answer.nodeport = node.nodeport
    where node.noderole = 'primary' order by node.groupid, place`);
  return nodes.map(describe);
}

function describe({ place, is_coordinator, is_active, answers, shards, of_shards }: NodeRow): Observation {
  const what = is_coordinator ? `coordinator ${place}` : `worker ${place}`;
  const seen = `${what} holds ${shards} of ${of_shards} shards of the records`;
  if (!is_active)
    return { seen: `${seen}, and is disabled`, remedy: `run: select citus_activate_node(…) for ${place}` };
  if (answers) return { seen, remedy: null };
  return { seen: `${seen}, and does not answer`, remedy: `start it; until then its records answer 503: ${place}` };
}
