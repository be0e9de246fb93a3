/**
 * Whether servers read from a standby of `DATABASE_REPLICA_URLS`, and if not, why. The standby has to show, within a
 * bound, what the primary writes now. Its own estimate of its lag proves nothing: a disconnected standby does not know
 * what it is missing.
 */
import type { Clock } from '../../base/clock.ts';
import type { Observation } from '../../base/observation.ts';
import { describeAddress } from '../../database/driver/address.ts';
import { openSession, type PinnedSession, type Queryable } from '../../database/driver/db.ts';
import { sql } from '../../database/driver/sql.ts';
import { explainUnreachable } from '../../database/driver/unreachable.ts';
import {
  findForeign,
  IDENTITY,
  IS_PRIMARY,
  LAG_MS_MAX,
  type ServerIdentity,
} from '../../database/readers/server-state.ts';

const POLL_MS = 20;

const CONNECT_TIMEOUT_MS = 10_000;
const CHECK_TIMEOUT_MS = 10_000;

/** Writes an empty message into the primary's write-ahead log, and waits for the standby to replay it. */
export async function checkStandby(url: string, primary: Queryable, clock: Clock): Promise<Observation> {
  const place = describeAddress(url);
  let session: PinnedSession | undefined;
  try {
    session = await openSession({
      url,
      statementTimeoutMs: CHECK_TIMEOUT_MS,
      applicationName: 'tmds check',
      acquireTimeoutMs: CONNECT_TIMEOUT_MS,
    });
    const mark = await writeMark(primary);
    const startedMs = clock.monotonicMs();
    for (;;) {
      const state = await readState(session, mark);
      const fault = findForeign(state, mark);
      if (fault === IS_PRIMARY) {
        return { seen: `${place} is the primary now; records are read from it last`, remedy: null };
      }
      if (fault !== null) {
        const isApart = state.isStandby && state.system === mark.system;
        return { seen: `${place} is not read from: it ${fault}`, remedy: isApart ? REJOIN : ELSEWHERE };
      }
      const waitedMs = Math.round(clock.monotonicMs() - startedMs);
      if (state.shown) {
        return { seen: `${place} is read from: a standby, ${waitedMs} ms behind the primary`, remedy: null };
      }
      if (waitedMs > LAG_MS_MAX) return explainLag(`${place} is not read from: it`, state);
      await clock.sleep(POLL_MS);
    }
  } catch (error) {
    const { seen, remedy } = explainUnreachable(error, 'DATABASE_REPLICA_URLS');
    return {
      seen: `${place} is not read from: ${seen}`,
      remedy: remedy ?? 'start it, or correct DATABASE_REPLICA_URLS',
    };
  } finally {
    await session?.close().catch(() => undefined);
  }
}

interface Mark extends ServerIdentity {
  lsn: string;
}

/** For a standby of the same database on another timeline. */
export const REJOIN =
  'point it at the primary (primary_conninfo); if it stays apart, it has received what the primary lacks: use ' +
  'pg_rewind, or make a new copy';

const ELSEWHERE = 'correct DATABASE_REPLICA_URLS, or make it a standby of this primary again';

async function writeMark(primary: Queryable): Promise<Mark> {
  const [mark] = await primary.query<Mark>(sql`
    select pg_logical_emit_message(true, 'tmds doctor', '')::text as lsn, ${IDENTITY} from pg_control_system()`);
  return mark!;
}

interface StandbyState extends ServerIdentity {
  shown: boolean;
  receives: boolean;
  paused: boolean;
  /** Age in seconds of the last change it has replayed; null if none. */
  age: number | null;
}

async function readState(session: Queryable, { lsn }: Mark): Promise<StandbyState> {
  const [state] = await session.query<StandbyState>(sql`
    select ${IDENTITY}, coalesce(pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn, false) as shown,
      exists (select from pg_stat_wal_receiver) as receives,
      case when pg_is_in_recovery() then pg_is_wal_replay_paused() else false end as paused,
      extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8 as age
    from pg_control_system()`);
  return state!;
}

function explainLag(place: string, { receives, paused, age }: StandbyState): Observation {
  const last = age === null ? '' : `; its last change is ${Math.round(age)} s old`;
  if (!receives) {
    const remedy = 'check its primary_conninfo, and that the primary runs and accepts it';
    return { seen: `${place} receives nothing from the primary${last}`, remedy };
  }
  if (paused)
    return { seen: `${place} has paused its replay${last}`, remedy: 'run there: select pg_wal_replay_resume()' };
  const seen = `${place} did not show within ${LAG_MS_MAX / 1000} s what the primary wrote${last}`;
  return { seen, remedy: 'check its load, its disk and its connection to the primary' };
}
