/** Measures how long each stage of a call takes, for the `Server-Timing` header and the metrics. */
import type { Clock } from '../base/clock.ts';

const STAGES = ['parse', 'plan', 'access', 'match', 'store', 'render'] as const;
type Stage = (typeof STAGES)[number];

export interface Timing {
  /** In milliseconds; without the stages that did not run. */
  readonly durationsMs: ReadonlyMap<Stage, number>;
  /** Runs `work` and adds its duration to the stage, whether it succeeds or fails. */
  measure<T>(stage: Stage, work: () => T): T;
  measureAsync<T>(stage: Stage, work: () => T | Promise<T>): Promise<T>;
  /** `parse;dur=0.1, store;dur=2.3` in milliseconds; stages that did not run are left out. */
  render(): string;
}

export function startTiming(clock: Clock): Timing {
  const durationsMs = new Map<Stage, number>();
  const add = (stage: Stage, startedMs: number): void => {
    durationsMs.set(stage, (durationsMs.get(stage) ?? 0) + clock.monotonicMs() - startedMs);
  };
  return {
    durationsMs,
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
