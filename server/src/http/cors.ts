/**
 * Calls from browsers of other origins: refused by the browser, because nothing here allows them, unless the operator
 * names the origins. Only then does OPTIONS have a meaning of its own.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { renderPreflight } from '../render/answer.ts';

const EXPOSED_HEADERS = [
  'ETag',
  'Retry-After',
  'Server-Timing',
  'X-Change-Horizon',
  'X-Poll-After',
  'X-Quota-Limit',
  'X-Quota-Used',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-Request-Id',
].join(', ');

/** Adds what an allowed origin needs; resolves to the reply when the request was a preflight and is answered. */
export async function allowOrigin(
  request: FastifyRequest,
  reply: FastifyReply,
  origins: readonly string[],
): Promise<FastifyReply | undefined> {
  const { origin } = request.headers;
  if (origin === undefined || !origins.includes(origin)) return undefined;
  reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED_HEADERS });
  if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return undefined;
  const { status, headers, body } = renderPreflight();
  return reply.code(status).headers(headers).send(body);
}
