/**
 * The parameters of the interface description, derived from the table of the contract, and the response headers that
 * clients may rely on.
 */
import { NICE_CLASS_MAX, NICE_CLASS_MIN } from '@tmds/contract/limits';
import { isListForm, type ParameterDefinition } from '@tmds/contract/parameters';
import type { Json } from './schema-parts.ts';

export function buildParameter(name: string, definition: ParameterDefinition, required: boolean): Json {
  const { value, description, example } = definition;
  const isList = isListForm(value);
  const shared = {
    name,
    in: 'query',
    required,
    description,
    ...(isList ? { style: 'form', explode: false } : {}),
    schema: buildSchema(value),
  };
  return example === '' ? shared : { ...shared, example: readExample(value, example) };
}

function buildSchema(value: ParameterDefinition['value']): Json {
  switch (value.form) {
    case 'choice':
      return { type: 'string', enum: value.values, ...(value.default === undefined ? {} : { default: value.default }) };
    case 'integer':
      return { type: 'integer', minimum: value.min, maximum: value.max, default: value.default };
    case 'codes':
      return list({ type: 'string', pattern: '^[A-Za-z0-9]{1,5}$' }, value.max);
    case 'enums':
      return list({ type: 'string', enum: value.values });
    case 'nice_classes':
      return list({ type: 'integer', minimum: NICE_CLASS_MIN, maximum: NICE_CLASS_MAX });
    case 'vienna_codes':
      return list({ type: 'string', pattern: '^\\d{1,3}(\\.\\d{1,3}){0,2}$' });
    case 'numbers':
    case 'register_texts':
      return list({ type: 'string', minLength: 1 }, value.max);
    case 'name_fragment':
      return { type: 'string', minLength: value.min };
    case 'date':
      return { type: 'string', format: 'date' };
    case 'instant':
      // No `format: date-time`, because generated clients would then refuse a date without a time.
      return { type: 'string', minLength: 10 };
    default:
      return { type: 'string', minLength: 1 };
  }
}

function list(items: Json, max?: number): Json {
  return { type: 'array', items, minItems: 1, ...(max === undefined ? {} : { maxItems: max }) };
}

function readExample(value: ParameterDefinition['value'], example: string): unknown {
  if (value.form === 'integer') return Number(example);
  if (value.form === 'nice_classes') return example.split(',').map(Number);
  return isListForm(value) ? example.split(',') : example;
}

/** The path parameters, and the request header for conditional calls. */
export function buildSharedParameters(): Json {
  const inPath = { in: 'path', required: true };
  return {
    jurisdiction_code: {
      name: 'jurisdiction_code',
      description: 'Register code, in any letter case.',
      ...inPath,
      // Shorter than any literal part of a path, so that no address has two meanings.
      schema: { type: 'string', pattern: '^[A-Za-z0-9]{1,5}$' },
      example: 'US',
    },
    uid: {
      name: 'uid',
      description: 'Identity within the register, fully percent-encoded (`/` as `%2F`).',
      ...inPath,
      schema: { type: 'string', minLength: 1 },
      example: 'US500000097123456',
    },
    version: {
      name: 'version',
      description: 'The `updated_at` of the version: an ISO 8601 instant, in any form.',
      ...inPath,
      schema: { type: 'string', minLength: 10 },
      example: '2026-08-16T05:00:00.123456Z',
    },
    bucket: {
      name: 'bucket',
      description: 'Number of a bucket, from the digests of the register.',
      ...inPath,
      schema: { type: 'integer', minimum: 0, maximum: 999_999 },
      example: 517,
    },
    watch: {
      name: 'watch',
      description: 'Id of a watch: up to 64 letters, digits, dots, underscores and hyphens.',
      ...inPath,
      schema: { type: 'string', minLength: 1, maxLength: 64 },
      example: 'lumora-eu',
    },
    webhook: {
      name: 'webhook',
      description: 'Id of a webhook: up to 64 letters, digits, dots, underscores and hyphens.',
      ...inPath,
      schema: { type: 'string', minLength: 1, maxLength: 64 },
      example: 'docketing',
    },
    snapshot_id: {
      name: 'snapshot_id',
      description: 'Id of a snapshot or delta, from the list of snapshots or deltas.',
      ...inPath,
      schema: { type: 'string', minLength: 1 },
      example: '20261121T090000123Z',
    },
    file: {
      name: 'file',
      description: 'Name of a file, from the manifest of the snapshot or delta.',
      ...inPath,
      schema: { type: 'string', minLength: 1 },
      example: 'US-0001.jsonl.gz',
    },
    Range: {
      name: 'Range',
      in: 'header',
      required: false,
      description: 'The bytes that are still missing, such as `bytes=1048576-`: the answer is 206 with them alone.',
      schema: { type: 'string', minLength: 1 },
    },
    IfNoneMatch: {
      name: 'If-None-Match',
      in: 'header',
      required: false,
      description: 'The ETag of an earlier answer: the answer is 304 if nothing has changed.',
      schema: { type: 'string', minLength: 1 },
    },
  };
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
    description: 'Range requests a part of the file.',
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
      'and nothing was searched for it. The service reads the facts once a minute, and leaves the header out while it ' +
      'knows nothing recent.',
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
      'Which history of the service this answer was read from. A new value means that the service has gone back ' +
      '(a backup was restored, or a fail-over lost changes). Cursors still work, but a copy may hold changes that were ' +
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
  Allow: {
    description: 'The methods that the path takes.',
    schema: { type: 'string', enum: ['GET', 'GET, PUT, DELETE'] },
  },
  'WWW-Authenticate': { description: 'How to send a key.', schema: { type: 'string', const: 'Bearer' } },
} as const satisfies Record<string, { readonly description: string; readonly schema: Json }>;
export type HeaderName = keyof typeof HEADERS;

/** On every answer of a metered endpoint to a known key. */
export const RATE_HEADERS: readonly HeaderName[] = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'RateLimit-Policy',
  'RateLimit',
];
