/**
 * One connection to PostgreSQL: opening it within a limit, asking the server to stop what runs on it, and giving it up
 * at once. Statements are the driver's own. It knows nothing of who waits for a connection.
 * Invariant: a connection that could not be opened holds no socket.
 */
import { Socket } from 'node:net';
import pg from 'pg';
import { type Clock, countDown } from '../../base/clock.ts';
import type { PreparedShapes } from './row-query.ts';

export interface OpeningOptions {
  /** SQL that the session begins with. */
  readonly greeting: string;
  /** Longest time to open the connection, its greeting included, counted in steps. */
  readonly connectTimeoutMs: number;
  readonly clock: Clock;
}

export class Connection extends pg.Client {
  /** Where it leads; undefined if the address could not be read. */
  readonly address: string | undefined;
  /** The state of the connection is unknown: it is closed instead of lent again. */
  dirty = false;
  /** The error that ended the connection, as far as the driver knows; null while it is open. */
  brokenBy: Error | null = null;
  /** The generation of its pool when this was created. */
  generation = 0;
  /** When the running statement was sent, on the monotonic clock; 0 if none runs. */
  statementSinceMs = 0;
  /** Pending while the server stops a statement that was abandoned; null if there is none. */
  stopping: Promise<void> | null = null;
  /**
   * Whether the server said last that it is a standby; null if it has not. It says so before the end of the first
   * statement that ends otherwise, so a statement that ends while this is true has read what a standby replays.
   */
  isStandby: boolean | null = null;
  readonly prepared: PreparedShapes = { shapes: new Map(), onParsed: null };
  private readonly socket: Socket;
  private readonly opening: OpeningOptions;

  /** Throws if the address cannot be read, or a file that it names. */
  constructor(config: pg.ClientConfig, opening: OpeningOptions) {
    const socket = new Socket();
    super({ ...config, stream: () => socket });
    this.address = config.connectionString;
    this.socket = socket;
    this.opening = opening;
    this.connection.on('parameterStatus', ({ parameterName, parameterValue }: ParameterStatus) => {
      if (parameterName === 'in_hot_standby') this.isStandby = parameterValue === 'on';
    });
    this.connection.on('parseComplete', () => this.prepared.onParsed?.());
    // Whatever runs fails with the same error. Without a listener it would end the process.
    this.on('error', (error) => {
      this.dirty = true;
      this.brokenBy ??= error;
    });
  }

  /** Rejects with the driver's error, and the socket is closed then. */
  async open(): Promise<void> {
    const { connectTimeoutMs, clock } = this.opening;
    let isLate = false;
    const stopTimer = countDown(clock, connectTimeoutMs, () => {
      isLate = true;
      this.cutOff();
    });
    try {
      await super.connect();
      await this.query(this.opening.greeting);
    } catch (error) {
      this.cutOff();
      if (isLate)
        throw new Error(`timeout expired: no connection within ${connectTimeoutMs / 1000} s`, { cause: error });
      throw error;
    } finally {
      stopTimer();
    }
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error) => void): void;
  /** As the driver's pool opens a connection. */
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
    const opened = this.open();
    if (callback === undefined) return opened.then(() => this);
    opened.then(() => (callback as () => void)(), callback);
    return undefined;
  }

  /** Closes the socket: what runs fails with a connection error, and the server stops it when it notices. */
  cutOff(): void {
    this.dirty = true;
    this.socket.destroy();
  }

  /**
   * Asks the server to stop the running statement; `ended` resolves when it has. The connection can then be used again,
   * so that callers who disconnect cost no connections. If the server does not react, the connection is cut off.
   */
  async stopStatement(ended: Promise<void>): Promise<void> {
    const late = new AbortController();
    const stopTimer = countDown(this.opening.clock, STOP_MS, () => {
      this.cutOff();
      late.abort();
    });
    try {
      // A late request would stop the next caller's statement, so both are awaited: the request closes once passed on.
      await Promise.all([this.requestCancel(late.signal), ended]);
    } catch {
      this.cutOff();
    } finally {
      stopTimer();
    }
  }

  /**
   * Over a separate connection, as the protocol demands. Resolves when the server has passed the request on; rejects if
   * it cannot be reached, or has not passed it on when `signal` is aborted.
   */
  private requestCancel(signal: AbortSignal): Promise<void> {
    const { processID, secretKey } = this as unknown as CancelKey;
    if (processID === null || secretKey === null)
      return Promise.reject(new Error('the server gave no key for cancel requests'));
    const request = Buffer.alloc(16);
    for (const [place, value] of [16, CANCEL_CODE, processID, secretKey].entries()) {
      request.writeInt32BE(value, place * 4);
    }
    return new Promise((resolve, reject) => {
      const socket = new Socket({ signal });
      socket
        .once('error', reject)
        .once('close', () => resolve())
        .resume();
      if (this.host.startsWith('/')) socket.connect(`${this.host}/.s.PGSQL.${this.port}`);
      else socket.connect(this.port, this.host);
      socket.write(request);
    });
  }
}

/** How long the server may take to stop a statement, counted in steps. */
const STOP_MS = 500;
const CANCEL_CODE = 80_877_102;

/** What the server says of a setting, when a connection opens and when it changes. */
interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}

/** Public fields of the driver's client that its types leave out; null until the server has sent them. */
interface CancelKey {
  readonly processID: number | null;
  readonly secretKey: number | null;
}
