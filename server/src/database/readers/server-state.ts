/** A database server's report about itself, and whether it is a standby that may answer for its primary. */

import type { Clock } from '../../base/clock.ts';
import type { Queryable, StatementLimits } from '../driver/db.ts';
import { instantText, sql } from '../driver/sql.ts';
import type { PublishState } from './publish-state.ts';

export interface ServerIdentity {
  readonly isStandby: boolean;
  /** A primary and its standbys have the same. */
  readonly system: string;
  /**
   * The timeline that it writes or receives; null if it receives nothing, or the role may not know. A promotion begins
   * another.
   */
  readonly timeline: number | null;
  /** When it was started, to the microsecond: the same server under two addresses has the same. */
  readonly startedAt: string;
}

export interface ServerState extends ServerIdentity, PublishState {}

/** A standby that lags by more is not read from. The search index has the same bound. */
export const LAG_MS_MAX = 5_000;

/** The timeline of the server that is asked. */
const TIMELINE = sql`case when pg_is_in_recovery() then (select received_tli from pg_stat_wal_receiver)
  else ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end`;

/** For a statement with `from pg_control_system()`. */
export const IDENTITY = sql`pg_is_in_recovery() as "isStandby", system_identifier::text as system,
  ${TIMELINE} as timeline, pg_postmaster_start_time()::text as "startedAt"`;

/** Needs no schema. @throws NoAnswer. */
export async function readIdentity(db: Queryable, limits: StatementLimits = {}): Promise<ServerIdentity> {
  const [identity] = await db.query<ServerIdentity>(sql`select ${IDENTITY} from pg_control_system()`, limits);
  return identity!;
}

/** How far a primary is. */
export interface Position extends PublishState {
  readonly timeline: number | null;
}

/** Asks the primary. @throws NoAnswer. */
async function readPosition(primary: Queryable): Promise<Position> {
  const [position] = await primary.query<Position>(
    sql`select database_id as "databaseId", lineage, ${instantText(sql`last_stamp`)} as "lastStamp",
      ${TIMELINE} as timeline
    from publish_clock`,
  );
  if (position === undefined) throw new Error('the publish clock is missing');
  return position;
}

/** @throws NoAnswer. */
export async function readServerState(db: Queryable, limits: StatementLimits = {}): Promise<ServerState> {
  const [state] = await db.query<ServerState>(
    sql`select ${IDENTITY}, database_id as "databaseId", lineage, ${instantText(sql`last_stamp`)} as "lastStamp"
    from pg_control_system(), publish_clock`,
    limits,
  );
  if (state === undefined) throw new Error('the publish clock is missing');
  return state;
}

/** After a fail-over, a server of `DATABASE_REPLICA_URLS` may be the primary. */
export const IS_PRIMARY = 'is the primary';

/** Why a server is not a standby of the primary; null if it is one. */
export function findForeign(server: ServerIdentity, primary: ServerIdentity): string | null {
  if (server.startedAt === primary.startedAt && server.system === primary.system) return IS_PRIMARY;
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

/** The primary is asked no more often than this, for any number of calls. */
const ASK_EVERY_MS = 2;

/**
 * How far the primary is, for every call that reads from a standby: the last stamp, read by a statement that began
 * after the call. One statement runs at a time, and answers all callers that came before it was sent. Invariant:
 * everything that had committed when a caller asked is at or before the stamp that it gets.
 *
 * @returns a function that rejects with NoAnswer while the primary is away
 */
export function buildPosition(primary: Queryable, clock: Clock): () => Promise<Position> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<Position> | null = null;
  let sentMs = Number.NEGATIVE_INFINITY;
  const askNext = async (): Promise<Position> => {
    await running;
    const earlyMs = sentMs + ASK_EVERY_MS - clock.monotonicMs();
    if (earlyMs > 0) await clock.sleep(earlyMs);
    sentMs = clock.monotonicMs();
    // Callers from here on need a later statement.
    next = null;
    const answer = readPosition(primary);
    running = answer.catch(() => undefined);
    return await answer;
  };
  return () => {
    next ??= askNext();
    return next;
  };
}
