/**
 * `npm run bench -- search`: the 48 kinds of query, on this service and the peer in turn, in one run. Writes
 * `search-N.md`.
 */
import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { Agent, get as httpGet } from 'node:http';
import { loadavg } from 'node:os';
import type { Command } from 'commander';
import { issueKey } from '../../server/src/access/keys.ts';
import { OperatorError } from '../../server/src/base/errors.ts';
import type { Database } from '../../server/src/database/driver/db.ts';
import { sql } from '../../server/src/database/driver/sql.ts';
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
import { buildDraws, type Pool, readPool, type Texts } from './pool.ts';
import { QUERY_KINDS, type QueryKind } from './queries.ts';
import { CALLS_MIN, describeKind, type Measured, renderReport } from './report.ts';

interface Service {
  readonly name: string;
  readonly child: ChildProcess;
  readonly port: number;
  readonly headers: Record<string, string>;
  /** The application name of its connections. */
  readonly applicationName: string;
}

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

/** One open connection for each service, without compression, which the peer does not offer. */
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

/** Yields each service when it listens, so that the caller can stop it even if the next one fails to start. */
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

interface Bench {
  readonly services: readonly Service[];
  /** The maximum number of queries of a kind. */
  readonly calls: number;
  /** The time after which a kind has only `CALLS_MIN` queries. */
  readonly seconds: number;
  readonly pool: Pool;
  readonly owner: Database;
}

/** Every service gets the same draws, so that none benefits from pages that another has brought into memory. */
async function measureKind(kind: QueryKind, { services, calls, seconds, pool, owner }: Bench): Promise<Measured[]> {
  const measured = services.map(startMeasuring);
  const draws = buildDraws(kind.name);
  const until = performance.now() + seconds * 1000;
  for (let round = 0; round <= calls && (round <= CALLS_MIN || performance.now() < until); round += 1) {
    const texts = kind.draw(pool, draws);
    for (const [index, service] of services.entries()) {
      const backends = await listBackends(owner, service.applicationName);
      // A first run without measuring warms the caches.
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
  /** Whether to measure the peer too. */
  readonly peer: boolean;
}

export function registerSearchBench(program: Command): void {
  program
    .command('search')
    .description('the 48 kinds of query, with and without keys, next to a peer with one index per column')
    .addOption(recordsOption(100_000))
    .addOption(dataOption())
    .addOption(countOption('--calls <count>', `queries of each kind, at least ${CALLS_MIN}`, 25))
    .addOption(amountOption('--seconds <number>', 'the time limit for a kind', 10))
    .addOption(countOption('--warm-up <count>', 'calls to each service before the measurement', 5_000))
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

/** Sends queries that any index answers at once, because a new process runs unoptimized code. */
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

/** A busy machine affects every figure except the processor time. */
function describeLoad(before: number): string {
  return `load average ${before.toFixed(1)} at the start, ${loadavg()[0]!.toFixed(1)} at the end`;
}

async function listBackends(owner: Database, applicationName: string): Promise<number[]> {
  const rows = await owner.query<{ pid: number }>(
    sql`select pid from pg_stat_activity where application_name = ${applicationName} and pid <> pg_backend_pid()`,
  );
  return rows.map(({ pid }) => pid);
}

/** The processor time of processes that still run; a pool closes connections that it does not need. */
function readCpuMillis(pids: readonly number[]): number {
  let millis = 0;
  for (const pid of pids) {
    const path = `/proc/${pid}/stat`;
    if (!existsSync(path)) continue;
    // After the process name in parentheses, the 12th and 13th field are user and system time in hundredths of a
    // second.
    const [, afterName = ''] = readFileSync(path, 'utf8').split(') ');
    const [userTicks = 0, systemTicks = 0] = afterName.split(' ').slice(11, 13).map(Number);
    millis += (userTicks + systemTicks) * 10;
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
