/**
 * Checks a response against the interface description. It throws on an undescribed status, a missing or wrong header,
 * an extra member or one of another type. It treats objects as closed so that nothing undescribed is answered, although
 * clients may treat them as open.
 */
import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { buildDescription } from '../../src/render/description/document.ts';
import { findEndpoint } from '../../src/render/description/endpoints.ts';

// biome-ignore lint/suspicious/noExplicitAny: a JSON document, walked by names that its own builder gave
type Node = { [name: string]: any };

const description = buildDescription({ recordPrefix: 'records' }) as Node;
const ajv = new Ajv2020({ strict: false, allErrors: true });
(addFormats as unknown as (target: Ajv2020) => void)(ajv);
ajv.addSchema({ $id: 'api', components: closeObjects(description.components) });

const validators = new Map<unknown, ValidateFunction>();
/** Headers that HTTP adds, or that are the same on every response. */
const UNDESCRIBED = new RegExp(
  `^(${[
    'access-control-.*',
    'cache-control',
    'connection',
    'content-.*',
    'date',
    'keep-alive',
    'transfer-encoding',
    'vary',
    'x-content-type-options',
  ].join('|')})$`,
);

export interface DescribedResponse {
  method: string;
  /** The target of the request without a product prefix. */
  target: string;
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

/** Throws an AssertionError that names the mismatch. Other targets are ignored. */
export function checkDescribed(response: DescribedResponse): void {
  const bare = response.target.split('?')[0]!;
  const operation = (findEndpoint(bare, response.method as 'GET') ?? findEndpoint(bare))?.endpoint;
  if (operation === undefined || response.status === 204) return;
  const where = `${response.method} ${response.target.slice(0, 200)} ${response.status}`;
  const responses = description.paths[operation.path][operation.method.toLowerCase()].responses;
  const listed: Node | undefined = responses[response.status];
  assert.ok(listed, `${where} is not described`);
  const described: Node = listed.$ref === undefined ? listed : description.components.responses.MethodNotAllowed;
  checkHeaders(described, response, where);
  if (response.body === null) return;
  const { schema, examples } = described.content['application/json'];
  // One schema describes every refusal; the endpoint's examples list the codes for each status.
  const { error } = response.body as { error?: { code: string } };
  if (error !== undefined) assert.ok(Object.hasOwn(examples, error.code), `${where} does not list ${error.code}`);
  const validate = findValidator(schema);
  assert.ok(validate(response.body), `${where}: ${ajv.errorsText(validate.errors)} ${JSON.stringify(response.body)}`);
}

function checkHeaders(described: Node, { headers, status }: DescribedResponse, where: string): void {
  const names = Object.keys(described.headers ?? {});
  const known = new Set(names.map((name) => name.toLowerCase()));
  const extra = Object.keys(headers).filter((name) => !UNDESCRIBED.test(name) && !known.has(name));
  assert.deepEqual(extra, [], `${where} carries headers that are not described`);
  assert.ok(headers['x-request-id'], `${where} has no request id`);
  if (status === 200) {
    const optional = new Set(['X-Poll-After', 'Server-Timing', 'Coverage']);
    const missing = names.filter((name) => !optional.has(name) && headers[name.toLowerCase()] === undefined);
    assert.deepEqual(missing, [], `${where} lacks headers that are described`);
  }
  for (const name of names) {
    const text = headers[name.toLowerCase()];
    if (text === undefined) continue;
    const { schema } = description.components.headers[name];
    const value = schema.type === 'integer' ? Number(text) : text;
    assert.ok(findValidator(schema)(value), `${where}: ${name}: ${text}`);
  }
}

function findValidator(schema: unknown): ValidateFunction {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const compiled = ajv.compile(closeObjects(schema) as Node);
  validators.set(schema, compiled);
  return compiled;
}

/** A copy with closed objects, in which references point into the registered description. */
function closeObjects(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closeObjects);
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, closeObjects(value)])) as Node;
  if (typeof copy.$ref === 'string') copy.$ref = copy.$ref.replace('#/', 'api#/');
  if (copy.properties !== undefined && copy.additionalProperties === undefined) copy.additionalProperties = false;
  return copy;
}
