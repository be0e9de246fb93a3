/**
 * Checks what HTTP itself requires of a request, and answers bytes that are not a request. Every refusal is a 4xx in
 * the error envelope (rule I-9).
 */
import { randomUUID } from 'node:crypto';
import { type IncomingMessage, METHODS } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { HEADER_BYTES_MAX, URL_BYTES_MAX } from '@tmds/contract/limits';
import { type ApiError, apiError } from '../base/errors.ts';
import { renderRawFailure, toApiError } from '../render/failure.ts';

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
