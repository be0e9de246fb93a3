/**
 * How long calls took, by kind. Counts instead of a list: a list of a window's calls keeps the collector of the caller's
 * process busy, and its pauses are then measured as times of the service.
 */
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import type { NotedCall } from '../callers.ts';

export class CallTimes {
  /** Microseconds. */
  readonly #durations = new Map<string, RecordableHistogram>();
  #calls = 0;
  #failed = 0;

  note({ kind, durationMs, end }: NotedCall): void {
    this.#calls += 1;
    if (end !== 200) this.#failed += 1;
    const durations = this.#durations.get(kind) ?? createHistogram();
    this.#durations.set(kind, durations);
    // A histogram holds whole numbers from 1.
    durations.record(Math.max(1, Math.round(durationMs * 1000)));
  }

  get calls(): number {
    return this.#calls;
  }

  /** Calls that were not answered with 200. */
  get failed(): number {
    return this.#failed;
  }

  p99Ms(): Record<string, number> {
    const times = [...this.#durations].map(([kind, durations]) => [kind, durations.percentile(99) / 1000]);
    return Object.fromEntries(times);
  }
}
