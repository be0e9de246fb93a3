/** What a server of a database says of itself, and whether it is a standby that may answer for its primary. */
import type { Queryable, StatementLimits } from '../driver/db.ts';
import { instantText } from '../driver/instants.ts';
import { sql } from '../driver/sql.ts';
import type { PublishState } from '../publish/publishes.ts';

export interface ServerState extends PublishState {
  readonly isStandby: boolean;
  /** A primary and its standbys have the same. */
  readonly system: string;
  /** That it writes or receives; null if it receives nothing, or the role may not know. A promotion begins another. */
  readonly timeline: number | null;
}

/** A standby that lags by more is left. The same bound as for the search index. */
export const LAG_MS_MAX = 5_000;

/** Of the server that is asked. */
export const TIMELINE = sql`case when pg_is_in_recovery() then (select received_tli from pg_stat_wal_receiver)
  else ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end`;

/** @throws ApiError `unavailable`. */
export async function readServerState(db: Queryable, limits: StatementLimits = {}): Promise<ServerState> {
  const [state] = await db.query<ServerState>(
    sql`select pg_is_in_recovery() as "isStandby", system_identifier::text as system, ${TIMELINE} as timeline,
      database_id as "databaseId", ${instantText(sql`last_stamp`)} as "lastStamp"
    from pg_control_system(), publish_clock`,
    limits,
  );
  if (state === undefined) throw new Error('the publish clock is missing');
  return state;
}

type Identity = Pick<ServerState, 'system' | 'timeline'>;

/** Why a server is no standby of the primary; null if it is one. */
export function findForeign(server: Identity & Pick<ServerState, 'isStandby'>, primary: Identity): string | null {
  if (!server.isStandby) return 'is not a standby';
  if (server.system !== primary.system) return 'is a standby of another database';
  if (server.timeline === null || primary.timeline === null || server.timeline === primary.timeline) return null;
  return `follows timeline ${server.timeline}, and the primary is on ${primary.timeline}`;
}

/** Why nothing may be read from a server; null if it follows the primary. The primary was asked after it. */
export function findFault(standby: ServerState, primary: ServerState): string | null {
  const foreign = findForeign(standby, primary);
  if (foreign !== null) return foreign;
  if (standby.databaseId !== primary.databaseId) return 'shows another database';
  return standby.lastStamp > primary.lastStamp ? 'shows publishes that the primary does not have' : null;
}
