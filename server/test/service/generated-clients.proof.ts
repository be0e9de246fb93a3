/**
 * Clients that others generate from the interface description, and the collection, against a running service: each
 * finds the same records, with lists of two values, and gets the refusals that are described.
 */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createClient } from '@hey-api/openapi-ts';
import { generateSource } from 'oazapfts';
import openapiTypescript, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { buildDescription } from '../../src/render/description/document.ts';
import { buildCollection } from '../../src/render/description/samples.ts';
import { startService, type TestService } from '../support/service.ts';
import { buildRecords, publishRecords } from '../torture/publish.ts';

/** Inside of the project, because generated programs import packages that it has. */
const CACHE = fileURLToPath(new URL('../../.cache/', import.meta.url));
const LISTS = { jurisdiction: ['US', 'EM'], nice_class: [9, 42] };

async function makeProject(t: TestContext): Promise<string> {
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, 'generated-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  return folder;
}

async function startSeeded(t: TestContext): Promise<{ service: TestService; key: string; uids: string[] }> {
  const service = await startService(t);
  const classes = [[9], [42], [25]];
  const records = ['US', 'EM', 'FR'].flatMap((jurisdiction_code) =>
    classes.flatMap((nice_classes) => buildRecords(2, { jurisdiction_code, nice_classes })),
  );
  const numbered = records.map((record, index) => ({ ...record, uid: `${record.jurisdiction_code}-${index}` }));
  await publishRecords(service.db, numbered);
  const { key } = await service.issue();
  const target = '/records/v1/trademarks?jurisdiction=US,EM&nice_class=9,42&limit=500';
  const { body } = await service.call(target, { key });
  const uids = (body as { items: { uid: string }[] }).items.map(({ uid }) => uid).sort();
  assert.equal(uids.length, 8);
  return { service, key, uids };
}

const describe = (service: TestService): never =>
  JSON.parse(JSON.stringify(buildDescription({ recordPrefix: 'records', publicUrl: service.url }))) as never;

interface Found {
  readonly items: readonly { readonly uid: string }[];
}

const uidsOf = ({ items }: Found): string[] => items.map(({ uid }) => uid).sort();

// biome-ignore lint/suspicious/noExplicitAny: a module that is generated while the test runs
type Generated = any;

test('the client of openapi-ts sends lists of two values and gets what is described [4.2, 4.3, 9.4]', async (t) => {
  const { service, key, uids } = await startSeeded(t);
  const folder = await makeProject(t);
  await createClient({
    input: describe(service),
    output: { path: join(folder, 'client') },
    logs: { level: 'silent', file: false },
    plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
  });
  const sdk: Generated = await import(pathToFileURL(join(folder, 'client/sdk.gen.ts')).href);
  const shared = { auth: () => key, baseUrl: `${service.url}/records` };
  const found = await sdk.searchTrademarks({ ...shared, query: { ...LISTS, limit: 500 } });
  assert.deepEqual(uidsOf(found.data), uids);
  const record = await sdk.getTrademark({ ...shared, path: { jurisdiction_code: 'US', uid: 'US-0' } });
  assert.equal(record.data.uid, 'US-0');
  const refused = await sdk.searchTrademarks({ ...shared, query: {} });
  assert.deepEqual([refused.response.status, refused.error.error.code], [400, 'missing_filter']);
  const watch = { name: 'Two', owners: ['acme inc.', 'lumora sa'] };
  const put = await sdk.putWatch({ ...shared, path: { watch: 'two' }, body: watch });
  assert.equal(put.data.item_count, 2);
});

test('the client of oazapfts sends lists of two values and gets what is described [4.2, 4.3, 9.4]', async (t) => {
  const { service, key, uids } = await startSeeded(t);
  const folder = await makeProject(t);
  const file = join(folder, 'openapi.json');
  await writeFile(file, JSON.stringify(describe(service)));
  await writeFile(join(folder, 'api.ts'), await generateSource(file));
  const api: Generated = await import(pathToFileURL(join(folder, 'api.ts')).href);
  api.defaults.headers = { 'X-API-Key': key };
  // It writes names as TypeScript does.
  const named = { jurisdiction: LISTS.jurisdiction, niceClass: LISTS.nice_class };
  const found = await api.searchTrademarks({ ...named, limit: 500 });
  assert.deepEqual([found.status, uidsOf(found.data)], [200, uids]);
  const record = await api.getTrademark('US', 'US-0');
  assert.equal(record.data.uid, 'US-0');
  const refused = await api.searchTrademarks({});
  assert.deepEqual([refused.status, refused.data.error.code], [400, 'missing_filter']);
});

