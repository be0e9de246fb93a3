/**
 * Connections to PostgreSQL: a bounded pool, statements, transactions, COPY. Everything else in the service sees only
 * the interfaces of this file; the driver behind them can change. It knows no table.
 * Invariant: a connection goes back to the pool only when it is known to be idle and outside a transaction.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Log } from '../base/log.ts';
import { isConnectionFailure, isOutdatedPlan, translateFailure } from './failures.ts';
import type { Statement } from './sql.ts';
import { RawClient, RawQuery, type RowReading } from './wire.ts';

export interface QueryOptions {
  /**
   * Default true: the text is prepared once per connection, and PostgreSQL may settle on one plan for all values.
   * False where the right plan depends on the values (searches): parsed and planned anew each time.
   */
  prepare?: boolean;
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
const IDLE_CONNECTION_MS = 30_000;
/** A server that says nothing for so long after a statement's time is up is taken for gone. */
const SILENCE_MS = 5_000;

/**
 * Opens no connection yet: the first statement does.
 * Statements reject with ApiError `unavailable` or `query_timeout`, or with the driver's error for a fault of ours.
 */
export async function connectDatabase(options: ConnectOptions): Promise<Database> {
  const pool = new pg.Pool({
    ...clientConfig(options),
    Client: RawClient,
    max: options.poolMax,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
  } as pg.PoolConfig);
  pool.on('error', (error) => options.log.warn({ err: error }, 'an idle database connection was lost'));
  const nameOf = buildStatementNames();

  const withSession = async <T>(work: (session: Session) => Promise<T>): Promise<T> => {
    const client = await pool.connect().catch((error: unknown) => {
      throw translateFailure(error);
    });
    const session = buildSession(client, nameOf);
    // A connection lost between two statements says so by an event; the next statement then fails.
    client.on('error', session.markDirty);
    try {
      return await work(session);
    } finally {
      client.off('error', session.markDirty);
      client.release(session.isDirty());
    }
  };

  return {
    query: (statement, queryOptions) => withSession((session) => session.query(statement, queryOptions)),
    queryBytes: (statement, queryOptions) => withSession((session) => session.queryBytes(statement, queryOptions)),
    copyIn: (statement, chunks) => withSession((session) => session.copyIn(statement, chunks)),
    session: (work) =>
      withSession((session) => {
        session.markDirty();
        return work(session);
      }),
    transaction: (work, transactionOptions) =>
      withSession((session) => runTransaction(session, work, transactionOptions)),
    close: () => pool.end(),
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
  return { ...buildSession(client, () => undefined), ended, close: () => client.end() };
}

export interface Session extends Transaction {
  /** The tag of the command that ended, such as `COMMIT`. */
  runCommand(text: string): Promise<string>;
  /** True once the connection's state is unknown: it is then thrown away. */
  isDirty(): boolean;
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

function buildSession(client: pg.ClientBase, nameOf: (text: string) => string | undefined): Session {
  let dirty = false;
  const fail = (error: unknown): never => {
    // The driver learns of the end a moment after the error: without this the next caller would be given the corpse.
    if (isConnectionFailure(error) || isOutdatedPlan(error)) dirty = true;
    throw translateFailure(error);
  };
  const runStatement = (
    statement: Statement,
    options: QueryOptions | undefined,
    as: RowReading,
  ): Promise<unknown[]> => {
    const name = (options?.prepare === false ? undefined : nameOf(statement.text)) ?? '';
    const { text, values } = statement;
    return new Promise<unknown[]>((resolve, reject) => {
      const query = new RawQuery(client as RawClient, { text, values, name, as });
      query.callback = (error, rows) => (error === null ? resolve(rows) : reject(error));
      client.query(query);
    }).catch(fail);
  };
  return {
    query: <Row>(statement: Statement, options?: QueryOptions) =>
      runStatement(statement, options, 'values') as Promise<Row[]>,
    queryBytes: (statement, options) => runStatement(statement, options, 'bytes') as Promise<(Buffer | null)[][]>,
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
    isDirty: () => dirty,
    markDirty: () => {
      dirty = true;
    },
  };
}

function buildStatementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined || names.size >= PREPARED_TEXTS_MAX) return known;
    const name = `s${names.size + 1}`;
    names.set(text, name);
    return name;
  };
}

function clientConfig(options: Omit<ConnectOptions, 'poolMax' | 'log'>): pg.ClientConfig {
  return {
    connectionString: options.url,
    connectionTimeoutMillis: options.acquireTimeoutMs,
    application_name: options.applicationName,
    options: sessionSettings(options),
    keepAlive: true,
    // The server stops a statement in time; this is for a server that is no longer there to do so.
    ...(options.statementTimeoutMs > 0 ? { query_timeout: options.statementTimeoutMs + SILENCE_MS } : {}),
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
