/**
 * The server process: starts database, schema, application and socket, and stops them in reverse order on SIGINT or
 * SIGTERM. Invariant: everything that was opened is closed, even after an incomplete start.
 */
import type { FastifyInstance } from 'fastify';
import { type AppOptions, buildApp } from './app.ts';
import type { Clock } from './base/clock.ts';
import type { Log } from './base/log.ts';
import type { Config } from './base/settings.ts';
import { allocateYoung } from './base/threads.ts';
import { findReadingOptions, refuseDistributed } from './database/distributed/distribution.ts';
import { describeAddress } from './database/driver/address.ts';
import { type ConnectOptions, connectDatabase, type Database } from './database/driver/db.ts';
import { type AttachedDatabase, attachDatabase } from './database/embedded/attach.ts';
import { openReaders, type ReaderFigures } from './database/readers/readers.ts';
import { checkSchema, migrate, readMigrations } from './database/schema/migrate.ts';
import { startDuties } from './duties.ts';
import { openLiveIndex } from './follow/live-index.ts';
import { indexFolder } from './follow/status.ts';
import { CoverageBoard } from './http/coverage-board.ts';
import { checkAddress, formatAddress, listen } from './http/listen.ts';
import { serveMetrics } from './http/metrics-server.ts';
import { stopServer, waitAtMost } from './http/stop.ts';
import { buildMatchReader } from './http/watched-matches.ts';
import { describeReaders, examineDatabase, examineMachine, type Finding, type SettingsRead } from './monitor/doctor.ts';
import { type HealthSources, readHealth } from './monitor/health.ts';
import { buildMetrics, type Metrics } from './monitor/metrics.ts';
import { openTraces } from './monitor/traces.ts';
import { openObjects } from './objects/open.ts';
import { snapshotsFolder } from './store/snapshots/folder.ts';
import type { OpenAlarms } from './upkeep/health/alarms.ts';
import { checkConnection, describePlace } from './upkeep/health/checks.ts';
import { accessPoolMax, findConnectionLimit, WEBHOOK_POOL_MAX } from './upkeep/health/connection-limit.ts';
import { type DatabaseFigures, readFigures } from './upkeep/health/figures.ts';
import { startLiveness } from './upkeep/health/liveness.ts';

export interface ServeOptions {
  readonly config: Config;
  readonly settings: SettingsRead;
  readonly clock: Clock;
  readonly log: Log;
  readonly version: string;
  /** Whether this is a demonstration. */
  readonly isDemo: boolean;
  /** False = an outdated schema stops the start. */
  readonly migrate: boolean;
  /** Called for each step of the start that may take seconds. */
  readonly onProgress: (step: string) => void;
  /** Runs on the migrated database before the server listens. */
  readonly prepare?: (databases: ServeDatabases) => Promise<void>;
  /** Called when the server listens; `address` is `http://HOST:PORT` with the actual port. */
  readonly onListening: (address: string) => void;
  /** Resolves when the process is asked to stop. */
  readonly stopped: Promise<void>;
  /** Resolves when it is asked again. */
  readonly hurried: Promise<void>;
}

export interface ServeDatabases {
  /** For requests. */
  readonly database: Database;
  /** For migrations and loads: without a statement timeout. */
  connectUnlimited(poolMax: number): Promise<Database>;
}

/** How long calls in flight may take to finish, from the signal to stop. */
export const CALLS_MS = 7_500;
/** Supervisors kill a stopping process after ten seconds; by then, everything that can be closed is closed. */
export const STOP_MS = 8_800;
/** A dead connection, or a start that does not notice the stop, is not waited for any longer. */
export const LEFTOVER_MS = 1_000;
/** The start waits this long for the index; after that, everything except searches is served. */
const INDEX_PATIENCE_MS = 5_000;
/** Waiting for a connection and then for a lock stays within the five seconds of rule I-35. */
export const ACQUIRE_TIMEOUT_MS = 2_000;
export const LOCK_TIMEOUT_MS = 1_500;
export const CONNECT_TIMEOUT_MS = 2_000;
const UNLIMITED_ACQUIRE_TIMEOUT_MS = 30_000;
/** Reading a key or counting a call takes milliseconds; a statement that takes this long is blocked. */
const ACCESS_TIMEOUT_MS = 4_000;
/** A second is what figures of the database wait for; a statement that takes this long is blocked. */
const METRICS_TIMEOUT_MS = 3_000;

/** For all watches of a customer whose dates a mail is of; nobody waits for it. */
const MATCHES_MS_MAX = 10_000;
const MAIL_TURN = 'mail';

