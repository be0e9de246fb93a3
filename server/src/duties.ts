/**
 * What a server does in addition to its calls: matching, sending, mail, upkeep, monitoring. All of it begins once calls
 * are served, because a start keeps the machine and the database busy, and a check during it would report that load.
 */
import { startMatching } from './alert/start.ts';
import type { Clock } from './base/clock.ts';
import type { Log } from './base/log.ts';
import type { Config } from './base/settings.ts';
import { startFilingChecks } from './due/check-filings.ts';
import { buildDatesReader, type MatchReader } from './due/watched-dates.ts';
import { rejectsFolder } from './load/places.ts';
import { startMail } from './mail/start.ts';
import { ATTEMPT_WINDOW_SECONDS } from './portal/sign-in/passwords.ts';
import { SESSION_TERMS } from './portal/sign-in/sessions.ts';
import type { Database } from './store/driver/db.ts';
import type { AttachedDatabase } from './store/embedded/attach.ts';
import type { OpenAlarms } from './store/health/alarms.ts';
import { startDiskWatch } from './store/health/disk-watch.ts';
import { startFeedWatch } from './store/health/feed-watch.ts';
import { startMachineWatch } from './store/health/machine-watch.ts';
import { startRetention } from './store/upkeep/retention-watch.ts';
import type { Metrics } from './watch/metrics.ts';
import { askNameServers } from './webhook/post.ts';
import { startWebhooks } from './webhook/run.ts';
import { buildSecretBox } from './webhook/secrets.ts';

export interface DutyOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly version: string;
  /** Aborted once the server stops. */
  readonly ending: AbortSignal;
  readonly attached: AttachedDatabase;
  readonly metrics: Metrics | null;
  readonly database: Database;
  readonly webhookDatabase: Database;
  readonly upkeepDatabase: Database;
  readonly matches: MatchReader;
  readonly alarms: OpenAlarms;
}

/** Returns what ends each. */
export function startDuties({
  config,
  clock,
  log,
  version,
  ending,
  attached,
  metrics,
  database,
  webhookDatabase,
  upkeepDatabase,
  matches,
  alarms,
}: DutyOptions): (() => Promise<unknown>)[] {
  const matching = startMatching({ url: attached.url, clock, log });
  attached.onMoved((url) => matching.moveTo(url));
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
  const retention = startRetention({
    database: upkeepDatabase,
    rejectsFolder: rejectsFolder(config.dataDir),
    days: config,
    sessions: SESSION_TERMS.people,
    attemptSeconds: ATTEMPT_WINDOW_SECONDS,
    clock,
    log,
    signal: ending,
  });
  const watches = [
    startFeedWatch({ database, clock, log, horizonSeconds: config.changeHorizonSeconds, alarms }),
    startDiskWatch({ folder: config.dataDir, clock, log, alarms }),
    startMachineWatch({ database, clock, log, alarms }),
    retention,
    webhooks,
    startFilingChecks({ database, clock, log }),
  ];
  const readDates = buildDatesReader({ database, clock, matches });
  const endMail = startMail({ ...config, database, readDates, clock, log });
  return [
    () => matching.close(),
    ...watches.map((watch) => () => watch.stop()),
    ...(endMail === null ? [] : [endMail]),
  ];
}
