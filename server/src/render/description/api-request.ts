/**
 * A call of the API in its parts: which endpoint, the values of its parameters, and the rest of the query. It is read
 * from the address of a call, and written as one.
 * Invariant: read and written again, it is the same call, except for the order of parameters.
 */
import { type DescribedEndpoint, findEndpoint } from './endpoints.ts';

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
