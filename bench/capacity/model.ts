/**
 * `npm run bench -- capacity-model`: what registers of a size need, computed from the tables that `capacity` wrote. Writes
 * `capacity-model.md`.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { OperatorError } from '../../server/src/base/errors.ts';
import { SEGMENT_RECORDS_MAX } from '../../server/src/index/segment.ts';
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
}

const SCENARIOS: readonly Scenario[] = [
  { title: 'the USPTO alone', records: 12_000_000 },
  { title: 'Europe', records: 25_000_000 },
  { title: 'the world', records: 100_000_000 },
];

/** Sizes in which memory is bought. */
const MEMORY_SIZES = [8, 16, 32, 64, 96, 128, 192, 256, 384, 512];
const GIGABYTE = 2 ** 30;
const MEGABYTE = 2 ** 20;
/** Of an embedded database; a server of its own is set likewise. */
const WAL_BYTES = 4 * GIGABYTE;
/** Search threads of a process, half as many patient ones included. */
const THREADS = 12;

/** The quantities of a table, by name. */
type Quantities = ReadonlyMap<string, number>;

interface Table {
  readonly records: number;
  readonly hasDocuments: boolean;
  readonly quantities: Quantities;
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
  const largest = plain.at(-1);
  if (largest === undefined || documents === undefined) {
    throw new OperatorError('measure first: capacity without documents, and capacity with --payload full');
  }
  await keepResult(options.results, 'capacity-model.md', renderModel(plain, largest, documents, options));
}

async function readTables(folder: string): Promise<Table[]> {
  const names = (await readdir(folder)).flatMap((name) => {
    const [, records, documents] = /^capacity-(\d+)(-documents)?\.md$/.exec(name) ?? [];
    return records === undefined ? [] : [{ name, records: Number(records), hasDocuments: documents !== undefined }];
  });
  return await Promise.all(
    names.map(async ({ name, ...about }) => ({
      ...about,
      quantities: readQuantities(await readFile(join(folder, name), 'utf8')),
    })),
  );
}

function readQuantities(text: string): Quantities {
  return new Map([...text.matchAll(/^\| (.+?) \| (-?[\d.]+) \|/gm)].map(([, name, value]) => [name!, Number(value)]));
}

function read({ quantities, records }: Table, name: string): number {
  const value = quantities.get(name);
  if (value === undefined) throw new OperatorError(`the table of ${records} records lacks "${name}"`);
  return value;
}

interface Need {
  readonly title: string;
  readonly of: (records: number) => string;
}

const gigabytes = (bytes: number): string => `${(bytes / GIGABYTE).toFixed(bytes < 10 * GIGABYTE ? 1 : 0)} GB`;
const terabytes = (bytes: number): string =>
  bytes < 1000 * GIGABYTE ? gigabytes(bytes) : `${(bytes / 1000 / GIGABYTE).toFixed(1)} TB`;

function listNeeds(plain: readonly Table[], largest: Table, documents: Table, options: ModelOptions): Need[] {
  const highest = (name: string): number => Math.max(...plain.map((table) => read(table, name)));
  const lowest = (name: string): number => Math.min(...plain.map((table) => read(table, name)));
  const indexBytes = highest('index: memory');
  const recordBytes = highest('disk: record');
  const orders = ['record_pkey', 'record_change', 'record_register_change'].map((name) => highest(`disk: ${name}`));
  const recordIndexBytes = orders.reduce((sum, bytes) => sum + bytes, 0);
  const documentBytes = read(documents, 'disk: payload') + read(documents, 'disk: payload_pkey');
  const versionBytes = highest('change: its past version on the disk');
  const processBytes = highest('process: memory without its index') * MEGABYTE;
  const threadBytes = Math.max(0, highest('process: a search thread')) * MEGABYTE;
  const loadRate = lowest('first load: rate');

  const index = (records: number): number => records * indexBytes;
  // A merge holds what it reads and what it writes, of one segment at most.
  const merging = (records: number): number => index(Math.min(records, SEGMENT_RECORDS_MAX)) * 2;
  const serving = (records: number): number => index(records) + merging(records) + processBytes + THREADS * threadBytes;
  const rows = (records: number): number => records * (recordBytes + recordIndexBytes);
  const history = (records: number): number => records * options.changes * versionBytes;
  const disk = (records: number): number => rows(records) + records * documentBytes + history(records) + WAL_BYTES;
  const cache = (records: number): number => records * (recordIndexBytes + recordBytes * 0.1);
  const perCore = (name: string): number =>
    1000 / (read(largest, `${name}: serving process`) + read(largest, `${name}: database`));
  const buy = (bytes: number): string =>
    `${MEMORY_SIZES.find((size) => size * GIGABYTE >= bytes * options.headroom) ?? '> 512'} GB`;
  const hours = (seconds: number): string =>
    seconds < 7200 ? `${(seconds / 60).toFixed(0)} min` : `${(seconds / 3600).toFixed(1)} h`;
  return [
    { title: 'index in memory', of: (records) => gigabytes(index(records)) },
    { title: 'most memory of a serving process, merges included', of: (records) => gigabytes(serving(records)) },
    { title: 'snapshot of the index on its disk', of: (records) => gigabytes(index(records)) },
    { title: 'records with their indexes', of: (records) => terabytes(rows(records)) },
    { title: 'documents', of: (records) => terabytes(records * documentBytes) },
    { title: 'past versions of a year', of: (records) => terabytes(history(records)) },
    { title: 'what the database should keep in memory', of: (records) => gigabytes(cache(records)) },
    { title: 'first load, 2 processors', of: (records) => hours(records / loadRate / 2) },
    {
      title: 'rebuild of the index, 2 processors',
      of: (records) => hours(records / lowest('rebuild: rate with the database') / 2),
    },
    {
      title: 'start with a snapshot, processor time',
      of: (records) => hours((read(largest, 'start with a snapshot') * records) / largest.records),
    },
    {
      title: 'searches of the 48 kinds a second, for each processor',
      of: () => perCore('searches of the 48 kinds').toFixed(0),
    },
    { title: 'look-ups a second, for each processor', of: () => perCore('look-ups').toFixed(0) },
    { title: 'buy: memory of a serving machine', of: (records) => buy(serving(records)) },
    { title: 'buy: memory of the database', of: (records) => buy(cache(records)) },
    {
      title: 'buy: disk of the database, and of each standby',
      of: (records) => terabytes(disk(records) * options.headroom),
    },
  ];
}

function renderModel(plain: readonly Table[], largest: Table, documents: Table, options: ModelOptions): string {
  const needs = listNeeds(plain, largest, documents, options);
  const head = SCENARIOS.map(({ title, records }) => `${title}, ${records / 1_000_000} million`);
  return `# Capacity, computed

From the tables of ${plain.map(({ records }) => records.toLocaleString('en')).join(', ')} records without documents, and of
${documents.records.toLocaleString('en')} with generated documents: of each quantity the worst value, of calls those of the largest. Changes in a
year: ${options.changes} of the records. What to buy is ${options.headroom} times what is needed.

| | ${head.join(' | ')} |
|---|${SCENARIOS.map(() => '---:|').join('')}
${needs.map(({ title, of }) => `| ${title} | ${SCENARIOS.map(({ records }) => of(records)).join(' | ')} |`).join('\n')}
`;
}
