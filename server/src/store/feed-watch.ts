/**
 * The periodic look at the change feed while a server runs: a pulse for its horizon, and an alarm in the log when a
 * finding appears, again at intervals while it stays, and when it is over. It decides when to look and what is news.
 */
import type { Clock } from '../base/clock.ts';
import { ApiError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Queryable } from './db.ts';
import { checkFeed, type FeedCheck, type FeedFinding, pulseFeed } from './feed-health.ts';

export interface FeedWatchOptions {
  /** The primary where there is one; on a standby nothing is written. */
  readonly database: Queryable;
  readonly clock: Clock;
  readonly log: Log;
  readonly horizonSeconds: number;
  /** Default 5 s, less with a short horizon. */
  readonly intervalMs?: number;
}

export interface FeedWatch {
  /** Ends the watch; resolves when a look under way has ended. */
  stop(): Promise<void>;
}

const INTERVAL_MS = 5_000;
const INTERVAL_MS_MIN = 500;
const REMINDER_MS = 10 * 60 * 1000;

export function startFeedWatch(options: FeedWatchOptions): FeedWatch {
  const { clock, horizonSeconds } = options;
  const intervalMs =
    options.intervalMs ?? Math.max(INTERVAL_MS_MIN, Math.min(INTERVAL_MS, (horizonSeconds * 1000) / 4));
  const ending = new AbortController();
  const look = buildLook(options);
  const run = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      await look();
      await clock.sleep(intervalMs, ending.signal).catch(() => undefined);
    }
  };
  const running = run();
  return {
    stop: async () => {
      ending.abort();
      await running;
    },
  };
}

/** One look; never rejects. A database that is away is reported by whoever serves calls, not here. */
export function buildLook(options: FeedWatchOptions): () => Promise<void> {
  const { database, clock, log, horizonSeconds } = options;
  const reported = new Map<FeedCheck, number>();
  return async () => {
    let findings: FeedFinding[];
    try {
      await pulseFeed(database).catch(acceptUnavailable);
      findings = await checkFeed(database, { horizonSeconds });
    } catch (error) {
      if (!(error instanceof ApiError)) log.error({ err: error }, 'the change feed could not be checked');
      return;
    }
    for (const { check, level, seen, remedy } of findings) {
      const last = reported.get(check);
      if (last !== undefined && clock.monotonicMs() - last < REMINDER_MS) continue;
      reported.set(check, clock.monotonicMs());
      log[level === 'error' ? 'error' : 'warn']({ alarm: check, remedy }, seen);
    }
    for (const check of reported.keys()) {
      if (findings.some((finding) => finding.check === check)) continue;
      reported.delete(check);
      log.info({ alarm: check }, 'the change feed has recovered');
    }
  };
}

/** A standby takes no writes. */
function acceptUnavailable(error: unknown): void {
  if (!(error instanceof ApiError)) throw error;
}
