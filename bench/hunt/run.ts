/**
 * `npm run bench -- hunt`: random searches of the search benchmark's records, without HTTP and keys, to find slow ones
 * that no list of kinds contains. Writes their times, in total and in the index, and the slowest searches to
 * `hunt-N.md`.
 */
import { cpus, totalmem } from 'node:os';
import { QUERY_TIMEOUT_SECONDS } from '@tmds/contract/limits';
import type { Command } from 'commander';
import { systemClock } from '../../server/src/base/clock.ts';
import { ApiError } from '../../server/src/base/errors.ts';
import type { Database } from '../../server/src/database/driver/db.ts';
import { READING_SESSION_SETTINGS } from '../../server/src/database/driver/session-settings.ts';
import { type LiveIndex, openLiveIndex } from '../../server/src/follow/live-index.ts';
import { Timing } from '../../server/src/http/call.ts';
import { findPage } from '../../server/src/http/search.ts';
import { parseSearch } from '../../server/src/parse/search.ts';
import { planSearch, type SearchPlan } from '../../server/src/plan/search.ts';
import {
  countOption,
  type DataOptions,
  dataOption,
  folderOf,
  keepResult,
  type ResultsOptions,
  recordsOption,
  resultsOption,
} from '../options.ts';
import { connectBench, log } from '../search/data.ts';
import { useBench } from '../search/load.ts';
import { buildDraws, type Texts } from '../search/pool.ts';
import { indexFolderOf } from '../service.ts';
import { drawQuery, drawRecords } from './queries.ts';

const TIMEOUT_MS = QUERY_TIMEOUT_SECONDS * 1000;
const SLOWEST = 25;

/** A search and its time once it is warm. */
interface Hunted {
  readonly texts: Texts;
  readonly millis: number;
  /** The part of it in the index, including the way to its thread. */
  readonly matchMillis: number;
}

interface HuntOptions extends DataOptions, ResultsOptions {
  readonly queries: number;
  readonly seed: string;
}

export function registerHuntBench(program: Command): void {
  program
    .command('hunt')
    .description('random searches, timed in total and in the index')
    .addOption(recordsOption(100_000))
    .addOption(dataOption())
    .addOption(countOption('--queries <count>', 'searches to draw', 300))
    .option('--seed <text>', 'seed of the random searches', 'hunt')
    .addOption(resultsOption())
    .action((options: HuntOptions) => useBench(options, true, (url) => measureHunt(url, options)));
}

async function measureHunt(url: string, options: HuntOptions): Promise<void> {
  const { records, queries, seed, results } = options;
  const index = openLiveIndex({ url, folder: indexFolderOf(folderOf(options)), clock: systemClock, log });
  await index.ready;
  const service = { index, database: await connectBench(url, 2, READING_SESSION_SETTINGS, TIMEOUT_MS) };
  const db = await connectBench(url, 1);
  try {
    const drawn = await drawRecords(db, records);
    const draw = buildDraws(seed);
    const hunted: Hunted[] = [];
    while (hunted.length < queries) {
      const texts = drawQuery(drawn, draw);
      const plan = readPlan(texts);
      if (plan === null) continue;
      // A first run without measuring warms the caches.
      await measureSearch(service, plan);
      hunted.push({ texts, ...(await measureSearch(service, plan)) });
      if (hunted.length % 50 === 0) console.error(`${hunted.length} of ${queries} queries`);
    }
    await keepResult(results, `hunt-${records}.md`, renderReport(records, seed, hunted));
  } finally {
    await index.close();
    await Promise.all([db, service.database].map((each) => each.close()));
  }
}

/** Null for a search that is refused, such as for a part of a name that is too short. */
function readPlan(texts: Texts): SearchPlan | null {
  try {
    return planSearch(parseSearch(texts, null));
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

interface Service {
  readonly index: LiveIndex;
  readonly database: Database;
}

async function measureSearch(service: Service, plan: SearchPlan): Promise<Pick<Hunted, 'millis' | 'matchMillis'>> {
  const timing = new Timing(systemClock);
  const started = performance.now();
  await findPage(plan, service, { deadlineMs: systemClock.monotonicMs() + TIMEOUT_MS }, timing);
  const matchMillis = Number(/match;dur=([\d.]+)/.exec(timing.render())![1]);
  return { millis: performance.now() - started, matchMillis };
}

function renderReport(records: number, seed: string, hunted: readonly Hunted[]): string {
  const slowest = hunted.toSorted((one, other) => other.millis - one.millis).slice(0, SLOWEST);
  const describe = (name: string, measured: readonly number[]): string => {
    const sorted = measured.toSorted((one, other) => one - other);
    const at = (share: number): string => show(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!);
    return `| ${name} | ${at(0.5)} | ${at(0.9)} | ${at(0.99)} | ${at(1)} |`;
  };
  return [
    `# ${hunted.length} random searches of ${records.toLocaleString('en')} generated records`,
    '',
    `${new Date().toISOString().slice(0, 10)}; ${cpus().length} × ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GB; Node.js ${process.version}; seed \`${seed}\`.`,
    'One search at a time, without HTTP and keys, measured at its second run. Milliseconds.',
    '',
    '| | median | 90 % | 99 % | slowest |',
    '| --- | --- | --- | --- | --- |',
    describe(
      'in total',
      hunted.map(({ millis }) => millis),
    ),
    describe(
      'in the index',
      hunted.map(({ matchMillis }) => matchMillis),
    ),
    '',
    `The ${slowest.length} slowest:`,
    '',
    '| total | in the index | search |',
    '| --- | --- | --- |',
    ...slowest.map(
      ({ texts, millis, matchMillis }) =>
        `| ${show(millis)} | ${show(matchMillis)} | \`${new URLSearchParams(texts)}\` |`,
    ),
    '',
  ].join('\n');
}

function show(millis: number): string {
  return millis < 10 ? millis.toFixed(2) : millis.toFixed(0);
}
