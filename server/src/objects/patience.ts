/**
 * How long to wait for the store of objects. A call whose caller waits has little time, which all objects that it needs
 * share; a load, a move or a check has more time, for each object. The time that bytes take to flow does not count.
 * Within the limit, a failure that may pass is tried again with growing pauses; the number of tries is not limited.
 */
import { type Clock, countDown } from '../base/clock.ts';

interface Patience {
  /** A try is abandoned when no bytes have come for this long. */
  readonly silenceMs: number;
  /** All tries and the pauses between them. */
  readonly totalMs: number;
}

/** Two silent tries. Callers get an answer within three seconds (rule I-35), including statements and sending. */
const OF_A_CALL: Patience = { silenceMs: 1_100, totalMs: 2_600 };
/** A load that fails is repeated as a whole, so it prefers to wait while a store is restarted. */
const OF_WORK: Patience = { silenceMs: 5_000, totalMs: 30_000 };

/** Bytes that flow more slowly are not waited for: 4 Mbit/s. */
const BYTES_PER_MS_MIN = 500;
const FIRST_PAUSE_MS = 200;

export interface Wait {
  /** Time passes only while something runs: the speed at which a client takes the bytes does not count. */
  during<T>(work: () => Promise<T>): Promise<T>;
  begin(): Try;
  /** The pause before another try; null: there is no time for one. */
  pauseAfter(tried: number): number | null;
}

/** A try, which is abandoned when it is silent, or when the time is up. */
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
    // The store can be silent only this long; the remaining time is a delay of this process.
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
      // A timer alone would be reset by each byte of a body that trickles.
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
