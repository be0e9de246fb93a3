/**
 * Endpoints beyond the eight of the specification: digests with which a replica is verified, and watches. They are
 * metered like any call. They have tables of their own so that the other one matches the specification, of which every
 * endpoint takes GET only.
 */
import type { ParameterDefinition } from './parameters.ts';
import { WATCH_ENDPOINTS } from './watches.ts';

/** An endpoint that names no method takes GET. */
export type Method = 'GET' | 'PUT' | 'DELETE';

const asOf = {
  value: { form: 'instant' },
  filter: false,
  description: 'Required. The position to compare at: the X-Change-Horizon of the page that ended a catch-up.',
  example: '2026-01-01T00:00:00Z',
} as const satisfies ParameterDefinition;

const cursor = {
  value: { form: 'cursor' },
  filter: false,
  description: "The previous page's next_cursor, verbatim.",
  example: '',
} as const satisfies ParameterDefinition;

export const EXTRA_ENDPOINTS = {
  digests: { path: '/v1/digests', parameters: { as_of: asOf }, required: ['as_of'], metered: true },
  register_digests: {
    path: '/v1/{jurisdiction_code}/digests',
    parameters: { as_of: asOf },
    required: ['as_of'],
    metered: true,
  },
  bucket_digests: {
    path: '/v1/{jurisdiction_code}/digests/{bucket}',
    parameters: { as_of: asOf, cursor },
    required: ['as_of'],
    metered: true,
  },
  ...WATCH_ENDPOINTS,
} as const;

/**
 * `form` of the answers with digests. Rises when the text of a record changes, its fields included, or how it is
 * digested: a replica made before is then told to start again instead of being called different (decision 0014).
 */
export const DIGEST_FORM = 1;
