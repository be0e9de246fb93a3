/**
 * One check of some sources: collect, load in the order of periods, prune, and store the outcome. A source that fails
 * does not keep the others from being checked; a bad file stops every source of its register. Invariant: whenever the
 * process ends, the next check ends where this one would have. Each step is noted after it is done, and repeating it
 * changes nothing.
 */

import { OperatorError } from '../base/errors.ts';
import { NoAnswer } from '../base/no-answer.ts';
import { explainUnreachable } from '../database/driver/unreachable.ts';
import type { Progress } from '../load/findings/progress.ts';
import type { LoadReport } from '../load/findings/report.ts';
import type { LoadOptions, LoadStep } from '../load/run.ts';
import { listSourceChecks, storeSourceCheck } from '../store/sync/source-checks.ts';
import {
  changeSourceFile,
  describeStop,
  findDouble,
  listFailedFiles,
  listSourceFiles,
  type SourceFile,
  showPeriod,
} from '../store/sync/source-files.ts';
import { type CollectOptions, collectFiles, type Note, type NoteEvent } from './collect.ts';
import type { DeclaredSource } from './declared/source.ts';
import { isThere, pathOf, pruneFiles } from './files.ts';
import { BadFile, loadFile, type WatchLoad } from './load-file.ts';
import { PassingFailure } from './places/place.ts';
import { planSource, type SourceState } from './plan.ts';

type RoundStep = Parameters<CollectOptions['onStep']>[0] | 'loaded' | 'marked' | 'pruned';

export interface RoundOptions extends Omit<CollectOptions, 'onStep'>, Pick<LoadOptions, 'log' | 'payloads'> {
  /** All that are declared: a bad file of one may stop another. */
  declared: readonly DeclaredSource[];
  /** Names that are loaded although they are late or have periods missing before them. */
  accepted: ReadonlySet<string>;
  /** Rejects or resolves to false once another process may sync. */
  isHeld: () => Promise<boolean>;
  /** Called between steps; tests end the process there. */
  onStep?: (step: RoundStep) => Promise<void>;
  onLoadStep?: (step: LoadStep) => Promise<void>;
  watchLoad?: WatchLoad;
  /** Shows the progress of each load; default: nowhere. */
  openProgress?: () => Progress;
}

export interface SourceResult {
  source: string;
  loaded: { file: string; period: string; load_id: string; read: number; rejected: number }[];
  failure: string | null;
  stopped: boolean;
  gaps: string[];
  next_period: string | null;
  due: string | null;
}

export async function runRound(checked: readonly DeclaredSource[], options: RoundOptions): Promise<SourceResult[]> {
  const results: SourceResult[] = [];
  for (const source of checked) {
    options.signal.throwIfAborted();
    results.push(await checkSource(source, options));
  }
  return results;
}

async function checkSource(source: DeclaredSource, options: RoundOptions): Promise<SourceResult> {
  const { clock, dataDir } = options;
  const step = options.onStep ?? (async () => undefined);
  const say = (level: Note['level'], event: NoteEvent, text: string, file: string | null = null): void =>
    options.note({ source: source.name, level, event, file, text });
  const result: SourceResult = {
    ...{ source: source.name, loaded: [], failure: null, stopped: false, gaps: [], next_period: null, due: null },
  };
  const failures: string[] = [];
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      options.signal.throwIfAborted();
      if (!isTrouble(error)) throw error;
      const reason = phraseTrouble(error);
      failures.push(reason);
      say('error', 'failed', reason);
    }
  };
  await attempt(() => collectFiles(source, { ...options, onStep: step }));
  await attempt(() => loadInOrder(source, { ...options, say, result, step }));
  await attempt(async () => {
    const pruned = await pruneFiles(source, { files: await readFiles(source, options), dataDir, nowMs: clock.nowMs() });
    await step('pruned');
    if (pruned.length > 0) say('info', 'pruned', `no longer kept: ${pruned.join(', ')}`);
  });
  const state = planSource({ source, files: await readFiles(source, options), nowMs: clock.nowMs(), accepted: NONE });
  const stop = await findStop(source, options);
  result.stopped = stop !== null;
  result.failure = failures.length === 0 ? null : failures.join('; ');
  await conclude(source, { ...options, say }, { state, result, stop });
  return result;
}

