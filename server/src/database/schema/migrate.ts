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
import { applySteps, keepBooks, takeOver } from './apply.ts';
import { planMigration } from './steps.ts';
import { IS_RESTORE_UNFINISHED, restoreUnfinished } from './unfinished-restore.ts';

/** The same place seen from the source and from the built files. */
export const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../../migrations/', import.meta.url));

export interface Migration {
  readonly number: number;
  /** `0026_baseline.sql` */
  readonly name: string;
  readonly text: string;
}

/** In order. Throws an Error unless they are numbered without a gap. */
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
    if (migration.number !== migrations[0]!.number + position)
      throw new Error(`migration ${migration.name} is out of sequence`);
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
    if (version === 0) await keepBooks(database, clock);
    // In a database that is still empty, no step takes long enough to be reported.
    const noteStep = version === 0 ? () => undefined : note;
    for (const migration of wanted.filter(({ number }) => number > version)) {
      const { number, name } = migration;
      const application = { database, number, name, plan: planMigration(migration), clock, note: noteStep };
      const isTakenOver = migration === wanted[0] && version > 0;
      if (await (isTakenOver ? takeOver(application) : applySteps(application))) applied.push(name);
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

interface Applied {
  readonly number: number;
  readonly name: string;
  readonly works_since: number | null;
}

/** In order. Throws OperatorError while a restore into the database has not ended. */
async function listApplied(database: Queryable, place: string): Promise<Applied[]> {
  const [table] = await database.query<{ found: boolean; unfinished: boolean }>(
    sql`select to_regclass('migration') is not null as found, ${IS_RESTORE_UNFINISHED} as unfinished`,
  );
  if (table?.unfinished) throw restoreUnfinished(place);
  if (!table?.found) return [];
  // As JSON, because the table of the oldest builds lacks the column.
  return await database.query<Applied>(sql`
    select number, name, (to_jsonb(migration) ->> 'works_since')::int as works_since from migration order by number`);
}

/** Throws OperatorError, with the way out, unless these migrations made the database or take it over. */
function refuseOthers(applied: readonly Applied[], wanted: readonly Migration[], place: string): void {
  const newest = applied.at(-1);
  const [first] = wanted;
  if (newest === undefined || first === undefined) return;
  if (newest.number < first.number) {
    const { takesOverFrom } = planMigration(first);
    if (newest.name === takesOverFrom) return;
    throw new OperatorError(
      `${place} has schema version ${newest.number} of a build before the first release: run tmds migrate of the last ` +
        `such build, whose newest migration is ${takesOverFrom}, then this tmds; or load the register files again into ` +
        'an empty data folder (TMDS_DATA_DIR) or database (DATABASE_URL)',
    );
  }
  const names = new Map(wanted.map(({ number, name }) => [number, name]));
  const other = applied.find(({ number, name }) => (names.get(number) ?? name) !== name || number < first.number);
  if (other === undefined) return;
  throw new OperatorError(
    `${place} was made by another tmds, with the migration ${other.name}, which this one does not know: run that one, or ` +
      'load the register files again into an empty data folder (TMDS_DATA_DIR) or database (DATABASE_URL)',
  );
}

/** The schema version that programs have which know these migrations. */
export function versionOf(migrations: readonly { readonly number: number }[]): number {
  return migrations.at(-1)?.number ?? 0;
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
  const applied = await listApplied(database, place);
  refuseOthers(applied, wanted, place);
  const [version, known] = [versionOf(applied), versionOf(wanted)];
  const breaks = applied.some(({ number, works_since }) => number > known && (works_since ?? number) > known);
  return { version, known, works: version >= known && !breaks };
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
