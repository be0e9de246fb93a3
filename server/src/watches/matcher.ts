/**
 * Matches publishes against watches while the server runs. One process at a time does so, by a lock that ends with its
 * connection; when it ends, another takes over within seconds. Whatever fails is retried.
 */
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { runRounds } from '../base/rounds.ts';
import type { Database } from '../database/driver/db.ts';
import { holdDuty } from '../store/duties/duties.ts';
import { JOBS } from '../store/duties/jobs.ts';
import { isBehind, Overtaken } from '../store/watches/matching.ts';
import { matchEvents, WatchedSearches } from './match-events.ts';

/** Pause of a process that does not match, before it asks whether the one that does has ended. */
const TURN_MS = 2_000;
/** Pause after a failure, usually of the database; doubled with every further failure, up to the maximum. */
const RETRY_MS = 500;
const RETRY_MS_MAX = 8_000;

export interface MatcherOptions {
  readonly database: Database;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  readonly signal: AbortSignal;
}

/** Resolves once the signal is aborted and the last step has ended. */
export async function runMatcher({ database, clock, log, signal }: MatcherOptions): Promise<void> {
  let retryMs = RETRY_MS;
  const match = async (searches: WatchedSearches): Promise<number> => {
    const hasMore = (await isBehind(database)) && (await matchEvents(database, searches));
    retryMs = RETRY_MS;
    return hasMore ? 0 : JOBS.matching.everyMs;
  };
  await runRounds(clock, signal, async () => {
    try {
      const { held } = await holdDuty(database, 'matching', async ({ isHeld }) => {
        const searches = new WatchedSearches(log);
        await runRounds(clock, signal, () => match(searches), isHeld);
      });
      return held ? 0 : TURN_MS;
    } catch (error) {
      if (signal.aborted) return 0;
      if (!(error instanceof Overtaken)) log.warn({ err: error }, 'watches could not be matched; tried again shortly');
      const pauseMs = retryMs;
      retryMs = Math.min(RETRY_MS_MAX, retryMs * 2);
      return pauseMs;
    }
  });
}
