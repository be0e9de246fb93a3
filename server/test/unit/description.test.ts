/** What readers of the interface description find in it: descriptions, examples, programs, one meaning for a path. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { buildDescription } from '../../src/render/description/document.ts';
import { ENDPOINTS_DESCRIBED } from '../../src/render/description/endpoints.ts';
import { buildCollection } from '../../src/render/description/samples.ts';
import { CUSTOMER_PAGES } from '../../src/render/documents/catalogue.ts';
import { writeBody, writeTestBody } from '../../src/webhook/message.ts';

// biome-ignore lint/suspicious/noExplicitAny: a JSON document, walked by names that its own builder gave
type Node = { [name: string]: any };

const description = JSON.parse(JSON.stringify(buildDescription({ recordPrefix: 'records' }))) as Node;
const schemas: Node = description.components.schemas;

/** Described itself, or by what it refers to: a name, or the one form that is not null. */
function isDescribed(schema: Node): boolean {
  if (typeof schema.description === 'string' && schema.description !== '') return true;
  if (schema.$ref !== undefined) return isDescribed(schemas[schema.$ref.split('/').at(-1)]);
  const forms = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].filter(({ type }: Node) => type !== 'null');
  return forms.length > 0 && forms.every(isDescribed);
}

function listUndescribed(schema: Node, place: string): string[] {
  const members = Object.entries<Node>(schema.properties ?? {}).flatMap(([name, member]) => [
    ...(isDescribed(member) ? [] : [`${place}.${name}`]),
    ...listUndescribed(member, `${place}.${name}`),
  ]);
  const inner = [schema.items, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].filter((each) => each !== undefined);
  return [...members, ...inner.flatMap((each) => listUndescribed(each, place))];
}

test('every schema and every member of one is described [9.4]', () => {
  const undescribed = Object.entries<Node>(schemas).flatMap(([name, schema]) => [
    ...(isDescribed(schema) ? [] : [name]),
    ...listUndescribed(schema, name),
  ]);
  assert.deepEqual(undescribed, []);
  assert.deepEqual(listUndescribed({ properties: { a: { anyOf: [{ type: 'null' }, { type: 'string' }] } } }, 'x'), [
    'x.a',
  ]);
});

test('the codes of an operation are listed once, and those of cursors and identities follow from its declaration [9.4]', () => {
  for (const { name, codes } of ENDPOINTS_DESCRIBED) assert.equal(new Set(codes).size, codes.length, name);
  const listNames = (code: string) =>
    ENDPOINTS_DESCRIBED.flatMap(({ name, codes }) => (codes.includes(code as never) ? [name] : []));
  // A watch holds a search, which may have a cursor.
  const withCursor = ENDPOINTS_DESCRIBED.filter(({ parameters }) => parameters.some(({ name }) => name === 'cursor'));
  assert.deepEqual(new Set(listNames('cursor_invalid')), new Set([...withCursor.map(({ name }) => name), 'put_watch']));
  const inPath = ENDPOINTS_DESCRIBED.filter(({ path }) => path.includes('{')).map(({ name }) => name);
  const makers = ['put_watch', 'put_webhook'];
  assert.deepEqual(
    listNames('not_found'),
    inPath.filter((name) => !makers.includes(name)),
  );
  assert.ok(!listNames('validation_error').includes('usage'));
  assert.ok(listNames('validation_error').includes('digests'));
});

test('schemas have examples that they accept [9.4]', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  (addFormats as unknown as (target: Ajv2020) => void)(ajv);
  ajv.addSchema({ $id: 'api', components: { schemas } });
  const without = Object.keys(schemas).filter((name) => schemas[name].examples === undefined);
  for (const name of Object.keys(schemas)) {
    const validate = ajv.compile({ $ref: `api#/components/schemas/${name}` });
    for (const example of schemas[name].examples ?? []) {
      assert.ok(validate(example), `${name}: ${ajv.errorsText(validate.errors)}`);
    }
  }
  assert.deepEqual(without, ['SnapshotFileBytes'], 'schemas without an example');
});

