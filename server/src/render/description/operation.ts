/** What the interface description says about an operation, and the groups of operations. */
import type { ErrorCode } from '@tmds/contract/errors';
import type { HeaderName } from './parameters.ts';

/** The groups of the endpoints. */
export const TAGS = {
  records: 'Search, look-up, changes and the registers they cover.',
  history: 'What changed in records, why, and from where.',
  watches: 'Watches of a customer, and their hits.',
  webhooks: 'Where a customer is notified of hits, and what became of each message.',
  likeness: 'Names that could be confused with a mark. A separate product: `analytics`.',
  verification: 'Checking whether a replica equals the registers.',
  snapshots: 'Files from which a replica starts.',
  dates: 'Dates that offices state and dates that follow from the law.',
  account: 'The usage of the calling key.',
  service: 'Whether the service is up.',
} as const;

/** The page at `/docs` that explains a group. */
export const TAG_PAGES = {
  records: 'search',
  history: 'history',
  watches: 'watches',
  webhooks: 'webhooks',
  likeness: 'likeness',
  verification: 'replica',
  snapshots: 'snapshots',
  dates: 'dates',
  account: 'start',
  service: 'promises',
} as const satisfies Record<keyof typeof TAGS, string>;

/** Codes of every operation. */
export const EVERY_CODE = [
  'invalid_parameter',
  'unknown_parameter',
  'reserved_parameter',
  'internal_error',
  'unavailable',
] as const satisfies readonly ErrorCode[];

export interface Operation {
  /** The name of the operation in generated clients, which makes it part of the interface: never change it. */
  readonly id: string;
  readonly tag: keyof typeof TAGS;
  readonly summary: string;
  readonly description: string;
  readonly schema: string;
  readonly example: unknown;
  /** The media types of an answer that is a file; its schema and example are those of JSON. Default: JSON. */
  readonly media?: readonly string[];
  /** The schema of the body it takes; absent = no body. */
  readonly body?: { readonly schema: string; readonly example: unknown };
  /** Headers of the 200 answer, in addition to those of every answer. */
  readonly headers?: readonly HeaderName[];
  /** Codes of this operation, in addition to those that follow from its declaration. */
  readonly codes?: readonly ErrorCode[];
}
