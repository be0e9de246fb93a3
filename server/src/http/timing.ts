/** Measures how long each stage of a call takes, for the `Server-Timing` header and the metrics. */
import type { Clock } from '../base/clock.ts';

const STAGES = ['parse', 'plan', 'access', 'match', 'store', 'render'] as const;
type Stage = (typeof STAGES)[number];

/** One run of a stage, on the monotonic clock. */
interface StageRun {
  readonly stage: Stage;
  readonly startedMs: number;
  readonly endedMs: number;
}

export interface Timing {
  /** In milliseconds; without the stages that did not run. */
  readonly durationsMs: ReadonlyMap<Stage, number>;
  /** In the order in which they ended; null if they were not requested. */
  readonly runs: readonly StageRun[] | null;
  /** Runs `work` and adds its duration to the stage, whether it succeeds or fails. */
  measure<T>(stage: Stage, work: () => T): T;
  measureAsync<T>(stage: Stage, work: () => T | Promise<T>): Promise<T>;
  /** `parse;dur=0.1, store;dur=2.3` in milliseconds; stages that did not run are left out. */
  render(): string;
}

export function startTiming(clock: Clock, keepsRuns = false): Timing {
  const durationsMs = new Map<Stage, number>();
  const runs: StageRun[] | null = keepsRuns ? [] : null;
  const add = (stage: Stage, startedMs: number): void => {
    const endedMs = clock.monotonicMs();
    durationsMs.set(stage, (durationsMs.get(stage) ?? 0) + endedMs - startedMs);
    runs?.push({ stage, startedMs, endedMs });
  };
  return {
    durationsMs,
    runs,
    measure: (stage, work) => {
      const startedMs = clock.monotonicMs();
      try {
        return work();
      } finally {
        add(stage, startedMs);
      }
    },
    measureAsync: async (stage, work) => {
      const startedMs = clock.monotonicMs();
      try {
        return await work();
      } finally {
        add(stage, startedMs);
      }
    },
    render: () => {
      let text = '';
      for (const stage of STAGES) {
        const duration = durationsMs.get(stage);
        if (duration !== undefined)
          text += `${text === '' ? '' : ', '}${stage};dur=${Math.round(duration * 100) / 100}`;
      }
      return text;
    },
  };
}
