/** Every response header that a client may rely on. */
import type { Json } from './schemas.ts';

interface HeaderDefinition {
  readonly description: string;
  readonly schema: Json;
}

const count = { type: 'integer', minimum: 0 };

export const HEADERS = {
  'X-Request-Id': { description: 'The id under which the service logged this call.', schema: { type: 'string' } },
  'Server-Timing': {
    description: 'Milliseconds spent in the stages of the call.',
    schema: {
      type: 'string',
      examples: ['parse;dur=0.1, plan;dur=0.1, access;dur=1.2, store;dur=2.0, render;dur=0.1'],
    },
  },
  'X-RateLimit-Limit': { description: 'Calls a minute that the key may make.', schema: { ...count, minimum: 1 } },
  'X-RateLimit-Remaining': { description: 'Calls left in the running minute.', schema: count },
  'RateLimit-Policy': {
    description: 'The same in the form of the draft standard.',
    schema: { type: 'string', examples: ['"records";q=600;w=60'] },
  },
  RateLimit: {
    description: 'What is left (r) and the seconds until the minute ends (t).',
    schema: { type: 'string', examples: ['"records";r=599;t=60'] },
  },
  ETag: {
    description: 'Names this content; send it back in If-None-Match to learn that nothing has changed (304).',
    schema: { type: 'string', examples: ['W/"7vRnQa38Op92KU07ePN6RfETCSr"'] },
  },
  'X-Change-Horizon': {
    description: 'The instant up to which this answer is complete.',
    schema: { type: 'string', format: 'date-time' },
  },
  'X-Poll-After': {
    description: 'On an empty page: seconds after which asking again may find something.',
    schema: { type: 'integer', minimum: 1 },
  },
  'Retry-After': {
    description: 'Seconds after which the same request may succeed.',
    schema: { type: 'integer', minimum: 1 },
  },
  'X-Quota-Limit': { description: "Calls in the month's quota (quota_exceeded).", schema: count },
  'X-Quota-Used': { description: 'Calls of the month so far (quota_exceeded).', schema: count },
  Allow: { description: 'The one method there is.', schema: { type: 'string', const: 'GET' } },
  'WWW-Authenticate': { description: 'How to present a key.', schema: { type: 'string', const: 'Bearer' } },
} as const satisfies Record<string, HeaderDefinition>;
export type HeaderName = keyof typeof HEADERS;

/** On every answer of a metered endpoint whose key is known. */
export const RATE_HEADERS: readonly HeaderName[] = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'RateLimit-Policy',
  'RateLimit',
];
