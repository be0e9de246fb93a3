/**
 * `npm run bench -- versions OLD NEW`: two built checkouts of this service, compared in one run. Both load the same
 * file, then both serve and get the same calls in alternation, so that what else the machine does meets both. Before
 * anything is counted, each kind of call is made to both for a while, because a new process is slow until its code is
 * compiled. Each checkout runs in separate processes, with its own database in a temporary folder, which is
 * removed in the end. The same checkout twice shows the noise. Writes `versions.md`.
 */
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir, totalmem } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { parseAmount } from '../../scripts/command.ts';
import { OperatorError } from '../../server/src/base/errors.ts';
import {
  amountOption,
  countOption,
  keepResult,
  type ResultsOptions,
  recordsOption,
  resultsOption,
} from '../options.ts';
import { measureCallers, measureOneCaller, planCalls, type Services, warmUp } from './calls.ts';
import { buildProcesses, type Checkout, openCheckout, type Processes } from './checkout.ts';
import { type Figure, listBelow, renderVersions } from './report.ts';

interface VersionsOptions extends ResultsOptions {
  readonly records: number;
  readonly file?: string;
  readonly seconds: number;
  readonly rounds: number;
  readonly atLeast?: number;
}

interface Version {
  readonly name: 'OLD' | 'NEW';
  readonly checkout: Checkout;
  readonly folder: string;
}

interface Versions {
  readonly old: Version;
  readonly new: Version;
}

export function registerVersionsBench(program: Command): void {
  program
    .command('versions')
    .description('two built checkouts of this service in one run: loads, calls of one caller and of several')
    .argument('<old>', 'folder of the checkout to compare with')
    .argument('<new>', 'folder of the checkout that is judged')
    .addOption(recordsOption(300_000))
    .addOption(new Option('--file <file>', 'load this file of records (ndjson) instead of generated ones'))
    .addOption(amountOption('--seconds <number>', 'seconds of each measurement of several callers', 4))
    .addOption(countOption('--rounds <count>', 'measurements of each; the median counts', 4))
    .addOption(
      new Option('--at-least <ratio>', 'exit with status 1 if the speed of NEW ÷ OLD of a kind is below it').argParser(
        parseAmount,
      ),
    )
    .addOption(resultsOption())
    .action(runVersionsBench);
}

async function runVersionsBench(oldFolder: string, newFolder: string, options: VersionsOptions): Promise<void> {
  const checkouts = { old: await openCheckout(oldFolder), new: await openCheckout(newFolder) };
  if (options.file !== undefined && !existsSync(options.file)) {
    throw new OperatorError(`there is no file ${options.file}`, { exitStatus: 2 });
  }
  const figures = await inFolder(async (folder, processes) => {
    const versions: Versions = {
      old: { name: 'OLD', checkout: checkouts.old, folder: await makeFolder(folder, 'old') },
      new: { name: 'NEW', checkout: checkouts.new, folder: await makeFolder(folder, 'new') },
    };
    const file = options.file === undefined ? await generate(versions.new, processes, options) : resolve(options.file);
    return [...(await measureLoads(versions, processes, file)), ...(await measureCalls(versions, processes, options))];
  });
  await keepResult(options.results, 'versions.md', render(checkouts.old, checkouts.new, options, figures));
  const below = options.atLeast === undefined ? [] : listBelow(figures, options.atLeast);
  if (below.length === 0) return;
  console.error(`below ${options.atLeast}: ${below.join('; ')}`);
  process.exitCode = 1;
}

/** Whatever happens, the processes of `work` end and the folder is removed. */
async function inFolder<Result>(work: (folder: string, processes: Processes) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'tmds-bench-versions-'));
  const processes = buildProcesses();
  let interrupt = (): void => undefined;
  const interrupted = new Promise<never>((_, reject) => {
    interrupt = () => reject(new OperatorError('interrupted'));
  });
  interrupted.catch(() => undefined);
  // Below npm, Ctrl-C is two signals.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, interrupt);
  try {
    await chmod(folder, 0o755);
    return await Promise.race([work(folder, processes), interrupted]);
  } finally {
    await processes.stop();
    await rm(folder, { recursive: true, force: true });
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupt);
  }
}

/** Run by root, PostgreSQL belongs to another account, which has to reach the folder. */
async function makeFolder(above: string, name: string): Promise<string> {
  const folder = join(above, name);
  await mkdir(folder);
  await chmod(folder, 0o755);
  return folder;
}

async function generate({ checkout, folder }: Version, processes: Processes, { records }: VersionsOptions) {
  console.error(`generating ${records.toLocaleString('en')} records`);
  const file = join(folder, 'records.ndjson');
  const words = ['--records', String(records), '--payload', 'none', '--out', file, '--quiet'];
  await processes.run(checkout, folder, ['sample', ...words]);
  await chmod(file, 0o644);
  return file;
}

async function measureLoads(versions: Versions, processes: Processes, file: string): Promise<Figure[]> {
  const load = async (kind: string, { name, checkout, folder }: Version): Promise<number> => {
    const { seconds } = await processes.run(checkout, folder, ['load', 'ndjson', file]);
    console.error(`${kind}: ${name} ${seconds.toFixed(1)} s`);
    return seconds;
  };
  const figures: Figure[] = [];
  for (const kind of ['first load', 'second load of the same file']) {
    const [old, now] = [await load(kind, versions.old), await load(kind, versions.new)];
    const [oldSide, newSide] = [old, now].map((value) => ({ value, p99Ms: null })) as [Figure['old'], Figure['new']];
    figures.push({ kind, callers: null, unit: 's', old: oldSide, new: newSide });
  }
  return figures;
}

async function measureCalls(versions: Versions, processes: Processes, options: VersionsOptions): Promise<Figure[]> {
  console.error('starting both');
  const services: Services = {
    old: await processes.serve(versions.old.checkout, versions.old.folder),
    new: await processes.serve(versions.new.checkout, versions.new.folder),
  };
  const kinds = await planCalls(services);
  console.error('warming both up');
  for (const kind of kinds) await warmUp(services, kind, options.seconds);
  const figures: Figure[] = [];
  for (const kind of kinds) {
    console.error(`${kind.name}: one caller, then ${kind.callers}`);
    figures.push(await measureOneCaller(services, kind), await measureCallers(services, kind, options));
  }
  return figures;
}

function render(old: Checkout, now: Checkout, options: VersionsOptions, figures: readonly Figure[]): string {
  const { file, records, seconds, rounds } = options;
  const machine = [
    new Date().toISOString().slice(0, 10),
    `${cpus().length} × ${cpus()[0]?.model.trim()}`,
    `${Math.round(totalmem() / 2 ** 30)} GB`,
    `Node.js ${process.versions.node}`,
    'embedded PostgreSQL;',
  ];
  return renderVersions({
    oldVersion: old.version,
    newVersion: now.version,
    loaded: file === undefined ? `${records.toLocaleString('en')} generated records` : `records of ${basename(file)}`,
    machine: machine.join(', '),
    seconds,
    rounds,
    figures,
  });
}
