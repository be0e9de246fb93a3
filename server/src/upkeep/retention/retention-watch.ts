/** Removes expired rows and files while a server runs, a bounded number of rows at a time. */

import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { DAY_MS } from '../../base/clock.ts';
import { failureForLog } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { Database } from '../../database/driver/db.ts';
import { prune, type RetentionOptions } from './retention.ts';

export interface RetentionWatchOptions extends RetentionOptions {
  /** With a timeout, so that a batch that has to wait is abandoned. */
  readonly database: Database;
  /** Where loads keep rejected records, each load in a separate file. */
  readonly rejectsFolder: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Aborted once the server stops: failures from then on are not reported. */
  readonly signal: AbortSignal;
}

/** A million rows an hour. */
const BATCHES_MAX = 1000;

/** One run; never rejects. */
export function buildRetentionLook(options: RetentionWatchOptions): () => Promise<void> {
  const { database, rejectsFolder, clock, log, days, signal } = options;
  let hasToldWithheld = false;
  return async () => {
    if (signal.aborted) return;
    try {
      const outcomes = (await prune(database, { ...options, batchesMax: BATCHES_MAX })) ?? [];
      const removed = outcomes.filter((outcome) => outcome.removed > 0).map(({ withheld: _, ...outcome }) => outcome);
      if (removed.length > 0) log.info({ removed }, 'what was kept long enough has been removed');
      const withheld = outcomes.flatMap((outcome) => outcome.withheld);
      if (withheld.length > 0 && !hasToldWithheld) {
        log.warn({ withheld }, WITHHELD);
        hasToldWithheld = true;
      }
      await removeRejectFiles({ folder: rejectsFolder, days: days.keepFindingsDays, nowMs: clock.nowMs() });
    } catch (error) {
      if (signal.aborted) return;
      log.warn(failureForLog(error), 'what is past its time could not be removed; the next run tries again');
    }
  };
}

const WITHHELD = 'the role of this server may not remove what is too old of some tables; run tmds prune as their owner';

/** Removes files that were last written more than this many days ago. Resolves to how many went, or would go. */
export async function removeRejectFiles(options: {
  readonly folder: string;
  /** Null = without limit. */
  readonly days: number | null;
  readonly nowMs: number;
  readonly dryRun?: boolean;
}): Promise<number> {
  const { folder, days, nowMs, dryRun = false } = options;
  if (days === null) return 0;
  let removed = 0;
  for (const name of await readdir(folder).catch(() => [])) {
    if (!/^[0-9a-f-]{36}\.txt$/.test(name)) continue;
    const found = await stat(join(folder, name)).catch(() => null);
    if (found === null || found.mtimeMs >= nowMs - days * DAY_MS) continue;
    if (!dryRun) await rm(join(folder, name), { force: true });
    removed += 1;
  }
  return removed;
}
