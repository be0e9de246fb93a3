/** `tmds snapshot`: the registers as files, from which replicas start. */
import { resolve } from 'node:path';
import { type Delta, SNAPSHOT_FORMATS, type Snapshot, type SnapshotFormat } from '@tmds/contract/snapshots';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { openNotes, writeCount } from '../base/progress.ts';
import { judgeDisk, readDiskSpace } from '../database/embedded/disk-space.ts';
import { snapshotsFolder } from '../store/snapshots/folder.ts';
import { type SnapshotProgress, type SnapshotReport, writeSnapshot } from '../store/snapshots/write.ts';
import { parseRegister } from './arguments.ts';
import type { CommandContext } from './context.ts';

interface Flags {
  readonly to?: string;
  readonly registers?: readonly string[];
  readonly payloads: boolean;
  readonly format: readonly SnapshotFormat[];
  readonly json: boolean;
}

export function registerSnapshotCommand(program: Command, context: CommandContext): void {
  program
    .command('snapshot')
    .description('write the registers as files, from which replicas start; the service keeps running')
    .option('--to <folder>', 'holds the snapshots, a folder each; default: TMDS_SNAPSHOTS, from which they are served')
    .option('--registers <codes>', 'these registers alone, such as EM,US; a replica of all needs all', (text) =>
      [...new Set(text.split(',').map((code) => parseRegister(code.trim())))].sort(),
    )
    .option('--payloads', 'records with their payloads', false)
    .addOption(
      new Option('--format <formats>', `${SNAPSHOT_FORMATS.join(',')} or one of them; replicas start from jsonl`)
        .argParser(parseFormats)
        .default([...SNAPSHOT_FORMATS], 'both'),
    )
    .option('--json', 'print the manifest as JSON', false)
    .addHelpText(
      'after',
      '\nA snapshot has the records up to the horizon of the change feed, five minutes ago, and the cursors from which ' +
        'the feed continues.\nOlder ones are removed: TMDS_KEEP_SNAPSHOTS says how many are kept. With a snapshot of all ' +
        'registers, the deltas of a day,\na week and a month are made that are due; TMDS_KEEP_DELTAS_DAYS says how long ' +
        'they are kept.',
    )
    .action((flags: Flags) => runSnapshot(context, flags));
}

function parseFormats(text: string): SnapshotFormat[] {
  const named = text.split(',').map((format) => format.trim());
  const unknown = named.find((format) => !SNAPSHOT_FORMATS.some((known) => known === format));
  if (unknown !== undefined) {
    throw new InvalidArgumentError(`"${unknown}" is not one of ${SNAPSHOT_FORMATS.join(', ')}.`);
  }
  return SNAPSHOT_FORMATS.filter((format) => named.includes(format));
}

async function runSnapshot(context: CommandContext, flags: Flags): Promise<void> {
  const report = await context.withDatabase(
    'snapshot',
    async ({ config, clock, connectUnlimited }) => {
      const folder = flags.to === undefined ? snapshotsFolder(config) : resolve(flags.to);
      const space = await readDiskSpace(folder);
      const finding = space === null ? null : judgeDisk(folder, space);
      if (finding !== null) context.note(`${finding.seen}; ${finding.remedy}`);
      return await writeSnapshot({
        db: await connectUnlimited(1),
        folder,
        registers: flags.registers ?? null,
        payloads: flags.payloads,
        formats: flags.format,
        horizonSeconds: config.changeHorizonSeconds,
        keep: config.keepSnapshots,
        deltaDays: config.deltaDays,
        version: context.version,
        clock,
        onProgress: noteRecords(context),
      });
    },
    { create: false },
  );
  const { snapshot, folder, deltas, pruned, seconds } = report;
  if (flags.json) context.print(JSON.stringify({ folder, deltas, pruned, seconds, ...snapshot }));
  else for (const line of describe(report)) context.print(line);
}

function noteRecords(context: CommandContext): (at: SnapshotProgress) => void {
  const note = openNotes(context.clock, context.note);
  return ({ register, records, recordsTotal }) =>
    note((seconds) => {
      const rate = writeCount(records / seconds);
      return `${register}: ${writeCount(records)} of ${writeCount(recordsTotal)} records, ${rate}/s`;
    });
}

const MEGABYTE = 1024 ** 2;

function describe({ snapshot, folder, deltas, pruned, seconds }: SnapshotReport): string[] {
  const { records, files, bytes } = sumFiles(snapshot);
  return [
    `snapshot of ${snapshot.as_of}: ${folder}`,
    `${writeCount(records)} records of ${snapshot.registers.length} registers, ${writeCount(files)} files, ` +
      `${(bytes / MEGABYTE).toFixed(1)} MB, ${seconds.toFixed(1)} s`,
    ...deltas.map(describeDelta),
    ...pruned.map((id) => `taken away: ${id}`),
  ];
}

function describeDelta(delta: Delta): string {
  const { records, files, bytes } = sumFiles(delta);
  const size = `${writeCount(records)} records, ${writeCount(files)} files, ${(bytes / MEGABYTE).toFixed(1)} MB`;
  return `delta of a ${delta.period} from ${delta.from_as_of}: ${size}`;
}

function sumFiles({ registers }: Pick<Snapshot | Delta, 'registers'>): {
  records: number;
  files: number;
  bytes: number;
} {
  const files = registers.flatMap((register) => register.files);
  return {
    records: registers.reduce((sum, { record_count }) => sum + record_count, 0),
    files: files.length,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}
