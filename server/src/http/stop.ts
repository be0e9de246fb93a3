/**
 * How a server ends without failing a call: it reports that it is not ready but still serves; then it accepts nothing
 * more, lets calls finish, and cuts off those that take too long. It does not know why it ends or what is closed after
 * it. Invariant: a call that arrived is answered, unless it is still unfinished at the deadline.
 */
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';

export interface StopOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** How long to serve on while `/readyz` already answers 503. */
  readonly drainMs: number;
  /** When to cut the calls that are unfinished, counted from the beginning; at least `drainMs`. */
  readonly callsMs: number;
  /** Resolves to end the drain at once. */
  readonly hurried: Promise<void>;
}

/** A connection that was just accepted may carry a call that has not been read yet. */
const GRACE_MS = 250;
const LOOK_MS = 25;
/** The work left once no call is in flight: storing the units of failed calls and the call log. */
const ENDING_MS = 1_000;

/** Resolves once the application is closed, or cannot be in time. */
export async function stopServer(app: FastifyInstance, options: StopOptions): Promise<void> {
  const { clock, log, drainMs, callsMs, hurried } = options;
  const startedMs = clock.monotonicMs();
  app.beginStopping();
  if (drainMs > 0) {
    log.info({ seconds: drainMs / 1000 }, 'not ready any more; serving on. A second signal ends this wait');
    await waitAtMost(hurried, drainMs, clock);
  }
  log.info('stopping: calls in flight may finish');
  const closing = app.close();
  let isClosed = false;
  const noteClosed = (): void => {
    isClosed = true;
  };
  closing.then(noteClosed, noteClosed);
  const listenedUntilMs = clock.monotonicMs();
  while (!isClosed) {
    const nowMs = clock.monotonicMs();
    const isOver = nowMs - startedMs >= callsMs;
    const calls = app.countCallsInFlight();
    if (isOver || (calls === 0 && nowMs - listenedUntilMs >= GRACE_MS)) {
      if (calls > 0) log.warn({ calls }, 'calls in flight took too long and are cut');
      // Among them connections whose request never came.
      app.server.closeAllConnections();
      break;
    }
    await waitAtMost(closing, LOOK_MS, clock);
  }
  await waitAtMost(closing, ENDING_MS, clock);
}

/** Waits for `event`, but not longer than `ms`. */
export async function waitAtMost(event: Promise<unknown>, ms: number, clock: Clock): Promise<void> {
  const over = new AbortController();
  try {
    await Promise.race([event, clock.sleep(ms, over.signal).catch(() => undefined)]);
  } finally {
    over.abort();
  }
}
