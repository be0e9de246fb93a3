/**
 * Who gets a connection of the driver's pool, and how long they wait for it. The driver's pool opens connections, keeps
 * idle ones, and closes those that are idle for long or broken. Its own queue stays empty, because a wait here ends
 * with its caller, at its deadline, or when the pool is closed (docs/design/postgresql.md). It knows no SQL.
 * Invariants: never more than `max` connections; one that failed, leads elsewhere, or is of an earlier generation is
 * never lent again.
 */
import pg from 'pg';
import type { Clock } from '../../base/clock.ts';
import { NoAnswer } from '../../base/no-answer.ts';
import { Connection, type OpeningOptions } from './connection.ts';
import { databaseAway, isPassing, isServerFull } from './failures.ts';

/** How long a caller waits for a connection, and whether they still do. */
export interface Patience {
  /** On the monotonic clock. */
  readonly deadlineMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface PoolOptions extends OpeningOptions {
  /** Called before each connection. */
  readonly client: () => pg.ClientConfig;
  /** Where connections lead now: a database may move. Connections that lead elsewhere are no longer used. */
  readonly address: () => string;
  readonly max: number;
  /** Longest wait for a connection. */
  readonly acquireTimeoutMs: number;
  /** Whether a wait goes on when no connection can be opened for a reason that may pass. */
  readonly isPatient: boolean;
  /** After this long without an answer, a statement is considered lost; 0 = never. */
  readonly silenceMs: number;
  /** Why connections are refused now, if they are. Running statements are cut off, and waiters rejected. */
  readonly closedBecause: () => NoAnswer | null;
  /** Rises when the connections opened so far may lead nowhere. They are no longer used. */
  readonly generation: () => number;
  /** Called when an idle connection ends. */
  readonly onLost: (error: Error) => void;
}

/** How the connections of a pool are used at this moment. */
export interface PoolState {
  readonly lent: number;
  readonly idle: number;
  readonly max: number;
  /** Callers who wait for a connection. */
  readonly waiting: number;
}

export interface Pool {
  state(): PoolState;
  /**
   * Rejects with `NoAnswer` if no connection becomes free in time or none can be opened, and with the
   * signal's reason if it is aborted.
   */
  acquire(patience?: Patience): Promise<Connection>;
  release(connection: Connection): void;
  /** Waits until every connection is back, then closes them. */
  close(): Promise<void>;
}

interface Waiter {
  readonly deadlineMs: number;
  readonly resolve: (connection: Connection) => void;
  readonly reject: (error: unknown) => void;
}

type Lent = Connection & pg.PoolClient;

const IDLE_MS = 30_000;
const SWEEP_MS = 250;
/** How long a server that opened no connection is left alone. */
export const FULL_MS = 1_000;

export function buildPool(options: PoolOptions): Pool {
  const { clock } = options;
  // One connection is kept open for the next caller.
  const source = new pg.Pool({
    Client: buildClientClass(options),
    max: options.max,
    min: 1,
    idleTimeoutMillis: IDLE_MS,
  });
  source.on('error', options.onLost);
  /** Those that this pool has of the driver's pool, in use or spare. */
  const lent = new Set<Lent>();
  /**
   * Given back a moment ago, the latest last. The next caller takes one at once, which costs a tenth of a look-up less
   * than to give it to the driver's pool and ask that pool again. What a sweep finds twice goes back there.
   */
  const spare: Lent[] = [];
  let spareBefore: ReadonlySet<Lent> = new Set();
  const waiters: Waiter[] = [];
  /** Connections asked of the driver's pool, which has one idle or opens one. */
  let asked = 0;
  /** Why the server opened no connection when it was last asked for one. Until then it is not asked again. */
  let full: { readonly untilMs: number; readonly cause: unknown } = { untilMs: 0, cause: undefined };
  let closed: { readonly promise: Promise<void>; readonly resolve: (ended: Promise<void>) => void } | undefined;
  const isOutdated = ({ address, generation }: Connection): boolean =>
    address !== options.address() || generation !== options.generation();
  const sweeper = buildSweeper(clock, Math.min(SWEEP_MS, Math.ceil(options.acquireTimeoutMs / 4)), sweep);

  function sweep(): boolean {
    const nowMs = clock.monotonicMs();
    const reason = options.closedBecause();
    for (const waiter of [...waiters]) {
      if (reason === null && waiter.deadlineMs > nowMs) continue;
      removeFrom(waiters, waiter);
      waiter.reject(reason ?? busy(full.cause));
    }
    serveWaiters();
    for (const connection of spare.splice(0)) {
      if (spareBefore.has(connection)) letGo(connection);
      else spare.push(connection);
    }
    spareBefore = new Set(spare);
    for (const connection of lent) {
      const { statementSinceMs } = connection;
      const isLost = options.silenceMs > 0 && statementSinceMs > 0 && nowMs - statementSinceMs > options.silenceMs;
      if (isLost || reason !== null || isOutdated(connection)) connection.cutOff();
    }
    return lent.size > 0 || waiters.length > 0;
  }

  function serveWaiters(): void {
    while (waiters.length > asked && lent.size + asked < options.max && mayAsk()) ask();
    settleClose();
  }

  /** While the server is full, waiters are served by the connections that come back. */
  function mayAsk(): boolean {
    return source.idleCount > 0 || clock.monotonicMs() >= full.untilMs;
  }

  /** For the caller that has waited longest. If none can be opened, its wait fails, unless the reason may pass. */
  function ask(): void {
    asked += 1;
    source.connect((error, client) => {
      asked -= 1;
      if (client !== undefined) {
        lent.add(client as Lent);
        giveBack(client as Lent);
        full = { untilMs: 0, cause: undefined };
      } else if (isServerFull(error) || (options.isPatient && isPassing(error)))
        full = { untilMs: clock.monotonicMs() + FULL_MS, cause: error };
      else waiters.shift()?.reject(databaseAway(error));
      serveWaiters();
    });
  }

  /** To the caller that has waited longest, if there is one. */
  function giveBack(connection: Lent): void {
    connection.statementSinceMs = 0;
    if (isOutdated(connection)) connection.dirty = true;
    const waiter = connection.dirty ? undefined : nextWaiter();
    if (waiter !== undefined) waiter.resolve(connection);
    else if (connection.dirty || closed !== undefined) letGo(connection);
    else {
      spare.push(connection);
      sweeper.start();
    }
  }

  /** Back to the driver's pool, which closes it if its state is unknown. */
  function letGo(connection: Lent): void {
    lent.delete(connection);
    connection.release(connection.dirty);
    serveWaiters();
  }

  function takeSpare(): Lent | undefined {
    for (;;) {
      const connection = spare.pop();
      if (connection === undefined || (!connection.dirty && !isOutdated(connection))) return connection;
      letGo(connection);
    }
  }

  /** The one who has waited longest and whose deadline has not passed. */
  function nextWaiter(): Waiter | undefined {
    const nowMs = clock.monotonicMs();
    for (;;) {
      const waiter = waiters.shift();
      if (waiter === undefined || waiter.deadlineMs > nowMs) return waiter;
      waiter.reject(busy(full.cause));
    }
  }

  function settleClose(): void {
    if (closed === undefined || waiters.length > 0 || asked > 0 || lent.size > 0) return;
    sweeper.stop();
    if (!source.ending) closed.resolve(source.end());
  }

  function waitForTurn({ deadlineMs = Number.POSITIVE_INFINITY, signal }: Patience): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        // If a connection has just been given, the statement it was for gives it back.
        if (removeFrom(waiters, waiter)) reject(signal?.reason);
      };
      const waiter: Waiter = {
        deadlineMs: Math.min(clock.monotonicMs() + options.acquireTimeoutMs, deadlineMs),
        resolve: (connection) => {
          signal?.removeEventListener('abort', leave);
          resolve(connection);
        },
        reject: (error) => {
          signal?.removeEventListener('abort', leave);
          reject(error);
        },
      };
      signal?.addEventListener('abort', leave, { once: true });
      waiters.push(waiter);
      sweeper.start();
      serveWaiters();
    });
  }

  return {
    state: () => ({
      lent: lent.size - spare.length,
      idle: source.idleCount + spare.length,
      max: options.max,
      waiting: waiters.length,
    }),
    acquire: (patience = {}) => {
      if (patience.signal?.aborted) return Promise.reject(patience.signal.reason);
      const reason = options.closedBecause();
      if (reason !== null) return Promise.reject(reason);
      if (closed !== undefined) return Promise.reject(new NoAnswer('connections_closed'));
      const connection = takeSpare();
      return connection === undefined ? waitForTurn(patience) : Promise.resolve(connection);
    },
    release: (connection) => {
      const { stopping } = connection;
      connection.stopping = null;
      if (stopping === null) giveBack(connection as Lent);
      else void stopping.then(() => giveBack(connection as Lent));
    },
    close: () => {
      if (closed === undefined) {
        let resolve: (ended: Promise<void>) => void = () => {};
        const promise = new Promise<void>((settle) => {
          resolve = settle;
        });
        closed = { promise, resolve };
        for (const connection of spare.splice(0)) letGo(connection);
        settleClose();
      }
      return closed.promise;
    },
  };
}

