/**
 * Connections to PostgreSQL: a bounded pool, statements, transactions, COPY. Everything else in the service sees only
 * the interfaces of this file; the driver behind them can change. It knows no table.
 * Invariant: a connection goes back to the pool only when it is known to be idle and outside a transaction.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { systemClock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { isConnectionFailure, isOutdatedPlan, translateFailure } from './failures.ts';
import { buildPool, cutOff, type Loan } from './pool.ts';
import type { Statement } from './sql.ts';
import { RawClient, RawQuery, type RowReading } from './wire.ts';

export interface QueryOptions {
  /**
   * Default true: the text is prepared once per connection, and PostgreSQL may settle on one plan for all values.
   * False where the right plan depends on the values (searches): parsed and planned anew each time.
   */
  prepare?: boolean;
  /** Aborting gives the statement up: it rejects with the signal's reason and its connection is closed. */
  signal?: AbortSignal;
}

/**
 * A result's columns: bool, int2/int4, oid, float4/float8 as JavaScript values; bytea as Buffer; int2[], int4[], text[]
 * as arrays; everything else (timestamptz, date, int8, numeric, json, …) as the text PostgreSQL prints.
 */
export interface Queryable {
  query<Row>(statement: Statement, options?: QueryOptions): Promise<Row[]>;
  /** Each row as the bytes of its columns' text form, in order, undecoded; null for null. For rendered rows. */
  queryBytes(statement: Statement, options?: QueryOptions): Promise<(Buffer | null)[][]>;
}

export interface Transaction extends Queryable {
  /** `copy … from stdin`, a statement without values. Resolves to the number of rows. */
  copyIn(statement: Statement, chunks: AsyncIterable<Buffer>): Promise<number>;
  /** Several statements in one text, without values: migrations and settings. */
  runScript(text: string): Promise<void>;
}

export interface TransactionOptions {
  isolation?: 'read committed' | 'repeatable read' | 'serializable';
  readOnly?: boolean;
}

export interface Database extends Queryable {
  /** Commits when `work` resolves, rolls back when it rejects. */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /**
   * One connection for as long as `work` runs, outside any transaction: session locks, settings, `vacuum`, `create
   * database`. It is closed afterwards, so locks and settings end with it.
   */
  session<T>(work: (session: Session) => Promise<T>): Promise<T>;
  copyIn(statement: Statement, chunks: AsyncIterable<Buffer>): Promise<number>;
  /** Waits for running work, then closes every connection. */
  close(): Promise<void>;
}

export interface ConnectOptions {
  /** `postgresql://…`; a unix socket's folder goes into `?host=`. */
  url: string;
  /** Most connections at once. */
  poolMax: number;
  /** The server stops a statement after this long; 0 = never (loads, migrations). */
  statementTimeoutMs: number;
  applicationName: string;
  /** Longest wait for a free connection before `unavailable`. */
  acquireTimeoutMs: number;
  log: Log;
  /** Further settings of every session, by name. */
  settings?: Readonly<Record<string, string>>;
}

