/**
 * `npm run bench -- likeness`: which earlier marks a search for likeness finds among many other names, next to four
 * baselines, with every strategy and with each left out; how long a search takes, and what the names take of memory.
 * Deterministic but for time. Writes `likeness.md`, and the figures of docs/likeness.md.
 */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { LIKENESS_STRATEGY_NAMES, type LikenessStrategy } from '@tmds/contract/likeness';
import { type Command, Option } from 'commander';
import { generateRecords } from '../../server/src/generator/generate.ts';
import { NEVER_INTERRUPTED } from '../../server/src/index/matchers.ts';
import { NameScan } from '../../server/src/likeness/find.ts';
import { Lexicon } from '../../server/src/likeness/lexicon.ts';
import { buildQuery, type Frequencies, FrequenciesInClasses } from '../../server/src/likeness/query.ts';
import { fuseRankings } from '../../server/src/likeness/ranking.ts';
import { foldName } from '../../server/src/record/names.ts';
import { spellName } from '../../server/src/record/spelling.ts';
import { countOption, keepResult, type ResultsOptions, resultsOption } from '../options.ts';
import { ROOT } from '../program.ts';
import { type Baseline, buildBaselines } from './baselines.ts';
import { type Contested, isTuned, readContested, readRealNames } from './pairs.ts';
import { measureRecall, type Recall, renderTable } from './recall.ts';

const SEED = 'likeness';
/** Where the table is in docs/likeness.md. */
const SECTION = /(<!-- figures -->\n).*?(<!-- end of figures -->)/s;

interface LikenessOptions extends ResultsOptions {
  readonly names: number;
  readonly realData: string;
}

export function registerLikenessBench(program: Command): void {
  program
    .command('likeness')
    .description('earlier marks that a search for likeness finds among many names, next to four baselines')
    .addOption(countOption('--names <count>', 'generated names to search among', 1_000_000))
    .addOption(
      new Option('--real-data <folder>', 'real register files').default(process.env.TMDS_REAL_DATA ?? '../shared/data'),
    )
    .addOption(resultsOption())
    .action(runLikenessBench);
}

async function runLikenessBench({ names: count, realData, results }: LikenessOptions): Promise<void> {
  const dataDir = resolve(ROOT, realData);
  if (!existsSync(join(dataDir, 'euipo', 'EUTM-sample.zip'))) {
    console.log(
      `There are no real register files at ${dataDir}, so there is nothing to measure with (TMDS_REAL_DATA).`,
    );
    return;
  }
  const contested = await readContested(dataDir);
  const names = generateNames(count);
  for (const { name, classes } of await readRealNames(dataDir)) addName(names, name, classes);
  const all = [...names.keys()];
  const rows: Recall[] = buildBaselines(all).map((baseline) => measureRecall(baseline, contested));
  const timed = new LikenessRun(names);
  const classesOf = new Map(contested.map(({ mark, classes }) => [mark, classes]));
  for (const choice of listChoices(classesOf)) rows.push(measureRecall(timed.searchBy(choice), contested));
  const text = render(contested, all.length, rows, timed);
  await keepResult(results, 'likeness.md', `# Likeness: ${all.length.toLocaleString('en')} names\n\n${text}`);
  const page = join(ROOT, 'docs/likeness.md');
  await writeFile(page, (await readFile(page, 'utf8')).replace(SECTION, `$1\n${text}\n$2`));
}

/** Names in compared form, each with the Nice classes of the records that hold it. */
type Names = Map<string, Set<number>>;

function addName(names: Names, name: string, classes: readonly number[]): void {
  const known = names.get(name) ?? new Set<number>();
  for (const each of classes) known.add(each);
  names.set(name, known);
}

/** Distinct texts and variants of generated marks. */
function generateNames(count: number): Names {
  const names: Names = new Map();
  // A third of the records of a large sample has a text that no other has.
  for (const record of generateRecords({ records: count * 20, payload: 'none', seed: SEED })) {
    for (const name of [record.mark_name, ...(record.mark_name_variants ?? [])]) {
      if (name !== null && names.size < count) addName(names, foldName(name), record.nice_classes ?? []);
    }
    if (names.size === count) break;
  }
  return names;
}

interface Choice {
  readonly title: string;
  readonly chosen: readonly LikenessStrategy[];
  /** The classes that are asked for, by mark; absent: none. */
  readonly classesOf?: ReadonlyMap<string, readonly number[]>;
}

