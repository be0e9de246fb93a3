/** The request of a page: as a URL and as programs to copy, and the way to the console. The key never appears. */
import { html } from 'htm/preact';
import { type ApiRequest, parseTarget } from '../../render/description/endpoints.ts';
import { listPrograms } from '../../render/description/programs.ts';
import { renderCopyable } from '../frame/components.ts';
import { consolePath } from './console-address.ts';

export interface RequestShown {
  /** Everything before `/v1`: scheme, authority and the product's prefix. */
  readonly baseUrl: string;
  /** `/v1/…` with its query. */
  readonly target: string;
  /** Empty when none is chosen. */
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
