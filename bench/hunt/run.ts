/**
 * `npm run bench -- hunt`: random searches among the records of the search benchmark, each planned with the sample of
 * the records that a service draws, with another one, and without any (docs/decisions/0027, 0029), in alternation.
 * Writes the slowest to `hunt-N.md`: what no list of kinds thinks of, and what depends on how a sample falls.
 */
import { cpus, totalmem } from 'node:os';
import { QUERY_TIMEOUT_SECONDS } from '@tmds/contract/limits';
import type { Command } from 'commander';
import { systemClock } from '../../server/src/base/clock.ts';
import { ApiError } from '../../server/src/base/errors.ts';
import { parseSearch } from '../../server/src/parse/search.ts';
import type { TermStatistics } from '../../server/src/plan/estimate.ts';
import { NO_SAMPLE, type RecordSample, SAMPLE_SIZE } from '../../server/src/plan/record-sample.ts';
import { arrangePaths, outlineSearch, type SearchOutline } from '../../server/src/plan/search.ts';
import type { Database } from '../../server/src/store/db.ts';
import { findSearchPage } from '../../server/src/store/search.ts';
import { SEARCH_SESSION_SETTINGS } from '../../server/src/store/search-statements.ts';
import { readSample, readTermStatistics } from '../../server/src/store/search-statistics.ts';
import { countOption, dataOption, keepResult, recordsOption, resultsOption } from '../options.ts';
import { connectBench } from '../search/data.ts';
import { useBench } from '../search/load.ts';
import { buildDraws, type Texts } from '../search/queries.ts';
import { drawQuery, drawRecords } from './queries.ts';

const TIMEOUT_MS = QUERY_TIMEOUT_SECONDS * 1000;
const SLOWEST = 25;
const MOST_CHANGED = 10;
/** Any but the one that services draw by. */
const OTHER_SAMPLE_SEED = 1;

interface Samples<Each> {
  /** As a service draws it. */
  readonly sampled: Each;
  /** Of other records. */
  readonly resampled: Each;
  readonly unsampled: Each;
}

/** Milliseconds of a search, warm; null where it ran into the limit. */
interface Hunted extends Samples<number | null> {
  readonly texts: Texts;
}

interface HuntOptions {
  readonly records: number;
  readonly data?: string;
  readonly queries: number;
  readonly seed: string;
  readonly results: string;
}

export function registerHuntBench(program: Command): void {
  program
    .command('hunt')
    .description('random searches, each planned with two samples of the records and without one')
    .addOption(recordsOption(100_000))
    .addOption(dataOption('.cache/bench-RECORDS'))
    .addOption(countOption('--queries <count>', 'searches to draw', 500))
    .option('--seed <text>', 'what they are drawn by', 'hunt')
    .addOption(resultsOption())
    .action(runHuntBench);
}

async function runHuntBench({ records, data, queries, seed, results }: HuntOptions): Promise<void> {
  await useBench(data ?? `.cache/bench-${records}`, { records, withPeer: true }, async (url) => {
    const db = await connectBench(url, 1, SEARCH_SESSION_SETTINGS, TIMEOUT_MS);
    const hunted = await hunt(db, records, queries, seed);
    await keepResult(results, `hunt-${records}.md`, renderReport(records, seed, hunted));
    await db.close();
  });
}

async function hunt(db: Database, records: number, queries: number, seed: string): Promise<Hunted[]> {
  const drawn = await drawRecords(db, records);
  const draw = buildDraws(seed);
  const terms = await readTermStatistics(db);
  const samples: Samples<RecordSample> = {
    sampled: await readSample(db),
    resampled: await readSample(db, records, SAMPLE_SIZE, OTHER_SAMPLE_SEED),
    unsampled: NO_SAMPLE,
  };
  const hunted: Hunted[] = [];
  while (hunted.length < queries) {
    const texts = drawQuery(drawn, draw);
    const outline = readOutline(texts);
    if (outline === null) continue;
    hunted.push({ texts, ...(await measureEach(db, outline, terms, samples)) });
    if (hunted.length % 50 === 0) console.error(`${hunted.length} of ${queries} queries`);
  }
  return hunted;
}

