/**
 * The interface description: OpenAPI 3.1, derived from the tables of the contract, so that it cannot describe a
 * parameter, a code or a field that does not exist, nor leave one out.
 */
import { ERRORS, type ErrorCode } from '@tmds/contract/errors';
import { API_VERSION } from '@tmds/contract/limits';
import { ENDPOINTS, type EndpointName, type ParameterDefinition } from '@tmds/contract/parameters';
import { EXAMPLES } from './examples.ts';
import { buildExample } from './guide.ts';
import { HEADERS, type HeaderName, RATE_HEADERS } from './headers.ts';
import { buildEnvelope, buildSchemas, buildValidationEnvelope, groupByStatus, type Json, refer } from './schemas.ts';

interface Operation {
  readonly tag: 'records' | 'account' | 'service';
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

const OPERATIONS: Readonly<Record<EndpointName, Operation>> = {
  health: {
    tag: 'service',
    summary: 'Liveness',
    description: '200 when the service can answer a query. Needs no key and is not metered.',
    schema: 'Health',
    example: EXAMPLES.health,
    codes: [],
  },
  usage: {
    tag: 'account',
    summary: "The key's usage this month",
    description: 'Counts, quotas and limits of every product that the presenting key carries, this call included.',
    schema: 'UsageReport',
    example: EXAMPLES.usage,
    codes: [],
  },
  jurisdictions: {
    tag: 'records',
    summary: 'Registers served',
    description: 'Every register with its record count and how current it is, sorted by code.',
    schema: 'JurisdictionsPage',
    example: EXAMPLES.jurisdictions,
    headers: ['ETag'],
    codes: [],
  },
  search: { ...search, summary: 'Search all registers', codes: ['missing_filter', ...searchCodes] },
  scoped_search: { ...search, summary: 'Search one register', codes: [...searchCodes, 'not_found'] },
  lookup: {
    tag: 'records',
    summary: 'One record by its identity',
    description: 'The pair of register code and `uid` is stable. A `uid` is opaque; percent-encode it whole.',
    schema: 'TrademarkDetail',
    example: EXAMPLES.record,
    headers: ['ETag'],
    codes: ['not_found', 'validation_error'],
  },
  changes: {
    ...changes,
    summary: 'Changes in all registers',
    codes: [...CURSOR_CODES, 'query_timeout', 'validation_error'],
  },
  scoped_changes: {
    ...changes,
    summary: 'Changes in one register',
    codes: [...CURSOR_CODES, 'query_timeout', 'validation_error', 'not_found'],
  },
};

const EVERY_CODE = [
  'invalid_parameter',
  'unknown_parameter',
  'reserved_parameter',
  'internal_error',
  'unavailable',
] as const;
const METERED_CODES = ['unauthorized', 'key_revoked', 'product_not_enabled', 'rate_limited', 'quota_exceeded'] as const;

const STATUS_NAMES: Readonly<Record<number, string>> = {
  400: 'The request is refused as it stands.',
  401: 'No key, or no known one.',
  403: 'The key may not do this.',
  404: 'No such record or register.',
  405: 'Not a GET.',
  422: 'A parameter fails its declaration, or the query takes too long.',
  429: 'Too many calls.',
  500: 'A fault of the service.',
  503: 'Passes by itself.',
};

/** The whole document; `recordPrefix` is the path segment under which the product is served. */
export function buildDescription(recordPrefix: string): Json {
  const names = Object.keys(ENDPOINTS) as EndpointName[];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Trademark Data Service: Record API',
      version: API_VERSION,
      summary: 'Structured trademark records of national and regional registers: search, look-up, change feed.',
      description:
        'All endpoints are GET and answer JSON. Unknown parameters are refused. Null is data: the register did not ' +
        'state the field. Every other method answers 405 `method_not_allowed`. Every answer that is not 2xx carries ' +
        'the same envelope; the [page of each code](/docs/errors) says what to do.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      { url: `/${recordPrefix}`, description: 'The product by name' },
      { url: '/', description: 'Without a product prefix, for older integrations' },
    ],
    security: [{ apiKey: [] }, { bearer: [] }],
    tags: [
      { name: 'records', description: 'Search, look-up, changes and the registers they cover.' },
      { name: 'account', description: 'What the presenting key has used.' },
      { name: 'service', description: 'Whether the service is up.' },
    ],
    paths: Object.fromEntries(names.map((name) => [ENDPOINTS[name].path, { get: buildOperation(name) }])),
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
      schemas: buildSchemas(),
      headers: HEADERS,
      parameters: buildPathParameters(),
      responses: { MethodNotAllowed: buildRefusal(405, ['method_not_allowed'], ['X-Request-Id', 'Allow']) },
    },
  };
}

