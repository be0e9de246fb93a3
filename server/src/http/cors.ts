/**
 * Browsers block calls from pages of other origins unless the operator has allowed the origin. OPTIONS is answered as a
 * preflight only for allowed origins. This is written by hand because `@fastify/cors` would answer OPTIONS with its own
 * texts and hide unknown paths (docs/design/http.md).
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DECLARED, type DeclaredName, listMethods } from '../parse/query.ts';
import { type Answer, renderPreflight } from '../render/answer.ts';
import { HEADERS } from '../render/description/parameters.ts';

/** All headers of the interface description. */
const EXPOSED_HEADERS = Object.keys(HEADERS).join(', ');

/** Adds the headers for an allowed origin. Returns the answer to a preflight; null for any other request. */
export function allowOrigin(
  request: FastifyRequest,
  reply: FastifyReply,
  { origins, endpoint }: { readonly origins: readonly string[]; readonly endpoint: string | undefined },
): Answer | null {
  const { origin } = request.headers;
  if (origin === undefined || !origins.includes(origin)) return null;
  reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED_HEADERS });
  const isPreflight = request.method === 'OPTIONS' && 'access-control-request-method' in request.headers;
  if (!isPreflight) return null;
  const declared = DECLARED[endpoint as DeclaredName] as { readonly path: string } | undefined;
  return renderPreflight(declared === undefined ? ['GET'] : listMethods(declared.path));
}
