/** `tmds backup` and `tmds restore`: a consistent copy of the database, and the way back to it. */
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { isoInstant } from '../base/clock.ts';
import { OperatorError } from '../base/errors.ts';
import { openNotes, writeCount } from '../base/progress.ts';
import { judgeDisk, readDiskSpace } from '../database/embedded/disk-space.ts';
import { migrate, readMigrations, readSchemaState } from '../database/schema/migrate.ts';
import { indexFolder } from '../follow/status.ts';
import { parseInstant } from '../parse/values.ts';
import { noteBackup } from '../store/accounts/customers.ts';
import { openBackup, readStream } from '../upkeep/archive/read.ts';
import { openFolderSink, openStreamSink } from '../upkeep/archive/write.ts';
import { type BackupReport, writeBackup } from '../upkeep/backup/backup.ts';
import { type RestoreReport, restoreBackup } from '../upkeep/backup/restore.ts';
import { abandonRestore } from '../upkeep/backup/restore-hold.ts';
import { describePlace } from '../upkeep/health/checks.ts';
import { findActor } from './arguments.ts';
import type { CommandContext } from './context.ts';

export function registerBackupCommands(program: Command, context: CommandContext): void {
  program
    .command('backup')
    .description('write a consistent copy of the database while the service keeps running; "-" writes a tar archive')
    .argument('[to]', 'a folder that does not exist yet, or "-"; default: backups/<instant> in the data folder')
    .option('--json', 'print the report as JSON; with "-" to standard error', false)
    .addHelpText('after', '\nIt holds digests of passwords and keys: keep it where nobody else can read it.')
    .action((to: string | undefined, flags: { json: boolean }) => runBackup(context, to ?? null, flags.json));
  program
    .command('restore')
    .description('return the database to its state when a backup was taken; all of it or nothing')
    .argument('[from]', 'the folder of a backup, a file with its tar archive, or "-" for standard input')
    .option('--replace', 'replace the contents of the database', false)
    .addOption(
      new Option('--after <instant>', 'give new changes stamps after this instant; default: the time now').argParser(
        parseAfter,
      ),
    )
    .option('--abandon', 'abandon a restore that was killed: the database stays as it was before', false)
    .option('--json', 'print the report as JSON', false)
    .action((from: string | undefined, flags: RestoreFlags) => runRestore(context, from ?? null, flags));
}

