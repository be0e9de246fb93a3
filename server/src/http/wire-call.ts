/**
 * A call that came over a connection: how the delivery of its answer ends, as one event, and how long it may take. Node
 * reports the end in several places. No answer waits behind another one on its connection (`connections.ts`).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer } from '../render/answer.ts';
import { Call, type CallEnd, type Traffic } from './call.ts';

/**
 * An answer whose size is known has this long, and as long again as it takes at `READ_BYTES_PER_MS_MIN`. The time limit
 * of the socket cuts off a client that reads nothing; this one is for a client that reads a byte now and then and would
 * hold its answer open for days.
 */
const READ_MS_MIN = 60 * 1000;
/** 260 kbit/s: less than any line that carries such answers. */
const READ_BYTES_PER_MS_MIN = 32;
/** Enough for a page of 200 documents of 1 MB at 2.7 Mbit/s; on a slower line, clients can ask for smaller pages. */
export const READ_MS_MAX = 10 * 60 * 1000;
/** Smaller answers fit into the system's socket buffers and need no limit. */
const BUFFERED_BYTES = 256 * 1024;

export class WireCall extends Call {
  private readonly request: IncomingMessage;
  private readonly response: ServerResponse;
  private endIfLost: Exclude<CallEnd, 'whole'> = 'abandoned';
  private bytesBefore = 0;

  constructor(requestId: string, request: IncomingMessage, response: ServerResponse, traffic: Traffic) {
    const { traceparent } = request.headers;
    const parent = typeof traceparent === 'string' ? traceparent : undefined;
    super({ requestId, method: request.method ?? '', target: request.url ?? '', parent }, traffic);
    this.request = request;
    this.response = response;
    const check = (): void => {
      if (request.socket.destroyed || response.destroyed) this.finish(this.endIfLost);
    };
    // Node also reports `finish` if the connection broke during the last bytes. Listeners are not taken off: the response
    // ends with its call, and to take one off costs more than to call it.
    response.on('finish', () => this.finish(request.socket.destroyed ? this.endIfLost : 'whole'));
    response.on('close', check);
    response.on('error', check);
  }

  /** Bytes that the connection sends from now on belong to this answer, which has to be read in time. */
  begin(body: Answer['body']): void {
    this.bytesBefore = this.request.socket.bytesWritten;
    if (body === null || typeof body === 'string' || (Buffer.isBuffer(body) && body.length <= BUFFERED_BYTES)) return;
    const needMs = Buffer.isBuffer(body) ? READ_MS_MIN + body.length / READ_BYTES_PER_MS_MIN : READ_MS_MAX;
    this.whenOver(this.clock.callAfter(Math.min(needMs, READ_MS_MAX), () => this.cutOff()));
  }

  /** Notes why the answer breaks off. If nothing has been sent, another answer may replace it. */
  fail(cause: unknown): void {
    this.endIfLost = 'failed';
    this.failure = cause;
  }

  override finish(end: CallEnd): void {
    if (this.end !== null) return;
    const { request, response } = this;
    // An answer that waits for its turn has `headersSent`, but no socket yet.
    this.hasBegun = response.writableFinished || (response.headersSent && response.socket !== null);
    if (this.hasBegun || end === 'whole') this.status = response.statusCode;
    // Headers included. The caller may have received fewer.
    if (this.hasBegun) this.sentBytes = Math.max(0, request.socket.bytesWritten - this.bytesBefore);
    super.finish(end);
  }

  /** Closes the connection because the caller takes too long. */
  private cutOff(): void {
    this.endIfLost = 'too slow';
    this.request.socket.destroy();
  }
}
