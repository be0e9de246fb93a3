/**
 * The edge of HTTP itself: what a request target may look like, and the answer to bytes that are no request. Whatever
 * arrives, the answer is a 4xx in the envelope (rule I-9).
 */
import { randomUUID } from 'node:crypto';
import { METHODS } from 'node:http';
import type { Socket } from 'node:net';
import { URL_BYTES_MAX } from '@tmds/contract/limits';
import { type ApiError, apiError } from '../base/errors.ts';
import { renderRawFailure } from '../render/failure.ts';

/** Every method the parser knows, save CONNECT, which never becomes a request. */
export const REQUEST_METHODS = METHODS.filter((method) => method !== 'CONNECT');

/**
 * The target in origin form, with every byte beyond ASCII percent-encoded, so that one strict decoding serves all
 * spellings: `http://host/v1/health` becomes `/v1/health`.
 */
export function normalizeTarget(target: string): string {
  const origin = /^https?:\/\/[^/?#]*/i.exec(target)?.[0] ?? '';
  const path = target.slice(origin.length);
  const rooted = path.startsWith('/') || path === '*' ? path : `/${path}`;
  // The parser hands over bytes as Latin-1; `#` has no place in a request target and is kept as a character.
  return rooted.replace(/[^\x21-\x22\x24-\x7e]/g, (character) => {
    const code = character.charCodeAt(0);
    return code > 0xff ? encodeURIComponent(character.toWellFormed()) : `%${code.toString(16).padStart(2, '0')}`;
  });
}

/** The refusal of a target that is too long; null for one within the limit. */
export function checkTarget(target: string): ApiError | null {
  if (target.length <= URL_BYTES_MAX) return null;
  return apiError('invalid_parameter', `The request target is longer than ${URL_BYTES_MAX} bytes. Shorten the query.`);
}

export function badTarget(cause: unknown): ApiError {
  return apiError('invalid_parameter', 'The path is not valid percent-encoded UTF-8.', { cause });
}

/** Answers what could not be parsed as HTTP, if the socket can still be written to, and closes it. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(renderRawFailure(brokenRequest(error.code), randomUUID()), () => socket.destroySoon());
}

function brokenRequest(code: string | undefined): ApiError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return apiError('invalid_parameter', 'The request line and headers are larger than this service accepts.');
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return apiError('invalid_parameter', 'The request did not arrive in time.');
  }
  return apiError('invalid_parameter', 'The request is not valid HTTP.');
}
