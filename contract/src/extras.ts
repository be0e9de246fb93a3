/**
 * Endpoints beyond the eight of the specification. They are metered like any call. They have separate tables so that
 * the other table matches the specification, whose endpoints all take GET only.
 */
import { DATES_ENDPOINTS } from './dates.ts';
import type { Product } from './enums.ts';
import { EXPORT_FIELDS, EXPORT_FORMATS } from './export.ts';
import { CHANGED_FIELDS, HISTORY_CAUSES } from './history.ts';
import {
  LIKENESS_CHOICES,
  LIKENESS_ENTRIES_DEFAULT,
  LIKENESS_ENTRIES_MAX,
  LIKENESS_MARK_MAX,
  LIKENESS_WORDS_MAX,
} from './likeness.ts';
import {
  HISTORY_PAGE_DEFAULT,
  HISTORY_PAGE_MAX,
  IDENTITIES_MAX,
  NUMBERS_MAX,
  RECORD_HISTORY_PAGE_DEFAULT,
  RECORD_HISTORY_PAGE_MAX,
  SEARCH_PAGE_MAX,
} from './limits.ts';
import { cursor, ENDPOINTS, FILTERS, type ParameterDefinition, SEARCH_CONTROLS } from './parameters.ts';
import { WATCH_ENDPOINTS } from './watches.ts';
import { WEBHOOK_ENDPOINTS } from './webhooks.ts';

/** An endpoint that names no method takes GET. */
export type Method = 'GET' | 'PUT' | 'DELETE';

const asOf = {
  value: { form: 'instant' },
  filter: false,
  description: 'Required. The position to compare at: the X-Change-Horizon of the page that ended a catch-up.',
  example: '2026-01-01T00:00:00Z',
} as const satisfies ParameterDefinition;

const completeTo = {
  value: { form: 'instant' },
  filter: false,
  description: 'The instant up to which your copy is complete. Lists the deltas that end later. Left out: all of them.',
  example: '2026-01-01T00:00:00Z',
} as const satisfies ParameterDefinition;

const numbers = {
  value: { form: 'numbers', max: NUMBERS_MAX },
  filter: false,
  description:
    `Required. Up to ${NUMBERS_MAX} application, registration or international registration numbers, in any usual ` +
    'form. A comma separates two numbers, so leave it out of a number.',
  example: '97123456,97/123457',
} as const satisfies ParameterDefinition;

const numbersLimit = {
  value: { form: 'integer', min: 1, max: SEARCH_PAGE_MAX, default: SEARCH_PAGE_MAX, expandedMax: SEARCH_PAGE_MAX },
  filter: false,
  description: 'Page size.',
  example: '500',
} as const satisfies ParameterDefinition;

const numbersOfRegisters = {
  value: { form: 'register_texts', max: NUMBERS_MAX },
  filter: false,
  description:
    `Required. Up to ${NUMBERS_MAX} application, registration or international registration numbers in any usual ` +
    'form, each after the code of its register and a colon. A comma separates two numbers, so leave it out of a number.',
  example: 'US:97123456,EM:018000001',
} as const satisfies ParameterDefinition;

const identities = {
  value: { form: 'register_texts', max: IDENTITIES_MAX },
  filter: false,
  description:
    `Required. Up to ${IDENTITIES_MAX} records, each as the code of its register, a colon and its uid. A comma ` +
    'separates two of them; inside a uid, write `%2C` for a comma and `%25` for a percent sign, before the query is ' +
    'encoded.',
  example: 'US:US500000097123456,EM:EM500000018000001',
} as const satisfies ParameterDefinition;

/** What shapes an export, without the filters of a search. */
export const EXPORT_CONTROLS = {
  format: {
    value: { form: 'choice', values: EXPORT_FORMATS, default: 'ndjson' },
    filter: false,
    description: 'The form of the answer, ndjson unless given.',
    example: 'ndjson',
  },
  fields: {
    value: { form: 'enums', values: EXPORT_FIELDS },
    filter: false,
    description: 'The fields of each record, which come in the order of a record. Left out: all.',
    example: 'jurisdiction_code,uid,mark_name,status',
  },
  sort: SEARCH_CONTROLS.sort,
  order: SEARCH_CONTROLS.order,
  cursor: {
    value: { form: 'cursor' },
    filter: false,
    description: 'The last next_cursor of an export of the same search; the export continues after it.',
    example: '',
  },
} as const satisfies Record<string, ParameterDefinition>;

/** Which events of a history are returned. */
export const EVENT_FILTERS = {
  field: {
    value: { form: 'enums', values: CHANGED_FIELDS },
    filter: false,
    description: 'Events in which any of these fields changed; `payload` is the document.',
    example: 'status,owner_names',
  },
  cause: {
    value: { form: 'enums', values: HISTORY_CAUSES },
    filter: false,
    description: 'Events with any of these causes.',
    example: 'office,correction',
  },
} as const satisfies Record<string, ParameterDefinition>;

export const RECORD_HISTORY_PARAMETERS = {
  ...EVENT_FILTERS,
  cursor,
  limit: {
    value: {
      form: 'integer',
      min: 1,
      max: RECORD_HISTORY_PAGE_MAX,
      default: RECORD_HISTORY_PAGE_DEFAULT,
      expandedMax: RECORD_HISTORY_PAGE_MAX,
    },
    filter: false,
    description: 'Most events of a page.',
    example: '50',
  },
} as const satisfies Record<string, ParameterDefinition>;

