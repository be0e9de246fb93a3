/** What the interface description says of each operation beside its parameters; complete by type. */
import type { ErrorCode } from '@tmds/contract/errors';
import type { DeclaredName } from '../../parse/query.ts';
import { EXAMPLES } from './examples.ts';
import type { HeaderName } from './headers.ts';

export interface Operation {
  /** The name that generated clients give it: part of the interface, never changed. */
  readonly id: string;
  readonly tag: 'records' | 'verification' | 'account' | 'service';
  readonly summary: string;
  readonly description: string;
  readonly schema: string;
  readonly example: unknown;
  /** Headers of the 200 answer besides those of every answer. */
  readonly headers?: readonly HeaderName[];
  /** What a parameter or the record itself can be refused for. */
  readonly codes: readonly ErrorCode[];
}

const CURSOR_CODES = ['cursor_invalid', 'cursor_query_mismatch'] as const;
const search = {
  tag: 'records',
  description:
    'Filters are combined by AND; values of one comma-separated parameter by OR, except `nice_class_all`. ' +
    'No match is an answer: 200 with empty `items`.',
  schema: 'SearchPage',
  example: EXAMPLES.search,
} as const;
const searchCodes = ['query_too_broad', ...CURSOR_CODES, 'query_timeout', 'validation_error'] as const;
const changes = {
  tag: 'records',
  description:
    'Records whose content changed, oldest change first. Keep the latest `next_cursor` and send it with the same ' +
    '`since`: every later change arrives exactly once. An empty page means caught up.',
  schema: 'ChangesPage',
  example: EXAMPLES.changes,
  headers: ['X-Change-Horizon', 'X-Poll-After'],
} as const;

const digests = {
  tag: 'verification',
  description:
    'What a replica is verified by: the digests of the records whose latest change is at or before `as_of`, and the ' +
    'names of those that have changed since.',
} as const;

export const OPERATIONS: Readonly<Record<DeclaredName, Operation>> = {
  health: {
    id: 'getHealth',
    tag: 'service',
    summary: 'Liveness',
    description: '200 when the service can answer a query. Needs no key and is not metered.',
    schema: 'Health',
    example: EXAMPLES.health,
    codes: [],
  },
  usage: {
    id: 'getUsage',
    tag: 'account',
    summary: "The key's usage this month",
    description: 'Counts, quotas and limits of every product that the presenting key carries, this call included.',
    schema: 'UsageReport',
    example: EXAMPLES.usage,
    codes: [],
  },
  jurisdictions: {
    id: 'listJurisdictions',
    tag: 'records',
    summary: 'Registers served',
    description: 'Every register with its record count and how current it is, sorted by code.',
    schema: 'JurisdictionsPage',
    example: EXAMPLES.jurisdictions,
    headers: ['ETag'],
    codes: [],
  },
  search: {
    ...search,
    id: 'searchTrademarks',
    summary: 'Search all registers',
    codes: ['missing_filter', ...searchCodes],
  },
  scoped_search: {
    ...search,
    id: 'searchRegisterTrademarks',
    summary: 'Search one register',
    codes: [...searchCodes, 'not_found'],
  },
  lookup: {
    id: 'getTrademark',
    tag: 'records',
    summary: 'One record by its identity',
    description: 'The pair of register code and `uid` is stable. A `uid` is opaque; percent-encode it whole.',
    schema: 'TrademarkDetail',
    example: EXAMPLES.record,
    headers: ['ETag'],
    codes: ['not_found', 'validation_error'],
  },
  changes: {
    id: 'listChanges',
    ...changes,
    summary: 'Changes in all registers',
    codes: [...CURSOR_CODES, 'query_timeout', 'validation_error'],
  },
  scoped_changes: {
    id: 'listRegisterChanges',
    ...changes,
    summary: 'Changes in one register',
    codes: [...CURSOR_CODES, 'query_timeout', 'validation_error', 'not_found'],
  },
  digests: {
    ...digests,
    id: 'listDigests',
    summary: 'Digests of all registers',
    schema: 'DigestsPage',
    example: EXAMPLES.digests,
    codes: ['validation_error'],
  },
  register_digests: {
    ...digests,
    id: 'listRegisterDigests',
    summary: 'Digests of one register by bucket',
    schema: 'RegisterDigestsPage',
    example: EXAMPLES.registerDigests,
    codes: ['validation_error', 'not_found'],
  },
  bucket_digests: {
    ...digests,
    id: 'listBucketDigests',
    summary: 'Digests of the records in one bucket',
    schema: 'BucketDigestsPage',
    example: EXAMPLES.bucketDigests,
    codes: [...CURSOR_CODES, 'validation_error', 'not_found'],
  },
};