/** What the driver's pool creates. It has no caller for an error that creating one throws, so opening reports that. */
function buildClientClass(options: PoolOptions): new () => Connection {
  function createConnection(): Connection {
    try {
      const connection = new Connection(options.client(), options);
      connection.generation = options.generation();
      return connection;
    } catch (error) {
      return new UnreadableAddress(error, options);
    }
  }
  return createConnection as unknown as new () => Connection;
}

class UnreadableAddress extends Connection {
  private readonly fault: unknown;

  constructor(fault: unknown, opening: OpeningOptions) {
    super({}, opening);
    this.fault = fault;
  }

  override async open(): Promise<void> {
    throw this.fault;
  }
}

function busy(cause: unknown): NoAnswer {
  if (cause !== undefined && !isServerFull(cause)) return databaseAway(cause);
  return new NoAnswer('connections_taken', { cause });
}

function removeFrom<T>(list: T[], element: T): boolean {
  const position = list.indexOf(element);
  if (position < 0) return false;
  list.splice(position, 1);
  return true;
}

/** After `start`, calls `sweep` at an interval until it returns false. */
function buildSweeper(clock: Clock, everyMs: number, sweep: () => boolean): { start: () => void; stop: () => void } {
  let running: AbortController | undefined;
  const run = async (controller: AbortController): Promise<void> => {
    try {
      do await clock.sleep(everyMs, controller.signal);
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
