/**
 * `npm run bench -- capacity-model`: what registers of a size need, computed from the tables that `capacity` wrote. Writes
 * `capacity-model.md`.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { OperatorError } from '../../server/src/base/errors.ts';
import { estimateMemory } from '../../server/src/follow/memory.ts';
import { amountOption, keepResult, type ResultsOptions, resultsOption } from '../options.ts';

interface ModelOptions extends ResultsOptions {
  /** Of the records, in a year. */
  readonly changes: number;
  /** By which what is needed is multiplied. */
  readonly headroom: number;
}

interface Scenario {
  readonly title: string;
  readonly records: number;
  /** Of a stored document, by what real files gave; null: as generated ones. */
  readonly documentBytes: number | null;
}

const SCENARIOS: readonly Scenario[] = [
  // 11 records of a daily file of the USPTO take 2,170 bytes each on average, as generated ones do.
  { title: 'the USPTO alone', records: 12_000_000, documentBytes: null },
  // 586 records of the sample of the EUIPO, whose lists of goods are in every language.
  { title: 'Europe', records: 25_000_000, documentBytes: 19_500 },
  // Between those.
  { title: 'the world', records: 100_000_000, documentBytes: 10_000 },
];

/** Sizes in which memory is bought. */
const MEMORY_SIZES = [8, 16, 32, 64, 96, 128, 192, 256, 384, 512];
const GIGABYTE = 2 ** 30;
const MEGABYTE = 2 ** 20;
/** Of an embedded database; a separate server has the same. */
const WAL_BYTES = 4 * GIGABYTE;
/** Share of the records that is read again and again. */
const READ_SHARE = 0.1;
/** Search threads of a process, half as many patient ones included. */
const THREADS = 12;

/** The quantities of a table, by name. */
type Quantities = ReadonlyMap<string, number>;

interface Table {
  readonly records: number;
  readonly hasDocuments: boolean;
  readonly quantities: Quantities;
  readonly units: ReadonlyMap<string, string>;
}

export function registerCapacityModel(program: Command): void {
  program
    .command('capacity-model')
    .description('what registers of a size need, computed from the tables of capacity')
    .addOption(amountOption('--changes <share>', 'changes in a year, as a share of the records', 0.5))
    .addOption(amountOption('--headroom <factor>', 'by which memory and disk are multiplied', 1.5))
    .addOption(resultsOption())
    .action(run);
}

async function run(options: ModelOptions): Promise<void> {
  const tables = await readTables(options.results);
  const plain = tables.filter(({ hasDocuments }) => !hasDocuments).sort((one, other) => one.records - other.records);
  const documents = tables.find(({ hasDocuments }) => hasDocuments);
  if (plain.length === 0 || documents === undefined) {
    throw new OperatorError('measure first: capacity without documents, and capacity with --payload full');
  }
  await keepResult(options.results, 'capacity-model.md', renderModel(plain, documents, options));
}

async function readTables(folder: string): Promise<Table[]> {
  const names = (await readdir(folder)).flatMap((name) => {
    const [, records, documents] = /^capacity-(\d+)(-documents)?\.md$/.exec(name) ?? [];
    return records === undefined ? [] : [{ name, records: Number(records), hasDocuments: documents !== undefined }];
  });
  return await Promise.all(
    names.map(async ({ name, ...about }) => ({ ...about, ...readRows(await readFile(join(folder, name), 'utf8')) })),
  );
}

function readRows(text: string): Pick<Table, 'quantities' | 'units'> {
  const rows = [...text.matchAll(/^\| (.+?) \| (-?[\d.]+) \| (.*?) ?\|$/gm)];
  return {
    quantities: new Map(rows.map(([, name, value]) => [name!, Number(value)])),
    units: new Map(rows.map(([, name, , unit]) => [name!, unit!])),
  };
}

function read({ quantities, records }: Table, name: string): number {
  const value = quantities.get(name);
  if (value === undefined) throw new OperatorError(`the table of ${records} records lacks "${name}"`);
  return value;
}

/** Those that tell a quantity; a large size may have been measured in part. */
function withQuantity(tables: readonly Table[], name: string): Table[] {
  const found = tables.filter(({ quantities }) => quantities.has(name));
  if (found.length === 0) throw new OperatorError(`no table has "${name}"`);
  return found;
}

interface Need {
  readonly title: string;
  readonly of: (scenario: Scenario) => string;
}

/** What a quantity is worst, over all sizes, and what it is at the largest. */
function readPlain(plain: readonly Table[]) {
  const all = (name: string): number[] => withQuantity(plain, name).map((table) => read(table, name));
  return {
    highest: (name: string): number => Math.max(...all(name)),
    lowest: (name: string): number => Math.min(...all(name)),
    largest: (name: string): Table => withQuantity(plain, name).at(-1)!,
  };
}

/** A quantity at a number of records, on the line through its smallest and its largest measured size. */
function extend(plain: readonly Table[], name: string, records: number): number {
  const tables = withQuantity(plain, name);
  const [small, large] = [tables[0]!, tables.at(-1)!];
  const slope = (read(large, name) - read(small, name)) / Math.max(1, large.records - small.records);
  return read(small, name) + Math.max(0, slope) * (records - small.records);
}

function listNeeds(plain: readonly Table[], documents: Table, options: ModelOptions): Need[] {
  return [...listBytes(plain, documents, options), ...listTimes(plain, documents)];
}

