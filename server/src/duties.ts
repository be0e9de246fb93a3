/**
 * What a server does in addition to its calls: matching, sending, mail, upkeep, monitoring. All of it begins once calls
 * are served, because a start keeps the machine and the database busy, and a check during it would report that load.
 */

import type { Clock } from './base/clock.ts';
import type { Log } from './base/log.ts';
import type { Config } from './base/settings.ts';
import type { Database } from './database/driver/db.ts';
import type { AttachedDatabase } from './database/embedded/attach.ts';
import { startFilingChecks } from './due/filings.ts';
import { buildDatesReader, type MatchReader } from './due/watched-dates.ts';
import { buildCoverageLook, type CoverageBoard } from './http/coverage-board.ts';
import { rejectsFolder } from './load/places.ts';
import { startMail } from './mail/start.ts';
import type { Metrics } from './monitor/metrics.ts';
import { ATTEMPT_WINDOW_SECONDS } from './portal/sign-in/passwords.ts';
import { SESSION_TERMS } from './portal/sign-in/sessions.ts';
import { startJob } from './store/duties/jobs.ts';
import type { OpenAlarms } from './upkeep/health/alarms.ts';
import { buildLook, feedIntervalMs } from './upkeep/health/feed-watch.ts';
import type { Liveness } from './upkeep/health/liveness.ts';
import { buildDiskLook, buildMachineLook } from './upkeep/health/machine-watch.ts';
import { buildPseudoMarksLook } from './upkeep/retention/hold-pseudo-marks.ts';
import { buildRetentionLook } from './upkeep/retention/retention-watch.ts';
import { startMatching } from './watches/start.ts';
import { askNameServers } from './webhook/post.ts';
import { buildSecretBox } from './webhook/secrets.ts';
import { startWebhooks } from './webhook/sender.ts';

export interface DutyOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly version: string;
  /** Aborted once the server stops. */
  readonly ending: AbortSignal;
  readonly attached: AttachedDatabase;
  readonly liveness: Liveness;
  readonly metrics: Metrics | null;
  readonly database: Database;
  readonly webhookDatabase: Database;
  readonly upkeepDatabase: Database;
  readonly matches: MatchReader;
  readonly alarms: OpenAlarms;
  readonly coverage: CoverageBoard;
}

/** Returns what ends each. */
export function startDuties({
  config,
  clock,
  log,
  version,
  ending,
  attached,
  liveness,
  metrics,
  database,
  webhookDatabase,
  upkeepDatabase,
  matches,
  alarms,
  coverage,
}: DutyOptions): (() => Promise<unknown>)[] {
  const matching = startMatching({ url: attached.url, clock, log });
  attached.onMoved((url) => matching.moveTo(url));
  liveness.onClosed(() => matching.reconnect());
  const webhooks = startWebhooks({
    database: webhookDatabase,
    secrets: buildSecretBox(database, config.webhookKey),
    privateTargets: config.webhookPrivate,
    resolve: askNameServers,
    random: Math.random,
    clock,
    log,
    version,
  });
  metrics?.watchWebhooks(() => webhooks.state());
  const alarmed = { clock, log, alarms };
  const prune = buildRetentionLook({
    database: upkeepDatabase,
    rejectsFolder: rejectsFolder(config.dataDir),
    days: config,
    sessions: SESSION_TERMS.people,
    attemptSeconds: ATTEMPT_WINDOW_SECONDS,
    clock,
    log,
    signal: ending,
  });
  const { changeHorizonSeconds: horizonSeconds } = config;
  const readDates = buildDatesReader({ database, clock, matches });
  const jobs = [
    startJob(clock, 'feed', buildLook({ ...alarmed, database, horizonSeconds }), feedIntervalMs(horizonSeconds)),
    startJob(clock, 'coverage', buildCoverageLook({ database, board: coverage, clock, log })),
    startJob(clock, 'disk', buildDiskLook({ ...alarmed, folder: config.dataDir })),
    startJob(clock, 'machine', buildMachineLook({ ...alarmed, database })),
    startJob(clock, 'retention', prune),
    startJob(clock, 'pseudo_marks', buildPseudoMarksLook({ database: upkeepDatabase, clock, log, signal: ending })),
    webhooks,
    startMail({ ...config, database, readDates, clock, log }),
    startFilingChecks({ database, clock, log }),
  ];
  return [() => matching.close(), ...jobs.flatMap((job) => (job === null ? [] : [() => job.stop()]))];
}
