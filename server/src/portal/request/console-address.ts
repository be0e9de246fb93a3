/** A call of the API in the address of a console page: read from one, and written as one. */
import type { ApiRequest, DescribedEndpoint } from '../../render/description/endpoints.ts';

/** The request in the address of a console page. */
export function readRequest(endpoint: DescribedEndpoint, query: URLSearchParams): ApiRequest {
  const values = new Map<string, string>();
  for (const { name } of endpoint.parameters) {
    const value = query.getAll(name).find((text) => text !== '');
    if (value !== undefined) values.set(name, value);
  }
  return { endpoint, values, more: query.get('more') ?? '' };
}

/** The console page of a request, filled in. With a stamp it is made at once, and again only with another stamp. */
export function consolePath(
  { endpoint, values, more }: ApiRequest,
  { keyId, asked }: { readonly keyId: string; readonly asked?: string },
): string {
  const fields = new URLSearchParams([...values]);
  if (more !== '') fields.set('more', more);
  if (keyId !== '') fields.set('key', keyId);
  if (asked !== undefined) fields.set('asked', asked);
  const query = fields.toString();
  return `/portal/api/${endpoint.id}${query === '' ? '' : `?${query}`}`;
}
