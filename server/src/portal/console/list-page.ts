/** The reference: every endpoint in its group, how a call is made, and the schemas of the answers. */
import { API_VERSION } from '@tmds/contract/limits';
import { html } from 'htm/preact';
import { type DescribedEndpoint, ENDPOINTS_DESCRIBED } from '../../render/description/endpoints.ts';
import { TAGS } from '../../render/description/operation.ts';
import type { Page, PublicCall } from '../frame/call.ts';
import { renderCopyable, renderHeading } from '../frame/components.ts';
import { listSchemas } from './schema-page.ts';
import { renderWords } from './words.ts';

export function renderListPage({ user }: PublicCall, baseUrl: string): Page {
  const groups = Object.entries(TAGS).map(([tag, description]) => ({
    tag,
    description,
    endpoints: ENDPOINTS_DESCRIBED.filter((endpoint) => endpoint.tag === tag),
  }));
  const body = html`
    ${renderHeading('API reference', html`<p class="silent">Version ${API_VERSION}</p>`)}
    <p>
      Every path takes GET and answers JSON; watches and webhooks also take PUT and DELETE. Choose one to see its
      parameters and to
      ${user === null ? html` try it once you have <a href="/portal/sign-in?next=/portal/api">signed in</a>.` : ' try it with one of your keys.'}
    </p>
    ${groups.map(
      ({ tag, description, endpoints }) => html`
        <section key=${tag} aria-labelledby=${`tag-${tag}`}>
          <h2 id=${`tag-${tag}`}>${tag.charAt(0).toUpperCase() + tag.slice(1)}</h2>
          <p class="hint">${description}</p>
          <ul class="endpoints">${endpoints.map(renderEndpoint)}</ul>
        </section>
      `,
    )}
    <section aria-labelledby="calling">
      <h2 id="calling">Making a call</h2>
      <p>Send the secret of a key in <code>X-API-Key</code>, or as a Bearer token in <code>Authorization</code>.
        Unknown, repeated and empty parameters are refused, never ignored.
        An answer that is not 2xx has an <a href="/docs/errors">error code</a>, which says what to change.</p>
      ${renderCopyable('Base URL', baseUrl, 'base-url')}
      <ul class="entries">
        <li><a href="/openapi.json">OpenAPI 3.1 description</a></li>
        <li><a href="/docs">Documents</a>: guides, history, watches, clients, changelog</li>
        <li><a href="/docs/api">Everything on one page</a>, and <a href="/docs/api.md">as Markdown</a></li>
      </ul>
    </section>
    <section aria-labelledby="schemas">
      <h2 id="schemas">Schemas of the answers</h2>
      <ul class="schemas">
        ${listSchemas().map(
          (name) => html`<li key=${name}><a href=${`/portal/api/schemas/${name}`}><code>${name}</code></a></li>`,
        )}
      </ul>
    </section>
  `;
  return { title: 'API reference', body, section: 'api' };
}

function renderEndpoint({ id, method, path, summary, description, metered }: DescribedEndpoint): unknown {
  return html`
    <li key=${id}>
      <a href=${`/portal/api/${id}`}>${summary}</a>
      <code>${method} ${path}</code>
      <span class="silent">${renderWords(firstSentence(description))}${metered ? ' One unit.' : ' Free.'}</span>
    </li>
  `;
}

/** Up to its first full stop; a stop within backticks does not count. */
function firstSentence(text: string): string {
  return /^(?:[^.`]|`[^`]*`)*\./.exec(text)?.[0] ?? text;
}
