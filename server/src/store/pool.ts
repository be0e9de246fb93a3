/**
 * A bounded pool of connections: who waits, for how long, which connection may be used again. It knows no SQL.
 * Lending an idle connection costs no promise of its own, which halves the cost of a look-up against the driver's pool
 * (docs/decisions/0002). Invariants: never more than `max` connections; one that failed is never lent again.
 */
import type pg from 'pg';
import { systemClock } from '../base/clock.ts';
import { apiError } from '../base/errors.ts';
import { RawClient } from './wire.ts';

/** A connection on loan. */
export interface Loan {
  readonly client: RawClient;
  /** True once the connection's state is unknown: it is then closed instead of lent again. */
  dirty: boolean;
  /** When the running statement was sent, on the monotonic clock; 0 = none runs. */
  statementSinceMs: number;
  idleSinceMs: number;
}

export interface PoolOptions {
  readonly client: pg.ClientConfig;
  readonly max: number;
  /** Longest wait for a loan. */
  readonly acquireTimeoutMs: number;
  /** A statement without an answer for so long is taken to be lost with its server; 0 = never. */
  readonly silenceMs: number;
  /** Told of connections that end while nobody uses them. */
  readonly onLost: (error: Error) => void;
}

export interface Pool {
  /** Rejects with ApiError `unavailable` when none becomes free in time, or with the driver's error. */
  acquire(): Loan | Promise<Loan>;
  release(loan: Loan): void;
  /** Waits until every loan is back, then closes every connection. */
  close(): Promise<void>;
}

interface Waiter {
  readonly deadlineMs: number;
  readonly resolve: (loan: Loan | Promise<Loan>) => void;
  readonly reject: (error: Error) => void;
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
    while (waiters.length > 0 && waiters[0]!.deadlineMs <= nowMs) {
      waiters.shift()!.reject(apiError('unavailable', 'The service is busy. Try again shortly.'));
    }
    for (const loan of loans) {
      const { statementSinceMs } = loan;
      if (options.silenceMs > 0 && statementSinceMs > 0 && nowMs - statementSinceMs > options.silenceMs) cutOff(loan);
    }
    // The longest idle ones lie at the bottom. One is kept, for whoever comes after a quiet time.
    while (idle.length > 1 && nowMs - idle[0]!.idleSinceMs > IDLE_MS) discard(idle.shift()!);
    return loans.size > 0 || waiters.length > 0 || connecting > 0;
  }

  async function connect(): Promise<Loan> {
    connecting += 1;
    sweeper.start();
    try {
      const client = new RawClient(options.client);
      const loan: Loan = { client, dirty: false, statementSinceMs: 0, idleSinceMs: 0 };
      client.on('error', (error) => lose(loan, error));
      client.once('end', () => lose(loan, new Error('the server closed the connection')));
      await client.connect();
      loans.add(loan);
      connecting -= 1;
      return loan;
    } catch (error) {
      connecting -= 1;
      // The place that this attempt took is free for whoever waits.
      serveNextWaiter();
      throw error;
    }
  }

  function hasRoom(): boolean {
    return loans.size + connecting < options.max;
  }

  function lose(loan: Loan, error: Error): void {
    loan.dirty = true;
    const position = idle.indexOf(loan);
    if (position < 0) return;
    idle.splice(position, 1);
    discard(loan);
    options.onLost(error);
  }

  function discard(loan: Loan): void {
    loans.delete(loan);
    loan.client.end().catch(() => undefined);
    serveNextWaiter();
  }

  function serveNextWaiter(): void {
    if (waiters.length > 0 && hasRoom()) waiters.shift()!.resolve(connect());
    settleClose();
  }

  function settleClose(): void {
    if (closed === undefined || waiters.length > 0 || connecting > 0) return;
    for (const loan of idle.splice(0)) discard(loan);
    if (loans.size > 0) return;
    sweeper.stop();
    closed.resolve();
  }

  return {
    acquire: () => {
      const loan = idle.pop();
      if (loan !== undefined) return loan;
      if (closed !== undefined) return Promise.reject(apiError('unavailable', 'The service is shutting down.'));
      if (hasRoom()) return connect();
      const deadlineMs = clock.monotonicMs() + options.acquireTimeoutMs;
      return new Promise((resolve, reject) => waiters.push({ deadlineMs, resolve, reject }));
    },
    release: (loan) => {
      loan.statementSinceMs = 0;
      if (loan.dirty) return discard(loan);
      const waiter = waiters.shift();
      if (waiter !== undefined) return waiter.resolve(loan);
      loan.idleSinceMs = clock.monotonicMs();
      idle.push(loan);
      settleClose();
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

/** Ends whatever runs on the loan with a connection error; the server stops it when it next looks at the socket. */
export function cutOff(loan: Loan): void {
  loan.dirty = true;
  (loan.client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}

/** Calls `sweep` every so often, from `start` on until it returns false. */
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