/** Serves until `stopped`. Throws OperatorError when it cannot start. */
export async function serve(options: ServeOptions): Promise<void> {
  allocateYoung();
  const { clock, log } = options;
  let stopMs = Number.POSITIVE_INFINITY;
  const stopped = options.stopped.then(() => {
    stopMs = clock.monotonicMs() + STOP_MS;
    return 'stopped' as const;
  });
  const closers: (() => Promise<unknown>)[] = [];
  const ending = new AbortController();
  const starting = start({ ...options, ending: ending.signal }, closers);
  try {
    const started = await Promise.race([starting, stopped]);
    if (started === 'stopped') return;
    options.onListening(started.address);
    await started.attached.announceServer(started.address);
    log.info({ address: started.address, version: options.version }, 'serving');
    started.startDuties();
    await stopped;
  } finally {
    ending.abort();
    // A start that failed has as long as a stop.
    const untilMs = Math.min(stopMs, clock.monotonicMs() + STOP_MS);
    await closeAll(closers, untilMs, options);
    // An interrupted start fails once its connections are closed, but it may have opened something in the meantime.
    await waitAtMost(starting.then(ignore, ignore), LEFTOVER_MS, clock);
    await closeAll(closers, untilMs, options);
  }
  log.info('stopped');
}

function ignore(): void {}

/** In reverse order of opening. What takes too long ends with the process. */
async function closeAll(
  closers: (() => Promise<unknown>)[],
  untilMs: number,
  { clock, log }: ServeOptions,
): Promise<void> {
  for (let close = closers.pop(); close !== undefined; close = closers.pop()) {
    const closing = close().catch((error) => log.warn({ err: error }, 'closing failed'));
    await waitAtMost(closing, Math.max(0, untilMs - clock.monotonicMs()), clock);
  }
}

interface Started {
  readonly app: FastifyInstance;
  readonly address: string;
  readonly attached: AttachedDatabase;
  startDuties(): void;
}

async function start(
  options: ServeOptions & { readonly ending: AbortSignal },
  closers: (() => Promise<unknown>)[],
): Promise<Started> {
  const { config, clock, isDemo, log, version, hurried } = options;
  let listens = false;
  const attached = await attachDatabase({
    ...config,
    applicationName: 'tmds serve',
    clock,
    log,
    onProgress: options.onProgress,
    beforeMaking: () => checkAddress(config),
  });
  closers.push(() => attached.release());
  await attached.claimServer();
  if (!attached.isEmbedded) await checkConnection(attached.url, { migrates: options.migrate });

  const objects = await openObjects(config, clock);
  closers.push(async () => objects?.close());
  const connect = async (
    applicationName: string,
    poolMax: number,
    statementTimeoutMs: number,
    told: Pick<ConnectOptions, 'settings' | 'isDistributed'> = {},
    standbyUrl: string | null = null,
  ): Promise<Database> => {
    const isLimited = statementTimeoutMs > 0;
    const database = await connectDatabase({
      url: () => standbyUrl ?? attached.url,
      applicationName,
      poolMax,
      statementTimeoutMs,
      acquireTimeoutMs: isLimited ? ACQUIRE_TIMEOUT_MS : UNLIMITED_ACQUIRE_TIMEOUT_MS,
      isPatient: !isLimited,
      log,
      ...told,
      objects,
      // At most half of the limit, so that a wait for a lock is never mistaken for a slow search.
      ...(isLimited ? { lockTimeoutMs: Math.min(LOCK_TIMEOUT_MS, Math.ceil(statementTimeoutMs / 2)) } : {}),
      ...(isLimited
        ? {
            connectTimeoutMs: CONNECT_TIMEOUT_MS,
            closedBecause: () => liveness.closedBecause(),
            generation: () => liveness.generation(),
          }
        : {}),
    });
    closers.push(() => waitAtMost(database.close(), LEFTOVER_MS, clock));
    return database;
  };
  const alarms: OpenAlarms = new Set();
  const horizonSeconds = config.changeHorizonSeconds;
  const migrations = await readMigrations();
  const migrating = await connect('tmds migrate', 2, 0);
  if (options.migrate) await migrate(migrating, migrations, describePlace(config));
  else await checkSchema(migrating, describePlace(config), migrations);
  if (!attached.isEmbedded) {
    const { seen, advice } = await findConnectionLimit(migrating, config.poolMax);
    if (advice !== null) log.warn({ remedy: advice }, seen);
  }
  const liveness = startLiveness({ url: () => attached.url, migrations, clock, log, alarms, horizonSeconds });
  closers.push(() => liveness.stop());
  const queryTimeoutMs = config.queryTimeoutSeconds * 1000;
  const reading = await findReadingOptions(migrating);
  const primary = await connect('tmds serve', config.poolMax, queryTimeoutMs, reading);
  const accessDatabase = await connect('tmds serve access', accessPoolMax(config.poolMax), ACCESS_TIMEOUT_MS);
  const connectUnlimited = (poolMax: number): Promise<Database> => connect('tmds serve load', poolMax, 0);
  if (config.replicaUrls.length > 0) await refuseDistributed(migrating, 'DATABASE_REPLICA_URLS');
  const standbys = config.replicaUrls.map((standbyUrl) => ({ url: standbyUrl, place: describeAddress(standbyUrl) }));
  const readers = await openReaders({
    standbys,
    primary,
    connect: (url, { applicationName, poolMax, statementTimeoutMs, settings }) =>
      connect(applicationName, poolMax, statementTimeoutMs, settings === undefined ? {} : { settings }, url),
    poolMax: config.poolMax,
    statementTimeoutMs: queryTimeoutMs,
    preferred: process.pid,
    clock,
    log,
  });
  closers.push(() => readers.close());
  const standbyUrl = readers.followed();
  const index = openLiveIndex({ url: attached.url, standbyUrl, folder: indexFolder(config.dataDir), clock, log });
  closers.push(() => index.close());
  attached.onMoved((url) => index.moveTo(url));
  liveness.onClosed(() => index.reconnect());
  readers.onFollowed((url) => index.follow(url));
  await options.prepare?.({ database: primary, connectUnlimited });
  const pools = { records: primary, access: accessDatabase };
  const startMetrics = async (): Promise<Metrics> => {
    // A separate connection: figures are needed most while every other connection is in use.
    const own = await connect('tmds serve metrics', 1, METRICS_TIMEOUT_MS);
    const readDatabase = (): Promise<DatabaseFigures> => readFigures(own, config.changeHorizonSeconds);
    const files = { dataDir: config.dataDir, snapshotsFolder: snapshotsFolder(config), alarms };
    return buildMetrics({ version, index, pools, readReaders: readers.figures, readDatabase, clock, ...files });
  };
  const metrics = config.metricsPort === null ? null : await startMetrics();
  const { tracesEndpoint: endpoint, tracesShare: share } = config;
  const traces = await openTraces({ endpoint, share, version, clock, log });
  if (traces !== null) closers.push(() => waitAtMost(traces.close(), LEFTOVER_MS, clock));
  const webhookDatabase = await connect('tmds serve webhooks', WEBHOOK_POOL_MAX, queryTimeoutMs);
  const upkeepDatabase = await connect('tmds serve upkeep', 1, queryTimeoutMs);
  if (metrics !== null) closers.push(await listenForMetrics(metrics, config, log));
  const duties: (() => Promise<unknown>)[] = [];
  // They end after the calls in flight, for which they may be needed.
  closers.push(() => Promise.all(duties.map((end) => end())));
  const coverage = new CoverageBoard(clock);
  const app = buildApp({
    coverage,
    database: readers.database,
    primary: readers.primary,
    accessDatabase,
    index,
    checkHealth: () => liveness.check(),
    clock,
    config,
    log,
    version,
    traces,
    operations: watchProcess({
      config,
      settings: options.settings,
      clock,
      version,
      index,
      pools,
      database: accessDatabase,
      readReaders: readers.figures,
    }),
    isDemo,
    ...(metrics === null ? {} : { metrics }),
  });
  const drainMs = config.drainSeconds * 1000;
  closers.push(() => stopServer(app, { clock, log, drainMs: listens ? drainMs : 0, callsMs: CALLS_MS, hurried }));
  await Promise.race([index.ready, clock.sleep(INDEX_PATIENCE_MS)]);
  const address = await listen(app, config);
  listens = true;
  const matches = buildMatchReader({ index, database: readers.database, clock }, (customer) => ({
    deadlineMs: clock.monotonicMs() + MATCHES_MS_MAX,
    turn: { customer, key: MAIL_TURN },
  }));
  const databases = { database: accessDatabase, webhookDatabase, upkeepDatabase };
  const duty = { ...options, ...databases, attached, liveness, metrics, alarms, matches, coverage };
  return { app, address, attached, startDuties: () => void duties.push(...startDuties(duty)) };
}