test('the messages that are sent to webhooks are as described, and nothing else is [9.4]', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  (addFormats as unknown as (target: Ajv2020) => void)(ajv);
  ajv.addSchema({ $id: 'api', components: { schemas } });
  const createdAt = '2026-11-24T00:00:00.123456Z';
  const sent: Record<string, string> = {
    'watch.hits': writeBody({ createdAt, watch: 'brands', reference: null, after: '2026-11-23T06:00:00.000001Z' }),
    test: writeTestBody(createdAt),
  };
  assert.deepEqual(Object.keys(description.webhooks), Object.keys(sent));
  for (const [type, body] of Object.entries(sent)) {
    const message = JSON.parse(body) as Node;
    assert.equal(message.type, type);
    const { schema } = description.webhooks[type].post.requestBody.content['application/json'];
    const { properties } = schemas[schema.$ref.split('/').at(-1)];
    assert.deepEqual(Object.keys(message), Object.keys(properties));
    const validate = ajv.compile({ $ref: `api${schema.$ref}` });
    assert.ok(validate(message), ajv.errorsText(validate.errors));
  }
});

test('no literal part of a path is a register code, so no address has two meanings [4.2, 4.3, 9.4]', () => {
  const { schema } = description.components.parameters.jurisdiction_code;
  const code = new RegExp(schema.pattern);
  assert.match('US', code);
  const paths = Object.keys(description.paths);
  const shapes = paths.map((path) => path.split('/'));
  for (const [at, one] of shapes.entries()) {
    for (const other of shapes.slice(at + 1).filter(({ length }) => length === one.length)) {
      const isSame = one.every((part, index) => {
        const [left, right] = [part, other[index]!];
        if (left === right) return true;
        const literal = [left, right].find((each) => !each.startsWith('{'));
        const parameter = [left, right].find((each) => each.startsWith('{'));
        if (literal === undefined) return true;
        return parameter === undefined ? false : parameter !== '{jurisdiction_code}' || code.test(literal);
      });
      assert.ok(!isSame, `${one.join('/')} and ${other.join('/')}`);
    }
  }
});

test('every operation shows itself as curl, TypeScript and Python, and every group has a page [9.4]', () => {
  for (const operations of Object.values<Node>(description.paths)) {
    for (const operation of Object.values<Node>(operations)) {
      const languages = operation['x-codeSamples'].map(({ lang }: Node) => lang);
      assert.deepEqual(languages, ['Shell', 'TypeScript', 'Python'], operation.operationId);
    }
  }
  const named = buildDescription({ recordPrefix: 'records', publicUrl: 'https://api.example' }) as Node;
  const pages = new Set(Object.keys(CUSTOMER_PAGES).map((page) => `https://api.example/docs/${page}`));
  for (const { name, externalDocs } of named.tags) assert.ok(pages.has(externalDocs.url), name);
  assert.deepEqual(named.externalDocs, { url: 'https://api.example/docs' });
});

test('the collection has every endpoint with every parameter, and is the one in the repository [9.4]', () => {
  const collection = JSON.parse(JSON.stringify(buildCollection())) as Node;
  const kept = readFileSync(new URL('../../../docs/collection.json', import.meta.url), 'utf8');
  assert.deepEqual(JSON.parse(kept), collection, 'stale: run npm run docs');
  const items: Node[] = collection.item.flatMap(({ item }: Node) => item);
  const named = items.map(({ name, request }) => [
    name,
    request.method,
    [...request.url.variable, ...request.url.query].map(({ key }: Node) => key),
  ]);
  const expected = ENDPOINTS_DESCRIBED.map(({ summary, method, parameters }) => [
    summary,
    method,
    parameters.filter((each) => each.in !== 'header').map(({ name }) => name),
  ]);
  assert.deepEqual(named.toSorted(), expected.toSorted());
});
