/** The only place that reads the machine's clock. Everything that needs time takes a `Clock`, so tests own it. */
import { setTimeout as delay } from 'node:timers/promises';

export interface Clock {
  /** Milliseconds since the Unix epoch, wall clock. */
  nowMs(): number;
  /** Milliseconds that only grow; for durations. */
  monotonicMs(): number;
  /** Waits `ms` milliseconds; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls `act` once after `ms` milliseconds, unless the returned function is called before. */
  callAfter(ms: number, act: () => void): () => void;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: async (ms, signal) => {
    await delay(ms, undefined, signal === undefined ? {} : { signal });
  },
  callAfter: (ms, act) => {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};

/** `2026-11-21T09:00:00.123000Z`: an instant in the wire's form (rule I-31), from milliseconds since the epoch. */
export function isoInstant(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z');
}
