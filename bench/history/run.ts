/**
 * `npm run bench -- history`: what a change costs on disk. Generated records are loaded, then all of them are changed
 * again and again; the table compares what the history keeps of a change with the record itself. Writes `history.md`.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { sql } from '../../server/src/database/driver/sql.ts';
import { runLoad, runTmds } from '../load/command.ts';
import { countOption, keepResult, type ResultsOptions, recordsOption, resultsOption } from '../options.ts';
import { connectBench, SEED, useDatabase } from '../search/data.ts';

interface HistoryOptions extends ResultsOptions {
  readonly records: number;
  readonly rounds: number;
}

/** What is changed of each record. */
interface Case {
  readonly title: string;
  readonly payload: 'none' | 'full';
  readonly changesPayload: boolean;
}

const CASES: readonly Case[] = [
  { title: 'without payload, the mark changes', payload: 'none', changesPayload: false },
  { title: 'with payload, the mark changes', payload: 'full', changesPayload: false },
  { title: 'with payload, both change', payload: 'full', changesPayload: true },
];

export function registerHistoryBench(program: Command): void {
  program
    .command('history')
    .description('what a change costs on disk')
    .addOption(recordsOption(20_000))
    .addOption(countOption('--rounds <count>', 'how often every record is changed', 4))
    .addOption(resultsOption())
    .action(run);
}

async function run({ records, rounds, results }: HistoryOptions): Promise<void> {
  const rows: string[] = [];
  for (const each of CASES) rows.push(await measure(each, records, rounds));
  await keepResult(results, 'history.md', renderTable(records, rounds, rows));
}

interface Sizes {
  /** Of records and payloads, without indexes. */
  own: number;
  /** Of past versions with their indexes. */
  kept: number;
  /** Of all tables with their indexes. */
  all: number;
  changes: number;
}

async function measure(each: Case, records: number, rounds: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tmds-bench-history-'));
  try {
    const file = join(folder, 'records.ndjson');
    const sample = ['sample', '--records', String(records), '--seed', SEED, '--payload', each.payload];
    await runTmds([...sample, '--out', file, '--quiet'], folder);
    await runLoad('ndjson', [file], folder);
    const before = await readSizes(folder);
    let after = before;
    for (let round = 1; round <= rounds; round += 1) {
      const changed = join(folder, 'changed.ndjson');
      await writeChanged(file, changed, each, round);
      await runLoad('ndjson', [changed], folder);
      after = await readSizes(folder);
    }
    if (after.changes !== records * rounds) throw new Error(`${after.changes} changes instead of ${records * rounds}`);
    const own = before.own / records;
    const kept = (after.kept - before.kept) / after.changes;
    const cells = [own, kept, kept / own, (after.all - before.all) / after.changes / own];
    const digits = [0, 0, 2, 2];
    return `| ${[each.title, ...cells.map((cell, at) => cell.toFixed(digits[at]))].join(' | ')} |`;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeChanged(from: string, to: string, { changesPayload }: Case, round: number): Promise<void> {
  async function* lines(): AsyncGenerator<string> {
    for await (const line of createInterface({ input: createReadStream(from), crlfDelay: Number.POSITIVE_INFINITY })) {
      const record = JSON.parse(line) as { mark_name: string | null; payload?: object | null };
      record.mark_name = `${record.mark_name ?? ''} ${round}`;
      if (changesPayload) record.payload = { ...record.payload, round };
      yield `${JSON.stringify(record)}\n`;
    }
  }
  await pipeline(Readable.from(lines()), createWriteStream(to));
}

async function readSizes(folder: string): Promise<Sizes> {
  return await useDatabase(folder, async (url) => {
    const db = await connectBench(url, 1);
    try {
      await db.query(sql`vacuum`, { prepare: false });
      const [sizes] = await db.query<Sizes>(sql`
        select (pg_table_size('record') + pg_table_size('payload'))::float8 as own,
          pg_total_relation_size('record_version')::float8 as kept,
          (select sum(pg_total_relation_size(relid)) from pg_stat_user_tables)::float8 as all,
          (select count(*) from record_version)::float8 as changes`);
      return sizes!;
    } finally {
      await db.close();
    }
  });
}

function renderTable(records: number, rounds: number, rows: readonly string[]): string {
  const machine = `${cpus().length} × ${cpus()[0]?.model}, ${(totalmem() / 1024 ** 3).toFixed(0)} GB`;
  return `# History: ${records.toLocaleString('en-US')} records, each changed ${rounds} times

${machine}, Node.js ${process.versions.node}, embedded PostgreSQL. A record's own size is that of its row and its payload in
their tables, without indexes. What is kept of a change is the growth of \`record_version\` with its indexes; all is the
growth of every table and index, with a vacuum after each round: the room in which each record was last replaced is in it,
and is used again by the next change.

| what changes | own bytes | bytes kept of a change | share of own bytes | all, share of own bytes |
|---|---:|---:|---:|---:|
${rows.join('\n')}
`;
}
