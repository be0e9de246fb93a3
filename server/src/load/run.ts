/**
 * One load, from source files to searchable records: read → normalize → spool → publish. Nothing is published before
 * every file has been read to its end, so a file that is not what it claims to be leaves no trace except in the
 * history. What a killed load had published stays; loading the same files again completes it.
 */
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Instant } from '@tmds/contract/record';
import type { Clock } from '../base/clock.ts';
import { ApiError, OperatorError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Database } from '../store/driver/db.ts';
import { isDiskFull } from '../store/driver/failures.ts';
import {
  addIssues,
  analyzeRecords,
  closeInterruptedLoads,
  failLoad,
  finishLoad,
  holdLoad,
  insertLoad,
  type LoadCounts,
  listStockedRegisters,
  markPublishing,
} from '../store/publish/loads.ts';
import type { PublishStep } from '../store/publish/publish.ts';
import { dropStage } from '../store/publish/stage.ts';
import type { Format } from './formats/format.ts';
import type { IssueCode } from './formats/issues.ts';
import { openFrontier } from './frontier.ts';
import { type KeptSupplements, openKeptSupplements } from './kept-supplements.ts';
import { openPhases, type PhaseWatch } from './phases.ts';
import type { Progress } from './progress.ts';
import { publishBatches, type UnstagedRows } from './publish.ts';
import { encodeSources } from './read.ts';
import { countByCode, countIssues, type Findings, type LoadReport, openFindings, storeIssues } from './report.ts';
import type { Source } from './source.ts';
import { openSpool, type Spool } from './spool.ts';
import { openBatches, type SpooledRows, spoolRows, stageSpooled } from './stage.ts';

/** A load's simultaneous connections: for its lock, COPY, rejects and several comparisons. */
export const LOAD_POOL_MIN = 6;

/** From this number of new or changed records the table is analyzed at once, without waiting for autovacuum. */
const ANALYZE_ROWS_MIN = 10_000;

export interface LoadOptions {
  /** Without a statement time limit, and with at least `LOAD_POOL_MIN` connections. */
  db: Database;
  clock: Clock;
  log: Log;
  format: Format;
  sources: readonly Source[];
  /** `--register CODE`, upper case. */
  register: string | null;
  /** The frontier of the registers touched; null takes what the files state. */
  currentThrough: Instant | null;
  /** Moves the frontier even if records were rejected. */
  acceptRejects?: boolean;
  /** Accepts a source without any record. */
  allowEmpty?: boolean;
  /** The temporary file goes into the first of these folders that can be written. */
  spoolFolders: readonly string[];
  /** Where rejects are written; `{load}` stands for the id of the load. */
  rejectsPath: string;
  /** Creates the rejects file even if nothing is rejected: the operator asked for it by name. */
  keepRejectsFile: boolean;
  progress: Progress;
  /** Called between steps; tests fail or kill the load there. */
  onStep?: (step: LoadStep) => Promise<void>;
}

/** The default places for what a load writes. Only the temporary file may fall back to another folder. */
export function placesIn(dataDir: string): Pick<LoadOptions, 'spoolFolders' | 'rejectsPath'> {
  return { spoolFolders: [dataDir, tmpdir()], rejectsPath: join(dataDir, 'rejects', '{load}.txt') };
}

export type LoadStep = 'opened' | 'staged' | 'settled' | 'publishing' | PublishStep | 'published' | 'finished';

/**
 * Loads all sources as one load. Throws `OperatorError` if a file cannot be read to its end or is not of the format;
 * then nothing of any source is published.
 */
export async function runLoad(options: LoadOptions): Promise<LoadReport> {
  const { db } = options;
  const loadId = randomUUID();
  return await holdLoad(db, loadId, async () => {
    const abandoned = await closeInterruptedLoads(db);
    if (abandoned.length > 0) options.log.warn({ loads: abandoned }, 'closed loads that were interrupted');
    const source = options.sources.map((each) => each.name).join(', ');
    await insertLoad(db, { loadId, format: options.format.name, source });
    try {
      return await runStages(options, loadId);
    } catch (error) {
      await recordFailure(options, loadId, error);
      throw explainFailure(error);
    } finally {
      options.progress.stop();
    }
  });
}

async function runStages(options: LoadOptions, loadId: string): Promise<LoadReport> {
  const { db, clock } = options;
  const startedMs = clock.monotonicMs();
  const phases = openPhases(clock);
  phases.enter('reading');
  const findings = openFindings(db, loadId, options.rejectsPath.replaceAll('{load}', loadId));
  if (options.keepRejectsFile) await findings.rejects.open();
  const spool = await openSpool(options.spoolFolders);
  try {
    const read = await readSources(options, loadId, { findings, spool });
    const { superseded, unstaged } = await settleRows(options, loadId, { ...read, findings, spool, phases });
    const published = await publishRead(options, loadId, { ...read, findings, unstaged, phases });
    const seconds = (clock.monotonicMs() - startedMs) / 1000;
    return {
      load_id: loadId,
      format: options.format.name,
      sources: options.sources.map((source) => source.name),
      registers: published.registers,
      ...published.counts,
      superseded,
      issues: countByCode(findings),
      supplements: read.supplements.counts,
      rejects_file: read.rejectsFile,
      current_through: published.currentThrough,
      seconds: Math.round(seconds * 1000) / 1000,
      phase_seconds: phases.list(),
      records_per_second: Math.round(published.counts.read / Math.max(seconds, 0.001)),
    };
  } finally {
    await spool.close();
  }
}

