/**
 * Makes a database what it was when a backup was taken. Everything happens in one transaction: the old content is
 * dropped, the schema of the backup is created, its rows are copied and counted. If it is killed at any step, nothing
 * has changed. A mark that is set before and removed with the last step keeps servers off a restore that did not end
 * (docs/design/backup.md). Invariant: no stamp that is given afterwards was given before.
 */

import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Instant } from '@tmds/contract/record';
import { OperatorError } from '../../base/errors.ts';
import { causeOf } from '../../base/no-answer.ts';
import { changeInTurn, distributeNewTables } from '../../database/distributed/distribution.ts';
import type { Database, Queryable, Transaction } from '../../database/driver/db.ts';
import { isContentRefused, isLockRefused } from '../../database/driver/failures.ts';
import { identifier, instantText, joinSql, sql } from '../../database/driver/sql.ts';
import { makeSchema } from '../../database/schema/apply.ts';
import { type Migration, migrate } from '../../database/schema/migrate.ts';
import { planMigration } from '../../database/schema/steps.ts';
import { markRestore, unmarkRestore } from '../../database/schema/unfinished-restore.ts';
import { announcePublish } from '../../store/publish/announce.ts';
import { listPublishedRegisters } from '../../store/publish/publishes.ts';
import {
  type BackupHead,
  type BackupManifest,
  damaged,
  decodeHead,
  decodeManifest,
  HEAD,
  MANIFEST,
  MEMBER_BYTES_MAX,
  type Member,
  type TableCount,
  type TableHead,
  tableOfPart,
} from '../archive/form.ts';
import type { Members } from '../archive/read.ts';
import { listMade } from './backup-tables.ts';
import { findReplaced, type RenewedClock, type Replaced, renewClock } from './restore-clock.ts';
import { holdRestore } from './restore-hold.ts';
import { type DroppedIndex, dropIndexes, makeIndexes } from './restore-indexes.ts';

export type RestoreStep = 'marked' | 'cleared' | 'copied' | 'counted' | 'committed';

export interface RestoreOptions {
  /** Without a statement timeout; two connections or more. */
  readonly db: Database;
  readonly members: Members;
  /** All migrations that this program knows. */
  readonly migrations: readonly Migration[];
  /** Whether the present content of the database may be dropped. */
  readonly replace: boolean;
  /** Nothing will be stamped at or before this instant. Null: the clock is right, and replicas are not ahead of it. */
  readonly after: Instant | null;
  readonly onProgress?: (at: { readonly table: string; readonly bytes: number }) => void;
  /** Called after each step; tests kill there. */
  readonly onStep?: (step: RestoreStep) => Promise<void>;
}

export interface RestoreReport {
  readonly head: BackupHead;
  readonly manifest: BackupManifest;
  /** The database that was replaced, by which its search indexes are known; null if there was none. */
  readonly replaced_id: string | null;
  /** Names of the migrations that followed. */
  readonly migrated: readonly string[];
  /** The next publish is stamped after this. */
  readonly last_stamp: Instant;
}

/** How long servers and loads may take to release what is replaced. */
const LOCK_TIMEOUT_MS = 30_000;
const CLOCK_TOLERANCE_SECONDS = 2;

const decompress = promisify(gunzip);

/**
 * Throws OperatorError, with the database unchanged, if the backup is not complete or was altered, if the database
 * holds something that may not be dropped, or if its clock is behind the backup.
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreReport> {
  const { db, members, migrations, onStep: step = async () => {} } = options;
  const head = await readHead(members);
  const wanted = chooseMigrations(head, migrations);
  return await holdRestore(db, async (session) => {
    if (!options.replace) await refuseOccupied(session);
    await checkTime(session, head, options.after);
    await markRestore(session);
    await step('marked');
    let restored: Restored;
    try {
      restored = await db.transaction((tx) => replaceAll(tx, head, wanted, options));
    } catch (error) {
      // Nothing has happened, so the database is unchanged. A killed restore leaves the mark.
      await unmarkRestore(session);
      throw isLockRefused(error) ? inUse(error) : error;
    }
    await step('committed');
    if (restored.is_spread) await awaitNodes(db);
    const migrated = await migrate(db, migrations);
    await session.query(sql`analyze`, { prepare: false });
    const { manifest, replaced_id, last_stamp } = restored;
    return { head, manifest, replaced_id, migrated, last_stamp };
  });
}

interface Restored extends RenewedClock {
  readonly manifest: BackupManifest;
}

/** Like a publish, a restore counts once all nodes have committed it; until then readers find only parts. */
async function awaitNodes(db: Database): Promise<void> {
  try {
    await announcePublish(db);
  } catch (error) {
    const reason = 'the backup is restored, but a node has not committed its part yet';
    throw new OperatorError(`${reason}: bring it back, then run: tmds migrate`, { cause: error });
  }
}