/** Null for what is refused: a part that is too short, or in too many registers. */
function readOutline(texts: Texts): SearchOutline | null {
  try {
    return outlineSearch(parseSearch(texts, null));
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

/** Each once unmeasured, which brings the pages in. */
async function measureEach(
  db: Database,
  outline: SearchOutline,
  terms: TermStatistics,
  samples: Samples<RecordSample>,
): Promise<Samples<number | null>> {
  const measured: Record<keyof Samples<unknown>, number | null> = { sampled: null, resampled: null, unsampled: null };
  for (const round of ['warm', 'measured']) {
    for (const [name, known] of Object.entries(samples) as [keyof typeof measured, RecordSample][]) {
      if (round === 'measured' && measured[name] === null) continue;
      measured[name] = await measureSearch(db, outline, terms, known);
    }
  }
  return measured;
}

async function measureSearch(
  db: Database,
  outline: SearchOutline,
  terms: TermStatistics,
  sample: RecordSample,
): Promise<number | null> {
  const started = performance.now();
  try {
    await findSearchPage(db, arrangePaths(outline, terms, sample), { clock: systemClock, timeoutMs: TIMEOUT_MS });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'query_timeout') return null;
    throw error;
  }
  return performance.now() - started;
}

function renderReport(records: number, seed: string, hunted: readonly Hunted[]): string {
  const slowest = [...hunted].sort((one, other) => millisOf(other.sampled) - millisOf(one.sampled)).slice(0, SLOWEST);
  const changed = [...hunted].sort((one, other) => changeOf(other) - changeOf(one)).slice(0, MOST_CHANGED);
  const lines = [
    `# ${hunted.length} random searches of ${records.toLocaleString('en')} generated records`,
    '',
    `${new Date().toISOString().slice(0, 10)}; ${cpus().length} × ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GB; Node.js ${process.version}; seed \`${seed}\`.`,
    'Each search by itself, without HTTP or keys, once unmeasured and once measured; planned with the sample that a',
    'service draws, with another one, and without any, in turn. Milliseconds.',
    '',
    '| | median | 90 % | 99 % | slowest | over 150 | over 800 | timeouts |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    describeMillis(
      'with the sample',
      hunted.map(({ sampled }) => sampled),
    ),
    describeMillis(
      'with another',
      hunted.map(({ resampled }) => resampled),
    ),
    describeMillis(
      'without',
      hunted.map(({ unsampled }) => unsampled),
    ),
    '',
    `The ${slowest.length} slowest with the sample:`,
    '',
    ...renderRows(slowest),
    '',
    `The ${changed.length} that another sample changes most:`,
    '',
    ...renderRows(changed),
    '',
  ];
  return lines.join('\n');
}

function renderRows(hunted: readonly Hunted[]): string[] {
  const rows = hunted.map(({ texts, sampled, resampled, unsampled }) => {
    const millis = [sampled, resampled, unsampled].map(show).join(' | ');
    return `| ${millis} | \`${new URLSearchParams(texts)}\` |`;
  });
  return ['| with | with another | without | search |', '| --- | --- | --- | --- |', ...rows];
}

/** Milliseconds; a search that ran into the limit took as long as that. */
function changeOf({ sampled, resampled }: Hunted): number {
  return Math.abs((sampled ?? TIMEOUT_MS) - (resampled ?? TIMEOUT_MS));
}

function describeMillis(name: string, measured: readonly (number | null)[]): string {
  const sorted = measured.map(millisOf).sort((one, other) => one - other);
  const at = (share: number): string => show(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!);
  const over = (millis: number): number => sorted.filter((each) => each > millis).length;
  const timeouts = measured.filter((millis) => millis === null).length;
  return `| ${name} | ${at(0.5)} | ${at(0.9)} | ${at(0.99)} | ${at(1)} | ${over(150)} | ${over(800)} | ${timeouts} |`;
}

function millisOf(measured: number | null): number {
  return measured ?? Number.POSITIVE_INFINITY;
}

function show(millis: number | null): string {
  if (millis === null || millis === Number.POSITIVE_INFINITY) return 'timeout';
  return millis < 10 ? millis.toFixed(1) : millis.toFixed(0);
}