function buildOperation(name: EndpointName): Json {
  const { path, parameters, required, metered } = ENDPOINTS[name];
  const { tag, summary, description, codes, headers = [], schema, example } = OPERATIONS[name];
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => refer('parameters', match[1]!));
  const inQuery = Object.entries<ParameterDefinition>(parameters).map(([parameter, definition]) =>
    buildParameter(parameter, definition, (required as readonly string[]).includes(parameter)),
  );
  const always: readonly HeaderName[] = ['X-Request-Id', 'Server-Timing', ...(metered ? RATE_HEADERS : [])];
  const served = {
    description: 'The answer.',
    headers: referHeaders([...always, ...headers]),
    content: { 'application/json': { schema: refer('schemas', schema), example } },
  };
  const kept = { description: 'Unchanged since the ETag that was sent.', headers: referHeaders([...always, 'ETag']) };
  return {
    operationId: name,
    tags: [tag],
    summary,
    description,
    ...(metered ? {} : { security: [] }),
    parameters: [...inPath, ...inQuery],
    responses: {
      200: served,
      ...(headers.includes('ETag') ? { 304: kept } : {}),
      ...buildRefusals([...EVERY_CODE, ...codes, ...(metered ? METERED_CODES : [])], metered),
    },
  };
}

function buildRefusals(codes: readonly ErrorCode[], metered: boolean): Json {
  const groups = [...groupByStatus(codes)].sort(([one], [other]) => one - other);
  return Object.fromEntries(
    groups.map(([status, group]) => {
      const judged = metered && status !== 401 && status !== 403 ? RATE_HEADERS : [];
      const own: Readonly<Record<number, readonly HeaderName[]>> = {
        401: ['WWW-Authenticate'],
        429: ['Retry-After', 'X-Quota-Limit', 'X-Quota-Used'],
        503: ['Retry-After'],
      };
      const headers: HeaderName[] = ['X-Request-Id', 'Server-Timing', ...judged, ...(own[status] ?? [])];
      return [String(status), buildRefusal(status, group, headers)];
    }),
  );
}

function buildRefusal(status: number, codes: readonly ErrorCode[], headers: readonly HeaderName[]): Json {
  const plain = codes.filter((code) => code !== 'validation_error');
  const shapes = [
    ...(plain.length === 0 ? [] : [buildEnvelope(plain)]),
    ...(plain.length === codes.length ? [] : [buildValidationEnvelope()]),
  ];
  const schema = shapes.length === 1 ? shapes[0] : { oneOf: shapes };
  const examples = Object.fromEntries(
    codes.map((code) => [code, { summary: ERRORS[code].when, value: buildExample(code) }]),
  );
  const list = codes.map((code) => `[\`${code}\`](/docs/errors/${code})`).join(', ');
  return {
    description: `${STATUS_NAMES[status]} ${list}`,
    headers: referHeaders(headers),
    content: { 'application/json': { schema, examples } },
  };
}

function referHeaders(names: readonly HeaderName[]): Json {
  return Object.fromEntries(names.map((name) => [name, refer('headers', name)]));
}

function buildParameter(name: string, { value, description, example }: ParameterDefinition, required: boolean): Json {
  const shared = { name, in: 'query', required, description: describe(value, description) };
  const schema = buildParameterSchema(value);
  return example === '' ? { ...shared, schema } : { ...shared, schema, example: typed(value, example) };
}

function buildParameterSchema(value: ParameterDefinition['value']): Json {
  if (value.form === 'choice') return { type: 'string', enum: value.values };
  if (value.form === 'integer') {
    return { type: 'integer', minimum: value.min, maximum: value.max, default: value.default };
  }
  if (value.form === 'name_fragment') return { type: 'string', minLength: value.min };
  if (value.form === 'date') return { type: 'string', format: 'date' };
  return { type: 'string', minLength: 1 };
}

function describe(value: ParameterDefinition['value'], description: string): string {
  return value.form === 'enums' ? `${description} Values: ${value.values.join(', ')}.` : description;
}

function typed(value: ParameterDefinition['value'], example: string): unknown {
  return value.form === 'integer' ? Number(example) : example;
}

function buildPathParameters(): Json {
  const shared = { in: 'path', required: true, schema: { type: 'string', minLength: 1 } };
  return {
    jurisdiction_code: {
      name: 'jurisdiction_code',
      description: 'Register code, in any letter case.',
      ...shared,
      example: 'US',
    },
    uid: {
      name: 'uid',
      description: 'Identity within the register, percent-encoded whole (`/` as `%2F`).',
      ...shared,
      example: 'US500000097123456',
    },
  };
}