/** What shapes a page of the history feed, without the filters of a search. */
export const HISTORY_CONTROLS = {
  since: {
    value: { form: 'instant' },
    filter: false,
    description: 'Required. Versions published at or after this instant.',
    example: '2026-01-01',
  },
  ...EVENT_FILTERS,
  cursor,
  limit: {
    value: {
      form: 'integer',
      min: 1,
      max: HISTORY_PAGE_MAX,
      default: HISTORY_PAGE_DEFAULT,
      expandedMax: HISTORY_PAGE_MAX,
    },
    filter: false,
    description: 'Most events of a page.',
    example: '500',
  },
} as const satisfies Record<string, ParameterDefinition>;

/** What shapes a search for likeness, without the filters of a search. */
export const SIMILAR_CONTROLS = {
  mark: {
    value: { form: 'name' },
    filter: false,
    description: `Required. The text of the mark, up to ${LIKENESS_MARK_MAX} characters and ${LIKENESS_WORDS_MAX} words.`,
    example: 'aurelia',
  },
  strategies: {
    value: { form: 'enums', values: LIKENESS_CHOICES },
    filter: false,
    description:
      'The strategies by which names are found, and the texts that are compared: `mark`, `variant` (translations and ' +
      'transliterations that the register holds) and `pseudo_mark`. If no strategy is named, all are used; if no text, all are.',
    example: 'equal,edits,sound,letters',
  },
  classes: {
    value: { form: 'nice_classes' },
    filter: false,
    description:
      'Nice classes of the goods of the mark. Within a tier, records in one of them come first, then those in related ' +
      'classes. It leaves nothing out; nice_class does.',
    example: '9,42',
  },
  limit: {
    value: {
      form: 'integer',
      min: 1,
      max: LIKENESS_ENTRIES_MAX,
      default: LIKENESS_ENTRIES_DEFAULT,
      expandedMax: LIKENESS_ENTRIES_MAX,
    },
    filter: false,
    description: 'Most entries of the answer. There is no further page.',
    example: '50',
  },
} as const satisfies Record<string, ParameterDefinition>;

const { jurisdiction: _pinnedByPath, ...scopedFilters } = FILTERS;

export const EXTRA_ENDPOINTS = {
  coverage: {
    path: '/v1/jurisdictions/{jurisdiction_code}/coverage',
    parameters: {},
    required: [],
    metered: true,
  },
  history: {
    path: '/v1/history',
    parameters: { ...HISTORY_CONTROLS, ...FILTERS },
    required: ['since'],
    metered: true,
  },
  register_history: {
    path: '/v1/{jurisdiction_code}/history',
    parameters: { ...HISTORY_CONTROLS, ...scopedFilters },
    required: ['since'],
    metered: true,
  },
  record_history: {
    path: '/v1/{jurisdiction_code}/trademarks/{uid}/history',
    parameters: RECORD_HISTORY_PARAMETERS,
    required: [],
    metered: true,
  },
  record_version: {
    path: '/v1/{jurisdiction_code}/trademarks/{uid}/history/{version}',
    parameters: ENDPOINTS.lookup.parameters,
    required: [],
    metered: true,
  },
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
  register_numbers: {
    path: '/v1/{jurisdiction_code}/numbers',
    parameters: { numbers, limit: numbersLimit, cursor },
    required: ['numbers'],
    metered: true,
  },
  numbers: {
    path: '/v1/numbers',
    parameters: { numbers: numbersOfRegisters, limit: numbersLimit, cursor },
    required: ['numbers'],
    metered: true,
  },
  identities: { path: '/v1/identities', parameters: { identities }, required: ['identities'], metered: true },
  export: {
    path: '/v1/export',
    parameters: { ...EXPORT_CONTROLS, ...FILTERS },
    required: [],
    metered: true,
  },
  snapshots: { path: '/v1/snapshots', parameters: {}, required: [], metered: true },
  deltas: { path: '/v1/snapshots/deltas', parameters: { as_of: completeTo }, required: [], metered: true },
  snapshot_file: { path: '/v1/snapshots/{snapshot_id}/{file}', parameters: {}, required: [], metered: true },
  ...WATCH_ENDPOINTS,
  ...WEBHOOK_ENDPOINTS,
  ...DATES_ENDPOINTS,
  similar: {
    path: '/analytics/v1/similar',
    parameters: { ...SIMILAR_CONTROLS, ...FILTERS },
    required: ['mark'],
    metered: true,
  },
} as const;

/** Where the endpoints of the second product are, unless an operator calls it otherwise. */
export const ANALYTICS_ROOT = '/analytics';

/** The product that an endpoint belongs to, by its declared path. */
export function productOfPath(path: string): Product {
  return path.startsWith(`${ANALYTICS_ROOT}/`) ? 'analytics' : 'records';
}

/**
 * `form` of the answers with digests. Rises when the text of a record, including its fields, or its digest changes: an
 * older replica then learns that it must start again, instead of being reported as different (docs/design/client.md).
 */
export const DIGEST_FORM = 1;
