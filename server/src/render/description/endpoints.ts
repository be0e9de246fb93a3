/**
 * Every endpoint with its complete description. The interface description and the reference of the portal derive from
 * it, so they name the same parameters and codes. A call of the API in its parts: which endpoint, the values of its
 * parameters, and the rest of the query. It is read from the address of a call, and written as one.
 * Invariant: read and written again, it is the same call, except for the order of parameters.
 */
import type { Product } from '@tmds/contract/enums';
import type { ErrorCode } from '@tmds/contract/errors';
import type { Method } from '@tmds/contract/extras';
import type { ParameterDefinition } from '@tmds/contract/parameters';
import { DECLARED, type DeclaredName, methodOf, PATH_ENDS, productOf, readPathEnd } from '../../parse/query.ts';
import { EVERY_CODE, type Operation } from './operation.ts';
import { OPERATIONS } from './operations.ts';
import { buildParameter, buildSharedParameters } from './parameters.ts';
import type { Json } from './schema-parts.ts';

const METERED_CODES = ['unauthorized', 'key_revoked', 'product_not_enabled', 'rate_limited', 'quota_exceeded'] as const;

export interface DescribedParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: Json;
  /** As written in a request; empty if there is none. */
  readonly example: string;
  /** Its declaration in the contract; null outside of the query. */
  readonly declared: ParameterDefinition | null;
}

export interface DescribedEndpoint extends Operation {
  readonly name: DeclaredName;
  /** All codes with which it refuses a call. */
  readonly codes: readonly ErrorCode[];
  readonly method: Method;
  /** The product that a key needs. */
  readonly product: Product;
  /** Below the product's prefix, such as `/v1/{jurisdiction_code}/changes`. */
  readonly path: string;
  /** Whether a served call costs a unit, and so needs a key. */
  readonly metered: boolean;
  /** In the order of a request: path, query, headers. */
  readonly parameters: readonly DescribedParameter[];
}

const CURSOR_CODES = ['cursor_invalid', 'cursor_query_mismatch'] as const;

/** Every code with which an endpoint refuses a call of its method; most follow from its parameters and its path. */
export function listCodes(name: DeclaredName): readonly ErrorCode[] {
  const { path, parameters, required, metered } = DECLARED[name];
  const isDeclaredClosely =
    required.length > 0 ||
    Object.values<ParameterDefinition>(parameters).some(
      ({ value: { form } }) => form === 'choice' || form === 'integer',
    );
  // What the last part of a path names is made by PUT if there is none.
  const makes = methodOf(name) === 'PUT' && path.endsWith('}');
  return [
    ...EVERY_CODE,
    ...(OPERATIONS[name].codes ?? []),
    ...('cursor' in parameters ? CURSOR_CODES : []),
    ...(isDeclaredClosely ? (['validation_error'] as const) : []),
    ...(path.includes('{') && !makes ? (['not_found'] as const) : []),
    ...(metered ? METERED_CODES : []),
  ];
}

/** All endpoints in the order of the documentation. */
export const ENDPOINTS_DESCRIBED: readonly DescribedEndpoint[] = (Object.keys(DECLARED) as DeclaredName[]).map(
  (name) => {
    const { path, parameters, required, metered } = DECLARED[name];
    const operation = OPERATIONS[name];
    const shared = buildSharedParameters() as Readonly<Record<string, Shared>>;
    const inPath = [...path.matchAll(/\{(?<name>\w+)\}/g)].map(({ groups }) => toDescribed(shared[groups!.name!]!));
    const inQuery = Object.entries<ParameterDefinition>(parameters).map(([parameter, declared]) => ({
      ...(buildParameter(
        parameter,
        declared,
        (required as readonly string[]).includes(parameter),
      ) as unknown as Shared),
      example: declared.example,
      declared,
    }));
    const inHeader = [
      ...(operation.headers?.includes('ETag') === true ? [toDescribed(shared.IfNoneMatch!)] : []),
      ...(operation.headers?.includes('Accept-Ranges') === true ? [toDescribed(shared.Range!)] : []),
    ];
    return {
      ...operation,
      name,
      codes: listCodes(name),
      method: methodOf(name),
      product: productOf(name),
      path,
      metered,
      parameters: [...inPath, ...inQuery, ...inHeader],
    };
  },
);

interface FoundEndpoint {
  readonly endpoint: DescribedEndpoint;
  /** The raw parameters of the path. */
  readonly texts: Readonly<Record<string, string>>;
}

/** As the router prefers them: a literal part comes before a parameter, because no letter comes after `{`. */
const PATTERNS = [...ENDPOINTS_DESCRIBED]
  .sort((one, other) => (one.path < other.path ? -1 : 1))
  .map((endpoint) => ({ endpoint, pattern: patternOf(endpoint.path) }));

