/**
 * Grows a database to a number of generated records with the built `tmds load`, slice after slice, and notes next to
 * the database what each slice took, so that a growth that was interrupted goes on. The next slice is generated in
 * parallel.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Database } from '../../server/src/database/driver/db.ts';
import { sql } from '../../server/src/database/driver/sql.ts';
import type { PayloadMode } from '../../server/src/generator/options.ts';
import type { LoadReport } from '../../server/src/load/findings/report.ts';
import { runProgram } from '../program.ts';
import { findPostmaster, readProcessorSeconds } from './processor.ts';

/** Records of a slice. */
const SLICE_RECORDS = 1_000_000;

/** What a load took. */
export interface LoadCost {
  /** Records in the database before it. */
  readonly before: number;
  readonly records: number;
  readonly seconds: number;
  /** Of the command. */
  readonly loadProcessorSeconds: number;
  readonly databaseProcessorSeconds: number;
  readonly walBytes: number;
  readonly peakMb: number;
}

export interface Growth {
  readonly folder: string;
  readonly db: Database;
  readonly payload: PayloadMode;
}

export async function countStored(db: Database): Promise<number> {
  const [held] = await db.query<{ records: number }>(
    sql`select coalesce(sum(record_count), 0)::float8 as records from register`,
  );
  return held!.records;
}

/** To at least `target` records. Returns what the loads took, those of earlier runs included. */
export async function grow(growth: Growth, target: number): Promise<LoadCost[]> {
  const { folder, db } = growth;
  let stored = await countStored(db);
  const sizeOf = (first: number): number => Math.min(SLICE_RECORDS, target - first);
  let next: Promise<string> | null = stored < target ? writeSlice(growth, stored, sizeOf(stored)) : null;
  while (next !== null) {
    const file = await next;
    const first = stored;
    stored += sizeOf(first);
    next = stored < target ? writeSlice(growth, stored, sizeOf(stored)) : null;
    const cost = await measureLoad(growth, file);
    await appendFile(notesOf(folder), `${JSON.stringify(cost)}\n`);
    await rm(file);
    console.error(`${stored} records, ${Math.round(cost.records / cost.seconds)} a second`);
  }
  return await readNotes(folder);
}

function notesOf(folder: string): string {
  return join(folder, 'growth.ndjson');
}

async function readNotes(folder: string): Promise<LoadCost[]> {
  const text = await readFile(notesOf(folder), 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LoadCost);
}

/** Generated records from `first` on, as a file. */
export async function writeSlice({ folder, payload }: Growth, first: number, records: number): Promise<string> {
  const file = join(folder, `slice-${first}-${records}.ndjson`);
  if (existsSync(file)) return file;
  const program = fileURLToPath(new URL('lines.ts', import.meta.url));
  const words = ['--import', 'tsx', program, `${file}.new`, String(first), String(records), payload];
  const [status] = await once(spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'inherit'] }), 'exit');
  if (status !== 0) throw new Error(`records from ${first} on could not be written to ${file}`);
  await rename(`${file}.new`, file);
  return file;
}

/** Loads a file with the built command, into the database that runs already. */
export async function measureLoad({ folder, db }: Growth, file: string): Promise<LoadCost> {
  const postmaster = findPostmaster(folder);
  const before = await countStored(db);
  const [walBefore, databaseBefore] = [await readWalBytes(db), readProcessorSeconds(postmaster)];
  const environment = { PATH: process.env.PATH ?? '', TMDS_DATA_DIR: folder };
  const ended = await runProgram('server/bin/tmds.js', ['load', 'ndjson', file, '--json'], environment);
  if (ended.status !== 0) throw new Error(`the load of ${file} ended with ${ended.status}`);
  const report = JSON.parse(ended.out) as LoadReport;
  return {
    before,
    records: report.new + report.changed,
    seconds: report.seconds,
    loadProcessorSeconds: ended.processorSeconds,
    databaseProcessorSeconds: readProcessorSeconds(postmaster) - databaseBefore,
    walBytes: (await readWalBytes(db)) - walBefore,
    peakMb: ended.peakMb,
  };
}

async function readWalBytes(db: Database): Promise<number> {
  const [wal] = await db.query<{ bytes: number }>(
    sql`select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as bytes`,
  );
  return wal!.bytes;
}
