/**
 * How the delivery of an answer ended, as one event. Node reports it in several places, and not at all on the response
 * if an answer waits behind another one on the same connection. This file does not decide what the end means for the
 * log or the unit. Queries can ask it whether the caller is still waiting.
 * Invariant: each `act` runs exactly once; immediately if the delivery is already over.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../base/clock.ts';
import { apiError } from '../base/errors.ts';
import type { Asker } from '../store/records/records.ts';

/**
 * `abandoned`: the connection was closed by the caller, or because it was idle for too long. `too slow`: reading the
 * answer took longer than allowed. `failed`: the source of the answer failed while it was being sent.
 */
export type DeliveryEnd = 'whole' | 'abandoned' | 'too slow' | 'failed';

export class Delivery implements Asker {
  readonly clock: Clock;
  readonly startedMs: number;
  /** Null until the delivery is over. */
  end: DeliveryEnd | null = null;
  /** Whether any of the answer was written to the connection. Set when the delivery is over. */
  hasBegun = false;
  /** Why the source of the answer failed. */
  failure: unknown;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  #endIfLost: Exclude<DeliveryEnd, 'whole'> = 'abandoned';
  #bytesBefore = 0;
  #acts: ((end: DeliveryEnd) => void)[] = [];
  #actsWhenSent: (() => void)[] = [];
  #leaving: AbortController | undefined;

  constructor(request: IncomingMessage, response: ServerResponse, clock: Clock) {
    this.clock = clock;
    this.startedMs = clock.monotonicMs();
    this.#request = request;
    this.#response = response;
    const check = (): void => {
      if (request.socket.destroyed || response.destroyed) this.#finish(this.#endIfLost);
    };
    // Node also reports `finish` if the connection broke during the last bytes.
    response.once('finish', () => this.#finish(request.socket.destroyed ? this.#endIfLost : 'whole'));
    response.once('close', check);
    response.on('error', check);
    // If the connection breaks while the answer waits for its turn, this is the only event.
    request.once('close', check);
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

  whenSent(act: () => void): void {
    if (this.end === null) this.#actsWhenSent.push(act);
    else act();
  }

  /** The answer has been given to the connection: whole, or as a stream that is read as the caller reads. */
  noteSent(): void {
    for (const act of this.#actsWhenSent.splice(0)) act();
  }

  /** Created on first use: look-ups do not need it, and take only microseconds. */
  get signal(): AbortSignal {
    if (this.#leaving === undefined) {
      const leaving = new AbortController();
      this.#leaving = leaving;
      this.onGone((reason) => leaving.abort(reason));
    }
    return this.#leaving.signal;
  }

  /** Bytes that the connection sends from now on belong to this answer. */
  begin(): void {
    this.#bytesBefore = this.#request.socket.bytesWritten;
  }

  /** Bytes written to the connection, headers included. The caller may have received fewer. */
  get sentBytes(): number {
    return this.hasBegun ? Math.max(0, this.#request.socket.bytesWritten - this.#bytesBefore) : 0;
  }

  /** Notes why the answer breaks off. If nothing has been sent, another answer may replace it. */
  fail(cause: unknown): void {
    this.#endIfLost = 'failed';
    this.failure = cause;
  }

  /** Closes the connection because the caller takes too long. */
  cutOff(): void {
    this.#endIfLost = 'too slow';
    this.#request.socket.destroy();
  }

  #finish(end: DeliveryEnd): void {
    if (this.end !== null) return;
    this.end = end;
    // An answer that waits for its turn has `headersSent`, but no socket yet.
    this.hasBegun = this.#response.writableFinished || (this.#response.headersSent && this.#response.socket !== null);
    this.noteSent();
    for (const act of this.#acts.splice(0)) act(end);
  }
}
