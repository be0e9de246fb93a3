/**
 * `npm run bench -- processes`: verdicts and units of one key from many processes at once. Each has a meter and
 * separate connections, as a server has; here they share one program, so that the database is what is measured. A slow
 * disk is played by a wait before each flush. Writes `processes.md`.
 */
import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { issueKey } from '../../server/src/access/keys.ts';
import { buildMeter } from '../../server/src/access/meter.ts';
import type { MeteredCall } from '../../server/src/access/verdict.ts';
import { systemClock } from '../../server/src/base/clock.ts';
import { connectDatabase, type Database } from '../../server/src/database/driver/db.ts';
import { sql } from '../../server/src/database/driver/sql.ts';
import { amountOption, countOption, keepResult, type ResultsOptions, resultsOption } from '../options.ts';
import { connectBench, log, useDatabase } from '../search/data.ts';

const PROCESSES = [1, 4, 8, 32];
/** Added to each flush of the disk. */
const FLUSH_MS = [0, 5];
/** How often connections that wait for a lock are counted. */
const LOOK_MS = 20;

interface ProcessesOptions extends ResultsOptions {
  readonly data: string;
  readonly seconds: number;
  readonly callers: number;
}

interface Measured {
  readonly processes: number;
  readonly flushMs: number;
  readonly callsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Calls that waited too long for their verdict. */
  readonly late: number;
  /** Connections that wait for a lock, on average. */
  readonly waiting: number;
}

export function registerProcessesBench(program: Command): void {
  program
    .command('processes')
    .description('verdicts and units of one key from 1, 4, 8 and 32 processes on one database')
    .addOption(new Option('--data <folder>', 'folder of the database').default('.cache/bench-processes'))
    .addOption(amountOption('--seconds <number>', 'seconds of each measurement', 5))
    .addOption(countOption('--callers <count>', 'callers of each process, one call at a time each', 4))
    .addOption(resultsOption())
    .action((options: ProcessesOptions) =>
      useDatabase(resolve(options.data), async (url) => {
        const measured: Measured[] = [];
        for (const flushMs of FLUSH_MS) {
          for (const processes of PROCESSES) measured.push(await measure(url, processes, flushMs, options));
        }
        await report(measured, options);
      }),
    );
}

async function connectAccess(url: string, flushMs: number): Promise<Database> {
  return await connectDatabase({
    url,
    poolMax: 2,
    statementTimeoutMs: 60_000,
    applicationName: 'tmds serve access',
    acquireTimeoutMs: 60_000,
    log,
    settings: flushMs === 0 ? {} : { commit_delay: String(flushMs * 1000), commit_siblings: '0' },
  });
}

async function measure(
  url: string,
  processes: number,
  flushMs: number,
  { seconds, callers }: ProcessesOptions,
): Promise<Measured> {
  const watcher = await connectBench(url, 1);
  const order = { customer: 'bench', name: null, products: ['records'] as const, actor: 'bench' };
  const { id } = await issueKey(watcher, { ...order, rateLimitPerMinute: 1_000_000_000, quota: 1_000_000_000 });
  const call: MeteredCall = { keyId: id, secretNumber: 1, product: 'records', takesUnit: true };
  const pools = await Promise.all(Array.from({ length: processes }, () => connectAccess(url, flushMs)));
  const meters = pools.map((database) => buildMeter({ database, clock: systemClock, log }));
  await Promise.all(meters.map((meter) => meter.judge(call)));
  const millis: number[] = [];
  let late = 0;
  const looks: number[] = [];
  const started = performance.now();
  const endMs = started + seconds * 1000;
  const calling = async (meter: (typeof meters)[number]): Promise<void> => {
    while (performance.now() < endMs) {
      const sentMs = performance.now();
      const isJudged = await meter.judge(call).then(
        () => true,
        () => false,
      );
      if (isJudged) millis.push(performance.now() - sentMs);
      else late += 1;
    }
  };
  const looking = async (): Promise<void> => {
    while (performance.now() < endMs) {
      const [seen] = await watcher.query<{ waiting: number }>(sql`select count(*)::int4 as waiting from pg_stat_activity
        where wait_event_type = 'Lock' and datname = current_database()`);
      looks.push(seen!.waiting);
      await systemClock.sleep(LOOK_MS);
    }
  };
  const calls = meters.flatMap((meter) => Array.from({ length: callers }, () => calling(meter)));
  await Promise.all([...calls, looking()]);
  const taken = (performance.now() - started) / 1000;
  const [stored] = await watcher.query<{ units: number }>(
    sql`select sum(units)::float8 as units from usage_by_day where key_id = ${id}`,
  );
  for (const meter of meters) await meter.close();
  for (const pool of [...pools, watcher]) await pool.close();
  if (stored!.units !== millis.length + processes) {
    throw new Error(`${millis.length + processes} calls were admitted, ${stored!.units} units are stored`);
  }
  millis.sort((one, other) => one - other);
  const at = (share: number): number => millis[Math.min(millis.length - 1, Math.floor(millis.length * share))] ?? 0;
  const waiting = looks.reduce((sum, look) => sum + look, 0) / Math.max(1, looks.length);
  const callsPerSecond = millis.length / taken;
  return { processes, flushMs, callsPerSecond, p50Ms: at(0.5), p99Ms: at(0.99), late, waiting };
}

async function report(measured: readonly Measured[], { seconds, callers, results }: ProcessesOptions): Promise<void> {
  const rows = measured.map(({ processes, flushMs, callsPerSecond, p50Ms, p99Ms, late, waiting }) => {
    const disk = flushMs === 0 ? 'unchanged' : `${flushMs} ms a flush`;
    const figures = [callsPerSecond.toFixed(0), p50Ms.toFixed(1), p99Ms.toFixed(1), late, waiting.toFixed(1)];
    return `| ${disk} | ${processes} | ${figures.join(' | ')} |`;
  });
  const text = [
    `# One key, many processes: ${cpus().length} processors`,
    '',
    `Verdicts of one key with a rate limit and a quota, ${callers} callers in each process, ${seconds} s each. Meters and`,
    'database share the machine. *late*: calls',
    'that waited four seconds. *waiting*: connections that wait for a lock, on average. Every run ends with as many',
    'units stored as calls were admitted.',
    '',
    '| disk | processes | calls/s | p50 ms | p99 ms | late | waiting |',
    '|---|---:|---:|---:|---:|---:|---:|',
    ...rows,
    '',
  ].join('\n');
  await keepResult(results, 'processes.md', text);
}
