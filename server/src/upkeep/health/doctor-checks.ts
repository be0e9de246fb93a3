/** Checks for `tmds doctor`: nodes that hold records, the archive of the log, and the data folder. */

import { access, constants, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Observation } from '../../base/observation.ts';
import { isDistributed } from '../../database/distributed/distribution.ts';
import type { Queryable } from '../../database/driver/db.ts';
import { instantText, sql } from '../../database/driver/sql.ts';

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

/** Without an archive of its log, everything after the last backup is lost in a failure. */
export async function checkArchive(db: Queryable): Promise<Observation> {
  const [state] = await db.query<{
    mode: string;
    archived: string | null;
    failed: string | null;
    failing: boolean;
  }>(sql`
    select current_setting('archive_mode') as mode, ${instantText(sql`last_archived_time`)} as archived,
      ${instantText(sql`last_failed_time`)} as failed,
      coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as failing
    from pg_stat_archiver`);
  const { mode, archived, failed, failing } = state!;
  if (mode === 'off') {
    return { seen: 'the log is not archived: a failure loses everything after the last backup', remedy: null };
  }
  if (failing) {
    const seen = `the log has not been archived since ${archived ?? 'ever'}; the last attempt, at ${failed}, failed`;
    return { seen, remedy: 'see the log of the database server, and correct its archive_command' };
  }
  return { seen: `the log is archived, last at ${archived ?? 'no time yet'}`, remedy: null };
}

/** Permission bits of everybody but the owner. */
const OTHERS = 0o077;
/** Files that are secret wherever the folder lies. */
const SECRET_FILES = ['postgres/password', 'postgres/log'];

const ELSEWHERE = 'set TMDS_DATA_DIR to another folder';

/** What keeps the data folder from being used, and who else can reach it. No findings for one that is still missing. */
export async function checkDataFolder(dataDir: string): Promise<Observation[]> {
  const status = await stat(dataDir).catch(() => null);
  if (status === null) return [];
  if (!status.isDirectory()) return [{ seen: `${dataDir} is not a folder`, remedy: `move it away, or ${ELSEWHERE}` }];
  // What another account may write is none of this account's business.
  const refusal = await access(dataDir, constants.W_OK).catch((error: NodeJS.ErrnoException) => error.code);
  const readOnly = {
    seen: `${dataDir} is on a disk that is mounted read-only`,
    remedy: `mount it for writing, or ${ELSEWHERE}`,
  };
  return [...(refusal === 'EROFS' ? [readOnly] : []), ...(await checkPrivacy(dataDir))];
}

/**
 * One finding for each folder or file that other accounts can reach; this program makes them for its own account alone.
 * None on Windows, which has no such bits.
 */
async function checkPrivacy(dataDir: string): Promise<Observation[]> {
  if (process.platform === 'win32') return [];
  const found: Observation[] = [];
  for (const [path, mode] of [[dataDir, '700'], ...SECRET_FILES.map((name) => [join(dataDir, name), '600'])] as const) {
    const status = await stat(path!).catch(() => null);
    if (status === null || (status.mode & OTHERS) === 0) continue;
    const shown = (status.mode & 0o777).toString(8);
    found.push({ seen: `${path} is open to other accounts (mode ${shown})`, remedy: `chmod ${mode} ${path}` });
  }
  return found;
}
