/**
 * The wire: what HTTP itself requires of a request, and the answer to bytes that are not one, always a 4xx in the error
 * envelope (rule I-9); the bounds of a connection; and a call that came over one.
 */
import { randomUUID } from 'node:crypto';
import { type IncomingMessage, METHODS, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { HEADER_BYTES_MAX, URL_BYTES_MAX } from '@tmds/contract/limits';
import { type ApiError, apiError } from '../base/errors.ts';
import type { Answer } from '../render/answer.ts';
import { renderRawFailure, toApiError } from '../render/failure.ts';
import { Call, type CallEnd, type Traffic } from './call.ts';

/** Every method that the parser knows except CONNECT, which never becomes a request. */
export const REQUEST_METHODS = METHODS.filter((method) => method !== 'CONNECT');

export function buildRequestId(): string {
  return randomUUID();
}

/** The target in origin form: `http://host/v1/health` becomes `/v1/health`. A `#` is an ordinary character. */
export function normalizeTarget({ url: target = '/' }: Pick<IncomingMessage, 'url'>): string {
  if (target.startsWith('/') && !target.includes('#')) return target;
  const origin = /^https?:\/\/[^/?#]*/i.exec(target)?.[0] ?? '';
  const path = target.slice(origin.length);
  return (path.startsWith('/') || path === '*' ? path : `/${path}`).replaceAll('#', '%23');
}

type RequestHead = Pick<IncomingMessage, 'url' | 'httpVersion' | 'headers' | 'rawHeaders'>;

/** A name, an IPv4 address or an IPv6 address in brackets, with an optional port (RFC 9110, 7.2). */
const HOST_FORM = /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+;=-]|%[\da-f]{2})+)(?::\d{0,5})?$/i;

/** The refusal of a request that HTTP or the limits of the service do not allow; null for any other. */
export function checkRequest(request: RequestHead): ApiError | null {
  const tooLong = checkLength(request.url ?? '');
  if (tooLong !== null) return tooLong;
  if (request.headers.host === undefined && request.httpVersion !== '1.0') {
    return apiError('invalid_parameter', 'The request carries no Host header; send one.');
  }
  return checkHeaders(request);
}

/** The refusal of a target that is too long; null for any other. */
export function checkLength(target: string): ApiError | null {
  if (target.length <= URL_BYTES_MAX) return null;
  return apiError('invalid_parameter', `The request target is longer than ${URL_BYTES_MAX} bytes. Shorten the query.`);
}

/** More than any proxy adds; reading headers takes time for each. */
const HEADERS_MAX = 100;

/** Node uses the first of repeated Host or Authorization headers, but a proxy in front may have used another. */
function checkHeaders({ rawHeaders, headers }: RequestHead): ApiError | null {
  if (rawHeaders.length > 2 * HEADERS_MAX) {
    return apiError('invalid_parameter', `The request carries more than ${HEADERS_MAX} headers; send fewer.`);
  }
  let hosts = 0;
  let authorizations = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const { length } = rawHeaders[index]!;
    if (length === 4 && rawHeaders[index]!.toLowerCase() === 'host') hosts += 1;
    else if (length === 13 && rawHeaders[index]!.toLowerCase() === 'authorization') authorizations += 1;
  }
  if (hosts > 1) return apiError('invalid_parameter', 'The request carries more than one Host header; send one.');
  if (authorizations > 1) {
    return apiError('invalid_parameter', 'The request carries more than one Authorization header; send one.');
  }
  if (headers.host === undefined || HOST_FORM.test(headers.host)) return null;
  return apiError('invalid_parameter', 'The Host header names no host; send the name or address of this host.');
}

export function badTarget(cause: unknown): ApiError {
  return apiError('invalid_parameter', 'The path is not valid percent-encoded UTF-8; write %25 for a percent sign.', {
    cause,
  });
}

/** The framework throws errors about the request; everything else is our failure. */
export function toRefusal(error: unknown): ApiError {
  const status = (error as { statusCode?: unknown } | null)?.statusCode;
  const isRequestFault = typeof status === 'number' && status < 500;
  return isRequestFault
    ? apiError('invalid_parameter', 'The request is not valid.', { cause: error })
    : toApiError(error);
}

/** Answers bytes that are not valid HTTP, if the socket is still writable, and closes it. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(renderRawFailure(brokenRequest(error.code), buildRequestId()), () => socket.destroySoon());
}

/** Refuses CONNECT on its socket, because Node never makes it a request. */
export function refuseTunnel(_request: IncomingMessage, socket: Duplex): void {
  const refusal = apiError(
    'method_not_allowed',
    'CONNECT is not allowed; this host is not a proxy. Send the request itself.',
  );
  socket.on('error', () => socket.destroy());
  socket.end(renderRawFailure(refusal, buildRequestId()));
}

