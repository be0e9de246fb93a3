/**
 * A bounded pool of connections: who waits, for how long, and which connections may be used again. It knows no SQL.
 * Lending an idle connection creates no promise, which halves the cost of a look-up compared with the driver's own pool
 * (docs/decisions/0002). Invariants: never more than `max` connections; one that failed is never lent again.
 */
import type pg from 'pg';
import { systemClock } from '../../base/clock.ts';
import { type ApiError, apiError } from '../../base/errors.ts';
import { databaseAway } from './failures.ts';
import { RawClient } from './wire.ts';

/** A connection on loan. */
export interface Loan {
  readonly client: RawClient;
  /** The state of the connection is unknown: it is closed instead of lent again. */
  dirty: boolean;
  /** When the running statement was sent, on the monotonic clock; 0 if none runs. */
  statementSinceMs: number;
  idleSinceMs: number;
  /** Pending while the server stops a statement that was given up; null if there is none. */
  stopping: Promise<void> | null;
}

/** How long a caller waits for a loan, and whether they still do. */
export interface Patience {
  /** On the monotonic clock. */
  readonly deadlineMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface PoolOptions {
  /** Called before each connection, since an embedded database may return at another address. */
  readonly client: () => pg.ClientConfig;
  /** SQL that every connection begins with. */
  readonly greeting: string;
  readonly max: number;
  /** Longest wait for a loan. */
  readonly acquireTimeoutMs: number;
  /** Longest time to open a connection, its greeting included. */
  readonly connectTimeoutMs: number;
  /** After this long without an answer, a statement is considered lost; 0 = never. */
  readonly silenceMs: number;
  /** Why loans are refused at present, if they are. Running statements are cut off, and waiters rejected. */
  readonly closedBecause: () => ApiError | null;
  /** Called when an idle connection ends. */
  readonly onLost: (error: Error) => void;
}

export interface Pool {
  /**
   * Rejects with ApiError `unavailable` if no connection becomes free in time or none can be opened, and with the
   * signal's reason if it is aborted.
   */
  acquire(patience?: Patience): Loan | Promise<Loan>;
  release(loan: Loan): void;
  /** Waits until every loan is back, then closes every connection. */
  close(): Promise<void>;
}

interface Waiter {
  readonly deadlineMs: number;
  readonly resolve: (loan: Loan) => void;
  readonly reject: (error: unknown) => void;
}

const IDLE_MS = 30_000;
const SWEEP_MS = 250;

export function buildPool(options: PoolOptions): Pool {
  const loans = new Set<Loan>();
  const idle: Loan[] = [];
  const waiters: Waiter[] = [];
  let connecting = 0;
  let closed: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined;
  const clock = systemClock;
  const sweepMs = Math.min(SWEEP_MS, Math.ceil(options.acquireTimeoutMs / 4));
  const sweeper = buildSweeper(sweepMs, sweep);

  function sweep(): boolean {
    const nowMs = clock.monotonicMs();
    const reason = options.closedBecause();
    for (const waiter of [...waiters]) {
      if (reason === null && waiter.deadlineMs > nowMs) continue;
      removeFrom(waiters, waiter);
      waiter.reject(reason ?? busy());
    }
    for (const loan of loans) {
      const { statementSinceMs } = loan;
      const isLost = options.silenceMs > 0 && statementSinceMs > 0 && nowMs - statementSinceMs > options.silenceMs;
      if (isLost || (reason !== null && !idle.includes(loan))) cutOff(loan);
    }
    closeIdle(nowMs);
    return loans.size > 0 || waiters.length > 0 || connecting > 0;
  }

  /** The longest idle connections come first. One is kept open for the next caller. */
  function closeIdle(nowMs: number): void {
    for (let [oldest] = idle; oldest !== undefined && idle.length > 1; [oldest] = idle) {
      if (nowMs - oldest.idleSinceMs <= IDLE_MS) return;
      idle.shift();
      discard(oldest);
    }
  }

  /** Opens a connection for whoever has waited longest. If it fails, their wait fails. */
  async function connect(): Promise<void> {
    connecting += 1;
    sweeper.start();
    try {
      const client = new RawClient(options.client());
      const loan: Loan = { client, dirty: false, statementSinceMs: 0, idleSinceMs: 0, stopping: null };
      client.on('error', (error) => lose(loan, error));
      client.once('end', () => lose(loan, new Error('the server closed the connection')));
      await openConnection(loan, options.greeting, options.connectTimeoutMs);
      loans.add(loan);
      connecting -= 1;
      giveBack(loan);
    } catch (error) {
      connecting -= 1;
      waiters.shift()?.reject(databaseAway(error));
      serveWaiters();
    }
  }

  function hasRoom(): boolean {
    return loans.size + connecting < options.max;
  }

  function lose(loan: Loan, error: Error): void {
    loan.dirty = true;
    if (!removeFrom(idle, loan)) return;
    discard(loan);
    options.onLost(error);
  }

  function discard(loan: Loan): void {
    loans.delete(loan);
    loan.client.end().catch(() => undefined);
    serveWaiters();
  }

  function giveBack(loan: Loan): void {
    loan.statementSinceMs = 0;
    if (loan.dirty) {
      discard(loan);
      return;
    }
    const waiter = nextWaiter();
    if (waiter === undefined) {
      loan.idleSinceMs = clock.monotonicMs();
      idle.push(loan);
      settleClose();
    } else waiter.resolve(loan);
  }

  /** The one who has waited longest and whose deadline has not passed. */
  function nextWaiter(): Waiter | undefined {
    const nowMs = clock.monotonicMs();
    for (;;) {
      const waiter = waiters.shift();
      if (waiter === undefined || waiter.deadlineMs > nowMs) return waiter;
      waiter.reject(busy());
    }
  }

  function serveWaiters(): void {
    while (waiters.length > connecting && hasRoom()) void connect();
    settleClose();
  }

  function settleClose(): void {
    if (closed === undefined || waiters.length > 0 || connecting > 0) return;
    for (const loan of idle.splice(0)) discard(loan);
    if (loans.size > 0) return;
    sweeper.stop();
    closed.resolve();
  }

  function waitForLoan({ deadlineMs = Number.POSITIVE_INFINITY, signal }: Patience): Promise<Loan> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        // If a loan has just been given, the statement it was for gives it back.
        if (removeFrom(waiters, waiter)) reject(signal?.reason);
      };
      const waiter: Waiter = {
        deadlineMs: Math.min(clock.monotonicMs() + options.acquireTimeoutMs, deadlineMs),
        resolve: (loan) => {
          signal?.removeEventListener('abort', leave);
          resolve(loan);
        },
        reject: (error) => {
          signal?.removeEventListener('abort', leave);
          reject(error);
        },
      };
      signal?.addEventListener('abort', leave, { once: true });
      waiters.push(waiter);
      serveWaiters();
    });
  }

  return {
    acquire: (patience = {}) => {
      if (patience.signal?.aborted) return Promise.reject(patience.signal.reason);
      const reason = options.closedBecause();
      if (reason !== null) return Promise.reject(reason);
      const loan = idle.pop();
      if (loan !== undefined) return loan;
      if (closed !== undefined) return Promise.reject(apiError('unavailable', 'The service is shutting down.'));
      return waitForLoan(patience);
    },
    release: (loan) => {
      const { stopping } = loan;
      loan.stopping = null;
      if (stopping === null) giveBack(loan);
      else void stopping.then(() => giveBack(loan));
    },
    close: () => {
      if (closed === undefined) {
        let resolve: () => void = () => {};
        const promise = new Promise<void>((settle) => {
          resolve = settle;
        });
        closed = { promise, resolve };
        settleClose();
      }
      return closed.promise;
    },
  };
}