/** The state once every source has been read to its end. */
interface ReadSources extends SpooledRows {
  /** The number of batches. */
  batches: number;
  /** Registers that held records before this load. */
  stocked: ReadonlySet<string>;
  supplements: KeptSupplements;
  rejectsFile: string | null;
  /** Null leaves the frontier as it is. */
  currentThrough: Instant | null;
}

async function readSources(
  options: LoadOptions,
  loadId: string,
  { findings, spool }: { findings: Findings; spool: Spool },
): Promise<ReadSources> {
  const { db, onStep: step = async () => {} } = options;
  await step('opened');
  options.progress.startReading(options.sources, () => findings.read);
  const frontier = openFrontier(options.currentThrough);
  const stocked = await listStockedRegisters(db);
  const target = { db, spool, stocked, findings, batches: openBatches() };
  const supplements = openKeptSupplements(db, loadId);
  const spooled = await spoolRows(target, encodeSources(options, { loadId, target, frontier, supplements }));
  const rejectsFile = await findings.rejects.close();
  await step('staged');
  const moves = findings.rejected === 0 || options.acceptRejects === true;
  const currentThrough = moves ? frontier.instant : null;
  return { ...spooled, batches: target.batches.last(), stocked, supplements, rejectsFile, currentThrough };
}

/**
 * Decides which line counts for each record. Rows are staged only if a record may occur twice or may be stored already;
 * otherwise they are published straight from the spool (`unstaged`).
 */
async function settleRows(
  { db, onStep: step = async () => {} }: LoadOptions,
  loadId: string,
  read: ReadSources & { findings: Findings; spool: Spool; phases: PhaseWatch },
): Promise<{ superseded: number; unstaged: UnstagedRows | null }> {
  const { findings, spool } = read;
  read.phases.enter('settling');
  const repeats = await spool.mayRepeat();
  const isStored = read.rows > 0 && [...findings.registers].some((register) => read.stocked.has(register));
  const compares = isStored || read.rejoins > 0;
  const stage = (afterBatch: number): Promise<number> =>
    stageSpooled(db, loadId, spool, { afterBatch, unchanged: repeats, hasPartials: read.partials > 0 });
  const superseded = repeats || compares ? await stage(0) : 0;
  if (superseded > 0) countIssues(findings, [{ code: 'superseded', path: 'uid', value: '' }], superseded);
  await storeIssues(db, loadId, findings);
  await step('settled');
  const unstaged = repeats || compares ? null : { readBatch: spool.readBatch, stage };
  return { superseded, unstaged };
}

/** Publishes every batch and finishes the load. */
async function publishRead(
  options: LoadOptions,
  loadId: string,
  read: ReadSources & { findings: Findings; unstaged: UnstagedRows | null; phases: PhaseWatch },
): Promise<{ registers: string[]; counts: LoadCounts; currentThrough: Instant | null }> {
  const { db, onStep: step = async () => {} } = options;
  const { findings, phases, unstaged, batches } = read;
  const issues = Object.values(countByCode(findings)).reduce((sum, count) => sum + count, 0);
  const { read: lines, rejected } = findings;
  await markPublishing(db, loadId, { read: lines, rejected, issues, dataCurrentThrough: read.currentThrough });
  await step('publishing');
  const registers = [...findings.registers].sort();
  phases.enter('publishing');
  const waiting = await publishBatches({ ...options, loadId, registers, batches, unstaged });
  await step('published');

  phases.enter('finishing');
  const named = options.register ?? options.format.register;
  const complete = named === null ? registers : [...new Set([...registers, named])];
  await read.supplements.settle();
  if (waiting > 0) {
    const issue = { code: 'waiting_party' satisfies IssueCode, path: 'parties', value: '' };
    countIssues(findings, [issue], waiting);
    await addIssues(db, loadId, [{ ...issue, count: waiting }]);
  }
  await dropStage(db, loadId);
  const { moved, ...counts } = await finishLoad(db, loadId, complete);
  if (counts.new + counts.changed >= ANALYZE_ROWS_MIN) await analyzeRecords(db);
  await step('finished');
  return { registers, counts, currentThrough: moved ? read.currentThrough : null };
}

function explainFailure(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.code !== 'unavailable') return error;
  if (isDiskFull(error)) {
    const message =
      'the disk of the database is full; make room, then load the same files again; what was published stays';
    return new OperatorError(message, { cause: error });
  }
  const remedy = 'load the same files again when it is back; what was published stays';
  return new OperatorError(`the connection to the database was lost; ${remedy}`, { cause: error });
}

async function recordFailure(options: LoadOptions, loadId: string, failure: unknown): Promise<void> {
  const message = failure instanceof Error ? failure.message : String(failure);
  try {
    await dropStage(options.db, loadId);
    await failLoad(options.db, loadId, message);
  } catch (error) {
    // The database is gone as well. The next load finds the lock released and closes this load.
    const reason = error instanceof Error ? error.message : String(error);
    options.log.warn({ load: loadId, reason }, 'the failed load could not be recorded in the history');
  }
}