function brokenRequest(code: string | undefined): ApiError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    const most = URL_BYTES_MAX + HEADER_BYTES_MAX;
    return apiError('invalid_parameter', `The request line and headers are larger than ${most} bytes; shorten them.`);
  }
  if (code === 'HPE_INVALID_URL') {
    return apiError('invalid_parameter', 'The request target holds characters that have to be percent-encoded.');
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return apiError('invalid_parameter', 'The request did not arrive in time; send it again, whole.');
  }
  return apiError('invalid_parameter', 'The request is not valid HTTP.');
}

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

/**
 * A call that came over a connection: how the delivery of its answer ends, as one event, and how long it may take. Node
 * reports the end in several places. No answer waits behind another one on its connection (`answerInTurn`).
 */
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

/**
 * How many connections there may be, and how long a caller may take to send a request or to read an answer. Node
 * enforces it; a request that breaks a bound is answered by `answerBrokenRequest`, then closed.
 */
export interface ConnectionLimits {
  /** The headers of a request have to arrive within this time, counted from the connection or from its first byte. */
  readonly headersMs: number;
  /** Time for the whole request, with its body. At least `headersMs`. */
  readonly requestMs: number;
  /** How often both are checked. */
  readonly lookMs: number;
  /** A connection without a call is closed after this time. */
  readonly keepAliveMs: number;
  /** A caller who reads nothing of an answer for this long is cut off. */
  readonly stalledMs: number;
  /** A connection above this number is closed as soon as it is made. */
  readonly connectionsMax: number;
  /** This many requests may be sent ahead over a connection while one is answered. With more it is closed. */
  readonly aheadMax: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  headersMs: 20_000,
  requestMs: 30_000,
  lookMs: 5_000,
  // Longer than the idle timeouts of common load balancers, so that they close idle connections and this server does
  // not.
  keepAliveMs: 72_000,
  stalledMs: 60_000,
  // Ten thousand idle connections leave room for as many busy ones.
  connectionsMax: 20_000,
  aheadMax: 100,
};

/** Options of the framework for a server with these limits. */
export function listServerOptions(limits: ConnectionLimits): {
  readonly connectionTimeout: number;
  readonly keepAliveTimeout: number;
  readonly requestTimeout: number;
  readonly http: { readonly headersTimeout: number; readonly connectionsCheckingInterval: number };
} {
  return {
    connectionTimeout: limits.stalledMs,
    keepAliveTimeout: limits.keepAliveMs,
    requestTimeout: limits.requestMs,
    http: { headersTimeout: limits.headersMs, connectionsCheckingInterval: limits.lookMs },
  };
}

export function boundConnections(server: Server, { connectionsMax, aheadMax }: ConnectionLimits): void {
  server.maxConnections = connectionsMax;
  answerInTurn(server, aheadMax);
}

type Request = readonly [request: IncomingMessage, response: ServerResponse];

/** What a connection has under way. */
interface Line {
  isBusy: boolean;
  readonly waiting: Request[];
}

/**
 * A connection has one call answered at a time. HTTP/1.1 sends the answers in the order of the requests anyway; without
 * this, a thousand requests in one write would all be processed before any other caller's.
 */
function answerInTurn(server: Server, aheadMax: number): void {
  const answers = server.listeners('request') as ((...request: Request) => void)[];
  server.removeAllListeners('request');
  const lines = new WeakMap<Socket, Line>();
  const answer = (socket: Socket, line: Line, request: Request): void => {
    request[1].on('close', () => {
      const next = line.waiting.shift();
      line.isBusy = next !== undefined;
      // In a separate turn of the event loop, so that other callers' calls come in between.
      if (next !== undefined && !socket.destroyed) setImmediate(answer, socket, line, next);
    });
    for (const each of answers) each.call(server, ...request);
  };
  server.on('request', (...request) => {
    const { socket } = request[0];
    let line = lines.get(socket);
    if (line === undefined) {
      line = { isBusy: false, waiting: [] };
      lines.set(socket, line);
    }
    if (line.isBusy) {
      if (line.waiting.length >= aheadMax) socket.destroy();
      else line.waiting.push(request);
      return;
    }
    line.isBusy = true;
    answer(socket, line, request);
  });
}
