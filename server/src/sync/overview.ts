/** Summarizes each declared source: its last file, what comes next, what is missing. */
import type { Queryable } from '../database/driver/db.ts';
import { judgeSource, listSourceChecks, type SourceCondition } from '../store/sync/source-checks.ts';
import { describeStop, listFailedFiles, listSourceFiles, showPeriod } from '../store/sync/source-files.ts';
import type { DeclaredSource } from './declared/source.ts';
import { planSource } from './plan.ts';

export interface SourceOverview {
  source: string;
  kind: string;
  format: string;
  register: string | null;
  condition: SourceCondition;
  /** The fault, in a sentence; null if there is none. */
  problem: string | null;
  last_file: string | null;
  last_period: string | null;
  last_loaded_at: string | null;
  next_period: string | null;
  overdue_at: string | null;
  gaps: string[];
  /** Files that are seen or fetched and not loaded yet. */
  waiting: number;
  late: string[];
  checked_at: string | null;
  succeeded_at: string | null;
}

export async function describeSources(
  db: Queryable,
  sources: readonly DeclaredSource[],
  nowMs: number,
): Promise<SourceOverview[]> {
  const checks = new Map((await listSourceChecks(db)).map((check) => [check.source, check]));
  const failed = await listFailedFiles(db);
  const overviews: SourceOverview[] = [];
  for (const source of sources) {
    const files = (await listSourceFiles(db, source.name)).filter(({ state }) => state !== 'superseded');
    const state = planSource({ source, files, nowMs, accepted: new Set() });
    const check = checks.get(source.name) ?? null;
    const last = state.newestLoaded;
    const stops = new Set(sources.filter((each) => each.stops === source.stops).map(({ name }) => name));
    const stop = failed.find((file) => stops.has(file.source)) ?? null;
    // A check that found the register stopped says why; the file may have been left out since.
    const failure = check?.stopped === true ? null : (check?.failure ?? null);
    const condition = judgeSource({
      isStopped: stop !== null,
      isFailing: failure !== null,
      isOverdue: state.dueMs !== null && state.dueMs < nowMs,
      hasGaps: state.gaps.length > 0,
      isChecked: check !== null,
    });
    overviews.push({
      source: source.name,
      kind: source.place.kind,
      format: source.format.name,
      register: source.register ?? source.format.register,
      condition,
      problem: stop === null ? failure : describeStop(stop, source.name),
      last_file: last?.name ?? null,
      last_period: last === null ? null : showPeriod(last.period),
      last_loaded_at: instant(last?.ended_ms ?? null),
      next_period: state.nextPeriod === null ? null : showPeriod(state.nextPeriod),
      overdue_at: instant(state.dueMs),
      gaps: state.gaps.map(showPeriod),
      waiting: files.filter((file) => file.state === 'seen' || file.state === 'fetched').length,
      late: files.filter((file) => file.state === 'late').map(({ name }) => name),
      checked_at: instant(check?.checked_ms ?? null),
      succeeded_at: instant(check?.succeeded_ms ?? null),
    });
  }
  return overviews;
}

function instant(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
