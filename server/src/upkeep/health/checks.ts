/**
 * Checks that a database can carry this service: sessions, version, encoding, rights. Each failure is one sentence that
 * says what to change. Whatever can be tried is tried, not inferred from a name.
 */

import type { Clock } from '../../base/clock.ts';
import { OperatorError } from '../../base/errors.ts';
import { NoAnswer } from '../../base/no-answer.ts';
import type { Observation } from '../../base/observation.ts';
import { describeAddress } from '../../database/driver/address.ts';
import { openSession, type PinnedSession, type Queryable } from '../../database/driver/db.ts';
import { checkOwnSessions, checkSettingsHold } from '../../database/driver/session-check.ts';
import { sql } from '../../database/driver/sql.ts';
import { explainTls, explainUnreachable } from '../../database/driver/unreachable.ts';

const SERVER_VERSION_MIN = 15;

/** As long as work waits for a connection, since this is the first thing that a command does. */
const CONNECT_TIMEOUT_MS = 30_000;
const CHECK_TIMEOUT_MS = 30_000;

/**
 * Throws OperatorError with the first reason why this database cannot be used. `migrates`: the process may have to
 * create tables; default true.
 */
export async function checkConnection(url: string, { migrates = true } = {}): Promise<void> {
  const choice = { url, statementTimeoutMs: CHECK_TIMEOUT_MS, applicationName: 'tmds check' };
  const sessions: PinnedSession[] = [];
  const open = async (): Promise<PinnedSession> => {
    const session = await openSession({ ...choice, acquireTimeoutMs: CONNECT_TIMEOUT_MS });
    sessions.push(session);
    return session;
  };
  try {
    const [one, other] = [await open(), await open()];
    let problem = await checkOwnSessions(one, other);
    problem ??= await checkSettingsHold(one, choice);
    for (const check of migrates ? [...CHECKS, checkRights] : CHECKS) problem ??= await check(one);
    if (problem !== null) throw new OperatorError(`the database of DATABASE_URL cannot be used: ${problem}`);
  } catch (error) {
    throw error instanceof NoAnswer || explainTls(error) !== null ? explainConnection(url, error) : error;
  } finally {
    await Promise.all(sessions.map((session) => session.close().catch(() => undefined)));
  }
}

/** Names the database to the operator, without secrets. */
export function describePlace({ dataDir, databaseUrl }: { dataDir: string; databaseUrl: string | null }): string {
  return databaseUrl === null ? `the data folder ${dataDir}` : `the database ${describeAddress(databaseUrl)}`;
}

/** One sentence with the reason given by the network or the database, and what to do. */
function explainConnection(url: string, error: unknown): OperatorError {
  const { seen, remedy } = explainUnreachable(error, 'DATABASE_URL');
  const place = describeAddress(url);
  return new OperatorError(
    `cannot reach the database at ${place}: ${seen}; ${remedy ?? 'start it, or correct DATABASE_URL'}`,
    { cause: error },
  );
}

/** Null if passed; else what is wrong and how to fix it. Later checks rely on earlier ones. */
type Check = (session: Queryable) => Promise<string | null>;

const checkVersion: Check = async (session) => {
  const [server] = await session.query<{ number: number; shown: string }>(
    sql`select current_setting('server_version_num')::int as number, current_setting('server_version') as shown`,
  );
  if (server !== undefined && server.number >= SERVER_VERSION_MIN * 10_000) return null;
  return `it is PostgreSQL ${server?.shown}; use ${SERVER_VERSION_MIN} or newer`;
};

const checkEncoding: Check = async (session) => {
  const [found] = await session.query<{ encoding: string }>(sql`select current_setting('server_encoding') as encoding`);
  if (found?.encoding === 'UTF8') return null;
  return `its encoding is ${found?.encoding}; create one with: create database … encoding 'UTF8' template template0`;
};

const checkWritable: Check = async (session) => {
  const [found] = await session.query<{ standby: boolean; readonly: boolean }>(
    sql`select pg_is_in_recovery() as standby, current_setting('default_transaction_read_only')::bool as readonly`,
  );
  if (found?.standby)
    return 'it is a standby; point DATABASE_URL at the primary and list standbys in DATABASE_REPLICA_URLS';
  if (found?.readonly) return 'it is read-only; set default_transaction_read_only to off';
  return null;
};

const checkRights: Check = async (session) => {
  const [found] = await session.query<{ role: string; schema: string | null; path: string; allowed: boolean }>(sql`
    select quote_ident(current_user) as role, quote_ident(current_schema()) as schema,
      current_setting('search_path') as path,
      coalesce(has_schema_privilege(current_schema(), 'create'), false) as allowed`);
  if (found?.allowed) return null;
  const { role, schema, path } = found!;
  if (schema === null) {
    const remedy = `create schema authorization ${role}; alter role ${role} set search_path = ${role}`;
    return `search_path (${path}) names no schema that role ${role} may use; run: ${remedy}`;
  }
  const remedy = `grant create, usage on schema ${schema} to ${role}`;
  return `role ${role} may not create tables in schema ${schema}; run: ${remedy}`;
};

const CHECKS: readonly Check[] = [checkVersion, checkEncoding, checkWritable];

/** A larger difference confuses anyone who compares stamps with the logs of this machine. */
const CLOCK_DIFFERENCE_MAX_MS = 2_000;

/** Compares the database's clock with this machine's. */
export async function checkClock(db: Queryable, clock: Clock): Promise<Observation> {
  const beforeMs = clock.nowMs();
  const [answer] = await db.query<{ now_ms: number }>(
    sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms`,
  );
  const differenceMs = Math.round((answer?.now_ms ?? 0) - (beforeMs + clock.nowMs()) / 2);
  const remedy =
    Math.abs(differenceMs) > CLOCK_DIFFERENCE_MAX_MS ? 'synchronize the clocks of both machines (NTP)' : null;
  const direction = differenceMs < 0 ? 'behind' : 'ahead of';
  return { seen: `the database is ${Math.abs(differenceMs)} ms ${direction} this machine`, remedy };
}

/** Without these, a look-up or a page of the change feed reads a whole table. */
const NEEDED_INDEXES = ['record_pkey', 'record_change', 'record_register_change', 'payload_pkey'] as const;

/** Checks that every index that answers rely on exists and is valid. */
export async function checkIndexes(db: Queryable): Promise<Observation> {
  const missing = await db.query<{ name: string }>(sql`
    select wanted.name from unnest(${NEEDED_INDEXES}::text[]) as wanted (name)
    where not exists (select from pg_index where indexrelid = to_regclass(wanted.name) and indisvalid and indisready)
    order by wanted.name`);
  if (missing.length === 0) return { seen: 'every required index exists', remedy: null };
  const seen = `missing or not valid: ${missing.map(({ name }) => name).join(', ')}`;
  return {
    seen,
    remedy: 'run tmds migrate, which builds indexes that a load took away; while a load runs, wait for it',
  };
}
