/**
 * `npm run bench -- likeness-parallel`: how long searches for likeness take over HTTP, and what a full load of them does
 * to the calls of another customer of the Record API. Writes `likeness-parallel-N.md`.
 */
import { cpus } from 'node:os';
import type { Command } from 'commander';
import { issueKey } from '../../server/src/access/keys.ts';
import { sql } from '../../server/src/database/driver/sql.ts';
import { measureRate, type Rate } from '../access/callers.ts';
import { startGreedy } from '../fair/greedy-process.ts';
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
import { connectBench } from '../search/data.ts';
import { useBench } from '../search/load.ts';
import { startServer } from '../server-process.ts';
import { indexFolderOf } from '../service.ts';

interface ParallelOptions extends DataOptions, ResultsOptions {
  readonly seconds: number;
  readonly rounds: number;
  readonly connections: number;
}

/** Connections of the customer whose calls are measured. */
const OTHERS = 2;
const ASKED = ['look-up', 'search of a number', 'search of a beginning'] as const;
type Asked = (typeof ASKED)[number];
/** The names are read within this long. */
const READ_SECONDS_MAX = 300;

export function registerLikenessParallelBench(program: Command): void {
  program
    .command('likeness-parallel')
    .description('calls of the Record API, alone and while searches for likeness run')
    .addOption(recordsOption(1_000_000))
    .addOption(dataOption())
    .addOption(countOption('--connections <count>', 'connections that search for likeness', 2))
    .addOption(amountOption('--seconds <number>', 'seconds of each measurement', 5))
    .addOption(countOption('--rounds <count>', 'measurements of each; the median counts', 5))
    .addOption(resultsOption())
    .action((options: ParallelOptions) => useBench(options, false, (url) => measure(url, options)));
}

interface Prepared {
  /** Header lines with a key. */
  readonly likeness: string;
  readonly other: string;
  readonly marks: readonly string[];
  readonly targets: Readonly<Record<Asked, readonly string[]>>;
}

async function prepare(url: string): Promise<Prepared> {
  const db = await connectBench(url, 2);
  const issue = async (customer: string, product: 'records' | 'analytics'): Promise<string> => {
    const order = { customer, name: null, products: [product], actor: 'bench' };
    const { key } = await issueKey(db, { ...order, rateLimitPerMinute: 100_000_000, quota: null });
    return `x-api-key: ${key}\r\n`;
  };
  const rows = await db.query<{ code: string; uid: string; number: string | null; mark: string | null }>(sql`
    select jurisdiction_code as code, uid, detail::json ->> 'application_number' as number,
      detail::json ->> 'mark_name' as mark
    from record where hashtext(uid) % 7 = 0 limit 2000`);
  const marks = rows.flatMap(({ mark }) => (mark === null ? [] : [`/analytics/v1/similar?${ask({ mark })}`]));
  const prepared: Prepared = {
    likeness: await issue('likeness', 'analytics'),
    other: await issue('other', 'records'),
    marks,
    targets: {
      'look-up': rows.map(({ code, uid }) => `/v1/${code}/trademarks/${encodeURIComponent(uid)}`),
      'search of a number': rows.flatMap(({ number }) =>
        number === null ? [] : [`/v1/trademarks?${ask({ application_number: number })}`],
      ),
      'search of a beginning': rows.flatMap(({ code, mark }) => {
        const beginning = /^[A-Za-z0-9]{4}/.exec(mark ?? '')?.[0];
        return beginning === undefined ? [] : [`/v1/${code}/trademarks?${ask({ mark_name_startswith: beginning })}`];
      }),
    },
  };
  await db.close();
  return prepared;
}

function ask(values: Readonly<Record<string, string>>): string {
  return new URLSearchParams(values).toString();
}

