import type { Clock } from '../../src/clock.ts';

export interface SimulatedClock extends Clock {
  /** Every wait that was begun, in order, in milliseconds. */
  readonly sleeps: number[];
}

/**
 * Time that passes only when nothing else can happen: once all promises have settled, it jumps to the earliest waiter.
 * Works for code whose other inputs answer within microtasks, such as a scripted fetch.
 */
export function buildSimulatedClock(startMs = Date.UTC(2026, 0, 1)): SimulatedClock {
  let now = startMs;
  const waiters: { dueMs: number; wake: () => void }[] = [];
  const sleeps: number[] = [];
  let pumping = false;

  function pump(): void {
    waiters.sort((a, b) => a.dueMs - b.dueMs);
    const next = waiters.shift();
    if (next === undefined) {
      pumping = false;
      return;
    }
    now = Math.max(now, next.dueMs);
    next.wake();
    setImmediate(pump);
  }

  return {
    sleeps,
    nowMs: () => now,
    monotonicMs: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) {
          reject(signal.reason);
          return;
        }
        sleeps.push(ms);
        const waiter = { dueMs: now + ms, wake: resolve };
        waiters.push(waiter);
        signal?.addEventListener('abort', () => {
          const index = waiters.indexOf(waiter);
          if (index >= 0) waiters.splice(index, 1);
          reject(signal.reason);
        });
        if (!pumping) {
          pumping = true;
          setImmediate(pump);
        }
      }),
  };
}
