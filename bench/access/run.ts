/**
 * `npm run bench -- access`: the cost of keys, limits and metering, and a comparison with the usual way, which has
 * none. At 16 connections it shows latency, at 64 throughput. The servers take turns in one run. Writes `access.md`.
 */
import { cpus } from 'node:os';
import type { Command } from 'commander';
import { issueKey } from '../../server/src/access/keys.ts';
import { sql } from '../../server/src/database/driver/sql.ts';
import {
  amountOption,
  countOption,
  type DataOptions,
  dataOption,
  keepResult,
  type ResultsOptions,
  recordsOption,
  resultsOption,
} from '../options.ts';
import { connectBench } from '../search/data.ts';
import { useBench } from '../search/load.ts';
import { startServer } from '../server-process.ts';
import { measureRate, type Rate } from './callers.ts';

const KINDS = ['metered', 'open', 'usual'] as const;
const WORKLOADS = [
  { name: 'look-up', asks: 'look-up', connections: 16 },
  { name: 'look-up, full load', asks: 'look-up', connections: 64 },
  { name: 'page of 50', asks: 'page', connections: 16 },
] as const;
type Asked = (typeof WORKLOADS)[number]['asks'];

const median = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

async function prepare(url: string): Promise<{ key: string; targets: Record<Asked, string[]> }> {
  const db = await connectBench(url, 2);
  const records = await db.query<{ jurisdiction_code: string; uid: string }>(
    sql`select jurisdiction_code, uid from record where hashtext(uid) % 7 = 0 limit 2000`,
  );
  const registers = await db.query<{ jurisdiction_code: string }>(
    sql`select jurisdiction_code from register where record_count > 50 order by 1`,
  );
  const order = { customer: 'bench', name: null, products: ['records'] as const, actor: 'bench' };
  const { key } = await issueKey(db, { ...order, rateLimitPerMinute: 100_000_000, quota: null });
  await db.close();
  const lookups = records.map(
    ({ jurisdiction_code, uid }) => `/v1/${jurisdiction_code}/trademarks/${encodeURIComponent(uid)}`,
  );
  const pages = registers.map(({ jurisdiction_code }) => `/v1/${jurisdiction_code}/trademarks`);
  return { key, targets: { 'look-up': lookups, page: pages } };
}

interface AccessOptions extends DataOptions, ResultsOptions {
  readonly seconds: number;
  readonly rounds: number;
}

export function registerAccessBench(program: Command): void {
  program
    .command('access')
    .description('look-ups and pages with keys, limits and metering, without them, and the usual way')
    .addOption(recordsOption(4000))
    .addOption(dataOption('bench-access'))
    .addOption(amountOption('--seconds <number>', 'seconds of each measurement', 3))
    .addOption(countOption('--rounds <count>', 'measurements of each; the median counts', 5))
    .addOption(resultsOption())
    .action((options: AccessOptions) => useBench(options, true, (url) => measureAccess(url, options)));
}

async function measureAccess(url: string, options: AccessOptions): Promise<void> {
  const { seconds, rounds } = options;
  const { key, targets } = await prepare(url);
  const servers = await Promise.all(KINDS.map((kind) => startServer(url, kind)));
  const rates = new Map<string, Rate[]>();
  try {
    // Round 0 warms up and is not counted.
    for (let round = 0; round <= rounds; round += 1) {
      for (const { name: workload, asks, connections } of WORKLOADS) {
        for (const [position, kind] of KINDS.entries()) {
          const { port } = servers[position]!;
          const rate = await measureRate(port, `x-api-key: ${key}\r\n`, targets[asks], { connections, seconds });
          const name = `${workload}/${kind}`;
          if (round > 0) rates.set(name, [...(rates.get(name) ?? []), rate]);
        }
      }
    }
  } finally {
    for (const { child } of servers) child.kill();
  }
  await report(rates, options);
}

async function report(
  rates: ReadonlyMap<string, readonly Rate[]>,
  { records, seconds, rounds: measured, results }: AccessOptions,
): Promise<void> {
  const shown = (name: string, pick: (rate: Rate) => number): number => median((rates.get(name) ?? []).map(pick));
  const rows = WORKLOADS.flatMap(({ name: workload, connections }) =>
    KINDS.map((kind) => {
      const name = `${workload}/${kind}`;
      const calls = shown(name, (rate) => rate.callsPerSecond);
      const base = shown(`${workload}/${kind === 'metered' ? 'open' : 'usual'}`, (rate) => rate.callsPerSecond);
      const usual = shown(`${workload}/usual`, (rate) => rate.callsPerSecond);
      const p = [shown(name, (rate) => rate.p50Ms), shown(name, (rate) => rate.p99Ms)].map((ms) => ms.toFixed(1));
      const cost = kind === 'metered' ? `${((1 - calls / base) * 100).toFixed(0)} %` : '';
      return `| ${workload} | ${connections} | ${kind} | ${calls.toFixed(0)} | ${p[0]} | ${p[1]} | ${(calls / usual).toFixed(2)} | ${cost} |`;
    }),
  );
  const text = [
    `# Access: ${records} records, ${cpus().length} processors`,
    '',
    `Medians of ${measured} rounds of ${seconds} s each, in alternation. *metered* is the service as it is,`,
    '*open* the same with keys, limits and metering switched off, *usual* a column for each field, rows as objects,',
    'JSON.stringify, without keys or metering. Server, database and callers share the machine.',
    '',
    '| workload | connections | service | calls/s | p50 ms | p99 ms | of usual | cost of access |',
    '|---|---:|---|---:|---:|---:|---:|---:|',
    ...rows,
    '',
  ].join('\n');
  await keepResult(results, 'access.md', text);
}
