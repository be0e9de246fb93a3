/**
 * The example of an operation as programs, for readers of the interface description that show `x-codeSamples`; and the
 * endpoints as a collection for Postman and Bruno (format v2.1), with the key and the address as variables.
 */

import { ANALYTICS_ROOT } from '@tmds/contract/extras';
import { API_VERSION } from '@tmds/contract/limits';
import { productOf } from '../../parse/query.ts';
import { type ApiRequest, type DescribedEndpoint, ENDPOINTS_DESCRIBED, pairsOf } from './endpoints.ts';
import { TAGS } from './operation.ts';
import { listPrograms } from './programs.ts';
import type { Json } from './schema-parts.ts';

const LANGUAGES = { curl: 'Shell', client: 'TypeScript', python: 'Python' } as const;
/** What a query shows; the parameters of the path and those that are required are always there. */
const SHOWN: ReadonlySet<string> = new Set(['jurisdiction', 'nice_class', 'status', 'numbers', 'mark', 'limit']);

function buildSampleRequest(endpoint: DescribedEndpoint): ApiRequest {
  const shown = endpoint.parameters.filter(
    ({ name, in: place, required, example }) =>
      example !== '' && place !== 'header' && (place === 'path' || required || SHOWN.has(name)),
  );
  return { endpoint, values: new Map(shown.map(({ name, example }) => [name, example])), more: '' };
}

/** `recordsUrl`: everything before `/v1` in the address of an endpoint of the records. */
export function buildCodeSamples(endpoint: DescribedEndpoint, recordsUrl: string): readonly Json[] {
  return listPrograms(buildSampleRequest(endpoint), recordsUrl).flatMap(({ name, label, text }) => {
    const lang = LANGUAGES[name as keyof typeof LANGUAGES];
    return lang === undefined ? [] : [{ lang, label, source: text }];
  });
}

const COLLECTION_SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

export function buildCollection(): Json {
  const folders = Object.entries(TAGS).map(([tag, description]) => ({
    name: tag,
    description,
    item: ENDPOINTS_DESCRIBED.filter((endpoint) => endpoint.tag === tag).map(buildItem),
  }));
  return {
    info: { name: `Trademark Data Service: Record API ${API_VERSION}`, schema: COLLECTION_SCHEMA },
    auth: { type: 'apikey', apikey: [pair('key', 'X-API-Key'), pair('value', '{{apiKey}}'), pair('in', 'header')] },
    variable: [
      { key: 'origin', value: 'http://127.0.0.1:8080' },
      { key: 'recordPrefix', value: 'records' },
      { key: 'analyticsPrefix', value: 'analytics' },
      { key: 'apiKey', value: '' },
    ],
    item: folders,
  };
}

function pair(key: string, value: string): Json {
  return { key, value, type: 'string' };
}

function buildItem(endpoint: DescribedEndpoint): Json {
  const { method, metered, summary, description, body } = endpoint;
  const request = buildSampleRequest(endpoint);
  const prefix = productOf(endpoint.name) === 'records' ? '{{recordPrefix}}' : '{{analyticsPrefix}}';
  const path = endpoint.path
    .replace(ANALYTICS_ROOT, '')
    .split('/')
    .filter((part) => part !== '')
    .map((part) => part.replace(/^\{(\w+)\}$/, ':$1'));
  const inPath = endpoint.parameters.filter((parameter) => parameter.in === 'path');
  const chosen = new Map(pairsOf(request));
  const query = endpoint.parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, example, description: meaning }) => ({
      key: name,
      value: chosen.get(name) ?? example,
      description: meaning,
      ...(chosen.has(name) ? {} : { disabled: true }),
    }));
  const raw = `{{origin}}/${[prefix, ...path].join('/')}`;
  return {
    name: summary,
    request: {
      method,
      description,
      ...(metered ? {} : { auth: { type: 'noauth' } }),
      header: body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }],
      url: {
        raw,
        host: ['{{origin}}'],
        path: [prefix, ...path],
        variable: inPath.map(({ name, example, description: meaning }) => ({
          key: name,
          value: example,
          description: meaning,
        })),
        query,
      },
      ...(body === undefined ? {} : { body: { mode: 'raw', raw: JSON.stringify(body.example, null, 2) } }),
    },
  };
}
