/**
 * `npm run bench -- load`: the speed and memory of the built command loading generated records into an empty register,
 * and of a second load that changes nothing; then the time of searches of one register with and without a load of
 * another. Generated files are kept in `.cache/load`. Writes `load.md`.
 */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { sql } from '../../server/src/database/driver/sql.ts';
import { LOAD_PHASES } from '../../server/src/load/findings/report.ts';
import {
  amountOption,
  countOption,
  keepResult,
  type ResultsOptions,
  recordsOption,
  resultsOption,
} from '../options.ts';
import { connectBench, SEED, useDatabase } from '../search/data.ts';
import { readPool } from '../search/pool.ts';
import { startServer } from '../server-process.ts';
import { type Loaded, ROOT, runLoad, runTmds } from './command.ts';
import { watchPublishes } from './publishes.ts';
import { SEARCHED, startCaller } from './searches.ts';

const FILES = join(ROOT, '.cache/load');
/** The register that is searched, and the one that is loaded in parallel. */
const SERVED_REGISTER = 'EM';
const LOADED_REGISTER = 'US';

async function makeFile(records: number, register: string | null): Promise<string> {
  const path = join(FILES, `records-${records}${register === null ? '' : `-${register}`}.ndjson`);
  if (existsSync(path)) return path;
  await mkdir(FILES, { recursive: true });
  const which = register === null ? [] : ['--registers', register];
  const size = ['--records', String(records), '--seed', SEED, '--payload', 'none'];
  await runTmds(['sample', ...size, ...which, '--out', path, '--quiet'], FILES);
  return path;
}

async function measureTwice(file: string): Promise<{ first: Loaded; again: Loaded }> {
  const folder = await mkdtemp(join(tmpdir(), 'tmds-bench-load-'));
  try {
    const first = await runLoad('ndjson', [file], folder);
    return { first, again: await runLoad('ndjson', [file], folder) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Beside {
  readonly loaded: Loaded;
  readonly quiet: ReadonlyMap<string, readonly number[]>;
  readonly during: ReadonlyMap<string, readonly number[]>;
  /** Milliseconds from a publish to the answer that contains it. */
  readonly publishes: readonly number[];
  readonly version: string;
}

async function measureBeside(served: string, file: string, quietSeconds: number): Promise<Beside> {
  const folder = await mkdtemp(join(tmpdir(), 'tmds-bench-load-'));
  try {
    await runLoad('ndjson', [served], folder);
    return await useDatabase(folder, async (url) => {
      const db = await connectBench(url, 1);
      const pool = await readPool(db);
      const [server] = await db.query<{ version: string }>(sql`select current_setting('server_version') as version`);
      const { child, port } = await startServer(url, 'open');
      try {
        const before = startCaller(port, pool);
        await new Promise((done) => setTimeout(done, quietSeconds * 1000));
        const quiet = await before.stop();
        const caller = startCaller(port, pool);
        const watcher = watchPublishes(port, db, LOADED_REGISTER);
        const loaded = await runLoad('ndjson', [file], folder);
        const publishes = await watcher.stop();
        return { loaded, quiet, during: await caller.stop(), publishes, version: server!.version };
      } finally {
        child.kill();
        await db.close();
      }
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface LoadOptions extends ResultsOptions {
  readonly records: number;
  readonly served: number;
  readonly beside: number;
  readonly quiet: number;
}

export function registerLoadBench(program: Command): void {
  program
    .command('load')
    .description('a first load, the same load again, then searches during a load')
    .addOption(recordsOption(1_000_000))
    .addOption(countOption('--served <count>', 'records that are searched during a load', 200_000))
    .addOption(countOption('--beside <count>', 'records that are loaded in parallel', 200_000))
    .addOption(amountOption('--quiet <seconds>', 'how long to measure searches without a load', 8))
    .addOption(resultsOption())
    .action(runLoadBench);
}

async function runLoadBench({ records, served, beside: besides, quiet, results }: LoadOptions): Promise<void> {
  const twice = await measureTwice(await makeFile(records, null));
  const beside = await measureBeside(
    await makeFile(served, SERVED_REGISTER),
    await makeFile(besides, LOADED_REGISTER),
    quiet,
  );
  await keepResult(results, 'load.md', describe(records, twice, beside, served));
  const { first, again } = twice;
  const { new: added, changed, unchanged } = again.report;
  if (first.report.new !== records || added + changed > 0 || unchanged !== records) process.exitCode = 1;
}

function describe(
  records: number,
  { first, again }: { first: Loaded; again: Loaded },
  { loaded, quiet, during, publishes, version }: Beside,
  served: number,
): string {
  const phases = LOAD_PHASES.filter((phase) => first.report.phase_seconds[phase] > 0);
  const row = (name: string, { report, seconds, peakMb }: Loaded): string => {
    const cells = [report.seconds, ...phases.map((phase) => report.phase_seconds[phase]), seconds];
    const counts = `${report.new} new, ${report.changed} changed, ${report.unchanged} unchanged`;
    const shown = cells.map((cell) => cell.toFixed(1)).join(' | ');
    return `| ${name} | ${report.records_per_second} | ${shown} | ${Math.round(peakMb)} MB | ${counts} |`;
  };
  const at = (millis: readonly number[] | undefined, share: number): string =>
    [...(millis ?? [])]
      .sort((one, other) => one - other)
      .at(Math.floor((millis?.length ?? 0) * share))
      ?.toFixed(1) ?? '';
  const searches = SEARCHED.map((name) => {
    const [before, under] = [quiet.get(name), during.get(name)];
    return `| ${name} | ${at(before, 0.5)} | ${at(before, 0.99)} | ${at(under, 0.5)} | ${at(under, 0.99)} |`;
  });
  const memory = Math.round(totalmem() / 2 ** 30);
  return [
    `# Load: ${records} records, ${cpus().length} processors`,
    '',
    `${new Date().toISOString().slice(0, 10)}, ${cpus()[0]?.model.trim()}, ${memory} GB, Node.js ${process.versions.node},`,
    `embedded PostgreSQL ${version}. \`tmds load ndjson\` as it is built, generated records without payloads, a fresh data`,
    'folder. Seconds of the load and of its phases, and of the whole command, which also makes, starts and stops the',
    'database; the most memory the command ever held, without the database.',
    '',
    `| load | records/s | seconds | ${phases.join(' | ')} | command | peak | found |`,
    `|---|---:|---:|${phases.map(() => '---:|').join('')}---:|---:|---|`,
    row('first', first),
    row('the same again', again),
    '',
    `The second load took ${(first.report.seconds / again.report.seconds).toFixed(1)} times less.`,
    '',
    `## Searches of ${served} records while another register is loaded`,
    '',
    `One caller, one search after the other, milliseconds over HTTP without keys or metering; ${loaded.report.read} records`,
    `were loaded meanwhile in ${loaded.report.seconds.toFixed(1)} s, with every index in place.`,
    '',
    '| search | median, no load | p99, no load | median, during | p99, during |',
    '|---|---:|---:|---:|---:|',
    ...searches,
    '',
    `From a publish to the answer of a search that has it, ${publishes.length} publishes of that load: median`,
    `${at(publishes, 0.5)} ms, 99 % ${at(publishes, 0.99)} ms, longest ${at(publishes, 1 - 1 / publishes.length)} ms.`,
    '',
  ].join('\n');
}