function listChoices(classesOf: NonNullable<Choice['classesOf']>): Choice[] {
  return [
    { title: '**all strategies**', chosen: LIKENESS_STRATEGY_NAMES },
    { title: '**the same, with the classes of the mark**', chosen: LIKENESS_STRATEGY_NAMES, classesOf },
    ...LIKENESS_STRATEGY_NAMES.map((strategy) => ({
      title: `without \`${strategy}\``,
      chosen: LIKENESS_STRATEGY_NAMES.filter((name) => name !== strategy),
    })),
    ...LIKENESS_STRATEGY_NAMES.map((strategy) => ({ title: `only \`${strategy}\``, chosen: [strategy] })),
  ];
}

/** Searches of all names, and how long those with all strategies took. */
class LikenessRun {
  readonly millis: number[] = [];
  readonly processorMillis: number[] = [];
  readonly buildSeconds: number;
  readonly lexicon = new Lexicon();
  private readonly textsOf: string[][] = [];
  private readonly classesOf: Set<number>[] = [];
  private readonly scan = new NameScan();

  constructor(names: Names) {
    const started = performance.now();
    for (const [name, classes] of names) {
      const number = this.lexicon.add(spellName(name));
      if (number === this.textsOf.length) {
        this.textsOf.push([name]);
        this.classesOf.push(classes);
      } else {
        this.textsOf[number]?.push(name);
        for (const each of classes) this.classesOf[number]?.add(each);
      }
    }
    this.lexicon.weigh();
    this.buildSeconds = (performance.now() - started) / 1000;
  }

  private frequenciesIn(classes: readonly number[] | undefined): Frequencies {
    if (classes === undefined) return this.lexicon;
    const marked = Uint8Array.from(this.classesOf, (own) => Number(classes.some((each) => own.has(each))));
    return new FrequenciesInClasses(this.lexicon, this.lexicon.allCounts, this.lexicon.countWords(marked));
  }

  searchBy({ title, chosen, classesOf }: Choice): Baseline {
    return {
      title,
      find: (mark) => {
        const frequencies = this.frequenciesIn(classesOf?.get(mark));
        const before = process.cpuUsage();
        const started = performance.now();
        const query = buildQuery(frequencies, mark);
        const { rankings } = this.scan.run(this.lexicon, query, null, new Set(chosen), NEVER_INTERRUPTED);
        const ranked = fuseRankings(rankings, (name) => this.lexicon.readLetters(name));
        if (classesOf === undefined && chosen.length === LIKENESS_STRATEGY_NAMES.length) {
          const { user, system } = process.cpuUsage(before);
          this.millis.push(performance.now() - started);
          this.processorMillis.push((user + system) / 1000);
        }
        return ranked.flatMap(({ name }) => this.textsOf[name]!);
      },
    };
  }
}

function render(contested: readonly Contested[], names: number, rows: readonly Recall[], run: LikenessRun): string {
  const pairs = contested.reduce((sum, { earlier }) => sum + earlier.length, 0);
  const tuned = contested.filter(isTuned);
  const at = (values: readonly number[], share: number): string =>
    values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) * share)]!.toFixed(0);
  return [
    `${new Date().toISOString().slice(0, 10)}, ${names.toLocaleString('en')} distinct names, ${contested.length} contested marks, ${pairs} pairs;`,
    `tuned on ${tuned.length} marks, ${tuned.reduce((sum, { earlier }) => sum + earlier.length, 0)} pairs.`,
    'Pairs found (marks with any of their earlier marks, marks with all of them) within the first 10, 50 and 200.',
    '',
    renderTable(rows),
    '',
    `A search: ${at(run.millis, 0.5)} ms at the median, ${at(run.millis, 1)} ms at most; of a processor ${at(run.processorMillis, 0.5)} and ${at(run.processorMillis, 1)} ms`,
    `(${cpus().length} × ${cpus()[0]?.model.trim()}, Node.js ${process.versions.node}). Memory: ${(run.lexicon.size / names).toFixed(1)} bytes a name;`,
    `${(run.lexicon.wordCount / 1000).toFixed(0)},000 distinct words; read in ${run.buildSeconds.toFixed(1)} s.`,
  ].join('\n');
}
