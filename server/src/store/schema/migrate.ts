/**
 * Brings the schema up to date with the numbered files of `server/migrations`. Each runs in a transaction of its own,
 * under an advisory lock, so that several processes may migrate at once. It does not know what the files contain.
 * Invariant: a migration is recorded if and only if it took effect, and none is skipped.
 */
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Clock, systemClock } from '../../base/clock.ts';
import { ApiError, OperatorError } from '../../base/errors.ts';
import type { Database, Queryable, Transaction } from '../driver/db.ts';
import { errorCode, isLockRefused, isOutdatedPlan } from '../driver/failures.ts';
import { sql } from '../driver/sql.ts';
import { IS_RESTORE_UNFINISHED, restoreUnfinished } from './unfinished-restore.ts';

/** The same place seen from the source and from the built files. */
export const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../../migrations/', import.meta.url));

/** Locks are pairs: this service, then what is locked. */
export const LOCK_SPACE = 0x746d6473;
const MIGRATION_LOCK = 1;
/** Held shared by servers, exclusively by migrations (`schema-hold.ts`). */
export const SCHEMA_LOCK = 4;

export interface Migration {
  readonly number: number;
  /** `0001_records.sql` */
  readonly name: string;
  readonly text: string;
}

/** In order. Throws an Error unless they are numbered from 1 without a gap. */
export async function readMigrations(folder: string = MIGRATIONS_FOLDER): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).sort();
  const migrations = await Promise.all(
    names.map(async (name) => ({
      number: Number(name.slice(0, 4)),
      name,
      text: await readFile(`${folder}/${name}`, 'utf8'),
    })),
  );
  migrations.forEach((migration, position) => {
    if (migration.number !== position + 1) throw new Error(`migration ${migration.name} is out of sequence`);
  });
  return migrations;
}

/**
 * Applies what is missing and resolves to the names of what it applied; harmless when repeated or run in parallel.
 * Use a database connected without a statement time limit. Throws OperatorError when the schema is newer than this
 * version or made by other migrations, when a migration fails, or when the database is not available. `place` names the
 * database to the operator (`describePlace`).
 */
export async function migrate(
  database: Database,
  migrations?: readonly Migration[],
  place = 'the database',
  clock: Clock = systemClock,
): Promise<string[]> {
  const wanted = migrations ?? (await readMigrations());
  const applied: string[] = [];
  try {
    await refuseOtherMigrations(database, wanted, place);
    const version = await findSchemaVersion(database);
    refuseNewerSchema(version ?? 0, wanted.length);
    for (const migration of wanted.slice(version ?? 0)) {
      if (await applyPatiently(database, migration, wanted.length, clock)) applied.push(migration.name);
    }
  } catch (error) {
    if (error instanceof ApiError) {
      throw new OperatorError('the database is not available; start it, then migrate again', { cause: error });
    }
    throw error;
  }
  return applied;
}

/**
 * The number of the newest applied migration; null when the database has never been migrated. Throws OperatorError
 * while a restore into it has not ended.
 */
async function findSchemaVersion(database: Queryable, place = 'the database'): Promise<number | null> {
  const [table] = await database.query<{ found: boolean; unfinished: boolean }>(
    sql`select to_regclass('migration') is not null as found, ${IS_RESTORE_UNFINISHED} as unfinished`,
  );
  if (table?.unfinished) throw restoreUnfinished(place);
  if (!table?.found) return null;
  const [newest] = await database.query<{ number: number | null }>(sql`select max(number) as number from migration`);
  return newest?.number ?? null;
}

/**
 * Throws OperatorError if other migrations made the database: a build from before they were folded into one, whose
 * tables differ.
 */
async function refuseOtherMigrations(database: Queryable, wanted: readonly Migration[], place: string): Promise<void> {
  if ((await findSchemaVersion(database, place)) === null) return;
  const others = await database.query(sql`
    select from migration
    join unnest(${wanted.map(({ number }) => number)}::int4[], ${wanted.map(({ name }) => name)}::text[])
      as wanted (number, name) using (number)
    where migration.name <> wanted.name limit 1`);
  if (others.length === 0) return;
  throw new OperatorError(
    `${place} was filled by an earlier build of tmds, which this one cannot read: load the register files anew into an ` +
      'empty data folder (TMDS_DATA_DIR) or database (DATABASE_URL)',
  );
}

