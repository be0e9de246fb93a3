/**
 * Connections to PostgreSQL: a bounded pool, statements, transactions, COPY. The rest of the service sees only the
 * interfaces of this file, so that the driver behind them can change. It knows no table.
 * Invariants: a connection returns to the pool only if it is known to be idle and outside a transaction; a caller that
 * abandons a statement gets its answer at once, and the server stops the statement too.
 */

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { type Clock, systemClock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { NoAnswer } from '../../base/no-answer.ts';
import type { ObjectStore } from '../../objects/object-store.ts';
import { Connection } from './connection.ts';
import type { CopiedRows } from './copied-rows.ts';
import { copyOut } from './copy-out.ts';
import { databaseAway, isPassing, isServerFull } from './failures.ts';
import { buildPool, FULL_MS, type Patience, type PoolState } from './pool.ts';
import { clientConfig, sessionSettings } from './session-settings.ts';
import { type Statement, sql } from './sql.ts';
import { buildStatementNames, noteFailure, runCopy, runStatement, type StatementNames } from './statements.ts';

/**
 * How long a caller waits for a statement, including the wait for a connection. Aborting `signal` rejects at once with
 * its reason. Past `deadlineMs`, on the monotonic clock, a statement that still waits for a connection rejects with
 * `unavailable`, and one that runs with `StatementOverTime`. In either case the server stops it.
 */
export type StatementLimits = Patience;

interface QueryOptions extends StatementLimits {
  /**
   * Default true: the text is prepared once per connection, and PostgreSQL may use one plan for all values. False:
   * parsed and planned each time, for statements whose best plan depends on the values.
   */
  prepare?: boolean;
}

/**
 * Columns of a result: bool, int2/int4, oid, float4/float8 as JavaScript values; bytea as Buffer; int2[], int4[],
 * text[] as arrays; everything else (timestamptz, date, int8, numeric, json, …) as the text PostgreSQL prints.
 */
export interface Queryable {
  query<Row>(statement: Statement, options?: QueryOptions): Promise<Row[]>;
  /** Every column as the bytes of its text form; null for null. For rendered rows. */
  queryBytes<Row>(statement: Statement, options?: QueryOptions): Promise<Row[]>;
  /** For pages of megabytes, planned at each call: the values of each row as they are served. */
  copyRows(statement: Statement, limits?: StatementLimits): Promise<CopiedRows>;
  /** The store that holds what rows name by digest; null = this process knows none. */
  readonly objects: ObjectStore | null;
  /** Whether records lie on several nodes; absent if nobody has looked, and statements then serve either way. */
  readonly isDistributed?: boolean;
}

/** What is known of a database, apart from its connections. */
type About = Pick<Queryable, 'objects' | 'isDistributed'>;

export interface Transaction extends Queryable {
  /** `copy … from stdin`, a statement without values. Resolves to the number of rows. */
  copyIn(statement: Statement, chunks: AsyncIterable<Buffer>): Promise<number>;
  /** `copy … to stdout`, a statement without values, whose bytes `take` consumes. Resolves to the number of rows. */
  copyOut(statement: Statement, take: (chunks: AsyncIterable<Buffer>) => Promise<void>): Promise<number>;
  /** Several statements in one text, without values, as in migrations. Resolves to the rows that the last changed. */
  runScript(text: string): Promise<number>;
}

/** The limits apply to the wait for a connection; the statements inside have their own. */
interface TransactionOptions extends StatementLimits {
  isolation?: 'read committed' | 'repeatable read' | 'serializable';
  readOnly?: boolean;
}

/** Always the same object for the same connection, so that what is known of its server can be kept with it. */
export interface LentConnection extends Queryable {
  /** Whether the server said last that it is a standby; it says so when that changes. Null: it never has. */
  readonly isStandby: boolean | null;
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
}

export interface Database extends Queryable {
  /** Commits when `work` resolves, rolls back when it rejects. */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /**
   * One connection while `work` runs, outside any transaction: for session locks, settings, `vacuum`, `create
   * database`. It is closed afterwards, and its settings end with it; its locks end before this resolves or rejects.
   */
  session<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /** One connection while `work` runs, outside any transaction, and kept afterwards. */
  lend<T>(work: (lent: LentConnection) => Promise<T>, patience?: StatementLimits): Promise<T>;
  copyIn(statement: Statement, chunks: AsyncIterable<Buffer>): Promise<number>;
  poolState(): PoolState;
  /** Waits for running work, then closes every connection. */
  close(): Promise<void>;
}

export interface ConnectOptions {
  /**
   * `postgresql://…` of one server, with the folder of a unix socket in `?host=`. A function returns its current address.
   */
  url: string | (() => string);
  /** Most connections at once. */
  poolMax: number;
  /** The server stops a statement after this long; 0 = never (loads, migrations). */
  statementTimeoutMs: number;
  /** The server stops waiting for a lock after this long: `unavailable`. Default: never. */
  lockTimeoutMs?: number;
  applicationName: string;
  /** Longest wait for a free connection before `unavailable`. */
  acquireTimeoutMs: number;
  /** Longest time to open a connection; default 5 s, or as long as `isPatient` work waits for one. */
  connectTimeoutMs?: number;
  /** Whether a wait for a connection goes on when one cannot be opened for a reason that may pass; default false. */
  isPatient?: boolean;
  /** Default: of the machine. */
  clock?: Clock;
  log: Log;
  /** Further settings of every session, by name. */
  settings?: Readonly<Record<string, string>>;
  /** Why statements are refused now, if they are. Running ones are then cut off. */
  closedBecause?: () => NoAnswer | null;
  /** Rises when connections opened before must not be used again; running statements on them are then cut off. */
  generation?: () => number;
  /** Default: none. Stays open when the database is closed. */
  objects?: ObjectStore | null;
  /** Default: nobody has looked. */
  isDistributed?: boolean;
}

/** A separate connection, kept open for locks that last as long as this process. */
export interface PinnedSession extends Transaction {
  /** Resolves when the connection is gone, for whatever reason. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
  /** Closes the socket without a message to the server, which may not respond. */
  destroy(): void;
}

const UNLOCK_ALL = sql`select pg_advisory_unlock_all()`;
/** A server under load may take this long to open a connection, however short the wait for a free one. */
const CONNECT_TIMEOUT_MS = 5_000;
/** A server that stays silent this long after a statement's time limit is considered gone. */
const SILENCE_MS = 5_000;

/**
 * Opens no connection yet: the first statement does.
 * Statements reject with `NoAnswer`, or with the driver's error for a fault of ours.
 */
export async function connectDatabase(options: ConnectOptions): Promise<Database> {
  const { url, isPatient = false } = options;
  const pool = buildPool({
    client: () => clientConfig(options),
    address: typeof url === 'string' ? () => url : url,
    greeting: sessionSettings(options),
    max: options.poolMax,
    acquireTimeoutMs: options.acquireTimeoutMs,
    connectTimeoutMs:
      options.connectTimeoutMs ?? Math.max(isPatient ? options.acquireTimeoutMs : 0, CONNECT_TIMEOUT_MS),
    isPatient,
    clock: options.clock ?? systemClock,
    silenceMs: options.statementTimeoutMs > 0 ? options.statementTimeoutMs + SILENCE_MS : 0,
    closedBecause: options.closedBecause ?? (() => null),
    generation: options.generation ?? (() => 0),
    onLost: (error) => options.log.info({ err: error }, 'an idle database connection was lost'),
  });
  const nameOf = buildStatementNames();
  const about = aboutOf(options);
  const sessionOf = (connection: Connection) => buildSession(connection, nameOf, about);
  const lentOf = buildLentConnections(nameOf, about);

  const withConnection = async <T>(
    patience: Patience | undefined,
    work: (connection: Connection) => Promise<T>,
  ): Promise<T> => {
    const connection = await pool.acquire(patience);
    try {
      return await work(connection);
    } finally {
      pool.release(connection);
    }
  };
  return {
    ...about,
    query: (statement, limits) => withConnection(limits, (connection) => lentOf(connection).query(statement, limits)),
    queryBytes: (statement, limits) =>
      withConnection(limits, (connection) => lentOf(connection).queryBytes(statement, limits)),
    copyRows: (statement, limits) =>
      withConnection(limits, (connection) => lentOf(connection).copyRows(statement, limits)),
    copyIn: (statement, chunks) => withConnection(undefined, (each) => sessionOf(each).copyIn(statement, chunks)),
    session: (work) =>
      withConnection(undefined, async (connection) => {
        connection.dirty = true;
        const session = sessionOf(connection);
        try {
          return await work(session);
        } finally {
          // The server would release it some time after the close, and does so where this fails.
          await session.query(UNLOCK_ALL).catch(() => undefined);
        }
      }),
    lend: (work, patience) => withConnection(patience, (connection) => work(lentOf(connection))),
    transaction: (work, transactionOptions) =>
      withConnection(transactionOptions, (connection) => lentOf(connection).transaction(work, transactionOptions)),
    poolState: () => pool.state(),
    close: () => pool.close(),
  };
}

function aboutOf({ objects = null, isDistributed }: Partial<About>): About {
  return isDistributed === undefined ? { objects } : { objects, isDistributed };
}

/** The same database for one call: these limits hold for all statements, and what it reads of objects is bounded. */
export function withLimits(db: Queryable, limits: StatementLimits): Queryable {
  return {
    ...aboutOf(db),
    objects: db.objects?.forCall(limits.signal) ?? null,
    query: (statement, options) => db.query(statement, { ...limits, ...options }),
    queryBytes: (statement, options) => db.queryBytes(statement, { ...limits, ...options }),
    copyRows: (statement, own) => db.copyRows(statement, { ...limits, ...own }),
  };
}

function buildLentConnections(nameOf: StatementNames, about: About): (connection: Connection) => LentConnection {
  const known = new WeakMap<Connection, LentConnection>();
  const build = (connection: Connection): LentConnection => ({
    ...about,
    get isStandby() {
      return connection.isStandby;
    },
    query: <Row>(statement: Statement, limits?: QueryOptions) =>
      runStatement(connection, nameOf, 'values', statement, limits, true) as Promise<Row[]>,
    queryBytes: <Row>(statement: Statement, limits?: QueryOptions) =>
      runStatement(connection, nameOf, 'bytes', statement, limits, true) as Promise<Row[]>,
    copyRows: (statement, limits) => runCopy(connection, statement, limits),
    transaction: (work, options) => runTransaction(buildSession(connection, nameOf, about), work, options),
  });
  return (connection) => {
    let lent = known.get(connection);
    if (lent === undefined) {
      lent = build(connection);
      known.set(connection, lent);
    }
    return lent;
  };
}

type SessionOptions = Omit<ConnectOptions, 'poolMax' | 'log' | 'closedBecause' | 'generation'>;

/** Rejects as the statements of a `Database` do. Waits for a server that is full; `isPatient`: also for one that is away. */
export async function openSession(options: SessionOptions): Promise<PinnedSession> {
  const { clock = systemClock, isPatient = false } = options;
  const deadlineMs = clock.monotonicMs() + options.acquireTimeoutMs;
  for (;;) {
    try {
      return await openOnce(options, clock);
    } catch (error) {
      const isWorthIt = isPatient ? isPassing(error) : isServerFull(error);
      if (!isWorthIt || clock.monotonicMs() + FULL_MS > deadlineMs) throw error;
      await clock.sleep(FULL_MS);
    }
  }
}

async function openOnce(options: SessionOptions, clock: Clock): Promise<PinnedSession> {
  const connectTimeoutMs = options.connectTimeoutMs ?? Math.max(options.acquireTimeoutMs, CONNECT_TIMEOUT_MS);
  const opening = { greeting: sessionSettings(options), connectTimeoutMs, clock };
  const connection = new Connection(clientConfig(options), opening);
  const ended = new Promise<void>((resolve) => {
    connection.once('end', () => resolve());
    connection.on('error', () => resolve());
  });
  await connection.open().catch((error: unknown) => {
    throw databaseAway(error);
  });
  const destroy = (): void => connection.cutOff();
  return {
    ...buildSession(connection, () => '', aboutOf(options)),
    ended,
    close: () => connection.end(),
    destroy,
  };
}

interface Session extends Transaction {
  /** The tag of the command that ended, such as `COMMIT`. */
  runCommand(text: string): Promise<string>;
  /** The state of the connection is unknown, so it is closed instead of used again. */
  markDirty(): void;
}

async function runTransaction<T>(
  session: Session,
  work: (tx: Transaction) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  const access = options.readOnly ? 'read only' : 'read write';
  await session.runCommand(`begin isolation level ${options.isolation ?? 'read committed'} ${access}`);
  let result: T;
  try {
    result = await work(session);
  } catch (error) {
    await session.runCommand('rollback').catch(() => session.markDirty());
    throw error;
  }
  // PostgreSQL answers ROLLBACK to the commit of a transaction in which a failed statement was ignored.
  const ended = await session.runCommand('commit');
  if (ended !== 'COMMIT') throw new Error('a transaction with a failed statement cannot be committed');
  return result;
}

function buildSession(connection: Connection, nameOf: StatementNames, about: About): Session {
  const fail = (error: unknown): never => {
    throw noteFailure(connection, error);
  };
  const runCommand = async (text: string): Promise<string> => {
    connection.statementSinceMs = systemClock.monotonicMs();
    const { command } = await connection.query(text).catch(fail);
    connection.statementSinceMs = 0;
    return command;
  };
  return {
    ...about,
    query: <Row>(statement: Statement, options?: QueryOptions) =>
      runStatement(connection, nameOf, 'values', statement, options) as Promise<Row[]>,
    queryBytes: <Row>(statement: Statement, options?: QueryOptions) =>
      runStatement(connection, nameOf, 'bytes', statement, options) as Promise<Row[]>,
    copyRows: (statement, limits) => runCopy(connection, statement, limits),
    copyIn: async (statement, chunks) => {
      if (statement.values.length > 0) throw new Error('a copy statement takes no values');
      const target = connection.query(copyFrom(statement.text));
      await pipeline(Readable.from(chunks), target).catch(fail);
      return target.rowCount;
    },
    copyOut: (statement, take) => copyOut(connection, statement, take),
    runScript: async (text) => {
      const results: pg.QueryResult | pg.QueryResult[] = await connection.query(text).catch(fail);
      return [results].flat().at(-1)?.rowCount ?? 0;
    },
    runCommand,
    markDirty: () => {
      connection.dirty = true;
    },
  };
}
