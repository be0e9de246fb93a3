/**
 * How long the store of objects is waited for. A call of somebody who waits for its answer has little time, which all
 * objects that it needs share; a load, a move or a check has more, for each object. Bytes that flow give the time back
 * that they take. Within the time a failure that may pass is tried again, with growing pauses: no tries are counted.
 */
import { type Clock, countDown } from '../../base/clock.ts';

interface Patience {
  /** A try is given up when nothing has come for this long. */
  readonly silenceMs: number;
  /** All tries and the pauses between them. */
  readonly totalMs: number;
}

/** Two silent tries. Callers are to be told within three seconds (rule I-35), with statements and sending. */
const OF_A_CALL: Patience = { silenceMs: 1_100, totalMs: 2_600 };
/** A load that fails is repeated as a whole, so it rather waits while a store is restarted. */
const OF_WORK: Patience = { silenceMs: 5_000, totalMs: 30_000 };

/** Bytes that come or go more slowly are not waited for: 4 Mbit/s. */
const BYTES_PER_MS_MIN = 500;
const FIRST_PAUSE_MS = 200;

export interface Wait {
  /** Time passes only while something runs: how fast a client takes what was read is its own affair. */
  during<T>(work: () => Promise<T>): Promise<T>;
  begin(): Try;
  /** Before another try; null: there is no time for one. */
  pauseAfter(tried: number): number | null;
}

/** A try, which is given up when it is silent, or when the time is over. */
export interface Try {
  readonly signal: AbortSignal;
  /** This many bytes came. */
  hear(bytes: number): void;
  end(): void;
}

/** Shared by all reads of a call, however many of them run at once. */
export function waitOfCall(clock: Clock): Wait {
  return buildWait(clock, OF_A_CALL);
}

/** @param bytes that are to be sent, whose progress cannot be seen */
export function waitOfWork(clock: Clock, bytes = 0): Wait {
  const sendMs = bytes / BYTES_PER_MS_MIN;
  return buildWait(clock, { silenceMs: OF_WORK.silenceMs + sendMs, totalMs: OF_WORK.totalMs + sendMs });
}

function buildWait(clock: Clock, { silenceMs, totalMs }: Patience): Wait {
  let leftMs = totalMs;
  let running = 0;
  let settledMs = 0;

  const settle = (): void => {
    const nowMs = clock.monotonicMs();
    // The store can be silent for so long and no longer: for the rest of it, this process was held up itself.
    if (running > 0) leftMs -= Math.min(nowMs - settledMs, silenceMs);
    settledMs = nowMs;
  };

  const begin = (): Try => {
    const startMs = clock.monotonicMs();
    const stop = new AbortController();
    const giveUp = (): void => stop.abort(new Error(`no answer in ${Math.round(clock.monotonicMs() - startMs)} ms`));
    let disarm = (): void => {};
    let isOver = false;
    const arm = (): void => {
      disarm();
      settle();
      // A timer alone would be set again by each byte of a body that trickles.
      if (leftMs > 0) disarm = countDown(clock, Math.min(silenceMs, leftMs), giveUp);
      else giveUp();
    };
    arm();
    return {
      signal: stop.signal,
      hear: (bytes) => {
        if (isOver) return;
        settle();
        leftMs = Math.min(leftMs + bytes / BYTES_PER_MS_MIN, totalMs);
        arm();
      },
      end: () => {
        isOver = true;
        disarm();
      },
    };
  };

  return {
    during: async (work) => {
      settle();
      running += 1;
      try {
        return await work();
      } finally {
        settle();
        running -= 1;
      }
    },
    begin,
    pauseAfter: (tried) => {
      settle();
      const pauseMs = FIRST_PAUSE_MS * 2 ** (tried - 1);
      return pauseMs < leftMs ? pauseMs : null;
    },
  };
}
