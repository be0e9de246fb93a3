/** Ends a search that is cancelled or out of time. Searches check for it every few milliseconds. */
import type { Clock } from '../base/clock.ts';

/** Why a search ended without an answer. */
export class SearchInterrupted extends Error {
  readonly reason: 'cancelled' | 'timed_out';

  constructor(reason: 'cancelled' | 'timed_out') {
    super(`the search was ${reason === 'cancelled' ? 'cancelled' : 'out of time'}`);
    this.reason = reason;
  }
}

export interface Interruption {
  /** @throws SearchInterrupted */
  check(): void;
}

/** `isCancelled()` may be called some thousand times a second. */
export function limitSearch(
  clock: Pick<Clock, 'monotonicMs'>,
  budgetMs: number,
  isCancelled: () => boolean,
): Interruption {
  const deadlineMs = clock.monotonicMs() + budgetMs;
  return {
    check: () => {
      if (isCancelled()) throw new SearchInterrupted('cancelled');
      if (clock.monotonicMs() > deadlineMs) throw new SearchInterrupted('timed_out');
    },
  };
}

export const NEVER_INTERRUPTED: Interruption = { check: () => {} };
