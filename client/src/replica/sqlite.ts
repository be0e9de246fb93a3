/**
 * A replica in one SQLite file: table `trademarks`, one column a field, lists as JSON text. Rows and position share a
 * transaction; write-ahead logging with synchronous=normal means that a power cut can undo the last pages, never tear
 * one, and the position goes back with them. Other programs may read the file at any time.
 */
import type { TrademarkDetail } from '@tmds/contract/record';
import { COLUMNS, IDENTITY, STATE_TABLE, TABLE } from './columns.ts';
import {
  buildMovedError,
  checkScope,
  FORM,
  ReplicaError,
  type ReplicaSink,
  readState,
  type StateRow,
  type StoredRecord,
  type StoredReplica,
} from './sink.ts';
import { START } from './states.ts';

type SqliteValue = null | number | bigint | string | Uint8Array;

/** The part of `node:sqlite` used here; `@photostructure/sqlite` has the same one for older Node.js. */
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

const DRIVERS = ['node:sqlite', '@photostructure/sqlite'] as const;
const PAGE_CACHE_KIB = 16_384;
/**
 * Pages that wait in the log, 64 MB, before they are moved into the file: the index takes its changes all over, and a
 * page of it that many saves have changed is then moved once.
 */
const CHECKPOINT_PAGES = 16_000;
const BUSY_TIMEOUT_MS = 5_000;

/**
 * Opens a SQLite file with the driver at hand.
 *
 * @throws ReplicaError when there is neither `node:sqlite` (Node.js 22.13) nor the package `@photostructure/sqlite`
 */
export async function openSqlite(path: string): Promise<SqliteDatabase> {
  for (const driver of DRIVERS) {
    let loaded: { DatabaseSync: new (path: string) => SqliteDatabase };
    try {
      loaded = await import(driver);
    } catch (error) {
      if (isMissing(error)) continue;
      throw error;
    }
    return new loaded.DatabaseSync(path);
  }
  throw new ReplicaError(
    `SQLite needs a driver: run "npm install ${DRIVERS[1]}", or use Node.js 22.13 or newer, which has its own`,
  );
}

function isMissing(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return code === 'ERR_UNKNOWN_BUILTIN_MODULE' || code === 'ERR_MODULE_NOT_FOUND';
}

const isList = (kind: string): boolean => kind === 'integers' || kind === 'texts';
const names = [...COLUMNS.map(({ name }) => name), 'payload'];

const CREATE = `
  create table if not exists ${TABLE} (
    ${COLUMNS.map(({ name, nullable }) => `${name} text${nullable ? '' : ' not null'}`).join(',\n    ')},
    payload text,
    primary key (${IDENTITY.join(', ')})
  );
  create table if not exists ${STATE_TABLE} (
    singleton integer primary key check (singleton = 1),
    form integer not null,
    since text not null,
    jurisdiction_code text,
    expand text,
    cursor text,
    complete_to text,
    delivered integer not null
  );`;

const UPSERT = `
  insert into ${TABLE} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})
  on conflict (${IDENTITY.join(', ')}) do update set
    ${names
      .slice(IDENTITY.length)
      .map((name) => `${name} = excluded.${name}`)
      .join(', ')}`;

/** @throws ReplicaError when no SQLite driver is at hand, or the file is not a replica */
export async function openSqliteSink(path: string): Promise<ReplicaSink> {
  const db = await openSqlite(path);
  const label = `sqlite:${path}`;
  let upsert: SqliteStatement | null = null;

  function rollBack(): void {
    try {
      db.exec('rollback');
    } catch {
      // SQLite rolls back by itself on some errors (disk full, out of memory); the first error is the one to report.
    }
  }

  function inTransaction(work: () => void): void {
    db.exec('begin immediate');
    try {
      work();
      db.exec('commit');
    } catch (error) {
      rollBack();
      throw error;
    }
  }

  function findState(): StoredReplica | null {
    const [row] = db
      .prepare(`select form, since, jurisdiction_code, expand, cursor, complete_to, delivered from ${STATE_TABLE}`)
      .all() as StateRow[];
    return row === undefined ? null : readState(label, row);
  }

  return {
    label,
    async find() {
      const tables = db.prepare('select name from sqlite_schema where name = ?').all(STATE_TABLE);
      return tables.length === 0 ? null : findState();
    },
    async open(scope) {
      db.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
      db.exec(`pragma journal_mode = wal; pragma synchronous = normal; pragma cache_size = -${PAGE_CACHE_KIB};
        pragma wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
      let position = START;
      inTransaction(() => {
        db.exec(CREATE);
        const stored = findState();
        if (stored !== null) {
          checkScope(label, stored.scope, scope);
          position = stored.position;
          return;
        }
        db.prepare(`insert into ${STATE_TABLE} (singleton, form, since, jurisdiction_code, expand, delivered)
          values (1, ?, ?, ?, ?, 0)`).run(FORM, scope.since, scope.jurisdiction_code, scope.expand);
      });
      return position;
    },
    async save(items, from, to) {
      upsert ??= db.prepare(UPSERT);
      const insert = upsert;
      inTransaction(() => {
        const { changes } = db
          .prepare(`update ${STATE_TABLE} set cursor = ?, complete_to = ?, delivered = ?
            where cursor is ? and delivered = ?`)
          .run(to.cursor, to.complete_to, to.delivered, from.cursor, from.delivered);
        if (Number(changes) !== 1) throw buildMovedError(label);
        for (const item of items) insert.run(...writeValues(item));
      });
    },
    async countRecords() {
      const [row] = db.prepare(`select count(*) as records from ${TABLE}`).all() as { records: number }[];
      return row?.records ?? 0;
    },
    async *listRecords() {
      const columns = COLUMNS.map(({ name }) => name).join(', ');
      for (const row of db.prepare(`select ${columns} from ${TABLE}`).iterate()) yield readRecord(row);
    },
    async close() {
      db.close();
    },
  };
}

function writeValues(item: TrademarkDetail): SqliteValue[] {
  const values: SqliteValue[] = [];
  for (const { name, kind } of COLUMNS) {
    const value = item[name];
    values.push(isList(kind) && value != null ? JSON.stringify(value) : ((value ?? null) as string | null));
  }
  values.push(item.payload == null ? null : JSON.stringify(item.payload));
  return values;
}

function readRecord(row: unknown): StoredRecord {
  const record = row as Record<string, unknown>;
  for (const { name, kind } of COLUMNS) {
    const value = record[name];
    if (isList(kind) && typeof value === 'string') record[name] = JSON.parse(value);
  }
  return record as unknown as StoredRecord;
}
