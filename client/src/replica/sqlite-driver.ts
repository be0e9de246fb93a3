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

/** Turns an error of SQLite into a ReplicaError; leaves any other error as it is. */
export function explainSqlite(label: string, error: unknown): unknown {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  if (!(error instanceof Error) || typeof code !== 'number') return error;
  return new ReplicaError(`${label}: ${error.message}`, { cause: error, retryable: PASSING.has(code & 0xff) });
}
