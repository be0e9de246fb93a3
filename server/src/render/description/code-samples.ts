/** The example of an operation as programs, for readers of the interface description that show `x-codeSamples`. */
import type { ApiRequest } from './api-request.ts';
import type { DescribedEndpoint } from './endpoints.ts';
import { listPrograms } from './programs.ts';
import type { Json } from './schema-parts.ts';

const LANGUAGES = { curl: 'Shell', client: 'TypeScript', python: 'Python' } as const;
/** What a query shows; the parameters of the path and those that are required are always there. */
const SHOWN: ReadonlySet<string> = new Set(['jurisdiction', 'nice_class', 'status', 'numbers', 'mark', 'limit']);

export function buildSampleRequest(endpoint: DescribedEndpoint): ApiRequest {
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
