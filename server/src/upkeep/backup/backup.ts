/**
 * Writes a backup of a database that keeps running. Everything in it comes from one snapshot, which its sessions share;
 * no publish, call or load waits for it, only migrations do (docs/design/backup.md). On several nodes it comes from one
 * snapshot of each, all taken between two publishes (docs/design/standbys-and-nodes.md). It does not know where a
 * backup goes.
 */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Clock } from '../../base/clock.ts';
import { OperatorError } from '../../base/errors.ts';
import { listSpreadTables } from '../../database/distributed/distribution.ts';
import { takeSnapshots } from '../../database/distributed/nodes.ts';
import type { Database, Queryable, Transaction } from '../../database/driver/db.ts';
import { identifier, instantText, joinSql, sql } from '../../database/driver/sql.ts';
import { LOCK_SPACE, MIGRATION_LOCK } from '../../database/schema/locks.ts';
import { type Migration, versionOf } from '../../database/schema/migrate.ts';
import { readSettled } from '../../store/publish/announce.ts';
import { clockEdge } from '../../store/publish/feed-clock.ts';
import { listPublishedRegisters } from '../../store/publish/publishes.ts';
import {
  BACKUP_FORM,
  type BackupHead,
  type BackupManifest,
  encodeJson,
  HEAD,
  MANIFEST,
  PART_BYTES,
  partName,
  type TableCount,
  type TableHead,
} from '../archive/form.ts';
import type { BackupSink } from '../archive/write.ts';
import { listBackupTables } from './backup-tables.ts';

export interface BackupOptions {
  /** Without a statement timeout; three connections or more. */
  readonly db: Database;
  readonly sink: BackupSink;
  /** All migrations that this program knows. */
  readonly migrations: readonly Migration[];
  readonly horizonSeconds: number;
  readonly version: string;
  readonly clock: Clock;
  readonly onProgress?: (at: BackupProgress) => void;
}

export interface BackupProgress {
  readonly table: string;
  /** Bytes of all tables so far, before compression. */
  readonly bytes: number;
}

export interface BackupReport {
  readonly head: BackupHead;
  readonly manifest: BackupManifest;
  /** Bytes as stored, without head and manifest. */
  readonly stored_bytes: number;
  readonly seconds: number;
}

/** Parts that are compressed at a time, each by one of Node's own threads. */
const COMPRESSED_AT_ONCE = 3;
/** Text of registers shrinks to a sixth at the first level, and to little less at many times its cost. */
const LEVEL = 1;
const compress = promisify(gzip);

/** Throws OperatorError, and then removes what was written. */
export async function writeBackup(options: BackupOptions): Promise<BackupReport> {
  const { db, sink, clock } = options;
  const startedMs = clock.monotonicMs();
  try {
    const spread = await listSpreadTables(db);
    return await db.transaction(
      async (tx) => {
        const begin = (): Promise<Begun> => beginReading(tx, options, spread);
        const { head, snapshot } = spread.size > 0 ? await readSettled(db, begin) : await begin();
        await sink.put({ name: HEAD, bytes: encodeJson(head) });
        const { counts, storedBytes } = await copyTables(options, head.tables, { tx, snapshot });
        const manifest = { tables: counts };
        await sink.put({ name: MANIFEST, bytes: encodeJson(manifest) });
        await sink.seal();
        const seconds = (clock.monotonicMs() - startedMs) / 1000;
        return { head, manifest, stored_bytes: storedBytes, seconds };
      },
      { isolation: 'repeatable read', readOnly: true },
    );
  } catch (error) {
    await sink.abandon();
    throw error;
  }
}

interface Begun {
  readonly head: BackupHead;
  /** The name by which other sessions share it. */
  readonly snapshot: string;
}

/** From here on the transaction reads what is committed now, on every node. */
async function beginReading(tx: Transaction, options: BackupOptions, spread: ReadonlySet<string>): Promise<Begun> {
  await holdSchema(tx);
  const described = await describe(tx, options);
  const tables = described.tables.map(
    (table): TableHead => (spread.has(table.name) ? { ...table, format: 'text' } : table),
  );
  const [snapshot] = await tx.query<{ name: string }>(sql`select pg_export_snapshot() as name`);
  if (spread.size > 0) await takeSnapshots(tx);
  return { head: { ...described, tables }, snapshot: snapshot!.name };
}

/** Keeps migrations away until the transaction ends. Servers hold the same lock in the same way. */
async function holdSchema(tx: Transaction): Promise<void> {
  await tx.query(sql`select set_config('idle_in_transaction_session_timeout', '0', true)`);
  const [taken] = await tx.query<{ held: boolean }>(
    sql`select pg_try_advisory_xact_lock_shared(${LOCK_SPACE}::int, ${MIGRATION_LOCK}::int) as held`,
  );
  if (!taken!.held) throw new OperatorError('a migration is changing the schema; back up when it has ended');
}

