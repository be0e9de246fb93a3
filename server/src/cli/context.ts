/**
 * What a command is given: settings, time, output, and the database for as long as its work runs. A command knows
 * neither the environment nor how a database is started, and reports its outcome through `exitStatus`.
 */

import type { Clock } from '../base/clock.ts';
import { systemClock } from '../base/clock.ts';
import { type Config, listUnknownSettings, readConfig } from '../base/config.ts';
import { OperatorError } from '../base/errors.ts';
import { buildLog, type Log } from '../base/log.ts';
import { connectDatabase, type Database } from '../store/driver/db.ts';
import { attachDatabase } from '../store/embedded/attach.ts';
import { checkConnection, describePlace } from '../store/health/checks.ts';
import { migrate } from '../store/schema/migrate.ts';

export interface CommandContext {
  readonly clock: Clock;
  /** Version of this program. */
  readonly version: string;
  /** 0 = done; 3 = done, but some input was rejected. Failure is thrown: OperatorError says with which status. */
  exitStatus: 0 | 3;
  /** Throws OperatorError with status 2 that names every wrong setting. */
  readConfig(): Config;
  /** Names of variables that look like settings and do nothing. */
  listUnknownSettings(): string[];
  /** A line on standard output. */
  print(line: string): void;
  /** A line on standard error for a person who waits. */
  note(line: string): void;
  /**
   * Runs `work` on the database with an up-to-date schema, starting the embedded one when nobody has, and lets go of
   * it afterwards, also when interrupted by a signal. Throws OperatorError when there is no usable database.
   */
  withDatabase<T>(name: string, work: (services: CommandServices) => Promise<T>, options?: DatabaseOptions): Promise<T>;
}

export interface CommandServices {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  /** Short statements: stopped after the query time limit, four connections. */
  readonly database: Database;
  /** Statements without time limit, as many connections as asked for; closed together with `database`. */
  connectUnlimited(poolMax: number): Promise<Database>;
}

interface DatabaseOptions {
  /** Default true. */
  migrate?: boolean;
  /** Whether an embedded database is made where there is none; default true. */
  create?: boolean;
}

const POOL_MAX = 4;
const ACQUIRE_TIMEOUT_MS = 30_000;

export function buildContext(version: string): CommandContext {
  const context: CommandContext = {
    clock: systemClock,
    version,
    exitStatus: 0,
    readConfig: () => readConfig(),
    listUnknownSettings: () => listUnknownSettings(),
    print: (line) => void process.stdout.write(`${line}\n`),
    note: (line) => void process.stderr.write(`${line}\n`),
    withDatabase: (name, work, options) => runWithDatabase(context, name, work, options),
  };
  return context;
}

async function runWithDatabase<T>(
  context: CommandContext,
  name: string,
  work: (services: CommandServices) => Promise<T>,
  options: DatabaseOptions = {},
): Promise<T> {
  const { clock } = context;
  const config = context.readConfig();
  // A person reads what these commands print; routine log lines would be in the way.
  const log = buildLog({ level: config.logLevel === 'info' ? 'warn' : config.logLevel });
  const applicationName = `tmds ${name}`;
  const opened: Database[] = [];
  const { dataDir, databaseUrl } = config;
  const attached = await attachDatabase({
    dataDir,
    databaseUrl,
    applicationName,
    clock,
    log,
    onProgress: context.note,
    mayCreate: options.create !== false,
  });
  const connect = async (poolMax: number, statementTimeoutMs: number): Promise<Database> => {
    const acquireTimeoutMs = ACQUIRE_TIMEOUT_MS;
    // Asked before each connection: after a crash an embedded database may come back at another port.
    const shared = { url: () => attached.url, applicationName, acquireTimeoutMs, log };
    const database = await connectDatabase({ ...shared, poolMax, statementTimeoutMs });
    opened.push(database);
    return database;
  };
  const interruption = watchInterruption();
  try {
    if (!attached.isEmbedded) await checkConnection(attached.url);
    const database = await connect(POOL_MAX, config.queryTimeoutSeconds * 1000);
    if (options.migrate !== false) {
      const unlimited = await connect(2, 0);
      await migrate(unlimited, undefined, describePlace(config));
    }
    const connectUnlimited = (poolMax: number): Promise<Database> => connect(poolMax, 0);
    const result = await Promise.race([
      work({ config, clock, log, database, connectUnlimited }),
      interruption.signalled,
    ]);
    await Promise.all(opened.map((each) => each.close()));
    return result;
  } finally {
    // After an interruption connections may be busy: the process ends, and with it they do.
    await attached.release();
    interruption.stop();
  }
}

function watchInterruption(): { signalled: Promise<never>; stop: () => void } {
  let interrupt: () => void = () => {};
  const signalled = new Promise<never>((_, reject) => {
    interrupt = () => reject(new OperatorError('interrupted'));
  });
  signalled.catch(() => undefined);
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  const stop = (): void => {
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
  };
  return { signalled, stop };
}