const NONE: ReadonlySet<string> = new Set();

/** Failures that pass, or that the operator can fix; anything else is a fault of this program. */
function isTrouble(error: unknown): error is Error {
  if (error instanceof OperatorError || error instanceof PassingFailure || error instanceof NoAnswer) return true;
  return error instanceof Error && (error as NodeJS.ErrnoException).syscall !== undefined;
}

/** A sentence for the operator: why it failed, and what to do if that is known. */
function phraseTrouble(error: Error): string {
  if (error instanceof NoAnswer) {
    const { seen, remedy } = explainUnreachable(error, 'DATABASE_URL');
    return `the database did not answer: ${seen}${remedy === null ? '' : `; ${remedy}`}`;
  }
  const { syscall, path, code } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return error.message;
  const remedy = code === 'ENOSPC' ? 'make room on its disk' : 'see that this account may use it, and that it is there';
  return `${path ?? 'a file'} cannot be used (${code}); ${remedy}`;
}

async function readFiles(source: DeclaredSource, { db }: Pick<RoundOptions, 'db'>): Promise<SourceFile[]> {
  const files = await listSourceFiles(db, source.name);
  return files.filter(({ state }) => state !== 'superseded');
}

type Say = (level: Note['level'], event: NoteEvent, text: string, file?: string | null) => void;

interface LoadingOptions extends Omit<RoundOptions, 'onStep'> {
  say: Say;
  result: SourceResult;
  step: (step: RoundStep) => Promise<void>;
}

async function loadInOrder(source: DeclaredSource, options: LoadingOptions): Promise<void> {
  const { db, clock, say, signal } = options;
  for (;;) {
    signal.throwIfAborted();
    const stop = await findStop(source, options);
    if (stop !== null) {
      const remedy = `mend it and use --retry ${stop.name}, or leave it out by --skip ${stop.name}`;
      say(
        'error',
        'stopped',
        `nothing is loaded, because ${stop.source} ${stop.name} failed: ${stop.reason}; ${remedy}`,
      );
      return;
    }
    if (!(await options.isHeld())) throw new OperatorError('the connection that holds the turn of this sync was lost');
    const state = planSource({
      source,
      files: await readFiles(source, options),
      nowMs: clock.nowMs(),
      accepted: options.accepted,
    });
    const { step } = state;
    if (step.kind === 'none') return;
    if (step.kind === 'wait') {
      if (step.untilMs !== null) {
        const until = new Date(step.untilMs).toISOString();
        const missing = showPeriod(step.period);
        say(
          'info',
          'waits',
          `${step.file.name} waits for ${missing}, which is missing, until ${until}`,
          step.file.name,
        );
      }
      return;
    }
    if (step.file.state === 'seen') return;
    if (await isDouble(step.file, options)) continue;
    if (step.kind === 'late') {
      const reason = `it is of ${showPeriod(step.file.period)}, and ${showPeriod(step.newer)} is loaded already`;
      await changeSourceFile(db, step.file, { state: 'late', reason }, clock.nowMs());
      const remedy = `--retry ${step.file.name} loads it anyway`;
      say('warn', 'late', `${step.file.name} came late and is not loaded: ${reason}; ${remedy}`, step.file.name);
      continue;
    }
    await loadOne(source, step.file, state, options);
  }
}

/** Whether a file of the same content is loaded; then it is noted as a double, unless the operator wants it loaded. */
async function isDouble(file: SourceFile, { db, clock, say, accepted }: LoadingOptions): Promise<boolean> {
  if (accepted.has(file.name)) return false;
  const double = await findDouble(db, file, file.digest ?? '');
  if (double === null) return false;
  const revision = double.revision === 1 ? '' : `, revision ${double.revision},`;
  const reason = `the same content as ${double.name}${revision} of ${showPeriod(double.period)}, which is loaded`;
  await changeSourceFile(db, file, { state: 'double', reason }, clock.nowMs());
  say('info', 'double', `${file.name} has ${reason}; it is not loaded again`, file.name);
  return true;
}

