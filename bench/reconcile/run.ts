/**
 * `npm run bench -- reconcile`: the installed command compares a docket with generated registers, with service and
 * database on the same machine. The docket is drawn from the records, with numbers written in other ways, some that do
 * not exist and some values that differ; each of them has to be reported. Writes `reconcile.md`.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import { issueKey } from '../../server/src/access/keys.ts';
import { sql } from '../../server/src/database/driver/sql.ts';
import {
  countOption,
  type DataOptions,
  dataOption,
  keepResult,
  type ResultsOptions,
  recordsOption,
  resultsOption,
} from '../options.ts';
import { type Ended, ROOT, readProcess, runClient } from '../program.ts';
import { connectBench } from '../search/data.ts';
import { useBench } from '../search/load.ts';
import { startServer } from '../server-process.ts';

interface ReconcileOptions extends DataOptions, ResultsOptions {
  readonly rows: number;
}

export function registerReconcileBench(program: Command): void {
  program
    .command('reconcile')
    .description('a docket compared with the registers by tmds-client')
    .addOption(recordsOption(200_000))
    .addOption(countOption('--rows <count>', 'rows of the docket', 100_000))
    .addOption(dataOption())
    .addOption(resultsOption())
    .action((options: ReconcileOptions) => useBench(options, false, (url) => measureReconcile(url, options)));
}

/** One row in twenty has a number that no record has, and one in ten another status than the register. */
const MISSING_EVERY = 20;
const CHANGED_EVERY = 10;

interface Drawn {
  code: string;
  number: string;
  status: string;
  owner: string | null;
  classes: string | null;
  expiry: string | null;
}

interface Planted {
  readonly missing: number;
  readonly changed: number;
  readonly registers: number;
}

async function measureReconcile(url: string, { records, rows, results }: ReconcileOptions): Promise<void> {
  await promisify(execFile)(process.execPath, [
    join(ROOT, 'node_modules/typescript/bin/tsc'),
    '-b',
    join(ROOT, 'client'),
  ]);
  const folder = await mkdtemp(join(tmpdir(), 'tmds-bench-reconcile-'));
  const file = join(folder, 'docket.csv');
  const planted = await writeDocket(url, file, rows);
  const key = await issue(url);
  const server = await startServer(url, 'metered');
  try {
    const words = ['reconcile', file, '--out', join(folder, 'result.csv'), '--json'];
    const run = await runClient('tmds-client', words, { port: server.port, key });
    const service = readProcess(server.child.pid!);
    const bytes = (await stat(file)).size;
    await report(results, { records, rows, planted, run, service, bytes });
  } finally {
    server.child.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

async function issue(url: string): Promise<string> {
  const db = await connectBench(url, 1);
  const order = { customer: 'bench', name: null, products: ['records'] as const, actor: 'bench' };
  const { key } = await issueKey(db, { ...order, rateLimitPerMinute: 100_000_000, quota: null });
  await db.close();
  return key;
}

async function writeDocket(url: string, file: string, rows: number): Promise<Planted> {
  const db = await connectBench(url, 1);
  const drawn = await db.query<Drawn>(sql`
    select jurisdiction_code as code, coalesce(record ->> 'application_number', record ->> 'registration_number') as number,
      record ->> 'status' as status, record -> 'owner_names' ->> 0 as owner,
      (select string_agg(each, ', ') from json_array_elements_text(
        case json_typeof(record -> 'nice_classes') when 'array' then record -> 'nice_classes' end) as each) as classes,
      record ->> 'expiry_date' as expiry
    from (select jurisdiction_code, uid, detail::json as record from record
      where coalesce(detail::json ->> 'application_number', detail::json ->> 'registration_number') is not null
      order by md5(uid) limit ${rows}::int) as drawn
    order by md5(uid)`);
  await db.close();
  let missing = 0;
  let changed = 0;
  const lines = drawn.map(({ code, number, status, owner, classes, expiry }, at) => {
    const isMissing = at % MISSING_EVERY === 0;
    const isChanged = !isMissing && at % CHANGED_EVERY === 1 && status !== 'Unknown';
    missing += isMissing ? 1 : 0;
    changed += isChanged ? 1 : 0;
    const own = isMissing ? `999${at}999${at}` : writeNumber(number, at);
    const said = isChanged ? (status === 'Pending' ? 'Expired' : 'Pending') : status;
    const cells = [code, own, said === 'Unknown' ? '' : said, owner ?? '', classes ?? '', expiry ?? ''];
    return cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(';');
  });
  await writeFile(file, `${['Register;Number;Status;Owner;Classes;Expiry', ...lines].join('\n')}\n`);
  return { missing, changed, registers: new Set(drawn.map(({ code }) => code)).size };
}

/** As people write numbers: as it is, in groups, or without separators and in lower case. */
function writeNumber(number: string, at: number): string {
  if (at % 3 === 0) return number;
  if (at % 3 === 1) return number.replace(/^(\d{2,})(\d{3})(\d{3})$/, '$1 $2 $3');
  return number.toLowerCase();
}

interface Figures {
  readonly records: number;
  readonly rows: number;
  readonly planted: Planted;
  readonly run: Ended;
  readonly service: { peakMb: number; processorSeconds: number };
  readonly bytes: number;
}

interface Summary {
  readonly rows: number;
  readonly found: number;
  readonly different: number;
  readonly not_found: number;
  readonly ambiguous: number;
  readonly invalid: number;
  readonly units: number;
}

async function report(folder: string, { records, rows, planted, run, service, bytes }: Figures): Promise<void> {
  if (run.out === '') throw new Error(`the comparison ended with ${run.status} and printed nothing`);
  const summary = JSON.parse(run.out) as Summary;
  const isExact =
    summary.rows === rows &&
    summary.not_found === planted.missing &&
    summary.invalid === 0 &&
    summary.different <= planted.changed &&
    summary.different + summary.ambiguous >= planted.changed;
  const mb = (value: number): string => `${Math.round(value)} MB`;
  const text = [
    `# Reconcile: ${rows} rows against ${records} records, ${cpus().length} processors`,
    '',
    `\`tmds-client reconcile\` as it is installed, ${planted.registers} registers mixed, six columns, ${mb(bytes / 1e6)}. ` +
      'One process of the service, PostgreSQL and the command on one machine, with keys and metering.',
    '',
    '| seconds | rows/s | units | command, peak | its processor time | service, peak | its processor time |',
    '|---:|---:|---:|---:|---:|---:|---:|',
    `| ${run.seconds.toFixed(1)} | ${Math.round(rows / run.seconds)} | ${summary.units} | ${mb(run.peakMb)} | ` +
      `${run.processorSeconds.toFixed(1)} s | ${mb(service.peakMb)} | ${service.processorSeconds.toFixed(1)} s |`,
    '',
    '| | rows | planted |',
    '|---|---:|---:|',
    `| found and equal | ${summary.found} | |`,
    `| different | ${summary.different} | ${planted.changed} |`,
    `| not found | ${summary.not_found} | ${planted.missing} |`,
    `| ambiguous | ${summary.ambiguous} | |`,
    '',
    isExact
      ? 'Every planted row was found, and no other; ambiguous rows are not compared.'
      : '**Not every planted row was found.**',
    '',
  ].join('\n');
  await keepResult(folder, 'reconcile.md', text);
  if (!isExact) process.exitCode = 1;
}
