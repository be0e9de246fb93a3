/**
 * A replica in a SQLite file: table `trademarks`, a column for each field, lists as JSON. Records and position are
 * saved in one transaction. With write-ahead logging and synchronous=normal, a power failure can undo the last pages
 * together with their position, but never leaves half a page. Other programs may read the file at any time. A file that
 * is not a replica is inspected without changing it.
 */
import { access, constants, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TrademarkDetail } from '@tmds/contract/record';
import { NUMBERS_TABLE, STATE_TABLE, TABLE } from './columns.ts';
import { sizeOf } from './files.ts';
import {
  buildForeignError,
  buildMovedError,
  checkScope,
  FORM,
  type Repair,
  ReplicaError,
  type ReplicaScope,
  type ReplicaSink,
  type ReplicaSnapshot,
  readState,
  type StateRow,
  type StoredReplica,
} from './sink.ts';
import { compareDerived, deriveAgain, deriveMissing, mendDerived } from './sqlite-derived.ts';
import {
  checkWhole,
  explainSqlite,
  isLocked,
  loadSqlite,
  type SqliteDatabase,
  type SqliteStatement,
} from './sqlite-driver.ts';
import { makeMissingNumbers, makeNumbers, openNumbers } from './sqlite-numbers.ts';
import { findPayloads, listRows, writeValues } from './sqlite-rows.ts';
import { CREATE, INDEX, UPSERT } from './sqlite-tables.ts';
import { type ReplicaPosition, START } from './states.ts';

/** Columns of the state that older replicas lack. */
const LATER_COLUMNS = ['lineage', 'verification'] as const;
const PAGE_CACHE_KIB = 16_384;
/**
 * Pages in the write-ahead log, 64 MB, before they are moved into the file. Changes are spread over the whole index, so
 * a large log moves a page once that many saves have changed.
 */
const CHECKPOINT_PAGES = 16_000;
/** Waiting blocks the process, even for signals, so longer waits happen between attempts. */
const BUSY_TIMEOUT_MS = 2_000;

