/** How a connection is opened, and the settings every session begins with. It runs nothing. */
import type pg from 'pg';

export interface SessionChoice {
  readonly url: string | (() => string);
  readonly applicationName: string;
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs?: number;
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * A server that is gone, or cut off, closes no connection either. The system notices ten unanswered probes, a second
 * apart, after this long without a byte; its default is two hours, for which a load would wait.
 */
const KEEP_ALIVE_MS = 5_000;

export function clientConfig({ url, applicationName }: SessionChoice): pg.ClientConfig {
  return {
    connectionString: typeof url === 'string' ? url : url(),
    application_name: applicationName,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  };
}

/**
 * A machine that is gone, or cut off, closes no connection. PostgreSQL then ends its sessions, with their locks and
 * open transactions, after some ten seconds instead of two hours.
 */
const VANISHED_CLIENT = {
  tcp_keepalives_idle: '5',
  tcp_keepalives_interval: '2',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '10000',
};

/** What a role or a database sets for others would end idle connections and long loads, or fail what runs at once. */
export function listSessionSettings(options: SessionChoice): Record<string, string> {
  return {
    statement_timeout: String(options.statementTimeoutMs),
    lock_timeout: String(options.lockTimeoutMs ?? 0),
    timezone: 'UTC',
    datestyle: 'ISO',
    intervalstyle: 'iso_8601',
    extra_float_digits: '1',
    standard_conforming_strings: 'on',
    array_nulls: 'on',
    client_encoding: 'UTF8',
    default_transaction_isolation: 'read committed',
    idle_session_timeout: '0',
    idle_in_transaction_session_timeout: '0',
    ...VANISHED_CLIENT,
    ...options.settings,
  };
}

/** PostgreSQL has it from version 17. */
const NO_TRANSACTION_TIMEOUT =
  "case when current_setting('transaction_timeout', true) is not null then set_config('transaction_timeout', '0', false) end";

/**
 * The SQL that every session begins with. Settings are not in the startup message because poolers refuse them there,
 * and because `options` in an address would replace them.
 */
export function sessionSettings(options: SessionChoice): string {
  const quoted = (value: string): string => `'${value.replaceAll("'", "''")}'`;
  const calls = Object.entries(listSessionSettings(options)).map(
    ([name, value]) => `set_config(${quoted(name)}, ${quoted(value)}, false)`,
  );
  // By itself, so that the rest has as long as statements of this session have.
  const limit = `set statement_timeout = ${options.statementTimeoutMs}`;
  return `${limit}; select ${[...calls, NO_TRANSACTION_TIMEOUT].join(', ')}`;
}

/**
 * Settings of the sessions that answer requests. They leave the planner a single plan for each statement, so that one
 * plan serves all values, and none depends on statistics.
 */
export const READING_SESSION_SETTINGS = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_sort: 'off',
  enable_incremental_sort: 'off',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
} as const;
