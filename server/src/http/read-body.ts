/** The body of a request, read only once its caller is known, and no further than its bound. */
import { BODY_BYTES_MAX } from '@tmds/contract/watches';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { bodyTooLong } from '../parse/watches.ts';

/** Leaves bodies to `readBody`. They would otherwise be read before the key is checked. */
export function leaveBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
}

/** @throws ApiError `invalid_parameter` if it is too long; whatever ends the connection. */
export async function readBody({ raw, headers }: FastifyRequest): Promise<Buffer> {
  if (Number(headers['content-length'] ?? 0) > BODY_BYTES_MAX) throw bodyTooLong();
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of raw as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) throw bodyTooLong();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
