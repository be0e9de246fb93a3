/** Loads the package `pg` when it is needed, and decides which of its errors are temporary. */
import { ReplicaError } from './sink.ts';

/** The part of the `pg` package used here. */
export interface PostgresClient {
  connect(): Promise<unknown>;
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[]; rowCount: number | null }>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  end(): Promise<void>;
}

export interface PostgresDriver {
  Client: new (options: {
    connectionString: string;
    application_name: string;
    connectionTimeoutMillis: number;
    query_timeout: number;
    keepAlive: boolean;
  }) => PostgresClient;
}

const DRIVER = 'pg';
const MISSING = new Set(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']);
const CONNECT_TIMEOUT_MS = 10_000;
const LOCK_TIMEOUT_MS = 30_000;
/** Saving a page of payloads or indexing a large replica takes minutes, not hours. */
const STATEMENT_TIMEOUT_MS = 1_800_000;
/** Later than the database's own timeout: when it has not answered by then, the connection is dead. */
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 60_000;

/**
 * SQLSTATE classes that may be temporary: connection, transaction rollback (deadlock), resources, operator intervention
 * (shutdown, startup, cancellation) and system errors; also lock not available and read-only standby.
 */
const PASSING = /^(08|40|53|57|58)|^(55P03|25006)$/;
/** Messages of the driver, which have no code, for errors that last. */
const LASTING = /^SASL|password must be a string|does not support SSL/;

export async function loadPostgres(): Promise<PostgresDriver> {
  try {
    const loaded = (await import(DRIVER)) as PostgresDriver & { default?: PostgresDriver };
    return loaded.default ?? loaded;
  } catch (error) {
    if (!MISSING.has(String((error as { code?: unknown }).code))) throw error;
    throw new ReplicaError(`PostgreSQL needs a driver: run "npm install ${DRIVER}"`);
  }
}

export async function connectPostgres({ Client }: PostgresDriver, url: string): Promise<PostgresClient> {
  const client = new Client({
    connectionString: url,
    application_name: 'tmds-replica',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    keepAlive: true,
  });
  // Without a listener a connection lost while idle would end the process; the next statement reports it.
  client.on('error', () => undefined);
  await client.connect();
  await client.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}; set statement_timeout = ${STATEMENT_TIMEOUT_MS}`);
  return client;
}

/** Turns an error of the database or the connection into a ReplicaError; leaves any other error unchanged. */
export function explainPostgres(label: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ReplicaError || error instanceof TypeError) return error;
  const code = String((error as { code?: unknown }).code ?? '');
  const isState = /^[0-9A-Z]{5}$/.test(code) && (error as { severity?: unknown }).severity !== undefined;
  const retryable = isState ? PASSING.test(code) : !LASTING.test(error.message);
  return new ReplicaError(`${label}: ${error.message === '' ? code : error.message}`, { cause: error, retryable });
}
