/**
 * What a command works with: settings, time, output, and the database while its work runs; and the tables and texts of
 * source files that it prints. A command knows neither the environment nor how a database is started.
 */
import widthOf from 'string-width';
import { type Clock, systemClock } from '../base/clock.ts';
import { listUnknownSettings, readSettings, type Settings } from '../base/config.ts';
import { OperatorError } from '../base/errors.ts';
import { buildLog, type Log } from '../base/log.ts';
import type { Config } from '../base/settings.ts';
import { lowerPriority } from '../base/threads.ts';
import { connectDatabase, type Database, openSession } from '../database/driver/db.ts';
import { attachDatabase } from '../database/embedded/attach.ts';
import { migrate, readMigrations } from '../database/schema/migrate.ts';
import { type CommandHold, holdSchema } from '../database/schema/schema-hold.ts';
import type { Finding } from '../monitor/doctor.ts';
import { openObjects } from '../objects/open.ts';
import type { IssueExample } from '../store/publish/findings.ts';
import { checkConnection, describePlace } from '../upkeep/health/checks.ts';

export interface CommandContext {
  readonly clock: Clock;
  /** The version of this program. */
  readonly version: string;
  /** 0 = done; 3 = done, but some input was rejected. A failure throws an OperatorError, which has its own status. */
  exitStatus: 0 | 3;
  /** The file of `--config`; null = what `TMDS_CONFIG` names, else `tmds.toml` if it is there. */
  configFile: string | null;
  /** Throws an OperatorError with status 2 that names every wrong setting. */
  readConfig(): Config;
  /** The same settings, with where each comes from. Throws as `readConfig`. */
  readSettings(): Settings;
  /** Variables that look like settings but are not. */
  listUnknownSettings(): string[];
  /** Writes a line to standard output. */
  print(line: string): void;
  /** Writes a part of a line to standard output. */
  write(text: string): void;
  /** Writes a line to standard error, for a waiting person. */
  note(line: string): void;
  /**
   * Lets calls and searches on this machine go first, from now on. Call it once the database runs: a database started
   * afterwards would inherit the priority and stay slow for everyone.
   */
  giveWay(): void;
  /**
   * Runs `work` on the database with an up-to-date schema. Starts the embedded database if it is not running, and
   * releases it afterwards, even after a signal. Throws an OperatorError when there is no usable database.
   */
  withDatabase<T>(name: string, work: (services: CommandServices) => Promise<T>, options?: DatabaseOptions): Promise<T>;
}

export interface CommandServices {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  /** The database's address, for threads that open their own connections. */
  readonly url: string;
  /** For short statements: four connections, with the query timeout. */
  readonly database: Database;
  /** Runs this when a signal interrupts the command, before its connections end; the command waits a moment for it. */
  whenInterrupted(act: (reason: string) => Promise<void>): void;
  /** For statements without a timeout; closed together with `database`. */
  connectUnlimited(poolMax: number): Promise<Database>;
}

interface DatabaseOptions {
  /** Default true. */
  migrate?: boolean;
  /** Whether to create a missing embedded database; default true. */
  create?: boolean;
}

const POOL_MAX = 4;
const ACQUIRE_TIMEOUT_MS = 30_000;

