/** The request of a page: as a URL and as programs to copy, and its address in the console. The key never appears. */

import { html } from 'htm/preact';
import type { DescribedEndpoint } from '../../render/description/endpoints.ts';
import { type ApiRequest, parseTarget } from '../../render/description/endpoints.ts';
import { listPrograms } from '../../render/description/programs.ts';
import { renderCopyable } from '../frame/components.ts';

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

export interface RequestShown {
  /** Everything before `/v1`: scheme, authority and the product's prefix. */
  readonly baseUrl: string;
  readonly target: string;
  readonly keyId: string;
  /** Why the API refuses it to a program, although the page has an answer; null if it does not. Default: null. */
  readonly limit?: string | null;
}

export function renderRequest({ baseUrl, target, keyId, limit = null }: RequestShown): unknown {
  const request = parseTarget(target);
  if (request === null) return null;
  return html`
    <details class="request">
      <summary>The same request for a program</summary>
      ${limit === null ? null : html`<p class="hint">This page searches more than one call may: ${limit}</p>`}
      ${renderPrograms(request, baseUrl)}
      <p><a rel="nofollow" href=${consolePath(request, { keyId })}>Open in the console</a>, where it can be changed and
        sent, with the answer as JSON.</p>
    </details>
  `;
}

export function renderPrograms(request: ApiRequest, baseUrl: string): unknown {
  return listPrograms(request, baseUrl).map(
    ({ name, label, text, needs }) => html`
      ${renderCopyable(label, text, `request-${name}`)}
      ${needs === null ? null : html`<p class="hint">${needs}</p>`}
    `,
  );
}
