/** Connects a thread of the index to its database, or to a standby of it. */
import { systemClock } from '../base/clock.ts';
import { buildLog } from '../base/log.ts';
import { connectDatabase, type Database } from '../database/driver/db.ts';

const ACQUIRE_TIMEOUT_MS = 5_000;

/**
 * `url` is a function if the address can change. Statements have no time limit, because a build reads for minutes.
 * `generation` rises when connections opened before must not be used again.
 */
export function connectFollower(url: string | (() => string), generation = () => 0): Promise<Database> {
  return connectDatabase({
    url,
    generation,
    poolMax: 2,
    statementTimeoutMs: 0,
    applicationName: 'tmds index',
    acquireTimeoutMs: ACQUIRE_TIMEOUT_MS,
    log: buildLog({ level: 'silent' }),
  });
}

/** The servers from which an index reads. */
export interface Source {
  readonly url: string;
  readonly database: Database;
  /** The primary of which `database` is a standby; null if it is not a standby. */
  readonly primary: Database | null;
}

export interface Sources {
  readonly primary: () => Source;
  /** The standby, unless there is none or it is avoided. */
  readonly chosen: () => Source;
  readonly follow: (standbyUrl: string | null) => void;
  /** Avoids it for this many milliseconds, after a failure. */
  readonly avoidStandby: (ms: number) => void;
  readonly close: () => Promise<void>;
}

export async function openSources(
  url: () => string,
  standbyUrl: string | null,
  generation: () => number,
): Promise<Sources> {
  const primary = await connectFollower(url, generation);
  let standby: { url: string; database: Database } | null = null;
  let avoidedUntilMs = Number.NEGATIVE_INFINITY;
  const follow = async (chosen: string | null): Promise<void> => {
    const before = standby;
    standby = chosen === null ? null : { url: chosen, database: await connectFollower(chosen, generation) };
    // Reads from it that are still running end on their own.
    await before?.database.close();
  };
  await follow(standbyUrl);
  const own = (): Source => ({ url: url(), database: primary, primary: null });
  return {
    primary: own,
    chosen: () => {
      const isAvoided = standby === null || systemClock.monotonicMs() < avoidedUntilMs;
      return isAvoided ? own() : { ...standby!, primary };
    },
    follow: (chosen) => void follow(chosen),
    avoidStandby: (ms) => {
      avoidedUntilMs = Math.max(avoidedUntilMs, systemClock.monotonicMs() + ms);
    },
    close: async () => {
      await follow(null);
      await primary.close();
    },
  };
}
