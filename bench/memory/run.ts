/**
 * `npm run bench -- memory`: the most memory that the built command holds while it loads one large delivery of each
 * format into an empty register, and while it loads the same again. The files are made, loaded and removed one after
 * the other. Writes `memory.md`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { type Loaded, runLoad } from '../load/command.ts';
import { countOption, keepResult, type ResultsOptions, resultsOption } from '../options.ts';
import { type LargeDelivery, listDeliveries, writeDelivery } from './files.ts';

/** What every load of whatever size has to stay below. */
const PEAK_MB_MAX = 400;

interface MemoryOptions extends ResultsOptions {
  readonly megabytes: number;
  readonly only?: string;
  readonly once?: boolean;
}

interface Measured {
  readonly delivery: LargeDelivery;
  readonly records: number;
  readonly first: Loaded;
  /** Null where the same was not loaded again. */
  readonly again: Loaded | null;
}

export function registerMemoryBench(program: Command): void {
  program
    .command('memory')
    .description('the memory that a load of a large delivery takes, for every format')
    .addOption(countOption('--megabytes <count>', 'how large each delivery is', 1_000))
    .addOption(new Option('--only <format>', 'of one format alone'))
    .addOption(new Option('--once', 'without loading the same again'))
    .addOption(resultsOption())
    .action(runMemoryBench);
}

async function runMemoryBench({ megabytes, only, once = false, results }: MemoryOptions): Promise<void> {
  const measured: Measured[] = [];
  for (const delivery of listDeliveries()) {
    if (only !== undefined && delivery.format !== only) continue;
    measured.push(await measure(delivery, megabytes * 1_000_000, !once));
    await keepResult(results, 'memory.md', describe(measured, megabytes));
  }
  for (const { delivery, first, again, records } of measured) {
    const isWhole =
      found(delivery, first).new === records && (again === null || found(delivery, again).again === records);
    if (!isWhole || Math.max(first.peakMb, again?.peakMb ?? 0) >= PEAK_MB_MAX) process.exitCode = 1;
  }
}

async function measure(delivery: LargeDelivery, bytes: number, repeats: boolean): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'tmds-bench-memory-'));
  try {
    const { files, records } = await writeDelivery(delivery, bytes, folder);
    const dataDir = join(folder, 'data');
    const first = await runLoad(delivery.format, files, dataDir);
    return { delivery, records, first, again: repeats ? await runLoad(delivery.format, files, dataDir) : null };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Records, or the statements of events that wait for theirs. */
function found({ isEvents = false }: LargeDelivery, { report }: Loaded): { new: number; again: number } {
  const { supplements } = report;
  if (!isEvents) return { new: report.new, again: report.unchanged };
  return { new: supplements.new, again: supplements.read - supplements.new - supplements.changed };
}

function describe(measured: readonly Measured[], megabytes: number): string {
  const rows = measured.map(({ delivery, records, first, again }) => {
    const cells = [first, again].flatMap((loaded) =>
      loaded === null
        ? ['', '', '']
        : [
            `${Math.round(loaded.peakMb)} MB`,
            `${loaded.report.records_per_second}`,
            `${(megabytes / loaded.report.seconds).toFixed(1)}`,
          ],
    );
    const repeated = again === null ? '' : `, then ${found(delivery, again).again} unchanged`;
    const counts = `${found(delivery, first).new} new${repeated}`;
    return `| \`${delivery.format}\` | ${delivery.title} | ${records} | ${cells.join(' | ')} | ${counts} |`;
  });
  const memory = Math.round(totalmem() / 2 ** 30);
  return [
    `# Memory: deliveries of ${megabytes} MB`,
    '',
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model.trim()}, ${memory} GB,`,
    `Node.js ${process.versions.node}. \`tmds load\` as it is built, the records of the fixtures repeated under new numbers,`,
    'an empty data folder, and then the same again. Peak: the most memory the command held, without the database.',
    '',
    '| format | delivery | records | peak, first | records/s | MB/s | peak, again | records/s | MB/s | found |',
    '|---|---|---:|---:|---:|---:|---:|---:|---:|---|',
    ...rows,
    '',
  ].join('\n');
}
