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
  analyzeRecords,
  closeInterruptedLoads,
  failLoad,
  finishLoad,
  holdLoad,
  insertLoad,
  type LoadCounts,
  listStockedRegisters,
  markPublishing,
  takeTurn,
} from '../store/publish/loads.ts';
import type { PublishStep } from '../store/publish/publish.ts';
import { dropStage } from '../store/publish/stage.ts';
import type { EncodedRows } from './encoded-rows.ts';
import type { Format, FormatItem, ReadContext, SourceEntry } from './formats/format.ts';
import {
  type Contents,
  checkContents,
  checkMembers,
  type Frontier,
  openFrontier,
  watchLines,
  watchMembers,
} from './frontier.ts';
import { type KeptRows, openKeptRows } from './kept-rows.ts';
import { readLines } from './parallel.ts';
import { openPhases, type PhaseWatch } from './phases.ts';
import type { Progress } from './progress.ts';
import { publishBatches, type UnstagedRows } from './publish.ts';
import { readRecords } from './records.ts';
import { isLineFormat, isSetFormat } from './registry.ts';
import { countByCode, countIssues, type Findings, type LoadReport, openFindings, storeIssues } from './report.ts';
import type { Source } from './source.ts';
import { openSpool, type Spool } from './spool.ts';
import { openBatches, type SpooledRows, type StageTarget, spoolRows, stageSpooled } from './stage.ts';

/** A load's simultaneous connections: for its locks, COPY, rejects and several comparisons. */
export const LOAD_POOL_MIN = 7;

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
      return await runInTurn(options, () => runStages(options, loadId));
    } catch (error) {
      await recordFailure(options, loadId, error);
      throw explainFailure(error);
    } finally {
      options.progress.stop();
    }
  });
}

/**
 * What a load of a format with kept rows derives depends on what is kept and published, so such loads run one after the
 * other. Others run side by side.
 */
async function runInTurn<T>({ db, format, log }: LoadOptions, work: () => Promise<T>): Promise<T> {
  if (!isSetFormat(format)) return await work();
  const onWait = (): void => log.warn({ format: format.name }, 'waits for another load of the same format');
  return await takeTurn(db, { format: format.name, onWait }, work);
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
  const spooled = await spoolRows(target, encodeSources(options, loadId, target, frontier));
  const rejectsFile = await findings.rejects.close();
  await step('staged');
  const moves = findings.rejected === 0 || options.acceptRejects === true;
  const currentThrough = moves ? frontier.instant : null;
  return { ...spooled, batches: target.batches.last(), stocked, rejectsFile, currentThrough };
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
  const compares = read.rows > 0 && [...findings.registers].some((register) => read.stocked.has(register));
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
  await publishBatches({ ...options, loadId, registers, batches, unstaged });
  await step('published');

  phases.enter('finishing');
  const named = options.register ?? options.format.register;
  const complete = named === null ? registers : [...new Set([...registers, named])];
  await dropStage(db, loadId);
  const { moved, ...counts } = await finishLoad(db, loadId, complete);
  if (counts.new + counts.changed >= ANALYZE_ROWS_MIN) await analyzeRecords(db);
  await step('finished');
  return { registers, counts, currentThrough: moved ? read.currentThrough : null };
}

function encodeSources(
  options: LoadOptions,
  loadId: string,
  target: StageTarget,
  frontier: Frontier,
): AsyncGenerator<EncodedRows> {
  const { db, format, register } = options;
  const contents: Contents = { hasRecords: false, saysNone: false };
  const entries = listEntries(options, contents);
  if (isLineFormat(format)) return readLines(target, format, entries, register);
  const context: ReadContext = {
    register,
    loadId,
    noteFrontier: (instant) => frontier.note(instant),
    noteNoRecords: () => {
      contents.saysNone = true;
    },
    noteContent: () => {
      contents.hasRecords = true;
    },
    noteIssue: (issue, times) => countIssues(target.findings, [issue], times),
  };
  if (isSetFormat(format)) {
    const kinds = { format: format.name, root: format.rootPart, chained: format.chainedPart };
    return readRecords(
      target,
      readSetItems(openKeptRows(db, loadId, kinds), (kept) => format.readSet(entries, context, kept)),
    );
  }
  return readRecords(target, readItems(format, entries, context, contents));
}

async function* listEntries(
  { sources, format, allowEmpty = false }: LoadOptions,
  contents: Contents,
): AsyncGenerator<SourceEntry> {
  for (const source of sources) {
    Object.assign(contents, { hasRecords: false, saysNone: false });
    const members = watchMembers(format);
    for await (const entry of source.entries(members.accepts)) {
      members.read += 1;
      yield isLineFormat(format) ? watchLines(entry, contents) : entry;
    }
    checkMembers(source.name, format, members);
    checkContents(source.name, contents, allowEmpty);
  }
}

async function* readSetItems(
  opening: Promise<KeptRows>,
  read: (kept: KeptRows) => AsyncIterable<FormatItem>,
): AsyncGenerator<FormatItem> {
  yield* read(await opening);
}

async function* readItems(
  format: Format,
  entries: AsyncIterable<SourceEntry>,
  context: ReadContext,
  contents: Contents,
): AsyncGenerator<FormatItem> {
  for await (const entry of entries) {
    for await (const item of format.read(entry, context)) {
      contents.hasRecords = true;
      yield item;
    }
  }
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