/** One connection of its own, kept open: for locks that last as long as this process does. */
export interface PinnedSession extends Transaction {
  /** Settles when the connection is gone, for whatever reason. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** Distinct texts that get a prepared name; later ones run unprepared, so that connections do not fill with names. */
const PREPARED_TEXTS_MAX = 256;
/** A server under load may take so long to open a connection, however short the wait for a free one is. */
const CONNECT_TIMEOUT_MS = 5_000;
/** A server that says nothing for so long after a statement's time is up is taken for gone. */
const SILENCE_MS = 5_000;

/**
 * Opens no connection yet: the first statement does.
 * Statements reject with ApiError `unavailable` or `query_timeout`, or with the driver's error for a fault of ours.
 */
export async function connectDatabase(options: ConnectOptions): Promise<Database> {
  const pool = buildPool({
    client: clientConfig(options),
    max: options.poolMax,
    acquireTimeoutMs: options.acquireTimeoutMs,
    silenceMs: options.statementTimeoutMs > 0 ? options.statementTimeoutMs + SILENCE_MS : 0,
    onLost: (error) => options.log.info({ err: error }, 'an idle database connection was lost'),
  });
  const nameOf = buildStatementNames();

  const withLoan = async <T>(work: (loan: Loan) => Promise<T>): Promise<T> => {
    let loan: Loan;
    try {
      const lent = pool.acquire();
      loan = lent instanceof Promise ? await lent : lent;
    } catch (error) {
      throw translateFailure(error);
    }
    try {
      return await work(loan);
    } finally {
      pool.release(loan);
    }
  };

  return {
    query: <Row>(statement: Statement, queryOptions?: QueryOptions) =>
      withLoan((loan) => runStatement(loan, nameOf, 'values', statement, queryOptions)) as Promise<Row[]>,
    queryBytes: (statement, queryOptions) =>
      withLoan((loan) => runStatement(loan, nameOf, 'bytes', statement, queryOptions)) as Promise<(Buffer | null)[][]>,
    copyIn: (statement, chunks) => withLoan((loan) => buildSession(loan, nameOf).copyIn(statement, chunks)),
    session: (work) =>
      withLoan((loan) => {
        loan.dirty = true;
        return work(buildSession(loan, nameOf));
      }),
    transaction: (work, transactionOptions) =>
      withLoan((loan) => runTransaction(buildSession(loan, nameOf), work, transactionOptions)),
    close: () => pool.close(),
  };
}

/** Rejects as the statements of a `Database` do. */
export async function openSession(options: Omit<ConnectOptions, 'poolMax' | 'log'>): Promise<PinnedSession> {
  const client = new RawClient(clientConfig(options));
  const ended = new Promise<void>((resolve) => {
    client.once('end', () => resolve());
    client.on('error', () => resolve());
  });
  await client.connect().catch((error: unknown) => {
    throw translateFailure(error);
  });
  const loan: Loan = { client, dirty: false, statementSinceMs: 0, idleSinceMs: 0 };
  return { ...buildSession(loan, () => ''), ended, close: () => client.end() };
}

export interface Session extends Transaction {
  /** The tag of the command that ended, such as `COMMIT`. */
  runCommand(text: string): Promise<string>;
  /** The connection's state is unknown: it is thrown away instead of used again. */
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

type StatementNames = (text: string) => string;

function runStatement(
  loan: Loan,
  nameOf: StatementNames,
  as: RowReading,
  { text, values }: Statement,
  options: QueryOptions = {},
): Promise<unknown[]> {
  const name = options.prepare === false ? '' : nameOf(text);
  const { signal } = options;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const giveUp = (): void => cutOff(loan);
    signal?.addEventListener('abort', giveUp, { once: true });
    const query = new RawQuery(loan.client, { text, values, name, as });
    query.callback = (error, rows) => {
      loan.statementSinceMs = 0;
      signal?.removeEventListener('abort', giveUp);
      if (error === null) resolve(rows);
      else reject(signal?.aborted ? signal.reason : noteFailure(loan, error));
    };
    loan.statementSinceMs = systemClock.monotonicMs();
    loan.client.query(query);
  });
}

/** What to throw instead of `error`; a connection that cannot be used again is marked. */
function noteFailure(loan: Loan, error: unknown): unknown {
  // The driver learns of the end a moment after the error: without this the next caller would be given the corpse.
  if (isConnectionFailure(error) || isOutdatedPlan(error)) loan.dirty = true;
  return translateFailure(error);
}

function buildSession(loan: Loan, nameOf: StatementNames): Session {
  const { client } = loan;
  const fail = (error: unknown): never => {
    throw noteFailure(loan, error);
  };
  return {
    query: <Row>(statement: Statement, options?: QueryOptions) =>
      runStatement(loan, nameOf, 'values', statement, options) as Promise<Row[]>,
    queryBytes: (statement, options) =>
      runStatement(loan, nameOf, 'bytes', statement, options) as Promise<(Buffer | null)[][]>,
    copyIn: async (statement, chunks) => {
      if (statement.values.length > 0) throw new Error('a copy statement takes no values');
      const target = client.query(copyFrom(statement.text));
      await pipeline(Readable.from(chunks), target).catch(fail);
      return target.rowCount;
    },
    runScript: async (text) => {
      await client.query(text).catch(fail);
    },
    runCommand: async (text) => (await client.query(text).catch(fail)).command,
    markDirty: () => {
      loan.dirty = true;
    },
  };
}

/** Empty once there are too many. */
function buildStatementNames(): StatementNames {
  const names = new Map<string, string>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined) return known;
    if (names.size >= PREPARED_TEXTS_MAX) return '';
    const name = `s${names.size + 1}`;
    names.set(text, name);
    return name;
  };
}

function clientConfig(options: Omit<ConnectOptions, 'poolMax' | 'log'>): pg.ClientConfig {
  return {
    connectionString: options.url,
    connectionTimeoutMillis: Math.max(options.acquireTimeoutMs, CONNECT_TIMEOUT_MS),
    application_name: options.applicationName,
    options: sessionSettings(options),
    keepAlive: true,
  };
}

/** Settings every session starts with; sent in the startup message, so they cost no round trip. */
function sessionSettings(options: Pick<ConnectOptions, 'statementTimeoutMs' | 'settings'>): string {
  const settings = {
    statement_timeout: options.statementTimeoutMs,
    timezone: 'UTC',
    datestyle: 'ISO',
    intervalstyle: 'iso_8601',
    extra_float_digits: 1,
    standard_conforming_strings: 'on',
    client_encoding: 'UTF8',
    ...options.settings,
  };
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${String(value).replace(/[\\\s]/g, '\\$&')}`)
    .join(' ');
}
