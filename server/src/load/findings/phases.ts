/** Measures how long each phase of a load takes. One phase is open at a time. */
import type { Clock } from '../../base/clock.ts';

/** In the order in which a load passes through them. */
export const LOAD_PHASES = ['reading', 'settling', 'publishing', 'finishing'] as const;
export type LoadPhase = (typeof LOAD_PHASES)[number];

export interface PhaseWatch {
  /** Ends the phase before it. */
  enter(phase: LoadPhase): void;
  /** Seconds spent in each phase so far, to the millisecond. */
  list(): Record<LoadPhase, number>;
}

export function openPhases(clock: Clock): PhaseWatch {
  const spentMs = new Map<LoadPhase, number>();
  let open: { phase: LoadPhase; sinceMs: number } | null = null;
  const note = (): void => {
    if (open === null) return;
    const nowMs = clock.monotonicMs();
    spentMs.set(open.phase, (spentMs.get(open.phase) ?? 0) + nowMs - open.sinceMs);
    open.sinceMs = nowMs;
  };
  return {
    enter(phase) {
      note();
      open = { phase, sinceMs: clock.monotonicMs() };
    },
    list() {
      note();
      const seconds = LOAD_PHASES.map((phase) => [phase, Math.round(spentMs.get(phase) ?? 0) / 1000]);
      return Object.fromEntries(seconds) as Record<LoadPhase, number>;
    },
  };
}