/** For the operators' pages. The checks run once at a time, however many people ask. */
function watchProcess({
  config,
  settings,
  clock,
  database,
  readReaders,
  ...sources
}: Omit<HealthSources, 'horizonSeconds' | 'folder'> & {
  readReaders: () => ReaderFigures;
  config: Config;
  settings: SettingsRead;
  clock: Clock;
}): NonNullable<AppOptions['operations']> {
  let running: Promise<Finding[]> | null = null;
  const examine = async (): Promise<Finding[]> => [
    ...(await examineMachine(config.dataDir, settings)),
    ...(await examineDatabase({ config, clock, database })),
    ...describeReaders(readReaders()),
  ];
  const known = { horizonSeconds: config.changeHorizonSeconds, folder: config.dataDir };
  return {
    readHealth: () => readHealth({ ...sources, ...known, database }),
    examine: () => {
      running ??= examine().finally(() => {
        running = null;
      });
      return running;
    },
  };
}

/** Resolves to how it is closed. A server without metrics still serves, so that a port in use is no reason to end. */
async function listenForMetrics(metrics: Metrics, config: Config, log: Log): Promise<() => Promise<void>> {
  const { metricsHost: host, metricsPort: port } = config;
  try {
    const server = await serveMetrics({ host, port: port ?? 0, read: (form) => metrics.read(form), log });
    log.info({ address: `${formatAddress(host, server.port)}/metrics` }, 'serving metrics');
    return () => server.close();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const remedy = 'set TMDS_METRICS_PORT to a free port, or to off; TMDS_METRICS_HOST to an address of this machine';
    log.warn({ host, port, code, remedy }, 'metrics are not served: the address cannot be listened on');
    return async () => undefined;
  }
}