/** The endpoint of a path, as sent below the product's prefix; null if there is none. */
export function findEndpoint(path: string, method: Method = 'GET'): FoundEndpoint | null {
  const end = readPathEnd(path) ?? undefined;
  for (const { endpoint, pattern } of PATTERNS) {
    const isOther = productOf(endpoint.name) === 'records' && PATH_ENDS[endpoint.name] !== end;
    if (isOther || endpoint.method !== method) continue;
    const found = pattern.exec(path);
    if (found !== null) return { endpoint, texts: { ...found.groups } };
  }
  return null;
}

/** A uid may contain slashes. */
function patternOf(path: string): RegExp {
  return new RegExp(
    `^${path.replace(/\{(\w+)\}/g, (_whole, name) => `(?<${name}>${name === 'uid' ? '.+' : '[^/]+'})`)}$`,
  );
}

type Shared = Omit<DescribedParameter, 'example' | 'declared'> & { readonly example?: string | number };

function toDescribed({ example = '', ...shared }: Shared): DescribedParameter {
  return { ...shared, example: String(example), declared: null };
}

export interface ApiRequest {
  readonly endpoint: DescribedEndpoint;
  /** By the name of the parameter; none is empty. */
  readonly values: ReadonlyMap<string, string>;
  /** Pairs of the query string, as sent, that are no value of a parameter: unknown, repeated, undecodable. */
  readonly more: string;
}

/** The request that `/v1/…` with its query makes; null when that is no endpoint. */
export function parseTarget(target: string): ApiRequest | null {
  const [, path = '', queryText = ''] = /^([^?]*)(?:\?(.*))?$/s.exec(target) ?? [];
  const found = findEndpoint(path);
  if (found === null) return null;
  const values = new Map<string, string>();
  for (const [name, text] of Object.entries(found.texts)) {
    const value = decode(text);
    if (value === null) return null;
    values.set(name, value);
  }
  return { endpoint: found.endpoint, ...readQuery(found.endpoint, queryText, values) };
}

function readQuery(
  { parameters }: DescribedEndpoint,
  queryText: string,
  inPath: ReadonlyMap<string, string>,
): Pick<ApiRequest, 'values' | 'more'> {
  const values = new Map(inPath);
  const more: string[] = [];
  for (const pair of queryText.split('&').filter((text) => text !== '')) {
    const [, name = '', text = ''] = /^([^=]*)=?(.*)$/s.exec(pair) ?? [];
    const value = decode(text.replaceAll('+', ' '));
    const isParameter = parameters.some((parameter) => parameter.in === 'query' && parameter.name === name);
    if (isParameter && value !== null && value !== '' && !values.has(name)) values.set(name, value);
    else more.push(pair);
  }
  return { values, more: more.join('&') };
}

/** Null for a text that no field of a page can hold: no UTF-8, or a NUL. */
function decode(text: string): string | null {
  try {
    const decoded = decodeURIComponent(text);
    return decoded.includes('\0') ? null : decoded;
  } catch {
    return null;
  }
}

/** The parameters of the path that have no value, without which there is no address to call. */
export function listMissing({ endpoint, values }: ApiRequest): readonly string[] {
  return endpoint.parameters.filter((each) => each.in === 'path' && !values.has(each.name)).map(({ name }) => name);
}

/** `/v1/…` with its query. A part of the path without a value stays as in the description. */
export function targetOf({ endpoint, values, more }: ApiRequest): string {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = values.get(name);
    return value === undefined ? whole : encodeURIComponent(value);
  });
  const query = new URLSearchParams(pairsOf({ endpoint, values }) as [string, string][]).toString();
  const parts = [query, encodeMore(more)].filter((part) => part !== '');
  return parts.length === 0 ? path : `${path}?${parts.join('&')}`;
}

/** The values of the query, in the order of the documentation. */
export function pairsOf({ endpoint, values }: Pick<ApiRequest, 'endpoint' | 'values'>): readonly [string, string][] {
  return endpoint.parameters
    .filter((each) => each.in === 'query' && values.has(each.name))
    .map(({ name }) => [name, values.get(name)!]);
}

/** As typed, with encoding where an address requires it. */
function encodeMore(more: string): string {
  return encodeURI(more.toWellFormed()).replaceAll('%25', '%').replaceAll('#', '%23');
}

export function headersOf({ endpoint, values }: ApiRequest): Readonly<Record<string, string>> {
  const named = endpoint.parameters.filter((each) => each.in === 'header' && values.has(each.name));
  return Object.fromEntries(named.map(({ name }) => [name.toLowerCase(), values.get(name)!]));
}
