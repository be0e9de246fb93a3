/** Loads the available SQLite driver, and decides which of its errors are temporary. */
import { ReplicaError } from './sink.ts';

export type SqliteValue = null | number | bigint | string | Uint8Array;

/** The part of `node:sqlite` used here; for older Node.js, `@photostructure/sqlite` has the same. */
export interface SqliteDatabase {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
}

export interface SqliteStatement {
  run(...values: SqliteValue[]): { changes: number | bigint };
  all(...values: SqliteValue[]): unknown[];
  iterate(...values: SqliteValue[]): Iterable<unknown>;
}

export interface SqliteOpenOptions {
  readOnly?: boolean;
}

/** Opens a path or a `file:` URL. */
export type OpenDatabase = (path: string, options?: SqliteOpenOptions) => SqliteDatabase;

const DRIVERS = ['node:sqlite', '@photostructure/sqlite'] as const;
const MISSING = new Set(['ERR_UNKNOWN_BUILTIN_MODULE', 'ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']);
/** Primary result codes of a damaged file: corrupt, not a database. */
const DAMAGED: ReadonlySet<number> = new Set([11, 26]);
/** Temporary primary result codes: busy, locked, out of memory, I/O, full, cannot open, locking protocol. */
const PASSING: ReadonlySet<number> = new Set([5, 6, 7, 10, 13, 14, 15]);

/** @throws ReplicaError when there is neither `node:sqlite` (Node.js 22.13) nor the package `@photostructure/sqlite` */
export async function loadSqlite(): Promise<OpenDatabase> {
  for (const driver of DRIVERS) {
    try {
      const { DatabaseSync } = (await import(driver)) as {
        DatabaseSync: new (path: string, options: SqliteOpenOptions) => SqliteDatabase;
      };
      return (path, options = {}) => new DatabaseSync(path, options);
    } catch (error) {
      if (!MISSING.has(String((error as { code?: unknown }).code))) throw error;
    }
  }
  throw new ReplicaError(
    `SQLite needs a driver: run "npm install ${DRIVERS[1]}", or use Node.js 22.13 or newer, which has its own`,
  );
}

/**
 * Opens a SQLite file with the available driver.
 *
 * @throws ReplicaError when there is no driver
 */
export async function openSqlite(path: string, options: SqliteOpenOptions = {}): Promise<SqliteDatabase> {
  return (await loadSqlite())(path, options);
}

/** Busy or locked: another connection uses the file. */
export function isLocked(error: unknown): boolean {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  return typeof code === 'number' && ((code & 0xff) === 5 || (code & 0xff) === 6);
}

/** Turns an error of SQLite into a ReplicaError; leaves any other error unchanged. */
export function explainSqlite(label: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ReplicaError) return error;
  const { code: name, errcode } = error as { code?: unknown; errcode?: unknown };
  // Some drivers leave the number out when rows are read.
  if (typeof errcode !== 'number' && name !== 'ERR_SQLITE_ERROR') return error;
  const code = typeof errcode === 'number' ? errcode & 0xff : /malformed|not a database/.test(error.message) ? 11 : 1;
  if (DAMAGED.has(code)) return buildDamagedError(label, error.message, error);
  return new ReplicaError(`${label}: ${error.message}`, { cause: error, retryable: PASSING.has(code) });
}

/**
 * Reads the whole file, because nothing else notices damage in a page that no save touches.
 *
 * @throws ReplicaError when the file is damaged
 */
export function checkWhole(db: SqliteDatabase, label: string): void {
  const [row] = db.prepare('pragma quick_check(1)').all() as { quick_check: string }[];
  if (row?.quick_check !== 'ok') throw buildDamagedError(label, 'its pages do not fit together');
}

function buildDamagedError(label: string, what: string, cause?: unknown): ReplicaError {
  const remedy = 'check the disk, move the file away and run tmds-replica sync, which makes the replica again';
  return new ReplicaError(`${label} is damaged, or no replica (${what}): ${remedy}`, { cause });
}
