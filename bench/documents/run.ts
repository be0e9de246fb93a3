/**
 * `npm run bench -- documents`: what payloads take in each place in the database, what a first load costs there, and how
 * fast the built command moves them. Writes `documents.md`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { type Ended, runLoad, runTmds } from '../load/command.ts';
import { keepResult, type ResultsOptions, recordsOption, resultsOption } from '../options.ts';
import { SEED } from '../search/data.ts';

interface DocumentsOptions extends ResultsOptions {
  readonly records: number;
}

interface Status {
  readonly held: readonly { documents: number; bytes: number; stored_bytes: number }[];
}

const MEGABYTE = 1024 ** 2;

export function registerDocumentsBench(program: Command): void {
  program
    .command('documents')
    .description('payloads as text and packed: room, load, move')
    .addOption(recordsOption(100_000))
    .addOption(resultsOption())
    .action(run);
}

async function run({ records, results }: DocumentsOptions): Promise<void> {
  const above = await mkdtemp(join(tmpdir(), 'tmds-bench-documents-'));
  try {
    const file = join(above, 'records.ndjson');
    const [text, packed] = [join(above, 'text'), join(above, 'packed')];
    await runTmds(['sample', '--records', String(records), '--seed', SEED, '--out', file, '--quiet'], text);
    const loadText = await runLoad('ndjson', [file], text);
    const loadPacked = await runLoad('ndjson', [file], packed, { TMDS_PAYLOADS: 'compressed' });
    const asText = await readStatus(text);
    const there = await runTmds(['payloads', 'move', '--to', 'compressed'], text);
    const asPacked = await readStatus(text);
    const back = await runTmds(['payloads', 'move', '--to', 'database'], text);
    const rows = [
      describe('first load, as text', loadText, records),
      describe('first load, packed', loadPacked, records),
      describe('move from text to packed', there, records),
      describe('move from packed to text', back, records),
    ];
    await keepResult(results, 'documents.md', renderTable(records, { asText, asPacked }, rows));
  } finally {
    await rm(above, { recursive: true, force: true });
  }
}

async function readStatus(dataDir: string): Promise<Status['held'][number]> {
  const { out } = await runTmds(['payloads', 'status', '--json'], dataDir);
  return (JSON.parse(out) as Status).held[0]!;
}

/** Start and end of the embedded database included. */
function describe(name: string, { seconds, peakMb }: Ended, records: number): string {
  const rate = Math.round(records / seconds).toLocaleString('en-US');
  return `| ${name} | ${seconds.toFixed(1)} | ${rate} | ${peakMb.toFixed(0)} |`;
}

function renderTable(
  records: number,
  { asText, asPacked }: Record<'asText' | 'asPacked', Status['held'][number]>,
  rows: readonly string[],
): string {
  const machine = `${cpus().length} × ${cpus()[0]?.model}, ${(totalmem() / 1024 ** 3).toFixed(0)} GB`;
  const megabytes = (bytes: number): string => (bytes / MEGABYTE).toFixed(0);
  return `# Payloads: ${records.toLocaleString('en-US')} generated records

${machine}, Node.js ${process.versions.node}, embedded PostgreSQL, its start and stop included.
${megabytes(asText.bytes)} MB of documents take ${megabytes(asText.stored_bytes)} MB as text, as PostgreSQL compresses it, and
${megabytes(asPacked.stored_bytes)} MB packed.

| command | s | records/s | peak MB of the command |
|---|---:|---:|---:|
${rows.join('\n')}
`;
}
