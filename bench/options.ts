/** Options that several benchmarks share, and where their results go. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Option } from 'commander';
import { parseAmount, parseCount } from '../scripts/command.ts';

/** How many records, and the folder of the database. */
export interface DataOptions {
  readonly records: number;
  readonly data: string;
}

export interface ResultsOptions {
  readonly results: string;
}

/** An option whose value is a whole number of at least 1. */
export function countOption(flags: string, description: string, initial: number): Option {
  return new Option(flags, description).argParser(parseCount).default(initial);
}

/** An option whose value is a number above 0. */
export function amountOption(flags: string, description: string, initial: number): Option {
  return new Option(flags, description).argParser(parseAmount).default(initial);
}

export function recordsOption(initial: number): Option {
  return countOption('--records <count>', 'generated records to measure with', initial);
}

/** Replaced by the number of records in the name of a folder. */
const RECORDS = 'RECORDS';

export function dataOption(cache = 'bench'): Option {
  const meaning = `folder of the database, filled if it is empty; ${RECORDS} is replaced by their number`;
  return new Option('--data <folder>', meaning).default(`.cache/${cache}-${RECORDS}`);
}

/** The folder of the database, as an absolute path. */
export function folderOf({ records, data }: DataOptions): string {
  return resolve(data.replace(RECORDS, String(records)));
}

export function resultsOption(): Option {
  return new Option('--results <folder>', 'where to write the table').default('bench/results');
}

/** Prints a table and writes it to a file. */
export async function keepResult(folder: string, name: string, text: string): Promise<void> {
  console.log(text);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), text);
}
