/**
 * Checks the change feed while a server runs: a pulse for its horizon, and an alarm for every finding. The
 * pulse writes, so it also notices a full disk of the database while nothing else is written.
 */
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { NoAnswer } from '../../base/no-answer.ts';
import type { Database } from '../../database/driver/db.ts';
import { isDiskFull } from '../../database/driver/failures.ts';
import { JOBS } from '../../store/duties/jobs.ts';
import { announceLeftovers } from '../../store/publish/announce.ts';
import { type Alarm, buildAlarmLog, type OpenAlarms } from './alarms.ts';
import { checkFeed, pulseFeed } from './feed-health.ts';

export interface FeedWatchOptions {
  /** The primary if there is one; nothing is written to a standby. */
  readonly database: Pick<Database, 'query' | 'queryBytes' | 'copyRows' | 'transaction' | 'objects'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly horizonSeconds: number;
  readonly alarms?: OpenAlarms;
}

const INTERVAL_MS_MIN = 500;

/** How often the feed is checked: more often if its horizon is short. */
export function feedIntervalMs(horizonSeconds: number): number {
  return Math.max(INTERVAL_MS_MIN, Math.min(JOBS.feed.everyMs, (horizonSeconds * 1000) / 4));
}

const DATABASE_DISK_FULL: Alarm = {
  check: 'database_disk_full',
  level: 'error',
  seen: 'the disk of the database is full: nothing is published, and calls that have to be counted answer 503',
  remedy: 'make room on the disk of the database',
};

/** One check; never rejects. `liveness.ts` reports an unavailable database, not this check. */
export function buildLook(options: FeedWatchOptions): () => Promise<void> {
  const { database, log, horizonSeconds } = options;
  const note = buildAlarmLog(options, 'the change feed has recovered');
  return async () => {
    try {
      // A node's outstanding commit is reported below; until it is made, the feed waits.
      await announceLeftovers(database).catch(unlessUnavailable);
      const isFull = await pulseFeed(database).then(() => false, isRefusedForRoom);
      const findings = await checkFeed(database, { horizonSeconds });
      note(isFull ? [DATABASE_DISK_FULL, ...findings] : findings);
    } catch (error) {
      if (!(error instanceof NoAnswer)) log.error({ err: error }, 'the change feed could not be checked');
    }
  };
}

function unlessUnavailable(error: unknown): void {
  if (!(error instanceof NoAnswer)) throw error;
}

/** A standby refuses writes; that is no fault. */
function isRefusedForRoom(error: unknown): boolean {
  if (!(error instanceof NoAnswer)) throw error;
  return isDiskFull(error);
}