export function buildContext(version: string): CommandContext {
  const context: CommandContext = {
    clock: systemClock,
    version,
    exitStatus: 0,
    configFile: null,
    readConfig: () => context.readSettings().config,
    readSettings: () => readSettings(undefined, context.configFile),
    listUnknownSettings: () => listUnknownSettings(),
    print: (line) => void process.stdout.write(`${line}\n`),
    write: (text) => void process.stdout.write(text),
    note: (line) => void process.stderr.write(`${line}\n`),
    giveWay: lowerPriority,
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
  // Routine log lines would hide what the command prints.
  const log = buildLog({
    level: config.logLevel === 'info' ? 'warn' : config.logLevel,
    format: config.logFormat,
  });
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
  const objects = await openObjects(config, clock);
  const connect = async (poolMax: number, statementTimeoutMs: number): Promise<Database> => {
    const acquireTimeoutMs = ACQUIRE_TIMEOUT_MS;
    // Read for each connection: after a crash, an embedded database may come back on another port.
    const shared = { url: () => attached.url, applicationName, acquireTimeoutMs, isPatient: true, clock, log, objects };
    const database = await connectDatabase({ ...shared, poolMax, statementTimeoutMs });
    opened.push(database);
    return database;
  };
  const interruption = watchInterruption();
  const lastActs: ((reason: string) => Promise<void>)[] = [];
  let hold: CommandHold | null = null;
  try {
    if (!attached.isEmbedded) await checkConnection(attached.url);
    const database = await connect(POOL_MAX, config.queryTimeoutSeconds * 1000);
    if (options.migrate !== false) {
      const unlimited = await connect(2, 0);
      const migrations = await readMigrations();
      await migrate(unlimited, migrations, describePlace(config), clock, context.note);
      const url = (): string => attached.url;
      const patience = { acquireTimeoutMs: ACQUIRE_TIMEOUT_MS, isPatient: true, clock };
      const session = { url, applicationName, statementTimeoutMs: 0, ...patience };
      hold = await holdSchema(() => openSession(session), migrations, clock);
    }
    const connectUnlimited = (poolMax: number): Promise<Database> => connect(poolMax, 0);
    const whenInterrupted: CommandServices['whenInterrupted'] = (act) => void lastActs.push(act);
    const result = await Promise.race([
      work({ config, clock, log, url: attached.url, database, connectUnlimited, whenInterrupted }),
      interruption.signalled,
      ...(hold === null ? [] : [hold.lost]),
    ]);
    await Promise.all(opened.map((each) => each.close()));
    return result;
  } catch (error) {
    if (error instanceof Interrupted) await actAtLast(lastActs, error, clock);
    throw error;
  } finally {
    hold?.release();
    objects?.close();
    // After an interruption, connections may be busy; they end with the process.
    await attached.release();
    interruption.stop();
  }
}

/** A command was ended by SIGINT or SIGTERM. */
export class Interrupted extends OperatorError {
  readonly signal: NodeJS.Signals;

  constructor(signal: NodeJS.Signals) {
    super(`interrupted by ${signal}`);
    this.signal = signal;
  }
}

const LAST_ACTS_MS = 2_000;

async function actAtLast(
  acts: readonly ((reason: string) => Promise<void>)[],
  { signal }: Interrupted,
  clock: Clock,
): Promise<void> {
  if (acts.length === 0) return;
  const reason = `it was interrupted by ${signal}`;
  await Promise.race([Promise.allSettled(acts.map((act) => act(reason))), clock.sleep(LAST_ACTS_MS)]);
}

function watchInterruption(): { signalled: Promise<never>; stop: () => void } {
  let interrupt: (signal: NodeJS.Signals) => void = () => {};
  const signalled = new Promise<never>((_, reject) => {
    interrupt = (signal) => reject(new Interrupted(signal));
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

type Cell = string | number | null;

/** By title: the member of a row, or what is made of the row. */
export type Columns<Row> = Readonly<Record<string, keyof Row | ((row: Row) => Cell)>>;

/** Shows null as a dash. `ifNone`: the sentence shown instead of a table without rows. */
export function renderTable<Row>(columns: Columns<Row>, rows: readonly Row[], ifNone?: string): string {
  if (rows.length === 0 && ifNone !== undefined) return ifNone;
  const makers = Object.values(columns);
  const cells = rows.map((row) => makers.map((make) => (typeof make === 'function' ? make(row) : row[make]) as Cell));
  const texts = [Object.keys(columns), ...cells.map((line) => line.map((value) => String(value ?? '-')))];
  const widths = makers.map((_, position) => Math.max(...texts.map((line) => widthOf(line[position]!))));
  const isNumeric = makers.map((_, position) => cells.every((line) => typeof line[position] !== 'string'));
  return texts
    .map((line) =>
      line.map((text, at) => {
        const room = ' '.repeat(widths[at]! - widthOf(text));
        return isNumeric[at] ? room + text : text + room;
      }),
    )
    .map((line) => line.join('  ').trimEnd())
    .join('\n');
}

export function printable(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, '\ufffd');
}

export function oneLine(text: string): string {
  return printable(text).replace(/[\n\t]/g, ' ');
}

/** `XA 1 (odd.ndjson, line 1)`: a record, and where its source states it. */
export function describeExample({ jurisdiction_code, uid, position }: IssueExample): string {
  if (uid === null) return position ?? '';
  return position === null ? `${jurisdiction_code} ${uid}` : `${jurisdiction_code} ${uid} (${position})`;
}

export function renderFinding({ subject, seen, remedy, advice }: Finding): string {
  const more = remedy === null ? advice : remedy;
  const verdict = remedy !== null ? 'WRONG' : advice === undefined ? 'ok   ' : 'note ';
  return `${verdict}  ${subject.padEnd(9)}  ${seen}${more === undefined || more === seen ? '' : `; ${more}`}`;
}
