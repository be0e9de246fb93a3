/** The interface description, and the reference made from it. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Validator } from '@seriousme/openapi-schema-validator';
import { ERRORS, type ErrorCode } from '@tmds/contract/errors';
import { DECLARED, type DeclaredName, methodOf } from '../../src/parse/query.ts';
import { buildDescription } from '../../src/render/description/document.ts';
import { EXAMPLES } from '../../src/render/description/examples.ts';
import { buildExample, GUIDES } from '../../src/render/description/guide.ts';
import { buildApiPage, buildErrorPage, buildErrorsPage, renderMarkdown } from '../../src/render/description/pages.ts';
import { checkDescribed } from '../support/description.ts';
import { startService, startWithKey } from '../support/service.ts';

const DOCS = fileURLToPath(new URL('../../../docs/', import.meta.url));
const CODES = Object.keys(ERRORS) as ErrorCode[];

test('is a valid OpenAPI 3.1 document of version 1.0.0 [9.4]', async () => {
  const description = buildDescription({ recordPrefix: 'records' });
  const result = await new Validator().validate(structuredClone(description));
  assert.deepEqual(result.errors ?? null, null);
  assert.equal((description.info as { version: string }).version, '1.0.0');
  assert.match(String(description.openapi), /^3\.1\./);
});

test('describes every endpoint with every parameter and nothing else [4.1, 4.2, 4.3, 4.5, 4.6, 4.7]', () => {
  const { paths } = buildDescription({ recordPrefix: 'records' }) as {
    paths: Record<string, Record<string, { parameters: { name?: string }[] }>>;
  };
  assert.deepEqual(
    Object.entries(paths).flatMap(([path, operations]) => Object.keys(operations).map((method) => `${method} ${path}`)),
    (Object.keys(DECLARED) as DeclaredName[]).map((name) => `${methodOf(name).toLowerCase()} ${DECLARED[name].path}`),
  );
  for (const name of Object.keys(DECLARED) as DeclaredName[]) {
    const { path, parameters } = DECLARED[name];
    const described = paths[path]![methodOf(name).toLowerCase()]!.parameters.flatMap(
      (parameter) => parameter.name ?? [],
    );
    assert.deepEqual(described, Object.keys(parameters));
  }
});

test('says where it is served, how to make calls conditional, and what any method but GET gets [9.2, 9.3, I-2]', () => {
  type Described = {
    info: { contact: object };
    servers: { url: string }[];
    paths: Record<string, { get: { operationId: string; parameters: object[]; responses: Record<string, object> } }>;
  };
  const relative = buildDescription({ recordPrefix: 'records' }) as unknown as Described;
  assert.deepEqual(
    relative.servers.map(({ url }) => url),
    ['/records', '/'],
  );
  const open = buildDescription({ recordPrefix: 'marks', publicUrl: 'https://api.example' }) as unknown as Described;
  assert.deepEqual(
    open.servers.map(({ url }) => url),
    ['https://api.example/marks', 'https://api.example'],
  );
  assert.deepEqual(open.info.contact, { name: 'Trademark Data Service', url: 'https://api.example/docs' });
  for (const { get } of Object.values(open.paths)) {
    if (get === undefined) continue;
    for (const status of [405, 500, 503]) assert.ok(get.responses[status], `${get.operationId} ${status}`);
    const isConditional = get.parameters.some((each) => JSON.stringify(each).includes('IfNoneMatch'));
    assert.equal(isConditional, get.responses[304] !== undefined, get.operationId);
  }
});

test('the schema of a failed declaration has the name and members of the specification, a document is no null [2.6, I-42]', () => {
  const { components } = buildDescription({ recordPrefix: 'records' }) as unknown as {
    components: { schemas: Record<string, { required?: string[]; properties: Record<string, { anyOf?: object[] }> }> };
  };
  const { HTTPValidationError: body, ValidationError: entry, TrademarkDetail: record } = components.schemas;
  assert.deepEqual(body!.properties.detail, {
    type: 'array',
    minItems: 1,
    items: { $ref: '#/components/schemas/ValidationError' },
    description: 'Each parameter that fails.',
  });
  assert.deepEqual(entry!.required, ['loc', 'msg', 'type']);
  assert.deepEqual(Object.keys(entry!.properties), ['loc', 'msg', 'type', 'input', 'ctx']);
  assert.doesNotMatch(JSON.stringify(record!.properties.payload), /null/);
});

test('names its error bodies, which exclude each other, and takes lists as arrays in one parameter [4.3, 7, I-7]', () => {
  const description = buildDescription({ recordPrefix: 'records' });
  const text = JSON.stringify(description.paths);
  assert.doesNotMatch(text, /"error":\{"type"/);
  assert.match(text, /"oneOf":\[\{"\$ref":"#\/components\/schemas\/(Error|HTTPValidationError)"\}/);
  const { '/v1/trademarks': search } = description.paths as Record<
    string,
    { get: { parameters: { name: string; style?: string; explode?: boolean; schema: Record<string, unknown> }[] } }
  >;
  const lists = search!.get.parameters.filter(({ schema }) => schema.type === 'array');
  assert.deepEqual(
    lists.map(({ name }) => name),
    [
      'jurisdiction',
      'office',
      'status',
      'kind_of_mark',
      'mark_feature',
      'nice_class',
      'nice_class_all',
      'vienna_code',
      'owner_country',
      'designated_country',
    ],
  );
  for (const { style, explode } of lists) assert.deepEqual([style, explode], ['form', false]);
  const defaults = search!.get.parameters.flatMap(({ name, schema }) =>
    schema.default === undefined ? [] : [[name, schema.default]],
  );
  assert.deepEqual(defaults, [
    ['sort', 'updated_at'],
    ['order', 'desc'],
    ['limit', 50],
  ]);
});

test('shows examples that are as described [2.2, 2.3, 2.4, 2.5, I-25]', () => {
  const limits = { 'x-ratelimit-limit': '1', 'x-ratelimit-remaining': '0', 'ratelimit-policy': 'x', ratelimit: 'x' };
  const headers = { 'x-request-id': 'x', ...limits };
  const shared = { method: 'GET', status: 200 };
  const feed = { ...headers, 'x-change-horizon': '2026-01-01T00:00:00.000000Z', 'feed-lineage': 'x' };
  checkDescribed({ ...shared, target: '/v1/trademarks', headers, body: EXAMPLES.search });
  checkDescribed({
    ...shared,
    target: '/v1/XA/trademarks/1',
    headers: { ...headers, etag: 'x' },
    body: EXAMPLES.record,
  });
  checkDescribed({ ...shared, target: '/v1/changes', headers: feed, body: EXAMPLES.changes });
  checkDescribed({ ...shared, target: '/v1/history', headers: feed, body: EXAMPLES.history });
  checkDescribed({ ...shared, target: '/v1/XA/trademarks/1/history', headers, body: EXAMPLES.recordHistory });
  const version = `/v1/XA/trademarks/1/history/${EXAMPLES.recordVersion.updated_at}`;
  checkDescribed({ ...shared, target: version, headers: { ...headers, etag: 'x' }, body: EXAMPLES.recordVersion });
  checkDescribed({
    ...shared,
    target: '/v1/jurisdictions',
    headers: { ...headers, etag: 'x' },
    body: EXAMPLES.jurisdictions,
  });
  checkDescribed({ ...shared, target: '/v1/usage', headers, body: EXAMPLES.usage });
  checkDescribed({ ...shared, target: '/v1/health', headers: { 'x-request-id': 'x' }, body: EXAMPLES.health });
  for (const code of CODES) {
    const { status } = ERRORS[code];
    const target = code === 'missing_filter' || code === 'query_too_broad' ? '/v1/trademarks' : '/v1/XA/changes';
    checkDescribed({ method: 'GET', target, status, headers: { 'x-request-id': 'x' }, body: buildExample(code) });
  }
});

test('refuses a response that is not as described', () => {
  const headers = { 'x-request-id': 'x' };
  const broken: [string, number, Record<string, string>, unknown][] = [
    ['/v1/health', 200, headers, { status: 'ok', version: '1', extra: 1 }],
    ['/v1/health', 200, headers, { status: 'ok' }],
    ['/v1/health', 200, {}, EXAMPLES.health],
    ['/v1/health', 200, { ...headers, 'x-new': '1' }, EXAMPLES.health],
    ['/v1/health', 418, headers, EXAMPLES.health],
    ['/v1/usage', 400, headers, { error: { code: 'missing_filter', message: 'x' } }],
    ['/v1/usage', 400, headers, { error: { code: 'invalid_parameter' } }],
    ['/v1/usage', 200, headers, EXAMPLES.usage],
  ];
  for (const [target, status, sent, body] of broken) {
    assert.throws(() => checkDescribed({ method: 'GET', target, status, headers: sent, body }), assert.AssertionError);
  }
});

test('answers the examples of the error pages with the codes, messages and parameters they show [7]', async (t) => {
  const { key, ...service } = await startWithKey(t);
  for (const code of CODES) {
    const { request } = GUIDES[code];
    const [method = '', path = ''] = request.split(' ');
    if (
      /[<…]/.test(path) ||
      ['rate_limited', 'quota_exceeded', 'internal_error', 'unavailable', 'key_revoked'].includes(code)
    ) {
      continue;
    }
    const answer = await service.call(path, { method, ...(code === 'unauthorized' ? {} : { key }) });
    const { error } = buildExample(code);
    assert.deepEqual((answer.body as { error: unknown }).error, error, request);
    assert.equal(answer.status, ERRORS[code].status);
  }
});

test('serves the reference without a key and without anything from elsewhere [9.4]', async (t) => {
  const service = await startService(t, { config: { recordPrefix: 'marks' } });
  const pages = ['/docs/api', '/docs/errors', ...CODES.map((code) => `/docs/errors/${code}`)];
  const assets = new Set(['/openapi.json', '/llms.txt', '/docs/api.md', '/docs/errors.md']);
  for (const path of pages) {
    const page = await service.call(path);
    assert.deepEqual([page.status, page.headers['content-type']], [200, 'text/html; charset=utf-8'], path);
    assert.match(page.headers['content-security-policy'] ?? '', /^default-src 'none'; (?!.*https?:)/);
    assert.doesNotMatch(page.text, /(src|href)="(https?:)?\/\//);
    for (const match of page.text.matchAll(/(?:src|href)="([^"#]+)"/g)) assets.add(match[1]!);
    if (path.startsWith('/docs/errors')) assets.add(`${path}.md`);
  }
  for (const path of assets) {
    const asset = await service.call(path);
    // The name of the service leads to the first page of the portal, for those who are signed in.
    assert.equal(asset.status, path === '/portal' ? 303 : 200, path);
    // A page of the portal is made for the person who asks.
    if (path.startsWith('/portal')) continue;
    const again = await service.call(path, { headers: { 'if-none-match': asset.headers.etag ?? '' } });
    assert.equal(again.status, 304, path);
  }
  const contents = await service.call('/docs');
  assert.match(contents.text, /href="\/portal\/api"/, 'the first address of the reference still leads to it');
  const description = (await service.call('/openapi.json')).body as { servers: { url: string }[] };
  assert.deepEqual(description, JSON.parse(JSON.stringify(buildDescription({ recordPrefix: 'marks' }))));
  assert.deepEqual((await service.call('/docs/errors/nonesuch')).status, 404);
  assert.deepEqual((await service.call('/openapi.json', { method: 'POST' })).status, 405);
});

test('is the documentation in the repository [7, 9.4]', () => {
  const read = (name: string): string => readFileSync(`${DOCS}${name}`, 'utf8');
  const hint = 'stale: run npm run docs';
  assert.deepEqual(
    JSON.parse(read('openapi.json')),
    JSON.parse(JSON.stringify(buildDescription({ recordPrefix: 'records' }))),
    hint,
  );
  assert.equal(read('errors.md'), renderMarkdown(buildErrorsPage()), hint);
  assert.equal(read('api.md'), renderMarkdown(buildApiPage()), hint);
  assert.deepEqual(readdirSync(`${DOCS}errors`).sort(), CODES.map((code) => `${code}.md`).sort(), hint);
  for (const code of CODES) assert.equal(read(`errors/${code}.md`), renderMarkdown(buildErrorPage(code)), hint);
});