function parseAfter(text: string): string {
  try {
    return parseInstant('--after', text);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}

interface RestoreFlags {
  replace: boolean;
  after?: string;
  abandon: boolean;
  json: boolean;
}

const CONNECTIONS = 3;
const MEGABYTE = 1024 ** 2;

async function runBackup(context: CommandContext, to: string | null, asJson: boolean): Promise<void> {
  const isStream = to === '-';
  const report = await context.withDatabase(
    'backup',
    async ({ config, clock, database, connectUnlimited }) => {
      const taken = isoInstant(clock.nowMs()).replace(/[-:]|\.\d+/g, '');
      const folder = resolve(to ?? join(config.dataDir, 'backups', taken));
      const { version } = await readSchemaState(await connectUnlimited(1), describePlace(config));
      if (version === 0) throw new OperatorError(`${describePlace(config)} is empty: there is nothing to back up`);
      if (!isStream) await warnOfDisk(context, folder);
      const report = await writeBackup({
        db: await connectUnlimited(CONNECTIONS),
        sink: isStream ? openStreamSink(process.stdout, clock.nowMs()) : await openFolderSink(folder),
        migrations: await readMigrations(),
        horizonSeconds: config.changeHorizonSeconds,
        version: context.version,
        clock,
        onProgress: noteTables(context),
      });
      await noteBackup(database, findActor(), report.stored_bytes);
      return { to: isStream ? null : folder, report };
    },
    // An outdated schema is backed up unchanged, before it is migrated.
    { migrate: false, create: false },
  );
  const lines = asJson ? [JSON.stringify(summarize(report.report, report.to))] : describe(report.report, report.to);
  // Standard output carries the backup itself.
  for (const line of lines) isStream ? context.note(line) : context.print(line);
}

async function warnOfDisk(context: CommandContext, folder: string): Promise<void> {
  const space = await readDiskSpace(folder);
  const finding = space === null ? null : judgeDisk(folder, space);
  if (finding !== null) context.note(`${finding.seen}; ${finding.remedy}`);
}

function noteTables(context: CommandContext): (at: { table: string; bytes: number }) => void {
  const note = openNotes(context.clock, context.note);
  return ({ table, bytes }) =>
    note((seconds) => {
      const megabytes = bytes / MEGABYTE;
      return `${table}: ${writeCount(megabytes)} MB, ${(megabytes / seconds).toFixed(1)} MB/s`;
    });
}

interface Summary {
  to: string | null;
  taken_at: string;
  last_stamp: string;
  horizon: string;
  registers: BackupReport['head']['registers'];
  rows: number;
  bytes: number;
  stored_bytes: number;
  seconds: number;
}

function summarize({ head, manifest, stored_bytes, seconds }: BackupReport, to: string | null): Summary {
  const { taken_at, last_stamp, horizon, registers } = head;
  return { to, taken_at, last_stamp, horizon, registers, ...countAll(manifest), stored_bytes, seconds };
}

function countAll({ tables }: BackupReport['manifest']): { rows: number; bytes: number } {
  return {
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    bytes: tables.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

function describe(report: BackupReport, to: string | null): string[] {
  const { rows, bytes, seconds, stored_bytes, taken_at } = summarize(report, to);
  const megabytes = (size: number): string => `${(size / MEGABYTE).toFixed(1)} MB`;
  const records = report.head.registers.reduce((sum, { record_count }) => sum + record_count, 0);
  return [
    `backup of ${taken_at}${to === null ? '' : `: ${to}`}`,
    `${writeCount(records)} records, ${writeCount(rows)} rows, ${megabytes(bytes)}, stored ` +
      `${megabytes(stored_bytes)}, ${seconds.toFixed(1)} s`,
  ];
}

async function runRestore(context: CommandContext, from: string | null, flags: RestoreFlags): Promise<void> {
  if (flags.abandon !== (from === null)) {
    throw new OperatorError('name the backup, or give --abandon alone', { exitStatus: 2 });
  }
  if (from === null) return await runAbandon(context);
  // Before the database is opened, because a wrong name is the most common mistake.
  const members = from === '-' ? readStream(process.stdin) : await openBackup(from);
  const report = await context.withDatabase(
    'restore',
    async ({ config, connectUnlimited }) => {
      const restored = await restoreBackup({
        db: await connectUnlimited(CONNECTIONS),
        members,
        migrations: await readMigrations(),
        replace: flags.replace,
        after: flags.after ?? null,
        onProgress: noteTables(context),
      });
      // Nothing uses the local index any more; indexes of other machines are recognized by the same id.
      const { replaced_id: replaced } = restored;
      if (replaced !== null) await rm(join(indexFolder(config.dataDir), replaced), { recursive: true, force: true });
      return restored;
    },
    { migrate: false },
  );
  if (flags.json) context.print(JSON.stringify(summarizeRestore(report)));
  else for (const line of describeRestore(report)) context.print(line);
}

function summarizeRestore({ head, manifest, migrated, last_stamp }: RestoreReport): object {
  return { taken_at: head.taken_at, registers: head.registers, ...countAll(manifest), migrated, last_stamp };
}

function describeRestore({ head, manifest, migrated }: RestoreReport): string[] {
  const { rows } = countAll(manifest);
  const records = head.registers.reduce((sum, { record_count }) => sum + record_count, 0);
  return [
    `restored the database as of ${head.taken_at}: ${writeCount(records)} records, ` + `${writeCount(rows)} rows`,
    ...migrated.map((name) => `applied ${name}`),
    'keys, revocations and usage are as of that time: revoke again whatever was revoked since',
    'load the files that came since; then have replicas run: tmds-replica verify --repair',
  ];
}

async function runAbandon(context: CommandContext): Promise<void> {
  await context.withDatabase(
    'restore',
    async ({ config, connectUnlimited }) => {
      const database = await connectUnlimited(2);
      await abandonRestore(database);
      await migrate(database, undefined, describePlace(config));
    },
    { migrate: false, create: false },
  );
  context.print('the database is as the restore found it');
}
