/** Backups in tests: into a folder or into memory, and restored into a database of the test. */
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { systemClock } from '../../src/base/clock.ts';
import type { Database, Queryable } from '../../src/database/driver/db.ts';
import { identifier, joinSql, sql } from '../../src/database/driver/sql.ts';
import { type Migration, readMigrations } from '../../src/database/schema/migrate.ts';
import { openBackup, readStream } from '../../src/upkeep/archive/read.ts';
import { type BackupSink, openFolderSink, openStreamSink } from '../../src/upkeep/archive/write.ts';
import { type BackupOptions, type BackupReport, writeBackup } from '../../src/upkeep/backup/backup.ts';
import { listBackupTables } from '../../src/upkeep/backup/backup-tables.ts';
import { type RestoreOptions, type RestoreReport, restoreBackup } from '../../src/upkeep/backup/restore.ts';

export async function backUp(
  db: Database,
  sink: BackupSink,
  options: Partial<BackupOptions> = {},
): Promise<BackupReport> {
  const migrations = await readMigrations();
  return await writeBackup({
    db,
    sink,
    migrations,
    horizonSeconds: 300,
    version: 'test',
    clock: systemClock,
    ...options,
  });
}

/** Resolves to the folder. */
export async function backUpFolder(db: Database, above: string, name = 'backup'): Promise<string> {
  const folder = join(above, name);
  await backUp(db, await openFolderSink(folder));
  return folder;
}

/** Resolves to the bytes of the stream. */
export async function backUpStream(db: Database): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      chunks.push(Buffer.from(chunk));
      done();
    },
  });
  await backUp(db, openStreamSink(output, 0));
  return Buffer.concat(chunks);
}

type Restoring = Partial<Omit<RestoreOptions, 'db' | 'members'>>;

export async function restoreFolder(db: Database, folder: string, options: Restoring = {}): Promise<RestoreReport> {
  return await restoreMembers(db, await openBackup(folder), options);
}

export async function restoreStream(db: Database, bytes: Buffer, options: Restoring = {}): Promise<RestoreReport> {
  return await restoreMembers(db, readStream(Readable.from([bytes])), options);
}

async function restoreMembers(
  db: Database,
  members: RestoreOptions['members'],
  options: Restoring,
): Promise<RestoreReport> {
  const migrations = options.migrations ?? (await readMigrations());
  return await restoreBackup({ db, members, replace: false, after: null, ...options, migrations });
}

/** Every row that a backup keeps, but for the row that a restore renews, as sorted text by table. */
export async function dumpTables(db: Queryable, migrations?: readonly Migration[]): Promise<Record<string, string[]>> {
  const dumped: Record<string, string[]> = {};
  for (const { name, columns } of await listBackupTables(db, migrations ?? (await readMigrations()))) {
    if (name === 'publish_clock') continue;
    const listed = joinSql(columns.map(identifier), ', ');
    const rows = await db.query<{ line: string }>(
      sql`select row(${listed})::text collate "C" as line from ${identifier(name)} order by 1`,
    );
    dumped[name] = rows.map(({ line }) => line);
  }
  return dumped;
}