/** Waits until the thread has read the names: until then, calls are refused. */
async function waitUntilRead(port: number, { likeness, marks }: Prepared): Promise<void> {
  const [name, key] = likeness.trim().split(': ');
  for (let second = 0; second < READ_SECONDS_MAX; second += 1) {
    const { status } = await fetch(`http://127.0.0.1:${port}${marks[0]!}`, { headers: { [name!]: key! } });
    if (status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  throw new Error(`the names were not read within ${READ_SECONDS_MAX} s`);
}

async function measure(url: string, options: ParallelOptions): Promise<void> {
  const { seconds, rounds, connections, records, results } = options;
  const prepared = await prepare(url);
  const { child, port } = await startServer(url, 'metered', indexFolderOf(folderOf(options)));
  const alone = new Map<Asked, Rate[]>();
  const parallel = new Map<Asked, Rate[]>();
  const crowded: Rate[] = [];
  const quietly: Rate[] = [];
  try {
    await waitUntilRead(port, prepared);
    const searching = { port, headers: prepared.likeness, targets: prepared.marks, seconds };
    // Round 0 warms up and is not counted.
    for (let round = 0; round <= rounds; round += 1) {
      const single = await measureRate(port, prepared.likeness, prepared.marks, { connections: 1, seconds });
      if (round > 0) quietly.push(single);
      for (const asked of ASKED) {
        const call = (): Promise<Rate> =>
          measureRate(port, prepared.other, prepared.targets[asked], { connections: OTHERS, seconds });
        const quiet = await call();
        const { fared } = await startGreedy({ ...searching, connections });
        const [searched, called] = await Promise.all([fared, call()]);
        if (round === 0) continue;
        alone.set(asked, [...(alone.get(asked) ?? []), quiet]);
        parallel.set(asked, [...(parallel.get(asked) ?? []), called]);
        crowded.push(searched);
      }
    }
    await keepResult(
      results,
      `likeness-parallel-${records}.md`,
      render(options, { alone, parallel }, { crowded, quietly }),
    );
  } finally {
    child.kill();
  }
}

const median = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

function render(
  { records, connections, rounds, seconds }: ParallelOptions,
  { alone, parallel }: Readonly<Record<'alone' | 'parallel', ReadonlyMap<Asked, readonly Rate[]>>>,
  { crowded, quietly }: Readonly<Record<'crowded' | 'quietly', readonly Rate[]>>,
): string {
  const rows = ASKED.map((asked) => {
    const of = (rates: ReadonlyMap<Asked, readonly Rate[]>, pick: (rate: Rate) => number): number =>
      median((rates.get(asked) ?? []).map(pick));
    const p50 = [of(alone, ({ p50Ms }) => p50Ms), of(parallel, ({ p50Ms }) => p50Ms)] as const;
    const p99 = [of(alone, ({ p99Ms }) => p99Ms), of(parallel, ({ p99Ms }) => p99Ms)] as const;
    const shown = [...p50, ...p99].map((ms) => ms.toFixed(2));
    return `| ${asked} | ${shown.join(' | ')} | ${(p99[1] / p99[0]).toFixed(2)} |`;
  });
  return [
    `# Likeness in parallel with the Record API: ${records} records, ${cpus().length} processors`,
    '',
    `Alone, a search for likeness over one connection takes ${median(quietly.map(({ p50Ms }) => p50Ms)).toFixed(0)} ms (p50) and`,
    `${median(quietly.map(({ p99Ms }) => p99Ms)).toFixed(0)} ms (p99). Over ${connections} connections, while another customer calls over ${OTHERS},`,
    `${median(crowded.map(({ callsPerSecond }) => callsPerSecond)).toFixed(1)} are answered a second. Medians of ${rounds} rounds of ${seconds} s, in alternation; milliseconds.`,
    'Server, database and callers share the machine.',
    '',
    '| calls of the other | p50 alone | p50 in parallel | p99 alone | p99 in parallel | times |',
    '|---|---:|---:|---:|---:|---:|',
    ...rows,
    '',
  ].join('\n');
}
