/**
 * `npm run bench -- near`: whether the estimate of `index/search.ts` sends searches where they belong. Random searches of
 * generated records are matched in this thread, without HTTP and database, each several times of which the shortest
 * counts: whole, and as they are tried where they arrive. Writes `near-N.md`.
 */
import type { Command } from 'commander';
import { microsOf } from '../../server/src/base/clock.ts';
import { ApiError } from '../../server/src/base/errors.ts';
import { NEAR_US_MAX } from '../../server/src/follow/view-reader.ts';
import { generateRecords } from '../../server/src/generator/generate.ts';
import { NEVER_INTERRUPTED, Scratch } from '../../server/src/index/matchers.ts';
import { estimateWork, searchView, searchWithin } from '../../server/src/index/search.ts';
import type { View } from '../../server/src/index/segment.ts';
import { IndexWriter } from '../../server/src/index/writer.ts';
import { parseSearch } from '../../server/src/parse/search.ts';
import { planSearch, type SearchPlan } from '../../server/src/plan/search.ts';
import { buildSegment } from '../../server/test/support/segments.ts';
import { buildStored, renderDetail, type StoredRecord } from '../../server/test/support/stored.ts';
import { drawQuery } from '../hunt/queries.ts';
import { countOption, keepResult, type ResultsOptions, recordsOption, resultsOption } from '../options.ts';
import { SEED } from '../search/data.ts';
import { buildDraws, type Texts } from '../search/pool.ts';

const DRAWN_FROM = 4_000;
const RUNS = 5;
const BATCH = 1_000;
/** Bands of estimates, in microseconds; those up to `NEAR_US_MAX` are tried where they arrive. */
const BANDS = [50, NEAR_US_MAX, 500, Number.POSITIVE_INFINITY];

interface Timed {
  readonly estimate: number;
  /** The whole search. */
  readonly micros: number;
  /** Until it was found, or given up, where it arrives. */
  readonly nearMicros: number;
  readonly isFound: boolean;
}

interface NearOptions extends ResultsOptions {
  readonly records: number;
  readonly queries: number;
}

export function registerNearBench(program: Command): void {
  program
    .command('near')
    .description('estimated against measured work of random searches')
    .addOption(recordsOption(200_000))
    .addOption(countOption('--queries <count>', 'searches to draw', 3_000))
    .addOption(resultsOption())
    .action(run);
}

async function run({ records, queries, results }: NearOptions): Promise<void> {
  const { view, drawn } = buildView(records);
  const draw = buildDraws('near');
  const scratch = new Scratch();
  const timed: Timed[] = [];
  while (timed.length < queries) {
    const plan = planQuery(drawQuery(drawn, draw));
    if (plan === null) continue;
    const findNear = (): unknown => searchWithin(view, plan, scratch, NEAR_US_MAX);
    timed.push({
      estimate: estimateWork(view, plan),
      micros: timeRuns(() => searchView(view, plan, scratch, NEVER_INTERRUPTED)),
      nearMicros: timeRuns(findNear),
      isFound: findNear() !== null,
    });
  }
  await keepResult(results, `near-${records}.md`, renderTable(timed, records));
}

/** Null for a query that a caller would be refused: without a filter, or too broad. */
function planQuery(texts: Texts): SearchPlan | null {
  try {
    return planSearch(parseSearch(texts, null));
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

function buildView(records: number): { view: View; drawn: Record<string, unknown>[] } {
  const stored: StoredRecord[] = [];
  for (const source of generateRecords({ records, seed: SEED, payload: 'none' })) {
    const stamp = new Date(1_700_000_000_000 + Math.floor(stored.length / BATCH) * 1000).toISOString();
    stored.push(buildStored({ source_version: null, ...source } as never, stamp.replace('Z', '000Z')));
  }
  const every = Math.max(1, Math.floor(records / DRAWN_FROM));
  const drawn = stored.filter((_, index) => index % every === 0).map((each) => JSON.parse(renderDetail(each)));
  const view = new IndexWriter(() => 0).apply([buildSegment(stored, 'all')], microsOf('2026-01-01T00:00:00.000000Z'));
  return { view, drawn };
}

/** Microseconds of the fastest run: what a search costs once its code is compiled. */
function timeRuns(search: () => unknown): number {
  let fastest = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS; run += 1) {
    const started = process.hrtime.bigint();
    search();
    fastest = Math.min(fastest, Number(process.hrtime.bigint() - started) / 1000);
  }
  return fastest;
}

function renderTable(timed: readonly Timed[], records: number): string {
  let from = 0;
  const rows = BANDS.map((to) => {
    const inBand = timed.filter(({ estimate }) => estimate >= from && (estimate < to || to === Infinity));
    const name = to === Infinity ? `${from} and more, or unknown` : `${from} to ${to}`;
    from = to;
    const whole = spread(inBand.map(({ micros }) => micros));
    if (to > NEAR_US_MAX) return `| ${name} | ${inBand.length} | ${whole} | | |`;
    const found = inBand.filter(({ isFound }) => isFound).length;
    return `| ${name} | ${inBand.length} | ${whole} | ${found} | ${spread(inBand.map(({ nearMicros }) => nearMicros))} |`;
  });
  return [
    '# Estimated work of searches',
    '',
    `${timed.length} random searches of ${records} generated records, matched in one thread, the fastest of ${RUNS} runs. Those`,
    `estimated at less than ${NEAR_US_MAX} µs are tried where they arrive, and go to a thread if they turn out to be more.`,
    'Median, p99 and most, in microseconds. Written by `npm run bench -- near`.',
    '',
    '| estimate, µs | searches | the whole search | found where they arrive | until found or given up there |',
    '|---|--:|--:|--:|--:|',
    ...rows,
    '',
  ].join('\n');
}

function spread(micros: number[]): string {
  const sorted = micros.sort((one, other) => one - other);
  return [0.5, 0.99, 1]
    .map((share) => (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(0))
    .join(', ');
}