async function describe(tx: Transaction, options: BackupOptions): Promise<BackupHead> {
  const applied = await tx.query<{ number: number; name: string }>(
    sql`select number, name from migration order by number`,
  );
  if (await isHalfMigrated(tx)) {
    throw new OperatorError('a migration has begun and not ended: run tmds migrate, then back up');
  }
  const known = versionOf(options.migrations);
  const unknown = applied.find(({ number }) => number > known);
  if (unknown !== undefined) {
    throw new OperatorError(`this tmds does not know the migration ${unknown.name}, nor its tables; run a newer tmds`);
  }
  // The first one is a baseline, which makes the tables of the migrations that it takes over from.
  const migrations = options.migrations.filter(({ number }, at) => at === 0 || number <= versionOf(applied));
  const [state] = await tx.query<{ taken_at: string; last_stamp: string; horizon: string }>(sql`
    select ${instantText(sql`clock_timestamp()`)} as taken_at, ${instantText(sql`last_stamp`)} as last_stamp,
      ${instantText(sql`edge.horizon`)} as horizon
    from publish_clock, (${clockEdge(options.horizonSeconds)}) as edge`);
  if (state === undefined) throw new OperatorError('the table publish_clock has no row; run: tmds verify');
  return {
    form: BACKUP_FORM,
    made_by: options.version,
    ...state,
    migrations: applied.map(({ name }) => name),
    registers: await listPublishedRegisters(tx),
    tables: await listBackupTables(tx as Queryable, migrations),
  };
}

/** Between the steps of a migration, the tables are those of no version. */
async function isHalfMigrated(tx: Transaction): Promise<boolean> {
  const [books] = await tx.query<{ found: boolean }>(sql`select to_regclass('migration_step') is not null as found`);
  return books!.found && (await tx.query(sql`select from migration_step limit 1`)).length > 0;
}

/** A transaction that has snapshots of all nodes, and the name of this node's snapshot. */
interface Reading {
  readonly tx: Transaction;
  readonly snapshot: string;
}

/**
 * Each table is read in a separate transaction on the shared snapshot, so that a finished table is free again: the call
 * log drops its days in the meantime. Only tables on several nodes are read by the transaction that has their
 * snapshots.
 */
async function copyTables(
  { db, sink, onProgress }: BackupOptions,
  tables: readonly TableHead[],
  reading: Reading,
): Promise<{ counts: TableCount[]; storedBytes: number }> {
  const counts: TableCount[] = [];
  let bytes = 0;
  let storedBytes = 0;
  for (const table of tables) {
    let parts = 0;
    const bytesBefore = bytes;
    const put = async (compressed: Buffer): Promise<void> => {
      parts += 1;
      storedBytes += compressed.length;
      await sink.put({ name: partName(table.name, parts), bytes: compressed });
    };
    const rows = await copyTable(db, table, reading, async (chunks) => {
      const pending: Promise<Buffer>[] = [];
      for await (const part of cutParts(chunks)) {
        bytes += part.length;
        onProgress?.({ table: table.name, bytes });
        const compressed = compress(part, { level: LEVEL });
        // Awaited in its turn, which does not come if another one fails.
        compressed.catch(() => undefined);
        pending.push(compressed);
        if (pending.length === COMPRESSED_AT_ONCE) await put(await pending.shift()!);
      }
      for (const compressed of pending) await put(await compressed);
    });
    counts.push({ name: table.name, rows, bytes: bytes - bytesBefore, parts });
  }
  return { counts, storedBytes };
}

async function copyTable(
  db: Database,
  { name, columns, format }: TableHead,
  { tx: everywhere, snapshot }: Reading,
  take: (chunks: AsyncIterable<Buffer>) => Promise<void>,
): Promise<number> {
  const listed = joinSql(columns.map(identifier), ', ');
  // In this form Citus passes on the rows of one shard after the other, without gathering them.
  if (format === 'text') return await everywhere.copyOut(sql`copy ${identifier(name)} (${listed}) to stdout`, take);
  return await db.transaction(
    async (tx) => {
      // PostgreSQL takes no parameter here; the name is its own.
      if (!/^[\dA-F-]+$/.test(snapshot)) throw new Error(`not the name of a snapshot: ${snapshot}`);
      await tx.runScript(`set transaction snapshot '${snapshot}'`);
      return await tx.copyOut(sql`copy (select ${listed} from ${identifier(name)}) to stdout (format binary)`, take);
    },
    { isolation: 'repeatable read', readOnly: true },
  );
}

/** At least one part, unless it is a text without rows. */
async function* cutParts(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    held.push(chunk);
    bytes += chunk.length;
    if (bytes < PART_BYTES) continue;
    yield Buffer.concat(held, bytes);
    held = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(held, bytes);
}
