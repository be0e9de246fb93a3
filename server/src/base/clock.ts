/** The only place that reads the machine's clock. Code that needs the time takes a `Clock`, so tests can control it. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Instant } from '@tmds/contract/record';

export const DAY_MS = 86_400_000;

export interface Clock {
  /** Wall clock: milliseconds since the Unix epoch. */
  nowMs(): number;
  /** Milliseconds that never go backwards, from an arbitrary start; for measuring durations. */
  monotonicMs(): number;
  /** Waits `ms` milliseconds; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls `act` once after `ms` milliseconds; calling the returned function first prevents it. */
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

const STEP_MS = 100;

/**
 * Calls `act` when `ms` milliseconds have passed in short steps; calling the returned function first prevents it. For
 * limits on another party: a process that was itself delayed has counted few steps, so it does not blame the other
 * side.
 */
export function countDown(clock: Pick<Clock, 'callAfter'>, ms: number, act: () => void): () => void {
  let stop: () => void;
  const count = (leftMs: number): void => {
    const stepMs = Math.min(STEP_MS, leftMs);
    stop = clock.callAfter(stepMs, () => (leftMs > stepMs ? count(leftMs - stepMs) : act()));
  };
  count(ms);
  return () => stop();
}

/** The day of an instant in UTC, `YYYY-MM-DD`. `ms`: milliseconds since the Unix epoch. */
export function utcDay(ms: number): string {
  return isoInstant(ms).slice(0, 10);
}

/** Milliseconds since the Unix epoch in the wire format of instants (rule I-31): `2026-11-21T09:00:00.123000Z`. */
export function isoInstant(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z');
}

/**
 * Whole microseconds since 1970, which a double represents exactly until the year 2255. Takes an instant in the wire
 * format (rule I-31).
 */
export function microsOf(instant: Instant): number {
  const wholeSeconds = Date.parse(`${instant.slice(0, 19)}Z`);
  return wholeSeconds * 1000 + Number(instant.slice(20, 26));
}

export function instantOf(micros: number): Instant {
  const rest = ((micros % 1_000_000) + 1_000_000) % 1_000_000;
  const seconds = new Date((micros - rest) / 1000).toISOString().slice(0, 19);
  return `${seconds}.${String(rest).padStart(6, '0')}Z`;
}
