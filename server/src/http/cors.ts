/**
 * Calls from browsers of other origins: refused by the browser, because nothing here allows them, unless the operator
 * names the origins. Only then does OPTIONS have a meaning of its own. `@fastify/cors` would answer OPTIONS with its own
 * texts and hide unknown paths (docs/decisions/0046).
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Answer, renderPreflight } from '../render/answer.ts';
import { HEADERS } from '../render/description/headers.ts';

/** Every header that the interface description promises. */
const EXPOSED_HEADERS = Object.keys(HEADERS).join(', ');

/** Adds what an allowed origin needs; the answer when the request was a preflight. */
export function allowOrigin(request: FastifyRequest, reply: FastifyReply, origins: readonly string[]): Answer | null {
  const { origin } = request.headers;
  if (origin === undefined || !origins.includes(origin)) return null;
  reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED_HEADERS });
  const isPreflight = request.method === 'OPTIONS' && 'access-control-request-method' in request.headers;
  return isPreflight ? renderPreflight() : null;
}
