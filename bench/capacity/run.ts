/**
 * `npm run bench -- capacity`: what a number of records takes, in bytes and in seconds: on the disk, in the memory of a
 * serving process, to load, to build the index, to start, to answer. A folder that holds fewer records is grown, so one
 * folder serves one size after the other. Writes `capacity-N.md`, from which `capacity-model` computes.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import { issueKey } from '../../server/src/access/keys.ts';
import { OperatorError } from '../../server/src/base/errors.ts';
import type { Database } from '../../server/src/database/driver/db.ts';
import { PAYLOAD_MODES, type PayloadMode } from '../../server/src/generator/options.ts';
import {
  amountOption,
  countOption,
  type DataOptions,
  dataOption,
  folderOf,
  keepResult,
  type ResultsOptions,
  recordsOption,
  resultsOption,
} from '../options.ts';
import { connectBench, useDatabase } from '../search/data.ts';
import { readPool } from '../search/pool.ts';
import { indexFolderOf } from '../service.ts';
import { countStored, type Growth, grow, type LoadCost, measureLoad, writeSlice } from './grow.ts';
import { readMemory, readProcessorSeconds } from './processor.ts';
import { repeatAll } from './repeat.ts';
import { type Measured, renderCapacity } from './report.ts';
import {
  measureFolder,
  measureLookUps,
  measureSearches,
  readStatus,
  startServing,
  stopServing,
  waitForRest,
} from './serving.ts';
import { readSizes } from './sizes.ts';

/** More search threads than processors, to see what one takes: half as many patient ones join them. */
const MANY_SEARCHERS = 8;
const FEW_SEARCHERS = 2;

interface CapacityOptions extends DataOptions, ResultsOptions {
  readonly payload: PayloadMode;
  readonly changes: number;
  readonly generated: number;
  readonly seconds: number;
  readonly buffers: string;
}

export function registerCapacityBench(program: Command): void {
  program
    .command('capacity')
    .description('disk, memory, load, rebuild, start and calls at a number of records')
    .addOption(recordsOption(100_000))
    .addOption(dataOption('capacity'))
    .addOption(new Option('--payload <mode>', 'documents of the records').choices(PAYLOAD_MODES).default('none'))
    .addOption(countOption('--changes <count>', 'records that are changed', 50_000))
    .addOption(
      countOption('--generated <count>', 'records to load; all others repeat them under other uids', 10_000_000),
    )
    .addOption(amountOption('--seconds <number>', 'how long to measure calls of each kind', 20))
    .option('--buffers <size>', 'shared_buffers of the database', '4GB')
    .addOption(resultsOption())
    .action(run);
}

async function run(options: CapacityOptions): Promise<void> {
  const folder = folderOf(options);
  await useDatabase(folder, (url) => measure(url, folder, options), { shared_buffers: options.buffers });
}

/** The table is written after every step, because a large size takes hours. */
function openTable(options: CapacityOptions): (step: string, measured: Partial<Measured>) => Promise<void> {
  const name = `capacity-${options.records}${options.payload === 'none' ? '' : '-documents'}.md`;
  const { records, generated, payload, buffers } = options;
  let all: Measured = { records, generated, payload, buffers };
  return async (step, measured) => {
    all = { ...all, ...measured };
    console.error(step);
    await keepResult(options.results, name, renderCapacity(all));
  };
}

async function measure(url: string, folder: string, options: CapacityOptions): Promise<void> {
  const db = await connectBench(url, 2);
  const { records, payload, generated } = options;
  const growth: Growth = { folder, db, payload };
  const keep = openTable(options);
  try {
    const originals = Math.min(records, generated);
    const loads = await grow(growth, originals);
    await repeatAll(db, originals, records);
    const stored = await countStored(db);
    if (stored !== records) throw new OperatorError(`${folder} holds ${stored} records; name another with --data`);
    const sizes = await readSizes(db);
    await keep('filled', { loads, sizes });

    const place = { url, folder, index: indexFolderOf(folder) };
    await rm(place.index, { recursive: true, force: true });
    const { serving, started: built } = await startServing(place, FEW_SEARCHERS);
    await keep('built', { built });
    await waitForRest(serving);
    const merged = { ...(await readStatus(serving)), ...readCosts(serving.child.pid!) };
    await keep('merged', { merged });
    const changes = await measureChanges(growth, options.changes);
    const changed = await readSizes(db);
    const versionBytes = (changed.versions - sizes.versions) / (changed.versionCount - sizes.versionCount);
    await keep('changed', { changes, versionBytes });
    await waitForRest(serving);
    await stopServing(serving);
    await keep('saved', { snapshotBytes: await measureFolder(place.index) });

    const calling = { pool: await readPool(db), db, key: await makeKey(db), seconds: options.seconds, records };
    const few = await startServing(place, FEW_SEARCHERS);
    await keep('opened', { opened: few.started });
    await waitForRest(few.serving);
    const status = await readStatus(few.serving);
    const searches = await measureSearches(few.serving, folder, calling);
    const lookUps = await measureLookUps(few.serving, folder, calling);
    const { residentBytes: processBytes } = readCosts(few.serving.child.pid!);
    await keep('called', { status, searches, lookUps, processBytes });
    await stopServing(few.serving);

    const many = await startServing(place, MANY_SEARCHERS);
    await waitForRest(many.serving);
    await measureSearches(many.serving, folder, calling);
    const threads = (MANY_SEARCHERS - FEW_SEARCHERS) * 1.5;
    await keep('called with many threads', {
      threadBytes: (readCosts(many.serving.child.pid!).residentBytes - processBytes) / threads,
    });
    await stopServing(many.serving);
  } finally {
    await db.close();
  }
}

function readCosts(pid: number): { processorSeconds: number; residentBytes: number; peakBytes: number } {
  return { processorSeconds: readProcessorSeconds(pid), ...readMemory(pid) };
}

async function makeKey(db: Database): Promise<string> {
  const { key } = await issueKey(db, {
    customer: `capacity ${performance.timeOrigin}`,
    name: null,
    products: ['records'],
    rateLimitPerMinute: 100_000_000,
    quota: null,
    actor: 'bench',
  });
  return key;
}

/** Loads the first records again, with another name of their mark. */
async function measureChanges(growth: Growth, records: number): Promise<LoadCost> {
  const file = await writeSlice(growth, 0, records);
  const changed = join(growth.folder, 'changed.ndjson');
  async function* lines(): AsyncGenerator<string> {
    const suffix = ` ${performance.timeOrigin}`;
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
      const record = JSON.parse(line) as { mark_name: string | null };
      record.mark_name = `${record.mark_name ?? ''}${suffix}`;
      yield `${JSON.stringify(record)}\n`;
    }
  }
  await pipeline(Readable.from(lines()), createWriteStream(changed));
  const cost = await measureLoad(growth, changed);
  await Promise.all([rm(file), rm(changed)]);
  return cost;
}
