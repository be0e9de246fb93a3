/** Options that several benches have, and where what they find is kept. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Option } from 'commander';
import { parseAmount, parseCount } from '../scripts/command.ts';

/** Which records, and where the database is that holds them. */
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

/** Stands for the number of records in the name of a folder. */
const RECORDS = 'RECORDS';

export function dataOption(cache = 'bench'): Option {
  const meaning = `the database to measure in, filled if it is empty; ${RECORDS} stands for their number`;
  return new Option('--data <folder>', meaning).default(`.cache/${cache}-${RECORDS}`);
}

/** Absolute. */
export function folderOf({ records, data }: DataOptions): string {
  return resolve(data.replace(RECORDS, String(records)));
}

export function resultsOption(): Option {
  return new Option('--results <folder>', 'where the table is kept').default('bench/results');
}

/** Prints a table and keeps it under the name of a file. */
export async function keepResult(folder: string, name: string, text: string): Promise<void> {
  console.log(text);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), text);
}