function busy(): ApiError {
  return apiError('unavailable', 'The service is busy. Try again shortly.');
}

function removeFrom<T>(list: T[], element: T): boolean {
  const position = list.indexOf(element);
  if (position < 0) return false;
  list.splice(position, 1);
  return true;
}

/** Rejects with the driver's error; the connection is then closed. */
export async function openConnection(loan: Loan, greeting: string, timeoutMs: number): Promise<void> {
  const stopTimer = systemClock.callAfter(timeoutMs, () => cutOff(loan));
  try {
    await loan.client.connect();
    await loan.client.query(greeting);
  } catch (error) {
    cutOff(loan);
    throw error;
  } finally {
    stopTimer();
  }
}

/** Closes the socket: what runs fails with a connection error, and the server stops it when it notices. */
function cutOff(loan: Loan): void {
  loan.dirty = true;
  loan.client.destroySocket();
}

/** How long the server may take to stop a statement. */
const STOP_MS = 500;

/**
 * Asks the server to stop the statement that runs on the loan; `ended` resolves when it has. The connection can then be
 * used again, so that callers who disconnect cost no connections. If the server does not react, it is cut off.
 */
export async function stopStatement(loan: Loan, ended: Promise<void>): Promise<void> {
  const stopTimer = systemClock.callAfter(STOP_MS, () => cutOff(loan));
  try {
    // A late request would stop the next caller's statement, so both are awaited: the request closes once passed on.
    await Promise.all([loan.client.requestCancel(STOP_MS), ended]);
  } catch {
    cutOff(loan);
  } finally {
    stopTimer();
  }
}

/** After `start`, calls `sweep` at an interval until it returns false. */
function buildSweeper(everyMs: number, sweep: () => boolean): { start: () => void; stop: () => void } {
  let running: AbortController | undefined;
  const run = async (controller: AbortController): Promise<void> => {
    try {
      do await systemClock.sleep(everyMs, controller.signal);
      while (sweep());
    } catch {
      // Stopped.
    }
    if (running === controller) running = undefined;
  };
  return {
    start: () => {
      if (running !== undefined) return;
      running = new AbortController();
      void run(running);
    },
    stop: () => {
      running?.abort();
      running = undefined;
    },
  };
}
