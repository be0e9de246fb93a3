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

const DAY_US = DAY_MS * 1_000;
/** The beginning of the last day that `instantOf` wrote. A page of a search needs 50 instants, most of few days. */
let lastDay = { number: Number.NaN, text: '' };

/** The instant of a number of microseconds since 1970, for years of four digits. */
export function instantOf(micros: number): Instant {
  const number = Math.floor(micros / DAY_US);
  if (number !== lastDay.number) lastDay = { number, text: new Date(number * DAY_MS).toISOString().slice(0, 11) };
  const rest = micros - number * DAY_US;
  const seconds = Math.floor(rest / 1_000_000);
  const minutes = Math.floor(seconds / 60);
  const time = `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}:${twoDigits(seconds % 60)}`;
  return `${lastDay.text}${time}.${String(rest - seconds * 1_000_000).padStart(6, '0')}Z`;
}

function twoDigits(number: number): string {
  return number < 10 ? `0${number}` : `${number}`;
}
