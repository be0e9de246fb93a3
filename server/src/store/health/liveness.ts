/**
 * Whether this process can serve: the database answers on a connection reserved for this check, and its schema is the
 * one this version works with (rules I-35, I-39). It checks every half second. While something is wrong, the pools are
 * closed, so that calls fail at once instead of waiting for a silent database or answering from an unknown schema.
 * Invariant: it is never slower than its own limit, however busy searches are.
 */
import type { Clock } from '../../base/clock.ts';
import { type ApiError, apiError, OperatorError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { openSession, type PinnedSession, type Queryable } from '../driver/db.ts';
import { databaseAway } from '../driver/failures.ts';
import { sql } from '../driver/sql.ts';
import type { Migration } from '../schema/migrate.ts';
import { buildSchemaHold, type SchemaHold } from '../schema/schema-hold.ts';
import type { OpenAlarms } from './alarms.ts';

export interface LivenessOptions {
  readonly url: () => string;
  /** As this process found them at its start; the files may be of a newer version by now. */
  readonly migrations: readonly Migration[];
  readonly clock: Clock;
  readonly log: Log;
  readonly alarms?: OpenAlarms;
  /** How far the change feed of this server stays behind the current time. */
  readonly horizonSeconds: number;
}

export interface Liveness {
  /** Why calls are refused at present; null if all is well. */
  closedBecause(): ApiError | null;
  /** Checks both the reserved connection and a new one; rejects with ApiError `unavailable`. */
  check(): Promise<void>;
  stop(): Promise<void>;
}

const INTERVAL_MS = 500;
/** How long the database may stay silent: counted in steps, so that a busy process does not blame the database. */
const SILENCE_STEPS = 20;
const STEP_MS = 100;
const LOCK_TIMEOUT_MS = 1_000;

/** Followed by the horizon of the server, so that commands beside it know what holds there. */
const SESSION_NAME = 'tmds serve health';

/** The longest horizon of the servers that run on this database, in seconds; null if none does. */
export async function findServedHorizon(db: Queryable): Promise<number | null> {
  const [served] = await db.query<{ seconds: number | null }>(sql`
    select max(substring(application_name from length(${SESSION_NAME}::text) + 2)::float8) as seconds
    from pg_stat_activity
    where datname = current_database() and application_name ~ ${`^${SESSION_NAME} [0-9]+$`}`);
  return served!.seconds;
}

export function startLiveness({ url, migrations, clock, log, alarms, horizonSeconds }: LivenessOptions): Liveness {
  const ending = new AbortController();
  let session: PinnedSession | null = null;
  let address = '';
  let hold: SchemaHold | null = null;
  let problem: ApiError | null = null;

  const connect = (): Promise<PinnedSession> =>
    openSession({
      url,
      applicationName: `${SESSION_NAME} ${horizonSeconds}`,
      statementTimeoutMs: SILENCE_STEPS * STEP_MS,
      lockTimeoutMs: LOCK_TIMEOUT_MS,
      acquireTimeoutMs: SILENCE_STEPS * STEP_MS,
      connectTimeoutMs: SILENCE_STEPS * STEP_MS,
    });
  const leave = (): void => {
    session?.destroy();
    session = null;
    hold = null;
  };
  const ask = async (): Promise<void> => {
    if (address !== url()) leave();
    if (session === null || hold === null) {
      address = url();
      session = await connect();
      hold = buildSchemaHold(session, migrations, clock);
    }
    await hold.check();
  };
  const judge = (error: unknown): ApiError => {
    if (error instanceof OperatorError) {
      return apiError('unavailable', 'The service is being brought to another version. Try again shortly.', {
        cause: error,
      });
    }
    leave();
    return databaseAway(error);
  };
  const note = (found: ApiError | null): void => {
    const words = (error: ApiError | null): string => String((error?.cause as Error | undefined)?.message ?? '');
    if (found !== null && (problem === null || words(found) !== words(problem))) {
      log.error(
        { alarm: 'calls_refused', reason: words(found) },
        'calls are refused: the database does not answer, or is of another version',
      );
    }
    if (found === null && problem !== null) log.warn('calls are served again');
    problem = found;
    if (found === null) alarms?.delete('calls_refused');
    else alarms?.add('calls_refused');
  };

  let looking: Promise<void> | null = null;
  const look = (): Promise<void> => {
    looking ??= withinSteps(ask(), clock)
      .then(
        () => note(null),
        (error: unknown) => note(judge(error)),
      )
      .finally(() => {
        looking = null;
      });
    return looking;
  };
  const knock = async (): Promise<void> => {
    const fresh = await connect();
    fresh.close().catch(() => undefined);
  };
  const run = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      await look();
      await clock.sleep(INTERVAL_MS, ending.signal).catch(() => undefined);
    }
  };
  const running = run();

  return {
    closedBecause: () => problem,
    check: async () => {
      const knocked = withinSteps(knock(), clock).catch((error: unknown) => {
        throw databaseAway(error);
      });
      await Promise.all([look(), knocked]);
      if (problem !== null) throw problem;
    },
    stop: async () => {
      ending.abort();
      await running;
      session?.destroy();
    },
  };
}

/** Rejects if the work takes more than `SILENCE_STEPS`. A process that was held up itself has counted few of them. */
async function withinSteps(work: Promise<void>, clock: Clock): Promise<void> {
  const over = new AbortController();
  const wait = async (): Promise<void> => {
    for (let step = 0; step < SILENCE_STEPS; step += 1) await clock.sleep(STEP_MS, over.signal);
    throw new Error('the database does not answer');
  };
  try {
    await Promise.race([work, wait()]);
  } finally {
    over.abort();
  }
}
