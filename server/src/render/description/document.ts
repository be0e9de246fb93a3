/**
 * The interface description in OpenAPI 3.1. It is derived from the tables of the contract, so it describes every
 * parameter, code and field that exists, and no other. Each named schema has an example: the place of an example answer
 * that the schema describes.
 */
import { ERRORS, type ErrorCode } from '@tmds/contract/errors';
import { API_VERSION } from '@tmds/contract/limits';
import type { ParameterDefinition } from '@tmds/contract/parameters';
import { addressOf, DECLARED, type DeclaredName, methodOf, productOf } from '../../parse/query.ts';
import { DOCUMENT_EXAMPLE, DOCUMENT_NAME } from './document-page.ts';
import { ENDPOINTS_DESCRIBED, listCodes } from './endpoints.ts';
import { buildExample } from './guide.ts';
import { type Operation, TAG_PAGES, TAGS } from './operation.ts';
import { OPERATIONS } from './operations.ts';
import { buildParameter, buildSharedParameters, HEADERS, type HeaderName, RATE_HEADERS } from './parameters.ts';
import { buildCodeSamples } from './samples.ts';
import { type Json, refer } from './schema-parts.ts';
import { buildSchemas, groupByStatus } from './schemas.ts';
import { buildMessageSchemas, buildWebhooks } from './webhooks.ts';

const STATUS_NAMES: Readonly<Record<number, string>> = {
  400: 'The request is not valid.',
  401: 'The key is missing or unknown.',
  403: 'The key is not allowed to do this.',
  404: 'No such record or register.',
  405: 'The method is not allowed here.',
  422: 'A parameter fails its declaration, or the query takes too long.',
  429: 'Too many calls.',
  500: 'A fault of the service.',
  503: 'A temporary problem; retry shortly.',
};

interface DescribedAt {
  /** The part of the path in front of `/v1`. */
  readonly recordPrefix: string;
  /** The same for the product `analytics`; default: its standard. */
  readonly analyticsPrefix?: string;
  /** Where the service is reached, such as `https://api.example`; null = where the description was read from. */
  readonly publicUrl?: string | null;
}

/** The whole document. */
export function buildDescription({ recordPrefix, analyticsPrefix = 'analytics', publicUrl }: DescribedAt): Json {
  const origin = publicUrl ?? '';
  return {
    openapi: '3.1.0',
    info: {
      title: 'Trademark Data Service: Record API',
      version: API_VERSION,
      summary: 'Structured trademark records of national and regional registers: search, look-up, change feed.',
      description:
        'Every path takes GET; watches and webhooks also take PUT and DELETE. Any other method is refused with 405 ' +
        '`method_not_allowed`. Answers are JSON, except files of snapshots and exports. ' +
        'Unknown parameters are refused. Null is data: the register did not state the field. Every answer that is ' +
        'not 2xx has the same envelope; the [page of each code](/docs/errors) says what to do. ' +
        'The [documents](/docs) have guides, clients and the changelog. The same data as tools for language models: ' +
        'the Model Context Protocol at `/mcp`, with the same keys ([how](/docs/agents)).',
      contact: { name: 'Trademark Data Service', ...(origin === '' ? {} : { url: `${origin}/docs` }) },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      { url: `${origin}/${recordPrefix}`, description: 'With the product prefix' },
      { url: origin === '' ? '/' : origin, description: 'Without a product prefix, for older integrations' },
    ],
    security: [{ apiKey: [] }, { bearer: [] }],
    ...referDocuments(origin, ''),
    tags: (Object.keys(TAGS) as (keyof typeof TAGS)[]).map((name) => ({
      name,
      description: `${TAGS[name]} [Read more](/docs/${TAG_PAGES[name]}).`,
      ...referDocuments(origin, `/${TAG_PAGES[name]}`),
    })),
    paths: buildPaths(origin, recordPrefix, analyticsPrefix),
    webhooks: buildWebhooks(),
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
      schemas: addExamples({ ...buildSchemas(), ...buildMessageSchemas() }, listExampleAnswers()),
      headers: HEADERS,
      parameters: buildSharedParameters(),
      responses: { MethodNotAllowed: buildRefusal(405, ['method_not_allowed'], ['X-Request-Id', 'Allow']) },
    },
  };
}

/** An address has to be a whole one, so there is none while nobody has named the origin; descriptions have links. */
function referDocuments(origin: string, path: string): Json {
  return origin === '' ? {} : { externalDocs: { url: `${origin}/docs${path}` } };
}

/** Answers, bodies and refusals, each with the schema that describes it. */
function listExampleAnswers(): { schema: string; example: unknown }[] {
  const operations: Operation[] = Object.values(OPERATIONS);
  return [
    ...operations.filter(({ media }) => media === undefined),
    ...operations.flatMap(({ body }) => (body === undefined ? [] : [body])),
    { schema: DOCUMENT_NAME, example: DOCUMENT_EXAMPLE },
    { schema: 'Error', example: buildExample('invalid_parameter') },
    { schema: 'HTTPValidationError', example: buildExample('validation_error') },
  ];
}

function buildPaths(origin: string, recordPrefix: string, analyticsPrefix: string): Json {
  const recordsUrl = `${origin === '' ? 'https://host' : origin}/${recordPrefix}`;
  const endpoints = new Map(ENDPOINTS_DESCRIBED.map((endpoint) => [endpoint.name, endpoint]));
  const paths: Record<string, Json> = {};
  for (const name of Object.keys(DECLARED) as DeclaredName[]) {
    const isOfRecords = productOf(name) === 'records';
    const path = isOfRecords ? DECLARED[name].path : addressOf(name, analyticsPrefix);
    // The prefix of the records is in the address of a server; that of another product is in its paths.
    const servers = isOfRecords ? {} : { servers: [{ url: origin === '' ? '/' : origin }] };
    const samples = { 'x-codeSamples': buildCodeSamples(endpoints.get(name)!, recordsUrl) };
    const method = methodOf(name).toLowerCase();
    paths[path] = { ...paths[path], [method]: { ...buildOperation(name), ...samples, ...servers } };
  }
  return paths;
}