async function readHead(members: Members): Promise<BackupHead> {
  const first = await members.next();
  if (first.done || first.value.name !== HEAD) throw new OperatorError('this is not a backup of tmds');
  return decodeHead(first.value.bytes);
}

/**
 * The migrations that make the schema of the backup. Throws OperatorError unless the backup names the first of those
 * that this program knows, or the ones that the first takes over from.
 */
function chooseMigrations(head: BackupHead, migrations: readonly Migration[]): readonly Migration[] {
  const [baseline] = migrations;
  const { takesOverFrom } = planMigration(baseline!);
  const newest = head.migrations.at(-1);
  if (newest !== undefined && newest === takesOverFrom) return [baseline!];
  const unknown = head.migrations.find((name, index) => migrations[index]?.name !== name);
  if (unknown === undefined && newest !== undefined) return migrations.slice(0, head.migrations.length);
  if (Number.parseInt(newest ?? '', 10) < baseline!.number) {
    throw new OperatorError(
      `the backup is of a build before the first release, with the migration ${newest}: restore it with the last such ` +
        `build, whose newest migration is ${takesOverFrom}, and run tmds migrate of this tmds on that database`,
    );
  }
  throw new OperatorError(
    `the backup was taken by tmds ${head.made_by} with the migration ${unknown}, which this tmds does not know; ` +
      'run that version or a newer one',
  );
}

/** Throws OperatorError if the database holds anything that an operator or a load brought. */
async function refuseOccupied(session: Queryable): Promise<void> {
  const [tables] = await session.query<{ names: string[] }>(sql`
    select coalesce(array_agg(name), '{}') as names from unnest(${['record', 'load', 'customer']}::text[]) as name
    where to_regclass(name) is not null`);
  for (const name of tables!.names) {
    const [row] = await session.query<{ one: number }>(sql`select 1 as one from ${identifier(name)} limit 1`);
    if (row === undefined) continue;
    throw new OperatorError(
      `the database is not empty: it has rows in the table ${name}; restore into an empty one, or add --replace to ` +
        'have everything in it replaced',
    );
  }
}

/**
 * Replicas may have read stamps up to the moment of the failure. The clock has passed all of them, unless it is wrong.
 */
async function checkTime(session: Queryable, { taken_at }: BackupHead, after: Instant | null): Promise<void> {
  if (after !== null) return;
  const [clock] = await session.query<{ reading: string; behind: boolean }>(sql`
    select ${instantText(sql`clock_timestamp()`)} as reading,
      clock_timestamp() < ${taken_at}::timestamptz - make_interval(secs => ${CLOCK_TOLERANCE_SECONDS}::float8)
        as behind`);
  if (!clock!.behind) return;
  throw new OperatorError(
    `the clock of the database reads ${clock!.reading}, but the backup was taken at ${taken_at}: correct the clock; if ` +
      'it is right, say with --after which instant no replica has read beyond',
  );
}

async function replaceAll(
  tx: Transaction,
  head: BackupHead,
  migrations: readonly Migration[],
  options: RestoreOptions,
): Promise<Restored> {
  const { onStep: step = async () => {} } = options;
  await changeInTurn(tx);
  await tx.query(sql`select set_config('lock_timeout', ${String(LOCK_TIMEOUT_MS)}, true),
    set_config('idle_in_transaction_session_timeout', '0', true)`);
  let replaced: Replaced | null = null;
  await makeSchema(tx, migrations, async () => {
    replaced = await findReplaced(tx);
    await dropMade(tx, options.migrations);
  });
  await distributeNewTables(tx);
  await step('cleared');
  const { counts, manifest } = await fill(tx, head, options).catch((error: unknown) => {
    throw isContentRefused(error) ? notTaken(error) : error;
  });
  await step('copied');
  compareCounts(head, manifest, counts, await listPublishedRegisters(tx));
  await step('counted');
  await unmarkRestore(tx);
  return { manifest, ...(await renewClock(tx, replaced, options.after)) };
}

/** Drops everything that a migration or a load of this program may have made in the schema, and nothing else. */
async function dropMade(tx: Transaction, migrations: readonly Migration[]): Promise<void> {
  const made = ['migration', 'migration_step', ...listMade(migrations, 'table')];
  const tables = await tx.query<{ name: string }>(sql`
    select relname::text as name from pg_class
    where relnamespace = (select oid from pg_namespace where nspname = current_schema())
      and relkind in ('r', 'p') and not relispartition
      and (relname = any(${made}::text[]) or relname ~ '^stage_[0-9a-f]{32}(_[a-z]+)?$')`);
  for (const { name } of tables) await tx.query(sql`drop table ${identifier(name)} cascade`, UNPREPARED);
  for (const name of listMade(migrations, 'view')) {
    await tx.query(sql`drop view if exists ${identifier(name)}`, UNPREPARED);
  }
  for (const name of listMade(migrations, 'function')) {
    await tx.query(sql`drop function if exists ${identifier(name)}`, UNPREPARED);
  }
}