/** @throws ReplicaError when no SQLite driver is available */
export async function openSqliteSink(path: string): Promise<ReplicaSink> {
  const connect = await loadSqlite();
  if (path === ':memory:') throw new ReplicaError('a replica needs a file; in memory, it would be lost');
  const label = `sqlite:${path}`;
  let writer: SqliteDatabase | null = null;
  let upsert: SqliteStatement | null = null;
  let scope: ReplicaScope | null = null;
  let isWhole = false;

  async function guarded<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw explainSqlite(label, error);
    }
  }

  /** Runs `work` on a separate connection; null when there is no replica to read. */
  async function reading<Result>(work: (db: SqliteDatabase) => Promise<Result>): Promise<Result | null> {
    return await guarded(async () => {
      if ((await look()) === null) return null;
      const db = connect(path);
      try {
        db.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}; pragma query_only = on; begin`);
        return await work(db);
      } finally {
        db.close();
      }
    });
  }

  /** Reads the state without changing the file or creating another; null when it is missing or empty. */
  async function look(): Promise<StoredReplica | null> {
    if (((await sizeOf(path)) ?? 0) === 0) return null;
    // Without a log, the file alone is the database, and opening it as immutable creates no log.
    const alone = (await sizeOf(`${path}-wal`)) === null;
    const db = connect(alone ? `${pathToFileURL(path).href}?immutable=1` : path, { readOnly: true });
    try {
      const tables = listTables(db);
      if (tables.length === 0) return null;
      if (!tables.includes(STATE_TABLE)) throw buildForeignError(label, `holds other tables (${tables[0]}, …)`);
      const stored = findState(db, label);
      if (stored === null) throw buildForeignError(label, `holds a table ${STATE_TABLE} without a position`);
      if (!isWhole) checkWhole(db, label);
      isWhole = true;
      return stored;
    } finally {
      db.close();
    }
  }

  /** Opens the writing connection and creates missing tables. */
  function openWriter(asked: ReplicaScope): SqliteDatabase {
    if (writer !== null) return writer;
    writer = connect(path);
    writer.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
    writer.exec(`pragma journal_mode = wal; pragma synchronous = normal; pragma cache_size = -${PAGE_CACHE_KIB};
      pragma wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    const db = writer;
    inTransaction(db, () => {
      db.exec(CREATE);
      const known = listStateColumns(db);
      for (const name of LATER_COLUMNS) {
        if (!known.includes(name)) db.exec(`alter table ${STATE_TABLE} add column ${name} text`);
      }
      mendDerived(db);
      if (findState(db, label) !== null) return;
      db.prepare(`insert into ${STATE_TABLE} (singleton, form, since, jurisdiction_code, expand, search, delivered)
        values (1, ?, ?, ?, ?, ?, 0)`).run(FORM, asked.since, asked.jurisdiction_code, asked.expand, asked.search);
    });
    return db;
  }

  function closeWriter(): void {
    upsert = null;
    writer?.close();
    writer = null;
  }

  /** Runs a change. After a failure, closes the connection and removes a file that it created. */
  async function writing<Result>(work: (db: SqliteDatabase) => Result): Promise<Result> {
    return await guarded(async () => {
      if (scope === null) throw new ReplicaError(`${label} is not open`);
      const fresh = ((await sizeOf(path)) ?? 0) === 0;
      try {
        const db = openWriter(scope);
        return inTransaction(db, () => work(db));
      } catch (error) {
        closeWriter();
        if (fresh && !isUsedByOthers(error)) {
          await Promise.all(['', '-wal', '-shm'].map((end) => rm(`${path}${end}`, { force: true })));
        }
        throw error;
      }
    });
  }

  function insert(db: SqliteDatabase, item: TrademarkDetail): void {
    upsert ??= db.prepare(UPSERT);
    upsert.run(...writeValues(item));
  }

  return {
    label,
    find: () => guarded(look),
    async open(asked) {
      scope = asked;
      return await guarded(async () => {
        await checkFolder(label, path);
        const stored = await look();
        if (stored !== null) checkScope(label, stored.scope, asked);
        return stored?.position ?? START;
      });
    },
    async save(items, from, to) {
      await writing((db) => {
        move(db, label, from, to);
        const numbers = openNumbers(db);
        for (const item of items) {
          insert(db, item);
          numbers?.put(item);
        }
      });
    },
    async index() {
      await writing((db) => {
        db.exec(INDEX);
        deriveMissing(db);
      });
      await makeMissingNumbers(writing);
    },
    async derive(tables) {
      scope ??= (await guarded(look))?.scope ?? null;
      await writing((db) => deriveAgain(db, tables));
      if (tables.includes(NUMBERS_TABLE)) await makeNumbers(writing);
    },
    async countRecords() {
      return (await reading(async (db) => count(db))) ?? 0;
    },
    async *listRecords() {
      const db = (await guarded(look)) === null ? null : connect(path);
      try {
        if (db !== null) yield* listRows(db);
      } catch (error) {
        throw explainSqlite(label, error);
      } finally {
        db?.close();
      }
    },
    async read(work) {
      const empty: ReplicaSnapshot = { stored: null, async *listRecords() {}, findPayloads: async () => new Map() };
      const outcome = await reading(async (db) => {
        const stored = findState(db, label);
        return {
          result: await work({
            stored,
            async *listRecords(code) {
              yield* listRows(db, code);
            },
            findPayloads: async (identities) => findPayloads(db, identities),
            compareDerived: async () => compareDerived(db),
          }),
        };
      });
      return outcome === null ? await work(empty) : outcome.result;
    },
    async repair(repairs) {
      scope ??= (await guarded(look))?.scope ?? null;
      return await writing((db) => {
        const applied = repairs.filter((repair) => applyRepair(db, repair, (item) => insert(db, item)));
        const numbers = openNumbers(db);
        for (const { record, jurisdiction_code, uid } of applied) {
          if (record === null) numbers?.remove({ jurisdiction_code, uid });
          else numbers?.put(record);
        }
        return applied.length;
      });
    },
    async noteVerification(outcome) {
      scope ??= (await guarded(look))?.scope ?? null;
      const text = JSON.stringify(outcome);
      await writing((db) => db.prepare(`update ${STATE_TABLE} set verification = ?`).run(text));
    },
    async close() {
      closeWriter();
    },
  };
}

/** True when the error shows that another process uses the file, so that we must not remove it. */
function isUsedByOthers(error: unknown): boolean {
  return error instanceof ReplicaError || isLocked(error);
}

/** A missing or read-only folder is a mistake, so there is no point in waiting. */
async function checkFolder(label: string, path: string): Promise<void> {
  try {
    await access(dirname(path), constants.W_OK);
  } catch (error) {
    throw new ReplicaError(`${label}: no file can be written in ${dirname(path)}`, { cause: error });
  }
}

function inTransaction<Result>(db: SqliteDatabase, work: () => Result): Result {
  db.exec('begin immediate');
  try {
    const result = work();
    db.exec('commit');
    return result;
  } catch (error) {
    try {
      db.exec('rollback');
    } catch {
      // SQLite rolls back automatically on some errors (disk full, out of memory); the first error is the one to
      // report.
    }
    throw error;
  }
}

function listTables(db: SqliteDatabase): string[] {
  const rows = db.prepare(
    `select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\'`,
  );
  return (rows.all() as { name: string }[]).map(({ name }) => name);
}

function listStateColumns(db: SqliteDatabase): string[] {
  const rows = db.prepare('select name from pragma_table_info(?)').all(STATE_TABLE) as { name: string }[];
  return rows.map(({ name }) => name);
}

function findState(db: SqliteDatabase, label: string): StoredReplica | null {
  const known = listStateColumns(db);
  const later = ['search', ...LATER_COLUMNS].map((name) => (known.includes(name) ? name : `null as ${name}`));
  const columns = `form, since, jurisdiction_code, expand, cursor, complete_to, delivered, ${later.join(', ')}`;
  const [row] = db.prepare(`select ${columns} from ${STATE_TABLE}`).all() as StateRow[];
  return row === undefined ? null : readState(label, row);
}

function move(db: SqliteDatabase, label: string, from: ReplicaPosition, to: ReplicaPosition): void {
  const { changes } = db
    .prepare(`update ${STATE_TABLE} set cursor = ?, complete_to = ?, delivered = ?, lineage = coalesce(?, lineage)
      where cursor is ? and delivered = ?`)
    .run(to.cursor, to.complete_to, to.delivered, to.lineage ?? null, from.cursor, from.delivered);
  if (Number(changes) !== 1) throw buildMovedError(label);
}

function count(db: SqliteDatabase): number {
  const [row] = db.prepare(`select count(*) as records from ${TABLE}`).all() as { records: number }[];
  return row?.records ?? 0;
}

function applyRepair(db: SqliteDatabase, repair: Repair, put: (item: TrademarkDetail) => void): boolean {
  const identity = [repair.jurisdiction_code, repair.uid] as const;
  const [held] = db
    .prepare(`select updated_at from ${TABLE} where jurisdiction_code = ? and uid = ?`)
    .all(...identity) as { updated_at: string }[];
  if ((held?.updated_at ?? null) !== repair.seen) return false;
  if (repair.record !== null) put(repair.record);
  else db.prepare(`delete from ${TABLE} where jurisdiction_code = ? and uid = ?`).run(...identity);
  return true;
}