function listBytes(plain: readonly Table[], documents: Table, options: ModelOptions): Need[] {
  const { highest } = readPlain(plain);
  const indexBytes = highest('index: memory');
  const recordBytes = highest('disk: record');
  const orders = ['record_pkey', 'record_change', 'record_register_change'].map((name) => highest(`disk: ${name}`));
  const orderBytes = orders.reduce((sum, bytes) => sum + bytes, 0);
  const generatedBytes = read(documents, 'disk: payload') + read(documents, 'disk: payload_pkey');
  const versionBytes = highest('change: its past version on the disk');
  const threadBytes = highest('process: a search thread') * MEGABYTE;

  const index = ({ records }: Scenario): number => records * indexBytes;
  const serving = ({ records }: Scenario): number => estimateMemory(records) + THREADS * threadBytes;
  const rows = ({ records }: Scenario): number => records * (recordBytes + orderBytes);
  const stored = ({ records, documentBytes }: Scenario): number => records * (documentBytes ?? generatedBytes);
  const history = ({ records }: Scenario): number => records * options.changes * versionBytes;
  // Look-ups and pages need the orders, and the records that are asked for.
  const cache = ({ records }: Scenario): number => records * (orderBytes + recordBytes * READ_SHARE);
  const disk = (scenario: Scenario): number => rows(scenario) + stored(scenario) + history(scenario) + WAL_BYTES;
  const buy = (bytes: number): string => {
    const size = MEMORY_SIZES.find((each) => each * GIGABYTE >= bytes * options.headroom);
    return size === undefined ? `more than ${MEMORY_SIZES.at(-1)} GB` : `${size} GB`;
  };
  return [
    { title: 'index in memory', of: (scenario) => showBytes(index(scenario)) },
    { title: 'what a serving process asks for, with merges', of: (scenario) => showBytes(serving(scenario)) },
    { title: 'records with their orders', of: (scenario) => showBytes(rows(scenario)) },
    { title: 'documents', of: (scenario) => showBytes(stored(scenario)) },
    { title: 'past versions of a year', of: (scenario) => showBytes(history(scenario)) },
    { title: 'what the database should keep in memory', of: (scenario) => showBytes(cache(scenario)) },
    { title: '**buy**: memory of each serving machine', of: (scenario) => buy(serving(scenario)) },
    {
      title: '**buy**: disk of each serving machine',
      of: (scenario) => showBytes(index(scenario) * 2 * options.headroom),
    },
    { title: '**buy**: memory of the database and of each standby', of: (scenario) => buy(cache(scenario)) },
    {
      title: '**buy**: disk of the database and of each standby',
      of: (scenario) => showBytes(disk(scenario) * options.headroom),
    },
  ];
}

function listTimes(plain: readonly Table[], documents: Table): Need[] {
  const { lowest, largest } = readPlain(plain);
  const opened = largest('start with a snapshot');
  const perProcessor = (calls: string, { records }: Scenario): string => {
    const millis = ['serving process', 'database'].map((who) => extend(plain, `${calls}: ${who}`, records));
    return (1000 / (millis[0]! + millis[1]!)).toFixed(0);
  };
  return [
    {
      title: 'load of everything without documents, two processors',
      of: ({ records }) => showSeconds(records / lowest('load of new records: rate') / 2),
    },
    {
      title: 'load of everything with generated documents, two processors',
      of: ({ records }) => showSeconds(records / read(documents, 'first load: rate') / 2),
    },
    {
      title: 'rebuild of the index, two processors',
      of: ({ records }) => showSeconds(records / lowest('rebuild: rate with the database') / 2),
    },
    {
      title: 'start with a snapshot, processor time',
      of: ({ records }) => showSeconds((read(opened, 'start with a snapshot') * records) / opened.records),
    },
    {
      title: 'searches of the 48 kinds a second, for each processor',
      of: (scenario) => perProcessor('searches of the 48 kinds', scenario),
    },
    { title: 'look-ups a second, for each processor', of: (scenario) => perProcessor('look-ups', scenario) },
  ];
}

function showBytes(bytes: number): string {
  const size = bytes / GIGABYTE;
  return size < 1000 ? `${size.toFixed(size < 10 ? 1 : 0)} GB` : `${(size / 1024).toFixed(1)} TB`;
}

function showSeconds(seconds: number): string {
  if (seconds < 120) return `${seconds.toFixed(0)} s`;
  return seconds < 7200 ? `${(seconds / 60).toFixed(0)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

function renderModel(plain: readonly Table[], documents: Table, options: ModelOptions): string {
  const needs = listNeeds(plain, documents, options);
  const head = SCENARIOS.map(({ title, records }) => `${title}, ${records / 1_000_000} million`);
  return `# Capacity, computed

From the tables of ${plain.map(({ records }) => records.toLocaleString('en')).join(', ')} records without documents, and of
${documents.records.toLocaleString('en')} with generated documents: of each quantity the worst value; calls on the line through the
smallest and the largest. Changes in a year: ${options.changes} of the records. What to buy is ${options.headroom} times what is needed.

| | ${head.join(' | ')} |
|---|${SCENARIOS.map(() => '---:|').join('')}
${needs.map(({ title, of }) => `| ${title} | ${SCENARIOS.map(of).join(' | ')} |`).join('\n')}

## Measured, side by side

${renderSideBySide([...plain, documents])}
`;
}

function renderSideBySide(tables: readonly Table[]): string {
  const names = new Set(tables.flatMap(({ quantities }) => [...quantities.keys()]));
  const units = new Map(tables.flatMap(({ units: own }) => [...own]));
  const heads = tables.map(
    ({ records, hasDocuments }) => `${records / 1_000_000} million${hasDocuments ? ' with documents' : ''}`,
  );
  const rows = [...names].map((name) => {
    const cells = tables.map(({ quantities }) => quantities.get(name) ?? '');
    return `| ${name} | ${cells.join(' | ')} | ${units.get(name)} |`;
  });
  return [`| quantity | ${heads.join(' | ')} | unit |`, `|---|${heads.map(() => '---:|').join('')}---|`, ...rows].join(
    '\n',
  );
}
