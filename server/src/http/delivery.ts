/**
 * How the delivery of an answer ended. Node says so in several places, and of an answer that waits behind another on
 * the same connection the response itself never says anything; here it is one event. What an end means for a call, its
 * log line or its unit, others decide; the work behind an answer asks here whether anybody still waits for it.
 * Invariant: each `act` runs once, at once where the delivery is over already.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../base/clock.ts';
import { apiError } from '../base/errors.ts';
import type { Asker } from '../store/records/records.ts';

/**
 * `abandoned`: the connection is gone, closed by the caller or because it stood still for too long. `too slow`: it was
 * read for longer than an answer may take. `failed`: what was being sent could not be read on.
 */
export type DeliveryEnd = 'whole' | 'abandoned' | 'too slow' | 'failed';

export class Delivery implements Asker {
  readonly clock: Clock;
  readonly startedMs: number;
  /** Null until it is over. */
  end: DeliveryEnd | null = null;
  /** True once a part of the answer was given to the connection. Certain only when the delivery is over. */
  hasBegun = false;
  /** Why the answer could not be read on. */
  failure: unknown;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  #endIfLost: Exclude<DeliveryEnd, 'whole'> = 'abandoned';
  #bytesBefore = 0;
  #acts: ((end: DeliveryEnd) => void)[] = [];
  #leaving: AbortController | undefined;

  constructor(request: IncomingMessage, response: ServerResponse, clock: Clock) {
    this.clock = clock;
    this.startedMs = clock.monotonicMs();
    this.#request = request;
    this.#response = response;
    const look = (): void => {
      if (request.socket.destroyed || response.destroyed) this.#finish(this.#endIfLost);
    };
    // Node counts an answer as finished also when the connection broke under its last bytes.
    response.once('finish', () => this.#finish(request.socket.destroyed ? this.#endIfLost : 'whole'));
    response.once('close', look);
    response.on('error', look);
    // The only event of an answer that waits for its turn on a connection that breaks.
    request.once('close', look);
  }

  whenOver(act: (end: DeliveryEnd) => void): void {
    if (this.end === null) this.#acts.push(act);
    else act(this.end);
  }

  onGone(act: (reason: unknown) => void): void {
    this.whenOver((end) => {
      if (end !== 'whole') act(apiError('unavailable', 'The caller went away before the answer.'));
    });
  }

  /** Made when it is first asked for: look-ups, which want none, are answered in microseconds. */
  get signal(): AbortSignal {
    if (this.#leaving === undefined) {
      const leaving = new AbortController();
      this.#leaving = leaving;
      this.onGone((reason) => leaving.abort(reason));
    }
    return this.#leaving.signal;
  }

  /** From here on, what the connection sends is counted as this answer. */
  begin(): void {
    this.#bytesBefore = this.#request.socket.bytesWritten;
  }

  /** Bytes given to the connection, headers included; what the caller received of them nobody knows. */
  get sentBytes(): number {
    return this.hasBegun ? Math.max(0, this.#request.socket.bytesWritten - this.#bytesBefore) : 0;
  }

  /** Notes why the answer breaks off; if nothing was sent yet, another answer may take its place. */
  fail(cause: unknown): void {
    this.#endIfLost = 'failed';
    this.failure = cause;
  }

  /** Closes the connection on a caller who takes too long. */
  cutOff(): void {
    this.#endIfLost = 'too slow';
    this.#request.socket.destroy();
  }

  #finish(end: DeliveryEnd): void {
    if (this.end !== null) return;
    this.end = end;
    // An answer that waited for its turn has written its head, but to no connection.
    this.hasBegun = this.#response.writableFinished || (this.#response.headersSent && this.#response.socket !== null);
    for (const act of this.#acts.splice(0)) act(end);
  }
}
