/**
 * `npm run bench -- likeness-parallel`: how long searches for likeness take over HTTP, and what a full load of them does
 * to the calls of another customer of the Record API. Writes `likeness-parallel-N.md`.
 */
import { cpus } from 'node:os';
import type { Command } from 'commander';
import { sql } from '../../server/src/database/driver/sql.ts';
import { measureRate, type Rate } from '../access/callers.ts';
import {
  type Alternated,
  alternate,
  issueBenchKey,
  median,
  OTHERS,
  renderAlternated,
  withServer,
} from '../fair/alternate.ts';
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

interface ParallelOptions extends DataOptions, ResultsOptions {
  readonly seconds: number;
  readonly rounds: number;
  readonly connections: number;
}

type Asked = 'look-up' | 'search of a number' | 'search of a beginning';
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
  const rows = await db.query<{ code: string; uid: string; number: string | null; mark: string | null }>(sql`
    select jurisdiction_code as code, uid, detail::json ->> 'application_number' as number,
      detail::json ->> 'mark_name' as mark
    from record where hashtext(uid) % 7 = 0 limit 2000`);
  const marks = rows.flatMap(({ mark }) => (mark === null ? [] : [`/analytics/v1/similar?${ask({ mark })}`]));
  const prepared: Prepared = {
    likeness: await issueBenchKey(db, 'likeness', 'analytics'),
    other: await issueBenchKey(db, 'other', 'records'),
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
  await withServer(url, options, async (port) => {
    await waitUntilRead(port, prepared);
    const single = (): Promise<Rate> =>
      measureRate(port, prepared.likeness, prepared.marks, { connections: 1, seconds });
    // Not counted: it warms up.
    await single();
    const quietly: Rate[] = [];
    while (quietly.length < rounds) quietly.push(await single());
    const alternated = await alternate(port, {
      greedy: { headers: prepared.likeness, targets: prepared.marks, connections },
      other: { headers: prepared.other, targets: prepared.targets },
      seconds,
      rounds,
    });
    await keepResult(results, `likeness-parallel-${records}.md`, render(options, alternated, quietly));
  });
}

function render(
  { records, connections, rounds, seconds }: ParallelOptions,
  alternated: Alternated<string>,
  quietly: readonly Rate[],
): string {
  const alone = (pick: (rate: Rate) => number): string => median(quietly.map(pick)).toFixed(0);
  const answered = median(alternated.greedy.map(({ callsPerSecond }) => callsPerSecond)).toFixed(1);
  return [
    `# Likeness in parallel with the Record API: ${records} records, ${cpus().length} processors`,
    '',
    `Alone, a search for likeness over one connection takes ${alone(({ p50Ms }) => p50Ms)} ms (p50) and`,
    `${alone(({ p99Ms }) => p99Ms)} ms (p99). Over ${connections} connections, while another customer calls over ${OTHERS},`,
    `${answered} are answered a second. Medians of ${rounds} rounds of ${seconds} s, in alternation; milliseconds.`,
    'Server, database and callers share the machine.',
    '',
    ...renderAlternated(alternated, 'in parallel'),
    '',
  ].join('\n');
}
