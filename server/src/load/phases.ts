/** Where the time of a load goes: one phase after the other, each told by the clock it is given. */
import type { Clock } from '../base/clock.ts';

/** In the order in which a load passes through them. */
export const LOAD_PHASES = ['reading', 'settling', 'publishing', 'finishing'] as const;
export type LoadPhase = (typeof LOAD_PHASES)[number];

export interface PhaseWatch {
  /** Ends the phase before. */
  enter(phase: LoadPhase): void;
  /** Seconds of each phase up to now, to the millisecond. */
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