function buildOperation(name: DeclaredName): Json {
  const { path, parameters, required, metered } = DECLARED[name];
  const { id, tag, summary, description, headers = [], body } = OPERATIONS[name];
  const inPath = [...path.matchAll(/\{(?<name>\w+)\}/g)].map(({ groups }) => refer('parameters', groups!.name!));
  const inQuery = Object.entries<ParameterDefinition>(parameters).map(([parameter, definition]) =>
    buildParameter(parameter, definition, (required as readonly string[]).includes(parameter)),
  );
  const always: readonly HeaderName[] = ['X-Request-Id', 'Server-Timing', ...(metered ? RATE_HEADERS : [])];
  const served = {
    description: 'The answer.',
    headers: referHeaders([...always, ...headers]),
    content: describeContent(OPERATIONS[name]),
  };
  const part = {
    description: 'The part that was asked for.',
    headers: referHeaders([...always, ...headers, 'Content-Range']),
    content: describeContent(OPERATIONS[name]),
  };
  const kept = headers.filter((header) => header === 'ETag' || header === 'Feed-Lineage' || header === 'Coverage');
  const unchanged = { description: 'Unchanged since the ETag sent.', headers: referHeaders([...always, ...kept]) };
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    ...(metered ? {} : { security: [] }),
    parameters: [
      ...inPath,
      ...inQuery,
      ...(headers.includes('ETag') ? [refer('parameters', 'IfNoneMatch')] : []),
      ...(headers.includes('Accept-Ranges') ? [refer('parameters', 'Range')] : []),
    ],
    ...(body === undefined ? {} : { requestBody: buildBody(body) }),
    responses: {
      200: served,
      ...(headers.includes('Accept-Ranges') ? { 206: part } : {}),
      ...(headers.includes('ETag') ? { 304: unchanged } : {}),
      ...buildRefusals(listCodes(name), metered, headers.includes('Coverage')),
      405: refer('responses', 'MethodNotAllowed'),
    },
  };
}

function describeContent({ media, schema, example }: Operation): Json {
  if (media === undefined) return { 'application/json': { schema: refer('schemas', schema), example } };
  return Object.fromEntries(media.map((type) => [type, { schema: refer('schemas', schema) }]));
}

function buildBody({ schema, example }: { readonly schema: string; readonly example: unknown }): Json {
  return { required: true, content: { 'application/json': { schema: refer('schemas', schema), example } } };
}

function buildRefusals(codes: readonly ErrorCode[], metered: boolean, saysCoverage: boolean): Json {
  const groups = [...groupByStatus(codes)].sort(([one], [other]) => one - other);
  return Object.fromEntries(
    groups.map(([status, group]) => {
      const judged = metered && status !== 401 && status !== 403 ? RATE_HEADERS : [];
      const own: Readonly<Record<number, readonly HeaderName[]>> = {
        401: ['WWW-Authenticate'],
        404: saysCoverage ? ['Coverage'] : [],
        429: ['Retry-After', 'X-Quota-Limit', 'X-Quota-Used'],
        503: ['Retry-After'],
      };
      const headers: HeaderName[] = ['X-Request-Id', 'Server-Timing', ...judged, ...(own[status] ?? [])];
      return [String(status), buildRefusal(status, group, headers)];
    }),
  );
}

function buildRefusal(status: number, codes: readonly ErrorCode[], headers: readonly HeaderName[]): Json {
  const shapes = [...new Set(codes.map((code) => (code === 'validation_error' ? 'HTTPValidationError' : 'Error')))];
  const references = shapes.map((shape) => refer('schemas', shape));
  const schema = references.length === 1 ? references[0] : { oneOf: references };
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

/** The schemas with `examples`: the first place of each in the answers. One that occurs in none stays without. */
function addExamples(schemas: Json, answers: readonly { readonly schema: string; readonly example: unknown }[]): Json {
  const found = new Map<string, unknown>();
  for (const { schema, example } of answers) collect(schemas, schemas[schema], example, found, schema);
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const example = found.get(name);
      const isGiven = (schema as Json).examples !== undefined;
      return [name, example === undefined || isGiven ? schema : { ...(schema as Json), examples: [example] }];
    }),
  );
}

function collect(schemas: Json, schema: unknown, value: unknown, found: Map<string, unknown>, name?: string): void {
  if (value === null || value === undefined) return;
  if (name !== undefined) {
    if (found.has(name)) return;
    found.set(name, value);
  }
  const { $ref, properties = {}, items, anyOf = [], oneOf = [] } = schema as SchemaNode;
  const referred = $ref?.split('/').at(-1);
  if (referred !== undefined) collect(schemas, schemas[referred], value, found, referred);
  if (Array.isArray(value)) for (const each of items === undefined ? [] : value) collect(schemas, items, each, found);
  else if (typeof value === 'object') {
    for (const [member, inner] of Object.entries(properties)) collect(schemas, inner, (value as Json)[member], found);
  }
  // Which of several forms a value has is not known here, but a value that is not null has the other form.
  const forms = [...anyOf, ...oneOf].filter(({ type }) => type !== 'null');
  if (forms.length === 1) collect(schemas, forms[0], value, found);
}

interface SchemaNode {
  readonly $ref?: string;
  readonly type?: unknown;
  readonly properties?: Json;
  readonly items?: unknown;
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
}
