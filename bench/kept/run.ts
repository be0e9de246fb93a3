/**
 * `npm run bench -- kept`: the speed and memory of the built command backing up generated records with payloads,
 * restoring them into an empty data folder, and verifying what came of it. Writes `kept.md`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { type Ended, runLoad, runTmds } from '../load/command.ts';
import { keepResult, type ResultsOptions, recordsOption, resultsOption } from '../options.ts';
import { SEED } from '../search/data.ts';

interface KeptOptions extends ResultsOptions {
  readonly records: number;
}

interface Backup {
  readonly rows: number;
  readonly bytes: number;
  readonly stored_bytes: number;
}

const MEGABYTE = 1024 ** 2;

export function registerKeptBench(program: Command): void {
  program
    .command('kept')
    .description('backup, restore and verification of generated records with payloads')
    .addOption(recordsOption(200_000))
    .addOption(resultsOption())
    .action(run);
}

async function run({ records, results }: KeptOptions): Promise<void> {
  const above = await mkdtemp(join(tmpdir(), 'tmds-bench-kept-'));
  try {
    const [from, to, folder] = [join(above, 'from'), join(above, 'to'), join(above, 'backup')];
    const file = join(above, 'records.ndjson');
    await runTmds(['sample', '--records', String(records), '--seed', SEED, '--out', file, '--quiet'], from);
    await runLoad('ndjson', [file], from);
    await rm(file);
    const backup = await runTmds(['backup', folder, '--json'], from);
    const made = JSON.parse(backup.out) as Backup;
    const restore = await runTmds(['restore', folder], to);
    const quick = await runTmds(['verify', '--quick'], to);
    const verify = await runTmds(['verify'], to);
    const rows = [
      describe('backup', backup, records, made.bytes),
      describe('restore', restore, records, made.bytes),
      describe('verify', verify, records, null),
      describe('verify --quick', quick, records, null),
    ];
    await keepResult(results, 'kept.md', renderTable(records, made, rows));
  } finally {
    await rm(above, { recursive: true, force: true });
  }
}

/** Start and end of the embedded database included. */
function describe(name: string, { seconds, peakMb }: Ended, records: number, bytes: number | null): string {
  const rate = Math.round(records / seconds).toLocaleString('en-US');
  const speed = bytes === null ? '' : (bytes / MEGABYTE / seconds).toFixed(0);
  return `| ${name} | ${seconds.toFixed(1)} | ${rate} | ${speed} | ${peakMb.toFixed(0)} |`;
}

function renderTable(records: number, { bytes, stored_bytes: stored }: Backup, rows: readonly string[]): string {
  const machine = `${cpus().length} × ${cpus()[0]?.model}, ${(totalmem() / 1024 ** 3).toFixed(0)} GB`;
  return `# Kept: ${records.toLocaleString('en-US')} records with payloads

${machine}, Node.js ${process.versions.node}, embedded PostgreSQL, its start and stop included.
The backup holds ${(bytes / MEGABYTE).toFixed(0)} MB of rows in ${(stored / MEGABYTE).toFixed(0)} MB.

| command | s | records/s | MB/s of rows | peak MB of the command |
|---|---:|---:|---:|---:|
${rows.join('\n')}
`;
}
