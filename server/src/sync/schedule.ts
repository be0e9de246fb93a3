/**
 * When each source is checked: at an interval that varies by a tenth, so that many servers do not ask an office at the
 * same second. After a restart it continues where it was. It ends when it is stopped.
 */
import type { Clock } from '../base/clock.ts';
import { runRounds } from '../base/rounds.ts';
import type { DeclaredSource } from './declared/source.ts';

interface ScheduleOptions {
  /** Read before each check, so that a changed file applies without a restart. */
  readSources: () => Promise<readonly DeclaredSource[]>;
  /** When each source was last checked, by its name. */
  readChecked: () => Promise<ReadonlyMap<string, number>>;
  /** False if another process syncs. */
  check: (sources: readonly DeclaredSource[]) => Promise<boolean>;
  /** Called with the error that reading or checking threw. */
  onFailure: (error: unknown) => void;
  clock: Clock;
  signal: AbortSignal;
  /** From 0 to 1. */
  random: () => number;
}

const JITTER = 0.1;
const LOOK_MS = 30_000;
/** The pause while another process syncs, so that a killed process is replaced within seconds. */
const BUSY_LOOK_MS = 5_000;
/** After a failure. */
const AGAIN_MS = 60_000;

/** Resolves once `signal` is aborted. */
export async function runSchedule(options: ScheduleOptions): Promise<void> {
  const { clock, signal, random } = options;
  const next = new Map<string, number>();
  await runRounds(clock, signal, async () => {
    let isDone = false;
    let isBusy = false;
    let due: readonly DeclaredSource[] = [];
    try {
      const sources = await options.readSources();
      await plan(sources, next, options);
      due = sources.filter(({ name }) => (next.get(name) ?? 0) <= clock.nowMs());
      isDone = due.length === 0 || (await options.check(due));
      isBusy = !isDone;
    } catch (error) {
      if (signal.aborted) return 0;
      options.onFailure(error);
    }
    const nowMs = clock.nowMs();
    for (const { name, everyMs } of due) {
      // Sources that the other process has checked by then are not due.
      if (isBusy) next.delete(name);
      else next.set(name, nowMs + (isDone ? everyMs * (1 - JITTER + 2 * JITTER * random()) : AGAIN_MS));
    }
    return isBusy ? BUSY_LOOK_MS : LOOK_MS;
  });
}

async function plan(
  sources: readonly DeclaredSource[],
  next: Map<string, number>,
  { readChecked }: ScheduleOptions,
): Promise<void> {
  const unknown = sources.filter(({ name }) => !next.has(name));
  if (unknown.length === 0) return;
  const checked = await readChecked();
  for (const { name, everyMs } of unknown) next.set(name, (checked.get(name) ?? -everyMs) + everyMs);
}