/** Throws OperatorError when the database was migrated by a newer version of this service. */
function refuseNewerSchema(version: number, known: number): void {
  if (version <= known) return;
  throw new OperatorError(
    `the database has schema version ${version}, this version of tmds knows ${known}; run a newer tmds`,
  );
}

export interface SchemaState {
  /** 0 = never migrated. */
  readonly version: number;
  /** The version this program works with. */
  readonly known: number;
}

/** Throws OperatorError, which names the database as `place`, when other migrations made it. */
export async function readSchemaState(
  database: Queryable,
  place = 'the database',
  migrations?: readonly Migration[],
): Promise<SchemaState> {
  const wanted = migrations ?? (await readMigrations());
  await refuseOtherMigrations(database, wanted, place);
  return { version: (await findSchemaVersion(database)) ?? 0, known: wanted.length };
}

/** Throws OperatorError unless the schema is exactly the one this version works with. */
export async function checkSchema(
  database: Queryable,
  place?: string,
  migrations?: readonly Migration[],
): Promise<void> {
  const { version, known } = await readSchemaState(database, place, migrations);
  refuseNewerSchema(version, known);
  if (version < known) {
    throw new OperatorError(`the database has schema version ${version}, this tmds needs ${known}; run: tmds migrate`);
  }
}

/** While a migration waits for a lock, everything behind it waits too, so it gives up quickly and tries again. */
const LOCK_TIMEOUT_MS = 800;
const RETRY_MS = 200;
const ATTEMPTS_MAX = 120;

async function applyPatiently(database: Database, migration: Migration, known: number, clock: Clock): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await applyMigration(database, migration, known);
    } catch (error) {
      if (!isLockRefused(error)) throw error;
      if (attempt === ATTEMPTS_MAX) {
        const reason = 'a server or another session holds a lock on what it changes';
        const remedy = 'stop the servers, end other sessions of the database, then migrate again';
        throw new OperatorError(`migration ${migration.name} cannot proceed: ${reason}; ${remedy}`, { cause: error });
      }
      await clock.sleep(RETRY_MS);
    }
  }
}

const MIGRATION_TABLE = `create table if not exists migration (
  number int primary key,
  name text not null,
  applied_at timestamptz not null default clock_timestamp()
)`;

async function applyMigration(database: Database, migration: Migration, known: number): Promise<boolean> {
  return await database.transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(${LOCK_SPACE}::int, ${MIGRATION_LOCK}::int)`);
    await tx.runScript(MIGRATION_TABLE);
    const version = (await findSchemaVersion(tx)) ?? 0;
    refuseNewerSchema(version, known);
    if (version >= migration.number) return false;
    await tx.query(sql`select set_config('lock_timeout', ${String(LOCK_TIMEOUT_MS)}, true)`);
    await tx.query(sql`select pg_advisory_xact_lock(${LOCK_SPACE}::int, ${SCHEMA_LOCK}::int)`);
    await runMigration(tx, migration);
    return true;
  });
}

/** Runs one, and records it, in the caller's transaction. */
async function runMigration(tx: Transaction, migration: Migration): Promise<void> {
  try {
    await tx.runScript(migration.text);
  } catch (error) {
    if (error instanceof ApiError && !isFaultOfScript(error.cause)) throw error;
    const cause = error instanceof ApiError ? error.cause : error;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new OperatorError(`migration ${migration.name} failed: ${reason}`, { cause: error });
  }
  await tx.query(sql`insert into migration (number, name) values (${migration.number}, ${migration.name})`);
}

/**
 * Makes the schema of these migrations in a schema without any of their tables, in the caller's transaction, and keeps
 * servers and other migrations away until that ends. `clear` runs in between, when they are away.
 */
export async function makeSchema(
  tx: Transaction,
  migrations: readonly Migration[],
  clear: () => Promise<void>,
): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(${LOCK_SPACE}::int, ${MIGRATION_LOCK}::int)`);
  await tx.query(sql`select pg_advisory_xact_lock(${LOCK_SPACE}::int, ${SCHEMA_LOCK}::int)`);
  await clear();
  await tx.runScript(MIGRATION_TABLE);
  for (const migration of migrations) await runMigration(tx, migration);
}

/** A missing table or column is `unavailable` to a call, but a fault of the script in a migration. */
function isFaultOfScript(error: unknown): boolean {
  return /^(42|55000)/.test(errorCode(error) ?? '') || isOutdatedPlan(error);
}
