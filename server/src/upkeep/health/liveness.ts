/**
 * Whether this process can serve: the database answers on a connection reserved for this check, and its schema is the
 * one that this version works with (rules I-35, I-39). It checks every half second. While something is wrong, the pools
 * are closed, so that calls fail at once instead of waiting for a silent database or answering from an unknown schema.
 * Connections from before may lead nowhere when the database answers on a new one: a network in between has forgotten
 * them, or their processes hang. So each closing begins a new generation of connections.
 * Invariant: it is never slower than its own limit, however busy searches are.
 */
import { type Clock, countDown } from '../../base/clock.ts';
import { OperatorError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { NoAnswer } from '../../base/no-answer.ts';
import { startRounds } from '../../base/rounds.ts';
import { openSession, type PinnedSession, type Queryable } from '../../database/driver/db.ts';
import { databaseAway } from '../../database/driver/failures.ts';
import { sql } from '../../database/driver/sql.ts';
import type { Migration } from '../../database/schema/migrate.ts';
import { buildSchemaHold, type SchemaHold } from '../../database/schema/schema-hold.ts';
import type { OpenAlarms } from './alarms.ts';

export interface LivenessOptions {
  readonly url: () => string;
  /** The migrations as this process found them at its start; the files may be of a newer version by now. */
  readonly migrations: readonly Migration[];
  readonly clock: Clock;
  readonly log: Log;
  readonly alarms?: OpenAlarms;
  /** How far the change feed of this server stays behind the current time. */
  readonly horizonSeconds: number;
}

export interface Liveness {
  /** Why calls are refused now; null if all is well. */
  closedBecause(): NoAnswer | null;
  /** How often calls were refused so far. Connections of an earlier generation must not be used again. */
  generation(): number;
  /** `listener` is called when a new generation begins. */
  onClosed(listener: () => void): void;
  /** The last result, so that asking costs nothing for any number of callers; rejects with `NoAnswer`. */
  check(): Promise<void>;
  stop(): Promise<void>;
}

const INTERVAL_MS = 500;
/** How long a check counts: until the next one is due, and half as long again for a delayed process. */
const KNOWN_MS = INTERVAL_MS * 1.5;
/** A new connection takes the database some milliseconds, so it is tried every five seconds. */
const LOOKS_BETWEEN_KNOCKS = 10;
const REFUSED = 'calls are refused: the database does not answer, or is of another version';
/** How long the database may stay silent, counted in steps, so that a busy process does not blame the database. */
const SILENCE_MS = 2_000;
const LOCK_TIMEOUT_MS = 1_000;

/** Followed by the horizon of the server, so that commands on the same database know it. */
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
  let session: PinnedSession | null = null;
  let address = '';
  let hold: SchemaHold | null = null;
  let problem: NoAnswer | null = null;
  /** Why no new connection could be opened when that was last tried; null if one could. */
  let unopened: NoAnswer | null = null;
  /** Until the database has answered once, the service is still starting. */
  let hasAnswered = false;
  let generation = 0;
  const listeners: (() => void)[] = [];

  const connect = (): Promise<PinnedSession> =>
    openSession({
      url,
      applicationName: `${SESSION_NAME} ${horizonSeconds}`,
      // The server counts this time, so a busy process here loses none of it.
      statementTimeoutMs: SILENCE_MS,
      lockTimeoutMs: LOCK_TIMEOUT_MS,
      acquireTimeoutMs: SILENCE_MS,
      connectTimeoutMs: SILENCE_MS,
      clock,
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
  const judge = (error: unknown): NoAnswer => {
    if (error instanceof OperatorError) return new NoAnswer('another_version', { cause: error });
    leave();
    return databaseAway(error);
  };
  const note = (found: NoAnswer | null): void => {
    const words = (error: NoAnswer | null): string => String((error?.cause as Error | undefined)?.message ?? '');
    if (found !== null && (problem === null || words(found) !== words(problem))) {
      const reason = words(found);
      if (hasAnswered) log.error({ alarm: 'calls_refused', reason }, REFUSED);
      else log.warn({ reason }, 'waiting for the database to answer');
    }
    if (found === null && problem !== null && hasAnswered) log.warn('calls are served again');
    if (found === null) hasAnswered = true;
    const isClosing = found !== null && problem === null;
    problem = found;
    if (isClosing) {
      generation += 1;
      for (const listener of listeners) listener();
    }
    if (found === null) alarms?.delete('calls_refused');
    else alarms?.add('calls_refused');
  };

  let looking: Promise<void> | null = null;
  /** When the last check ended, on the monotonic clock. */
  let lookedMs = Number.NEGATIVE_INFINITY;
  const look = (): Promise<void> => {
    looking ??= withinSilence(ask(), clock)
      .then(
        () => note(null),
        (error: unknown) => note(judge(error)),
      )
      .finally(() => {
        lookedMs = clock.monotonicMs();
        looking = null;
      });
    return looking;
  };
  /**
   * Checks that the database opens connections. A failure closes no pool: open connections may serve for a long time.
   */
  const knock = async (): Promise<void> => {
    const knocked = connect().then((fresh) => void fresh.close().catch(() => undefined));
    unopened = await withinSilence(knocked, clock).then(
      () => null,
      (error: unknown) => databaseAway(error),
    );
  };
  let looks = 0;
  const rounds = startRounds(clock, async () => {
    await look();
    looks += 1;
    if (looks % LOOKS_BETWEEN_KNOCKS === 0) await knock();
    return INTERVAL_MS;
  });

  return {
    closedBecause: () => problem,
    generation: () => generation,
    onClosed: (listener) => void listeners.push(listener),
    check: async () => {
      // Usually the last result answers. Only when the next check is overdue do all callers wait for it.
      if (clock.monotonicMs() - lookedMs > KNOWN_MS) await look();
      const reason = problem ?? unopened;
      if (reason !== null) throw reason;
    },
    stop: async () => {
      await rounds.stop();
      session?.destroy();
    },
  };
}

/** Rejects if the work takes more than `SILENCE_MS`. A process that was itself delayed has counted few steps of it. */
async function withinSilence(work: Promise<void>, clock: Clock): Promise<void> {
  let stop = (): void => {};
  const late = new Promise<never>((_, reject) => {
    stop = countDown(clock, SILENCE_MS, () => reject(new Error('the database does not answer')));
  });
  try {
    await Promise.race([work, late]);
  } finally {
    stop();
  }
}
