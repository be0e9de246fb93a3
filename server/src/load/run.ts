/**
 * One load, from source files to searchable records: read → stage → settle → publish. Nothing is published before every
 * file has been read to its end, so a file that is not what it claims to be leaves no trace except in the history. The
 * records that a killed load has published stay; loading the same files again completes it.
 */
import { randomUUID } from 'node:crypto';
import type { Instant } from '@tmds/contract/record';
import type { Clock } from '../base/clock.ts';
import { OperatorError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { NoAnswer } from '../base/no-answer.ts';
import type { PayloadPlace } from '../base/payload-places.ts';
import type { Database } from '../database/driver/db.ts';
import { isDiskFull } from '../database/driver/failures.ts';
import { ObjectStoreAway } from '../objects/object-store.ts';
import type { Issue } from '../record/document.ts';
import { addIssues } from '../store/publish/findings.ts';
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
  noteInterrupted,
  takeTurn,
} from '../store/publish/loads.ts';
import type { PublishStep } from '../store/publish/publish.ts';
import { dropStage, listSuperseded } from '../store/publish/stage.ts';
import { openDeliveredFiles } from './delivery/delivered-files.ts';
import { openFrontier } from './delivery/frontier.ts';
import { noteWhileReading } from './findings/note-progress.ts';
import { openPhases, type PhaseWatch } from './findings/phases.ts';
import type { Progress } from './findings/progress.ts';
import {
  countByCode,
  type Findings,
  type LoadReport,
  noteFindings,
  openFindings,
  storeIssues,
} from './findings/report.ts';
import type { IssueCode } from './formats/issues.ts';
import { isSetFormat } from './formats/registry.ts';
import { type KeptSupplements, openKeptSupplements } from './kept/kept-supplements.ts';
import { publishBatches } from './publish.ts';
import { encodeSources, type ReadOptions } from './read.ts';
import { EXAMPLES_MAX } from './rows/issue-counter.ts';
import { checkCount, checkFiles, type ManifestEntry } from './sources/manifest.ts';
import { openSpool } from './staging/spool.ts';
import { type LoadStage, openLoadStage } from './staging/stage.ts';
import { checkWhole, stageAbsent, type WholeDelivery } from './staging/whole.ts';

/** A load's simultaneous connections: for its locks, COPY, rejects and several comparisons. */
export const LOAD_POOL_MIN = 7;

/** From this number of new or changed records the table is analyzed at once, without waiting for autovacuum. */
const ANALYZE_ROWS_MIN = 10_000;

export interface LoadOptions extends ReadOptions {
  /** Without a statement time limit, and with at least `LOAD_POOL_MIN` connections. */
  db: Database;
  clock: Clock;
  log: Log;
  /** The frontier of the registers touched; null takes what the files state. */
  currentThrough: Instant | null;
  /** Label of the period of the files, if their source states it; otherwise the files' own statement counts. */
  period?: string | null;
  /** The name of the declared source that brought the files; default: the files are loaded by hand. */
  declaredSource?: string | null;
  /** Moves the frontier even if records were rejected. */
  acceptRejects?: boolean;
  /** The delivery states its whole register: stored records that it does not state get an event. */
  whole?: boolean;
  /** Accepts that more than a tenth of the register is not stated. */
  acceptAbsent?: boolean;
  /** Sizes and checksums that the files must have. */
  manifest?: readonly ManifestEntry[];
  /** How many records must be read, rejected ones included; null for any number. */
  expectedRecords?: number | null;
  /** The temporary file goes into the first of these folders that can be written. */
  spoolFolders: readonly string[];
  /** Where rejects are written; `{load}` stands for the id of the load. */
  rejectsPath: string;
  /** Creates the rejects file even if nothing is rejected: the operator asked for it by name. */
  keepRejectsFile: boolean;
  progress: Progress;
  /** Where payloads are held; default: as text in the database. */
  payloads?: PayloadPlace;
  /** Registers a quick action for when the process is asked to end. */
  whenInterrupted?: (act: (reason: string) => Promise<void>) => void;
  /** Called between steps; tests fail or kill the load there. */
  onStep?: (step: LoadStep) => Promise<void>;
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
    options.whenInterrupted?.((reason) => noteInterrupted(db, loadId, reason));
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
 * A load of a format with kept rows derives records from kept and published rows, so such loads run one after the
 * other. Others run in parallel.
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
  const findings = await openFindings(db, loadId, options.rejectsPath.replaceAll('{load}', loadId));
  if (options.keepRejectsFile) await findings.rejects.open();
  const spool = await openSpool(options.spoolFolders);
  const stage = openLoadStage(db, loadId, spool);
  const load: RunningLoad = { loadId, findings, stage, stocked: await listStockedRegisters(db), phases };
  try {
    const read = await noteWhileReading(options, loadId, findings, () => readSources(options, load));
    const settled = await settleRows(options, load, read);
    const published = await publishRead(options, load, read);
    const seconds = (clock.monotonicMs() - startedMs) / 1000;
    return {
      load_id: loadId,
      format: options.format.name,
      sources: options.sources.map((source) => source.name),
      registers: published.registers,
      ...published.counts,
      superseded: settled.superseded,
      absent: settled.absent,
      issues: countByCode(findings),
      supplements: read.supplements.counts,
      rejects_file: read.rejectsFile,
      current_through: published.currentThrough,
      seconds: Math.round(seconds * 1000) / 1000,
      phase_seconds: phases.list(),
      records_per_second: Math.round(published.counts.read / Math.max(seconds, 0.001)),
    };
  } finally {
    await stage.close();
    await spool.close();
  }
}

