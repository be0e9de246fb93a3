/**
 * Brings the schema up to date with the numbered files of `server/migrations`, one process at a time (`apply.ts`), and
 * says whether a program works with the schema it finds. It does not know what the files contain.
 * Invariant: a migration is recorded if and only if it took effect, and none is skipped.
 */
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Clock, systemClock } from '../../base/clock.ts';
import { OperatorError } from '../../base/errors.ts';
import { NoAnswer } from '../../base/no-answer.ts';
import { distributeTables } from '../distributed/distribution.ts';
import type { Database, Queryable } from '../driver/db.ts';
import { sql } from '../driver/sql.ts';
import { applySteps, keepBooks } from './apply.ts';
import { planMigration } from './steps.ts';
import { IS_RESTORE_UNFINISHED, restoreUnfinished } from './unfinished-restore.ts';

/** The same place seen from the source and from the built files. */
export const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../../migrations/', import.meta.url));

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
 * Applies the missing migrations and resolves to their names; harmless when repeated or run in parallel. Use a database
 * connected without a statement time limit. Throws OperatorError when the schema is newer than this version or made by
 * other migrations, when a migration fails, or when the database is not available. `place` names the database to the
 * operator (`describePlace`). `note` is called with each step of a migration that has several.
 */
export async function migrate(
  database: Database,
  migrations?: readonly Migration[],
  place = 'the database',
  clock: Clock = systemClock,
  note: (line: string) => void = () => undefined,
): Promise<string[]> {
  const wanted = migrations ?? (await readMigrations());
  const applied: string[] = [];
  try {
    const { version, known, works } = await readSchemaState(database, place, wanted);
    if (version > known && !works) throw new OperatorError(describeNewer(version, known));
    if (version <= known) await keepBooks(database, clock);
    // In a database that is still empty, no step takes long enough to be reported.
    const noteStep = version === 0 ? () => undefined : note;
    for (const { number, name, text } of wanted.slice(version)) {
      const plan = planMigration({ number, name, text });
      if (await applySteps({ database, number, name, plan, clock, note: noteStep })) applied.push(name);
    }
    if (await distributeTables(database)) note('the tables of records are distributed over the nodes');
  } catch (error) {
    if (error instanceof NoAnswer) {
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
 * Throws OperatorError if other migrations made the database: an earlier build with separate migrations that were later
 * folded into one, and with different tables.
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
    `${place} was filled by an earlier build of tmds, which this one cannot read: load the register files again into ` +
      'an empty data folder (TMDS_DATA_DIR) or database (DATABASE_URL)',
  );
}

/** Whether programs that know `known` migrations work with all later ones. */
async function worksWith(database: Queryable, known: number): Promise<boolean> {
  // As JSON, because the table of an old database lacks the column.
  const breaking = await database.query(sql`
    select from migration later
    where number > ${known} and coalesce((to_jsonb(later) ->> 'works_since')::int, number) > ${known} limit 1`);
  return breaking.length === 0;
}

export interface SchemaState {
  /** 0 = never migrated. */
  readonly version: number;
  /** The version this program was made for. */
  readonly known: number;
  /** Whether this program works with it: the same version, or a newer one that permits it. */
  readonly works: boolean;
}

/** Throws OperatorError, which names the database as `place`, when other migrations made it. */
export async function readSchemaState(
  database: Queryable,
  place = 'the database',
  migrations?: readonly Migration[],
): Promise<SchemaState> {
  const wanted = migrations ?? (await readMigrations());
  await refuseOtherMigrations(database, wanted, place);
  const version = (await findSchemaVersion(database)) ?? 0;
  const known = wanted.length;
  return { version, known, works: version === known || (version > known && (await worksWith(database, known))) };
}

/** Throws OperatorError unless this version works with the schema. */
export async function checkSchema(
  database: Queryable,
  place?: string,
  migrations?: readonly Migration[],
): Promise<void> {
  const { version, known, works } = await readSchemaState(database, place, migrations);
  if (works) return;
  const older = `the database has schema version ${version}, this tmds needs ${known}; run: tmds migrate`;
  throw new OperatorError(version > known ? describeNewer(version, known) : older);
}

function describeNewer(version: number, known: number): string {
  return `the database has schema version ${version}, this version of tmds knows ${known}; run a newer tmds`;
}
