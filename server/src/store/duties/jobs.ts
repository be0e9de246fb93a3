/**
 * What a server does repeatedly in addition to its calls: after which pause, and which of it only one process on a
 * database does. `server/src/duties.ts` says what each job is.
 */
import type { Clock } from '../../base/clock.ts';
import { type Rounds, startRounds } from '../../base/rounds.ts';
import type { DutyName } from './duties.ts';

export interface Job {
  readonly everyMs: number;
  /** Null: every process does it. */
  readonly duty: DutyName | null;
}

export const JOBS = {
  /** More often if the horizon is short (`feedIntervalMs`). */
  feed: { everyMs: 5_000, duty: null },
  coverage: { everyMs: 60_000, duty: null },
  disk: { everyMs: 10_000, duty: null },
  machine: { everyMs: 5_000, duty: null },
  matching: { everyMs: 250, duty: 'matching' },
  webhooks: { everyMs: 1_000, duty: 'webhooks' },
  quota_mail: { everyMs: 60_000, duty: null },
  webhook_mail: { everyMs: 60_000, duty: null },
  hit_digests: { everyMs: 60_000, duty: null },
  date_reminders: { everyMs: 60_000, duty: null },
  filing_mail: { everyMs: 60_000, duty: null },
  filing_checks: { everyMs: 300_000, duty: null },
  pseudo_marks: { everyMs: 60_000, duty: null },
  retention: { everyMs: 3_600_000, duty: 'retention' },
} as const satisfies Record<string, Job>;

export type JobName = keyof typeof JOBS;

/** `look` must not reject. */
export function startJob(
  clock: Pick<Clock, 'sleep'>,
  name: JobName,
  look: () => Promise<void>,
  everyMs: number = JOBS[name].everyMs,
): Rounds {
  return startRounds(clock, async () => {
    await look();
    return everyMs;
  });
}