/** What every stage of a load uses. */
interface RunningLoad {
  loadId: string;
  findings: Findings;
  stage: LoadStage;
  /** Registers that held records when the load began. */
  stocked: ReadonlySet<string>;
  phases: PhaseWatch;
}

/** The state once every source has been read to its end. */
interface ReadSources {
  supplements: KeptSupplements;
  rejectsFile: string | null;
  /** Up to when the delivery is complete, as far as anyone states it. */
  madeAt: Instant | null;
  /** The same, unless rejects leave the frontier unchanged. */
  currentThrough: Instant | null;
}

async function readSources(options: LoadOptions, load: RunningLoad): Promise<ReadSources> {
  const { db, clock, onStep: step = async () => {} } = options;
  const { loadId, findings, stage } = load;
  await step('opened');
  if (options.manifest !== undefined) {
    const paths = options.sources.map(({ name }) => name);
    await checkFiles(paths, options.manifest);
  }
  options.progress.startReading(options.sources, () => findings.read);
  const frontier = openFrontier(options.currentThrough);
  const supplements = openKeptSupplements(db, loadId);
  const files = openDeliveredFiles(db, loadId, options.period ?? null);
  const startedAt = new Date(clock.nowMs()).toISOString();
  const into = { ...load, startedAt, frontier, supplements, noteFile: files.note, notePeriod: files.notePeriod };
  for await (const encoded of encodeSources(options, into)) {
    await noteFindings(findings, encoded);
    await stage.add(encoded);
  }
  await files.flush();
  await stage.flush();
  const rejectsFile = await findings.rejects.close();
  if (options.expectedRecords != null) checkCount(options.expectedRecords, findings);
  await step('staged');
  const moves = findings.rejected === 0 || options.acceptRejects === true;
  const madeAt = frontier.instant;
  return { supplements, rejectsFile, madeAt, currentThrough: moves ? madeAt : null };
}

interface SettledRows {
  superseded: number;
  /** Records that a delivery of the whole register does not state; null for any other delivery. */
  absent: number | null;
}

/** Decides which line counts for each record, and what a delivery of a whole register no longer states. */
async function settleRows(options: LoadOptions, load: RunningLoad, { madeAt }: ReadSources): Promise<SettledRows> {
  const { db, onStep: step = async () => {} } = options;
  const { loadId, findings, stage, stocked, phases } = load;
  phases.enter('settling');
  const whole = describeWhole(options, madeAt);
  const register = whole === null ? null : checkWhole(whole, findings, stage.partials());
  const mayLack = whole !== null && register !== null && stocked.has(register);
  const superseded = await stage.settle(mayLack);
  if (superseded > 0) await noteSuperseded(db, loadId, findings, superseded);
  const absent = whole === null ? null : 0;
  const found = mayLack ? await stageAbsent({ db, ...load }, register, whole) : absent;
  await storeIssues(db, loadId, findings);
  await step('settled');
  return { superseded, absent: found };
}

