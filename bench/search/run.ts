/**
 * `npm run bench -- search`: this service and the peer over the 48 kinds of query, in alternation, in one run. Writes
 * `search-N.md`.
 */
import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { Agent, get as httpGet } from 'node:http';
import { cpus, loadavg, totalmem } from 'node:os';
import type { Command } from 'commander';
import { issueKey } from '../../server/src/access/keys.ts';
import { OperatorError } from '../../server/src/base/errors.ts';
import type { Database } from '../../server/src/store/driver/db.ts';
import { sql } from '../../server/src/store/driver/sql.ts';
import {
  amountOption,
  countOption,
  type DataOptions,
  dataOption,
  folderOf,
  keepResult,
  type ResultsOptions,
  recordsOption,
  resultsOption,
} from '../options.ts';
import { startServer } from '../server-process.ts';
import { indexFolderOf } from '../service.ts';
import { CALLERS, measureCallers } from './callers.ts';
import { connectBench } from './data.ts';
import { GENERATED_MAX, useBench } from './load.ts';
import { buildDraws, type Pool, QUERY_KINDS, type QueryKind, readPool, type Texts } from './queries.ts';

interface Measured {
  readonly millis: number[];
  /** Of these, in the index, the way to its thread included, as Server-Timing tells. */
  readonly matchMillis: number[];
  /** Processor time of the database, in steps of 10 ms: steadier than the clock on a busy machine. */
  cpuMillis: number;
  items: number;
  timeouts: number;
}
interface Service {
  readonly name: string;
  readonly child: ChildProcess;
  readonly port: number;
  readonly headers: Record<string, string>;
  /** Under which its connections appear in the database. */
  readonly applicationName: string;
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const show = (millis: number): string => (millis < 10 ? millis.toFixed(2) : millis.toFixed(0));

async function call(
  service: Service,
  texts: Texts,
): Promise<{ millis: number; matchMillis: number | null; body: { items?: unknown[]; next_cursor?: string | null } }> {
  const query = new URLSearchParams(texts).toString();
  const started = performance.now();
  const { status, head, text } = await get(`http://127.0.0.1:${service.port}/v1/trademarks?${query}`, service.headers);
  const millis = performance.now() - started;
  if (status !== 200 && status !== 422) throw new Error(`${service.name}: ${status} ${text} ${query}`);
  const match = /match;dur=([\d.]+)/.exec(head['server-timing'] ?? '')?.[1];
  return { millis, matchMillis: match === undefined ? null : Number(match), body: JSON.parse(text) };
}

/** One connection for each service, kept open; bodies are asked for as they are, since only one of the two compresses. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

interface Got {
  readonly status: number;
  readonly head: Readonly<Record<string, string>>;
  readonly text: string;
}

function get(url: string, headers: Record<string, string>): Promise<Got> {
  return new Promise((resolve, reject) => {
    const request = httpGet(url, { agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const head = response.headers as Record<string, string>;
        resolve({ status: response.statusCode ?? 0, head, text: Buffer.concat(chunks).toString() });
      });
    });
    request.on('error', reject);
  });
}

async function measure(service: Service, kind: QueryKind, texts: Texts, measured: Measured): Promise<void> {
  let asked = texts;
  for (let page = 0; page < (kind.pagesBefore ?? 0); page += 1) {
    const { body } = await call(service, asked);
    if (!body.next_cursor) break;
    asked = { ...texts, cursor: body.next_cursor };
  }
  const { millis, matchMillis, body } = await call(service, asked);
  measured.millis.push(millis);
  if (matchMillis !== null) measured.matchMillis.push(matchMillis);
  if (body.items === undefined) measured.timeouts += 1;
  else measured.items += body.items.length;
}

/** Each as it listens, so that whoever started some can end them if the next one fails. */
async function* startServices(
  url: string,
  owner: Database,
  withPeer: boolean,
  indexFolder: string,
): AsyncGenerator<Service> {
  const { key } = await issueKey(owner, {
    customer: `bench ${performance.timeOrigin}`,
    name: null,
    products: ['records'],
    rateLimitPerMinute: 1_000_000,
    quota: null,
    actor: 'bench',
  });
  const metered = await startServer(url, 'metered', indexFolder);
  yield { ...metered, name: 'this service', headers: { 'x-api-key': key }, applicationName: 'tmds bench' };
  if (!withPeer) return;
  const usual = await startServer(url, 'usual-search');
  yield { ...usual, name: 'the usual way', headers: {}, applicationName: 'peer' };
  const open = await startServer(url, 'open', indexFolder);
  yield { ...open, name: 'this service without keys', headers: {}, applicationName: 'tmds bench' };
}

/** Of every kind so many queries are measured, whatever they take: some of the peer's take ten seconds each. */
const CALLS_MIN = 5;

interface Bench {
  readonly services: readonly Service[];
  /** Queries of a kind, at most. */
  readonly calls: number;
  /** After which no kind goes on beyond `CALLS_MIN`. */
  readonly seconds: number;
  readonly pool: Pool;
  readonly owner: Database;
}

/** The same draws for each service, so that neither finds pages that the other alone has brought in. */
async function measureKind(kind: QueryKind, { services, calls, seconds, pool, owner }: Bench): Promise<Measured[]> {
  const measured = services.map(startMeasuring);
  const draws = buildDraws(kind.name);
  const until = performance.now() + seconds * 1000;
  for (let round = 0; round <= calls && (round <= CALLS_MIN || performance.now() < until); round += 1) {
    const texts = kind.draw(pool, draws);
    for (const [index, service] of services.entries()) {
      const backends = await listBackends(owner, service.applicationName);
      // Each draw once unmeasured, which brings its pages in.
      await measure(service, kind, texts, startMeasuring());
      if (round === 0) continue;
      const into = measured[index]!;
      const before = readCpuMillis(backends);
      await measure(service, kind, texts, into);
      into.cpuMillis += readCpuMillis(backends) - before;
    }
  }
  return measured;
}

function startMeasuring(): Measured {
  return { millis: [], matchMillis: [], cpuMillis: 0, items: 0, timeouts: 0 };
}

interface SearchOptions extends DataOptions, ResultsOptions {
  readonly calls: number;
  readonly seconds: number;
  readonly warmUp: number;
  readonly only?: string;
  /** False: without the peer. */
  readonly peer: boolean;
}

export function registerSearchBench(program: Command): void {
  program
    .command('search')
    .description('the 48 kinds of query, with keys and without them, beside one index per column')
    .addOption(recordsOption(100_000))
    .addOption(dataOption())
    .addOption(countOption('--calls <count>', `queries of each kind, at least ${CALLS_MIN}`, 25))
    .addOption(amountOption('--seconds <number>', 'after which a kind has had enough of them', 10))
    .addOption(countOption('--warm-up <count>', 'calls to each service before anything is measured', 5_000))
    .option('--only <text>', 'only kinds whose name contains this; nothing is written')
    .option('--no-peer', 'only this service')
    .addOption(resultsOption())
    .action((options: SearchOptions) => useBench(options, options.peer, (url) => measureSearches(url, options)));
}

async function measureSearches(url: string, options: SearchOptions): Promise<void> {
  const { records, seconds, only = '', peer: withPeer } = options;
  const owner = await connectBench(url, 1);
  const [held] = await owner.query<{ records: number }>(sql`select sum(record_count)::float8 as records from register`);
  if (held?.records !== records)
    throw new OperatorError(`the folder holds ${held?.records} records; name another with --data`);
  const loadBefore = loadavg()[0]!;
  const pool = await readPool(owner);
  const calls = Math.max(CALLS_MIN, options.calls);
  const services: Service[] = [];
  const results: { kind: QueryKind; measured: Measured[] }[] = [];
  const rates: string[] = [];
  try {
    for await (const service of startServices(url, owner, withPeer, indexFolderOf(folderOf(options))))
      services.push(service);
    await warmUp(services, pool, options.warmUp);
    for (const kind of QUERY_KINDS.filter(({ name }) => name.includes(only))) {
      const measured = await measureKind(kind, { services, calls, seconds, pool, owner });
      results.push({ kind, measured });
      describeKind(kind, measured);
    }
    if (only === '') {
      for (const service of services) {
        const rate = await measureCallers(service, pool, seconds);
        rates.push(`${service.name} ${rate.toFixed(0)}`);
        console.error(`${CALLERS} callers: ${rates.at(-1)} a second`);
      }
    }
  } finally {
    for (const { child } of services) child.kill();
  }
  const report = renderReport({ ...options, calls }, services, results, rates, [
    ...(await describeDatabase(url)),
    ...describeRepeats(records),
    describeLoad(loadBefore),
  ]);
  if (only === '') await keepResult(options.results, `search-${records}.md`, report);
  else console.log(report);
  await owner.close();
}

/** A line as each kind ends: a whole run takes minutes. */
function describeKind(kind: QueryKind, measured: readonly Measured[]): void {
  const cells = measured.map(
    ({ millis, matchMillis, timeouts }) =>
      `${show(median(millis))}${matchMillis.length > 0 ? ` (index ${show(median(matchMillis))})` : ''} / ${show(Math.max(...millis))}${timeouts > 0 ? ` (${timeouts} timeouts)` : ''}`,
  );
  const items = measured.map((each) => Math.round(each.items / each.millis.length));
  console.error(`${kind.group}: ${kind.name}: ${cells.join(' | ')} (${items.join(', ')} items)`);
}

/** Queries that any index answers at once, as they come: a process that has just started runs unoptimized code. */
async function warmUp(services: readonly Service[], pool: Pool, rounds: number): Promise<void> {
  const kinds = QUERY_KINDS.filter(({ name }) => WARM_UP_KINDS.has(name));
  const draws = buildDraws('warm-up');
  for (let round = 0; round < rounds; round += 1) {
    const texts = kinds[round % kinds.length]!.draw(pool, draws);
    for (const service of services) await call(service, texts);
  }
}

const WARM_UP_KINDS = new Set([
  'application number',
  'mark name',
  'status, newest change',
  'class, by application date',
  'one register, by application date',
  'applied in one year, newest change',
]);

function describeRepeats(records: number): string[] {
  if (records <= GENERATED_MAX) return [];
  return [
    `${GENERATED_MAX.toLocaleString('en')} of the records are generated, the others repeat them under other identities and stamps`,
  ];
}

/** What else ran: a busy machine shows in every figure but the processor time. */
function describeLoad(before: number): string {
  return `load average ${before.toFixed(1)} at the start, ${loadavg()[0]!.toFixed(1)} at the end`;
}

async function listBackends(owner: Database, applicationName: string): Promise<number[]> {
  const rows = await owner.query<{ pid: number }>(
    sql`select pid from pg_stat_activity where application_name = ${applicationName} and pid <> pg_backend_pid()`,
  );
  return rows.map(({ pid }) => pid);
}

/** Of those that still run: a pool lets go of connections that it does not need. */
function readCpuMillis(pids: readonly number[]): number {
  let millis = 0;
  for (const pid of pids) {
    const path = `/proc/${pid}/stat`;
    if (!existsSync(path)) continue;
    const fields = readFileSync(path, 'utf8').split(') ')[1]!.split(' ');
    millis += (Number(fields[11]) + Number(fields[12])) * 10;
  }
  return millis;
}

async function describeDatabase(url: string): Promise<string[]> {
  const db = await connectBench(url, 1);
  const [about] = await db.query<{ version: string; buffers: string }>(
    sql`select split_part(version(), ' on ', 1) as version, current_setting('shared_buffers') as buffers`,
  );
  const sizes = await db.query<{ name: string; size: string }>(sql`
    select indexrelid::regclass::text as name, pg_size_pretty(pg_relation_size(indexrelid)) as size
    from pg_index where indrelid = 'record'::regclass order by pg_relation_size(indexrelid) desc`);
  const [table] = await db.query<{ size: string }>(sql`select pg_size_pretty(pg_table_size('record')) as size`);
  await db.close();
  return [
    `${about!.version}, embedded, shared_buffers ${about!.buffers}`,
    `table ${table!.size}; indexes: ${sizes.map(({ name, size }) => `${name} ${size}`).join(', ')}`,
  ];
}

/** How many times faster than the usual way this service is, with keys and without them. */
function ratiosOf(measured: readonly Measured[]): number[] {
  const [ours, usual, open] = measured.map(({ millis }) => median(millis));
  if (ours === undefined || usual === undefined || open === undefined) return [];
  return [usual / ours, usual / open];
}

/** Kinds of query that the usual way answers faster, by more than a fifth. */
function describeSlower(results: Results): string[] {
  return ['With', 'Without'].map((word, index) => {
    const slower = results.filter(({ measured }) => ratiosOf(measured)[index]! < 1 / 1.2);
    const names = slower.map(({ kind }) => kind.name).join('; ');
    return `${word} keys more than 1.2 times slower: ${names || 'none'}.`;
  });
}

type Results = readonly { kind: QueryKind; measured: readonly Measured[] }[];

function renderReport(
  { records, calls, warmUp }: SearchOptions,
  services: readonly Service[],
  results: Results,
  rates: readonly string[],
  database: string[],
): string {
  const medians = services.map((_, index) => results.map(({ measured }) => median(measured[index]!.millis)));
  const geometric = medians.map((values) =>
    Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length),
  );
  const rows = results.map(({ kind, measured }) => {
    const cells = measured.map(
      ({ millis, timeouts, cpuMillis }) =>
        `${show(median(millis))} | ${show(Math.max(...millis))}${timeouts > 0 ? ` (${timeouts} timed out)` : ''} | ${show(cpuMillis / millis.length)}`,
    );
    const ratios = ratiosOf(measured).map((ratio) => ` ${ratio.toFixed(1)} |`);
    const queries = measured[0]!.millis.length;
    return `| ${kind.group} | ${kind.name} | ${queries} | ${cells.join(' | ')} |${ratios.join('')}`;
  });
  const heads = services.flatMap(({ name }) => [`${name}: median ms`, 'max ms', 'database CPU ms']);
  if (services.length > 1) heads.push('times faster', 'without keys');
  const slowest = medians[0]!;
  const matched = results.map(({ measured }) => median(measured[0]!.matchMillis));
  const matchMean = Math.exp(matched.reduce((sum, value) => sum + Math.log(Math.max(value, 0.01)), 0) / matched.length);
  return `${[
    `# Search: ${records.toLocaleString('en')} generated records, ${QUERY_KINDS.length} kinds of query`,
    '',
    `${new Date().toISOString().slice(0, 10)}; ${cpus().length} × ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GB; Node.js ${process.version}; the services and their caller, each a process of its own, and the database on this machine.`,
    ...database,
    `Up to ${calls} different queries of each kind (${CALLS_MIN} of one that takes long), each once unmeasured and once measured, the services in turn, over HTTP: this service with keys and metering, the usual way, which has none, and this service without them. Before that, ${warmUp} calls to each.`,
    '',
    `| group | kind | queries | ${heads.join(' | ')} |`,
    `|${' --- |'.repeat(3 + heads.length)}`,
    ...rows,
    '',
    ...services.map(
      (service, index) => `Geometric mean of the medians, ${service.name}: ${geometric[index]!.toFixed(2)} ms.`,
    ),
    ...(services.length > 1 ? describeSlower(results) : []),
    `This service: median of the medians ${show(median(slowest))} ms, largest median ${show(Math.max(...slowest))} ms, largest call ${show(Math.max(...results.flatMap(({ measured }) => measured[0]!.millis)))} ms, ${slowest.filter((value) => value < 10).length} kinds under 10 ms, ${results.reduce((sum, { measured }) => sum + measured[0]!.timeouts, 0)} timeouts.`,
    `Of which in the index (Server-Timing: match), geometric mean of the medians: ${matchMean.toFixed(2)} ms.`,
    ...(rates.length > 0
      ? [`${CALLERS} callers at a time, the kinds in turn, answers a second: ${rates.join(', ')}.`]
      : []),
  ].join('\n')}\n`;
}