/** The tables in the order of the head, each from its parts. Ends when the whole backup has been checked. */
async function fill(
  tx: Transaction,
  head: BackupHead,
  { members, onProgress }: RestoreOptions,
): Promise<{ counts: TableCount[]; manifest: BackupManifest }> {
  for (const table of head.tables) for (const partition of table.partitions) await makePartition(tx, table, partition);
  // Migrations fill some, such as the publish clock. All tables that reference them are still empty.
  await tx.query(
    sql`truncate ${joinSql(
      head.tables.map(({ name }) => identifier(name)),
      ', ',
    )} cascade`,
    UNPREPARED,
  );
  const counts: TableCount[] = [];
  let bytes = 0;
  let next = await members.next();
  for (const table of head.tables) {
    const before = { bytes, parts: 0 };
    const dropped: DroppedIndex[] = await dropIndexes(tx, table.name);
    const readParts = async function* (): AsyncGenerator<Buffer> {
      for (; !next.done && tableOfPart(next.value.name) === table.name; next = await members.next()) {
        const part = await unpack(next.value);
        before.parts += 1;
        bytes += part.length;
        onProgress?.({ table: table.name, bytes });
        yield part;
      }
    };
    const rows = await copyTable(tx, table, readParts());
    await makeIndexes(tx, dropped);
    counts.push({ name: table.name, rows, bytes: bytes - before.bytes, parts: before.parts });
  }
  if (next.done || next.value.name !== MANIFEST) throw damaged(next.done ? MANIFEST : next.value.name);
  const manifest = decodeManifest(next.value.bytes);
  const last = await members.next();
  if (!last.done) throw damaged(last.value.name);
  return { counts, manifest };
}

async function copyTable(
  tx: Transaction,
  { name, columns, format }: TableHead,
  parts: AsyncIterable<Buffer>,
): Promise<number> {
  const listed = joinSql(columns.map(identifier), ', ');
  const copy = sql`copy ${identifier(name)} (${listed}) from stdin (format ${identifier(format ?? 'binary')})`;
  let failure: unknown;
  const watched = async function* (): AsyncGenerator<Buffer> {
    try {
      yield* parts;
    } catch (error) {
      failure = error;
      throw error;
    }
  };
  try {
    return await tx.copyIn(copy, watched());
  } catch (error) {
    if (failure !== undefined) throw failure;
    throw error;
  }
}

async function makePartition(
  tx: Transaction,
  { name: parent }: TableHead,
  { name, from, to }: TableHead['partitions'][number],
): Promise<void> {
  // Bounds take no parameters; the head was checked to hold instants.
  const bounds = [from, to].map((instant) => `'${instant}'`);
  await tx.runScript(`create table if not exists ${identifier(name).text} partition of ${identifier(parent).text}
    for values from (${bounds[0]}) to (${bounds[1]})`);
}

async function unpack({ name, bytes }: Member): Promise<Buffer> {
  try {
    return await decompress(bytes, { maxOutputLength: MEMBER_BYTES_MAX });
  } catch {
    throw damaged(name);
  }
}

function compareCounts(
  head: BackupHead,
  manifest: BackupManifest,
  counts: readonly TableCount[],
  registers: BackupHead['registers'],
): void {
  for (const { name, rows, parts } of counts) {
    const stated = manifest.tables.find((table) => table.name === name);
    if (stated?.rows === rows && stated.parts === parts) continue;
    throw new OperatorError(`the backup is damaged: ${rows} rows of ${name} came, ${stated?.rows ?? 0} were written`);
  }
  for (const { jurisdiction_code: code, record_count, digest } of head.registers) {
    const found = registers.find((register) => register.jurisdiction_code === code);
    if (found?.record_count === record_count && found.digest === digest) continue;
    throw new OperatorError(`the backup is damaged: the register ${code} has another count or digest than was written`);
  }
}

/** The seal of a stream comes last, so rows and names that were altered reach the database before it does. */
function notTaken(cause: unknown): OperatorError {
  const { message } = causeOf(cause) as Error;
  return new OperatorError(`the backup is damaged: the database refuses its content: ${message}; use another backup`, {
    cause,
  });
}

function inUse(cause: unknown): OperatorError {
  return new OperatorError(
    'the database is in use: a load or another session holds its tables; end it, then restore again',
    { cause },
  );
}

const UNPREPARED = { prepare: false };