function describeWhole(options: LoadOptions, madeAt: Instant | null): WholeDelivery | null {
  if (options.whole !== true) return null;
  const { register, acceptRejects = false, acceptAbsent = false } = options;
  return { register, acceptRejects, acceptAbsent, madeAt };
}

async function noteSuperseded(db: Database, loadId: string, findings: Findings, superseded: number): Promise<void> {
  const issue: Issue = { code: 'superseded' satisfies IssueCode, path: 'uid', value: '' };
  const examples = await listSuperseded(db, loadId, EXAMPLES_MAX);
  findings.issues.add([{ ...issue, count: superseded, examples }]);
}

/** Publishes every batch and finishes the load. */
async function publishRead(
  options: LoadOptions,
  { loadId, findings, stage, phases }: RunningLoad,
  read: ReadSources,
): Promise<{ registers: string[]; counts: LoadCounts; currentThrough: Instant | null }> {
  const { db, onStep: step = async () => {} } = options;
  const issues = Object.values(countByCode(findings)).reduce((sum, count) => sum + count, 0);
  const { read: lines, rejected } = findings;
  await markPublishing(db, loadId, { read: lines, rejected, issues, dataCurrentThrough: read.currentThrough });
  await step('publishing');
  const registers = [...findings.registers.keys()].sort();
  phases.enter('publishing');
  const batches = stage.lastBatch();
  const waiting = await publishBatches({ ...options, payloads: payloadsOf(options), loadId, registers, batches });
  await step('published');

  phases.enter('finishing');
  const named = options.register ?? options.format.register;
  const complete = named === null ? registers : [...new Set([...registers, named])];
  await read.supplements.settle();
  if (waiting > 0) {
    const issue = { code: 'waiting_party' satisfies IssueCode, path: 'parties', value: '' };
    const counted = { ...issue, count: waiting, examples: [] };
    findings.issues.add([counted]);
    await addIssues(db, loadId, [counted]);
  }
  await dropStage(db, loadId);
  const readings = complete.map(
    (code) => findings.registers.get(code) ?? { jurisdiction_code: code, read: 0, flagged: 0 },
  );
  const { moved, ...counts } = await finishLoad(db, loadId, {
    readings,
    source: options.declaredSource ?? null,
    answered: findings.answered.list(),
  });
  if (counts.new + counts.changed >= ANALYZE_ROWS_MIN) await analyzeRecords(db);
  await step('finished');
  return { registers, counts, currentThrough: moved ? read.currentThrough : null };
}

function payloadsOf({ payloads = 'database' }: LoadOptions): PayloadPlace {
  return payloads;
}

function explainFailure(error: unknown): unknown {
  if (error instanceof ObjectStoreAway) {
    const remedy = 'load the same files again when it is back; published records stay';
    return new OperatorError(`the store of objects failed, ${error.seen}; ${remedy}`, { cause: error });
  }
  if (!(error instanceof NoAnswer)) return error;
  if (isDiskFull(error)) {
    const message =
      'the disk of the database is full; make room, then load the same files again; published records stay';
    return new OperatorError(message, { cause: error });
  }
  const remedy = 'load the same files again when it is back; published records stay';
  return new OperatorError(`the connection to the database was lost; ${remedy}`, { cause: error });
}

async function recordFailure(options: LoadOptions, loadId: string, failure: unknown): Promise<void> {
  const message = failure instanceof Error ? failure.message : String(failure);
  try {
    await dropStage(options.db, loadId);
    await failLoad(options.db, loadId, message);
  } catch (error) {
    // The database is unavailable as well. The next load finds the lock released and closes this load.
    const reason = error instanceof Error ? error.message : String(error);
    options.log.warn({ load: loadId, reason }, 'the failed load could not be recorded in the history');
  }
}
