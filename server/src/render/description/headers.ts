/** The response headers that clients may rely on. */
import type { Json } from './schema-parts.ts';

interface HeaderDefinition {
  readonly description: string;
  readonly schema: Json;
}

const count = { type: 'integer', minimum: 0 };

export const HEADERS = {
  'X-Request-Id': { description: 'The id of this call in the log of the service.', schema: { type: 'string' } },
  'Server-Timing': {
    description: 'Milliseconds spent in the stages of the call.',
    schema: {
      type: 'string',
      examples: ['parse;dur=0.1, plan;dur=0.1, access;dur=1.2, store;dur=2.0, render;dur=0.1'],
    },
  },
  'X-RateLimit-Limit': { description: 'Calls per minute that the key may make.', schema: { ...count, minimum: 1 } },
  'X-RateLimit-Remaining': { description: 'Calls left in the current minute.', schema: count },
  'RateLimit-Policy': {
    description: 'The same limit, as the draft standard for RateLimit headers writes it.',
    schema: { type: 'string', examples: ['"records";q=600;w=60'] },
  },
  RateLimit: {
    description: 'Calls left (r) and seconds until the minute ends (t).',
    schema: { type: 'string', examples: ['"records";r=599;t=60'] },
  },
  ETag: {
    description: 'Identifies this content; send it in If-None-Match to get 304 if nothing has changed.',
    schema: { type: 'string', examples: ['W/"7vRnQa38Op92KU07ePN6RfETCSr"'] },
  },
  'Accept-Ranges': {
    description: 'A part of the file may be asked for with Range.',
    schema: { type: 'string', const: 'bytes' },
  },
  'Content-Range': {
    description: 'Which bytes of the file these are, and how many it has (206).',
    schema: { type: 'string', examples: ['bytes 1048576-2097151/2097152'] },
  },
  Coverage: {
    description:
      'Which registers the answer covers, a list of RFC 9651. Each register has the last day `through` which nothing is ' +
      'known to be missing (left out: unknown), `late` if newer files are overdue, `gaps` (files missing, or out of ' +
      'order) and `rejects` (records and files that loads rejected). With many registers only those with something ' +
      'missing are listed, and `*` stands for the others, with the oldest day. `unserved`: no register has this code, ' +
      'and nothing was searched for it. Read once a minute; left out while nothing recent is known.',
    schema: {
      type: 'string',
      examples: ['EM;through="2026-11-25", US;through="2026-11-20";late;rejects=3, UK;unserved'],
    },
  },
  'X-Change-Horizon': {
    description: 'The instant up to which this answer is complete.',
    schema: { type: 'string', format: 'date-time' },
  },
  'Feed-Lineage': {
    description:
      'Which history of the service this answer was read from. Another value than before: the service has gone back ' +
      '(a backup was restored, or a fail-over lost changes). Cursors still work, but a copy may hold what has been ' +
      'lost: verify and repair it.',
    schema: { type: 'string', examples: ['5f0c8f6e-3a1b-4c55-9d0e-1f2a3b4c5d6e'] },
  },
  'X-Poll-After': {
    description: 'On an empty page: seconds after which there may be new changes.',
    schema: { type: 'integer', minimum: 1 },
  },
  'Retry-After': {
    description: 'Seconds after which the same request may succeed.',
    schema: { type: 'integer', minimum: 1 },
  },
  'X-Quota-Limit': { description: "Calls in the month's quota (quota_exceeded).", schema: count },
  'X-Quota-Used': { description: 'Calls of the month so far (quota_exceeded).', schema: count },
  Allow: { description: 'The methods allowed.', schema: { type: 'string', enum: ['GET', 'GET, PUT, DELETE'] } },
  'WWW-Authenticate': { description: 'How to send a key.', schema: { type: 'string', const: 'Bearer' } },
} as const satisfies Record<string, HeaderDefinition>;
export type HeaderName = keyof typeof HEADERS;

/** On every answer of a metered endpoint to a known key. */
export const RATE_HEADERS: readonly HeaderName[] = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'RateLimit-Policy',
  'RateLimit',
];
