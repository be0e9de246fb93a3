/**
 * The reference of the API, which everybody can read, and its console, in which customers make calls with their keys. A
 * call is made when its form is sent or a link inside an answer is followed; the stamp in the address shows this. It is
 * judged, metered and refused like any other. When a link on another site led here, nothing is charged until the person
 * confirms, and signing in makes no call.
 */

import { API_VERSION } from '@tmds/contract/limits';
import { html } from 'htm/preact';
import { stringify } from 'lossless-json';
import {
  type ApiRequest,
  type DescribedEndpoint,
  ENDPOINTS_DESCRIBED,
  headersOf,
  listMissing,
  targetOf,
} from '../../render/description/endpoints.ts';
import { TAGS } from '../../render/description/operation.ts';
import { ask, baseUrlOf, chooseKey, type Explorer, type KeyChoice, readRefusal } from '../explorer/ask.ts';
import type { Answers } from '../explorer/remembered-answers.ts';
import {
  type Download,
  type MemberCall,
  type Page,
  type PortalRoute,
  type PublicCall,
  pageNotFound,
  type Redirect,
} from '../frame/call.ts';
import { renderCopyable, renderHeading } from '../frame/components.ts';
import { consolePath, readRequest } from '../request/request-view.ts';
import type { ApiAnswer, PortalServices } from '../services.ts';
import { type Asked, buildExample, renderEndpointPage } from './endpoint-page.ts';
import { listSchemas, renderSchemaPage, renderWords } from './schema-page.ts';

export function listConsoleRoutes(services: PortalServices, answers: Answers): PortalRoute[] {
  const explorer = { services, answers };
  return [
    { method: 'GET', url: '/api', open: async (call) => renderListPage(call, baseUrlOf(call, services)) },
    { method: 'GET', url: '/api/schemas/:schema', open: async ({ params }) => renderSchemaPage(params.schema ?? '') },
    { method: 'GET', url: '/api/:operation', open: (call) => showEndpoint(call, explorer) },
    { method: 'GET', url: '/api/:operation/answer', members: (call) => sendFile(call, explorer) },
  ];
}

function findEndpoint({ params }: PublicCall): DescribedEndpoint {
  const endpoint = ENDPOINTS_DESCRIBED.find(({ id }) => id === params.operation);
  if (endpoint === undefined) throw pageNotFound();
  return endpoint;
}

async function showEndpoint(call: PublicCall, explorer: Explorer): Promise<Page | Redirect> {
  const { services, answers } = explorer;
  const typed = readRequest(findEndpoint(call), call.query);
  const isBare = typed.values.size === 0 && typed.more === '' && !call.query.has('asked') && !call.query.has('empty');
  const request = isBare ? buildExample(typed) : typed;
  const isExample = isBare && request.values.size > 0;
  const baseUrl = baseUrlOf(call, services);
  const { person, user, token } = call;
  if (person === null || user === null || token === null) {
    // The stamp is left out: returning to the filled-in form is enough.
    if (person === null && call.query.has('asked'))
      return { to: `/portal/sign-in?next=${encodeURIComponent(pathOf(request, call))}` };
    return renderEndpointPage(call, { request, isExample, baseUrl, stamp: '', choice: null, asked: null });
  }
  const member = { ...call, person, user, token };
  const choice = await chooseKey(member, services, answers);
  const asked = call.query.has('asked') ? await makeCall(member, explorer, request, choice) : null;
  const stamp = services.clock.nowMs().toString(36);
  return renderEndpointPage(call, { request, isExample, baseUrl, stamp, choice, asked });
}

async function makeCall(
  call: MemberCall,
  explorer: Explorer,
  request: ApiRequest,
  choice: KeyChoice,
): Promise<Asked | null> {
  const { services } = explorer;
  if (request.endpoint.method !== 'GET') return null;
  const missing = listMissing(request);
  if (missing.length > 0) return { kind: 'incomplete', missing };
  const target = targetOf(request);
  const options = { headers: headersOf(request) };
  if (!request.endpoint.metered) {
    const answer = await services.callApi(null, target, options);
    return { kind: 'answered', answer, refusal: readRefusal(answer), outcome: null };
  }
  const outcome = await ask(call, explorer, choice, target, options);
  if (outcome === null) return choice.keys.length === 0 ? null : { kind: 'unconfirmed' };
  return { kind: 'answered', answer: outcome.answer, refusal: outcome.refusal, outcome };
}

/** The whole answer as a file, as long as it is remembered; never another call. */
async function sendFile(call: MemberCall, { services, answers }: Explorer): Promise<Download | Redirect> {
  const request = readRequest(findEndpoint(call), call.query);
  const { key } = await chooseKey(call, services, answers);
  const stamp = call.query.get('asked') ?? '';
  const question = { target: targetOf(request), stamp, headers: headersOf(request) };
  const answer = key === null ? null : await answers.recall({ keyId: key.id, ...question });
  return answer === null ? { to: pathOf(request, call) } : buildAnswerFile(request.endpoint, answer);
}

function pathOf(request: ApiRequest, { query }: PublicCall): string {
  return consolePath(request, { keyId: query.get('key') ?? '' });
}

function renderListPage({ user }: PublicCall, baseUrl: string): Page {
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
        <section aria-labelledby=${`tag-${tag}`}>
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
        ${listSchemas().map((name) => html`<li><a href=${`/portal/api/schemas/${name}`}><code>${name}</code></a></li>`)}
      </ul>
    </section>
  `;
  return { title: 'API reference', body, section: 'api' };
}

function renderEndpoint({ id, method, path, summary, description, metered }: DescribedEndpoint): unknown {
  return html`
    <li>
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

function buildAnswerFile({ id }: DescribedEndpoint, { body }: ApiAnswer): Download {
  const text = stringify(body, null, 2) ?? 'null';
  return { download: `${id}.json`, type: 'application/json; charset=utf-8', chunks: [Buffer.from(`${text}\n`)] };
}