async function loadOne(
  source: DeclaredSource,
  file: SourceFile,
  state: SourceState,
  { say, result, step, ...options }: LoadingOptions,
): Promise<void> {
  const { db, clock, dataDir } = options;
  const path = pathOf(source, file, dataDir);
  if (source.place.kind !== 'folder' && !(await isThere(path))) {
    const why = 'another machine has fetched it, and it is not listed any more';
    throw new OperatorError(`${file.name} is not here: ${why}; copy it to ${path}`);
  }
  const newest = state.newestLoaded?.period ?? '';
  if (file.period < newest) {
    const text = `${file.name} came late, after ${showPeriod(newest)}; it is loaded, since its records say how old they are`;
    say('warn', 'late', text, file.name);
  }
  const isComplete = state.gaps.every((gap) => gap > file.period);
  let report: LoadReport;
  try {
    report = await loadFile(source, { path, period: file.period, isComplete }, options);
  } catch (error) {
    if (!(error instanceof BadFile)) throw error;
    await changeSourceFile(db, file, { state: 'failed', reason: error.message }, clock.nowMs());
    say('error', 'failed', `${file.name} cannot be loaded: ${error.message}`, file.name);
    return;
  }
  await step('loaded');
  const reason = report.rejected === 0 ? null : `${report.rejected} rejected`;
  await changeSourceFile(db, file, { state: 'loaded', loadId: report.load_id, reason }, clock.nowMs());
  await step('marked');
  const { load_id, read, rejected } = report;
  result.loaded.push({ file: file.name, period: file.period, load_id, read, rejected });
  const counts = `${read} records, ${report.new} new, ${report.changed} changed`;
  say('info', 'loaded', `${file.name} of ${showPeriod(file.period)} is loaded: ${counts}`, file.name);
  if (rejected > 0) {
    const remedy = `tmds issues ${load_id.slice(0, 8)} shows them`;
    say('warn', 'rejects', `${file.name}: ${rejected} records or members were rejected; ${remedy}`, file.name);
  }
}

/** The failed file that stops a source; null if none does. */
async function findStop(
  source: DeclaredSource,
  { db, declared }: Pick<RoundOptions, 'db' | 'declared'>,
): Promise<SourceFile | null> {
  const stops = new Set(declared.filter((each) => each.stops === source.stops).map(({ name }) => name));
  return (await listFailedFiles(db)).find((file) => stops.has(file.source)) ?? null;
}

const GAPS_SAID_MAX = 5;

function sayGaps(source: DeclaredSource, gaps: readonly string[], say: Say): void {
  const what = source.gaps === 'wait' ? 'later files wait (except leaves a period out)' : 'later files are loaded';
  const [first = '', last = ''] = [gaps[0], gaps.at(-1)];
  if (gaps.length > GAPS_SAID_MAX) {
    const span = `from ${showPeriod(first)} to ${showPeriod(last)}`;
    say('warn', 'gap', `${gaps.length} files are missing, ${span}; ${what}`);
  } else for (const gap of gaps) say('warn', 'gap', `the file of ${showPeriod(gap)} is missing; ${what}`);
}

/** Stores how the check ended, and reports missing periods once, when they are found. */
async function conclude(
  source: DeclaredSource,
  { db, clock, say }: RoundOptions & { say: Say },
  { state, result, stop }: { state: SourceState; result: SourceResult; stop: SourceFile | null },
): Promise<void> {
  const nowMs = clock.nowMs();
  const before = (await listSourceChecks(db)).find((check) => check.source === source.name);
  const wasOverdue = before?.due_ms != null && before.due_ms < before.checked_ms;
  sayGaps(
    source,
    state.gaps.filter((each) => before?.gaps.includes(each) !== true),
    say,
  );
  const { nextPeriod, dueMs, gaps } = state;
  if (nextPeriod !== null && dueMs !== null && dueMs < nowMs && !(wasOverdue && before.next_period === nextPeriod)) {
    say('warn', 'overdue', `the file of ${showPeriod(nextPeriod)} is overdue since ${new Date(dueMs).toISOString()}`);
  }
  Object.assign(result, { gaps, next_period: nextPeriod, due: dueMs === null ? null : new Date(dueMs).toISOString() });
  await storeSourceCheck(db, {
    source: source.name,
    checked_ms: nowMs,
    succeeded_ms: result.failure === null && !result.stopped ? nowMs : null,
    failure: stop === null ? result.failure : describeStop(stop, source.name),
    stopped: result.stopped,
    next_period: nextPeriod,
    due_ms: dueMs,
    gaps,
  });
}
