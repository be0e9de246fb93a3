/** The bodies of requests, read only after the verdict (rule I-46), no further than their bound, and few at a time. */
import { BODY_BYTES_MAX } from '@tmds/contract/watches';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type ApiError, apiError } from '../base/errors.ts';
import { bodyTooLong } from '../parse/body.ts';
import type { WithBody } from './judge.ts';

/** Leaves bodies to `Bodies`. They would otherwise be read before the key is checked. */
export function leaveBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
}

/** Bodies under way in this process: 128 MB at most. */
const BODIES_MAX = 32;
/** How many of them one customer may have. */
export const CUSTOMER_BODIES_MAX = 4;

/** The bodies under way: from their first byte until their call is answered. */
export class Bodies {
  private total = 0;
  private readonly byCustomer = new Map<string, number>();

  /** Reads the body of a request once it is asked to. */
  reader(request: FastifyRequest): WithBody {
    return (customerId, answer) => this.hold(request, customerId, answer);
  }

  /**
   * Reads the body, and holds its place until the answer.
   * @throws ApiError `unavailable` if too many are under way, `invalid_parameter` if it is too long; or the error that
   *   ended the connection.
   */
  private async hold<Result>(
    request: FastifyRequest,
    customerId: string,
    answer: (body: Buffer) => Promise<Result>,
  ): Promise<Result> {
    const own = this.byCustomer.get(customerId) ?? 0;
    if (own >= CUSTOMER_BODIES_MAX) throw tooMany(`This customer has ${CUSTOMER_BODIES_MAX} requests with a body`);
    if (this.total >= BODIES_MAX) throw tooMany('The service has as many requests with a body as it takes');
    this.total += 1;
    this.byCustomer.set(customerId, own + 1);
    try {
      return await answer(await readBody(request));
    } finally {
      this.total -= 1;
      const left = (this.byCustomer.get(customerId) ?? 1) - 1;
      if (left === 0) this.byCustomer.delete(customerId);
      else this.byCustomer.set(customerId, left);
    }
  }
}

function tooMany(held: string): ApiError {
  return apiError('unavailable', `${held} under way. Send this one again when one of them is answered.`);
}

async function readBody({ raw, headers }: FastifyRequest): Promise<Buffer> {
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