/** Types alone make no calls; these lines are what a customer adds to them, and the compiler checks them. */
const BY_TYPES = `import type { paths } from './api';
type Search = paths['/v1/trademarks']['get'];
type Query = NonNullable<Search['parameters']['query']>;
type Page = Search['responses'][200]['content']['application/json'];
export async function search(base: string, key: string, query: Query): Promise<Page> {
  const pairs = Object.entries(query).map(([name, value]) => [name, [value].flat().join(',')]);
  const answer = await fetch(base + '/v1/trademarks?' + new URLSearchParams(pairs), { headers: { 'X-API-Key': key } });
  return (await answer.json()) as Page;
}
`;

test('the types of openapi-typescript make a call that compiles and finds the same [4.2, 9.4]', async (t) => {
  const { service, key, uids } = await startSeeded(t);
  const folder = await makeProject(t);
  await writeFile(join(folder, 'api.ts'), astToString(await openapiTypescript(describe(service))));
  const program = join(folder, 'search.ts');
  await writeFile(program, BY_TYPES);
  const options = {
    strict: true,
    noEmit: true,
    types: [],
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  };
  const checked = ts.createProgram([program], {
    ...options,
    module: ts.ModuleKind.ESNext,
    target: ts.ScriptTarget.ES2022,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  });
  assert.deepEqual(
    ts.getPreEmitDiagnostics(checked).map(({ messageText }) => messageText),
    [],
  );
  const { search }: Generated = await import(pathToFileURL(program).href);
  assert.deepEqual(uidsOf(await search(`${service.url}/records`, key, { ...LISTS, limit: 500 })), uids);
});

interface Item {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly auth?: { readonly type: string };
    readonly header: readonly { readonly key: string; readonly value: string }[];
    readonly url: {
      readonly path: readonly string[];
      readonly variable: readonly { readonly key: string; readonly value: string }[];
      readonly query: readonly { readonly key: string; readonly value: string; readonly disabled?: boolean }[];
    };
    readonly body?: { readonly raw: string };
  };
}

test('every request of the collection is one that the service understands [4.1, 9.4]', async (t) => {
  const { service } = await startSeeded(t);
  const { key } = await service.issue({ products: ['records', 'analytics'] });
  const { item: folders, variable } = buildCollection() as unknown as {
    item: { item: Item[] }[];
    variable: { key: string; value: string }[];
  };
  const variables = new Map(variable.map((each) => [`{{${each.key}}}`, each.value]));
  for (const { name, request } of folders.flatMap(({ item }) => item)) {
    const { path, variable: inPath, query } = request.url;
    const texts = new Map(inPath.map((each) => [`:${each.key}`, encodeURIComponent(each.value)]));
    const target = path.map((part) => variables.get(part) ?? texts.get(part) ?? part).join('/');
    const pairs = query
      .filter(({ disabled }) => disabled !== true)
      .map((each): [string, string] => [each.key, each.value]);
    const answer = await service.call(`/${target}?${new URLSearchParams(pairs)}`, {
      method: request.method,
      headers: Object.fromEntries(request.header.map((each) => [each.key, each.value])),
      ...(request.auth?.type === 'noauth' ? {} : { key }),
      ...(request.body === undefined ? {} : { body: request.body.raw }),
    });
    // A record, a version, a file or a watch of the examples need not be here; anything else is a fault of the request.
    assert.ok([200, 404].includes(answer.status), `${name}: ${answer.status} ${answer.text.slice(0, 300)}`);
  }
  const kept = await readFile(new URL('../../../docs/collection.json', import.meta.url), 'utf8');
  assert.ok(kept.includes('"{{apiKey}}"'));
});
