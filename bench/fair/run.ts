/**
 * `npm run bench -- fair`: what one customer's worst searches do to the calls of another. Random searches are timed one
 * by one; the slowest are then sent by one customer over many connections, while another one looks records up and
 * searches as usual. Writes `fair-N.md`.
 */
import { cpus } from 'node:os';
import type { Command } from 'commander';
import { sql } from '../../server/src/database/driver/sql.ts';
import { measureRate, type Rate } from '../access/callers.ts';
import { drawQuery, drawRecords } from '../hunt/queries.ts';
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
import { buildDraws } from '../search/pool.ts';
import {
  type Alternated,
  alternate,
  issueBenchKey,
  median,
  OTHERS,
  renderAlternated,
  withServer,
} from './alternate.ts';

interface FairOptions extends DataOptions, ResultsOptions {
  readonly seconds: number;
  readonly rounds: number;
  readonly connections: number;
  readonly queries: number;
}

/** How many of the random searches are sent: the slowest by the median of a few calls. */
const WORST = 8;
const CALLS_TIMED = 5;

export function registerFairBench(program: Command): void {
  program
    .command('fair')
    .description("one customer's calls, alone and during the worst searches of another")
    .addOption(recordsOption(1_000_000))
    .addOption(dataOption())
    .addOption(countOption('--connections <count>', 'connections that send the worst searches', 32))
    .addOption(countOption('--queries <count>', 'random searches to find the worst among', 400))
    .addOption(amountOption('--seconds <number>', 'seconds of each measurement', 5))
    .addOption(countOption('--rounds <count>', 'measurements of each; the median counts', 5))
    .addOption(resultsOption())
    .action((options: FairOptions) => useBench(options, false, (url) => measureFair(url, options)));
}

interface Prepared {
  /** A header line with the key, by customer. */
  readonly greedy: string;
  readonly other: string;
  readonly targets: Readonly<Record<'look-up' | 'search of a number', readonly string[]>>;
  readonly searches: readonly string[];
}

async function prepare(url: string, { records, queries }: FairOptions): Promise<Prepared> {
  const db = await connectBench(url, 2);
  const rows = await db.query<{ jurisdiction_code: string; uid: string; number: string | null }>(sql`
    select jurisdiction_code, uid, detail::json ->> 'application_number' as number from record
    where hashtext(uid) % 7 = 0 limit 2000`);
  const drawn = await drawRecords(db, records);
  const draw = buildDraws('fair');
  const searches = Array.from(
    { length: queries },
    () => `/v1/trademarks?${new URLSearchParams(drawQuery(drawn, draw))}`,
  );
  const prepared = {
    greedy: await issueBenchKey(db, 'greedy', 'records'),
    other: await issueBenchKey(db, 'other', 'records'),
    searches,
    targets: {
      'look-up': rows.map(({ jurisdiction_code: code, uid }) => `/v1/${code}/trademarks/${encodeURIComponent(uid)}`),
      'search of a number': rows.flatMap(({ number }) =>
        number === null ? [] : [`/v1/trademarks?${new URLSearchParams({ application_number: number })}`],
      ),
    },
  };
  await db.close();
  return prepared;
}

/** The slowest searches that are answered, with their median. */
async function findWorst(port: number, { greedy, searches }: Prepared): Promise<{ targets: string[]; millis: number }> {
  const timed: { target: string; millis: number }[] = [];
  for (const target of searches) {
    const rates: Rate[] = [];
    try {
      for (let call = 0; call < CALLS_TIMED; call += 1) {
        rates.push(await measureRate(port, greedy, [target], { connections: 1, seconds: 0.000_001 }));
      }
      timed.push({ target, millis: median(rates.map(({ p50Ms }) => p50Ms)) });
    } catch {
      // A search that is refused, such as for a part of a name that is too short.
    }
  }
  timed.sort((one, other) => other.millis - one.millis);
  const worst = timed.slice(0, WORST);
  return { targets: worst.map(({ target }) => target), millis: worst[Math.floor(worst.length / 2)]!.millis };
}

async function measureFair(url: string, options: FairOptions): Promise<void> {
  const { seconds, rounds, connections, records, results } = options;
  const prepared = await prepare(url, options);
  await withServer(url, options, async (port) => {
    const worst = await findWorst(port, prepared);
    const alternated = await alternate(port, {
      greedy: { headers: prepared.greedy, targets: worst.targets, connections },
      other: { headers: prepared.other, targets: prepared.targets },
      seconds,
      rounds,
    });
    await keepResult(results, `fair-${records}.md`, render(options, worst.millis, alternated));
  });
}

function render(
  { records, connections, rounds, seconds }: FairOptions,
  worstMillis: number,
  alternated: Alternated<string>,
): string {
  const answered = median(alternated.greedy.map(({ callsPerSecond }) => callsPerSecond)).toFixed(0);
  return [
    `# Fair: ${records} records, ${cpus().length} processors`,
    '',
    `One customer sends the ${WORST} slowest of the random searches over ${connections} connections: alone each takes`,
    `${worstMillis.toFixed(1)} ms (median), together ${answered} are answered a second. Another customer calls over`,
    `${OTHERS} connections. Medians of ${rounds} rounds of ${seconds} s, alone and during in alternation; milliseconds.`,
    'Server, database and callers share the machine.',
    '',
    ...renderAlternated(alternated, 'during'),
    '',
  ].join('\n');
}
