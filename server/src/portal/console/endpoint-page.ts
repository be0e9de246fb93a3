/**
 * The page of an endpoint: its purpose and cost, its parameters as a form, the answer or an example of one, the same
 * request as programs, and its errors.
 */
import { html } from 'htm/preact';
import type { ApiRequest, DescribedEndpoint } from '../../render/description/endpoints.ts';
import { type KeyChoice, renderAsk, renderKeyChoice } from '../explorer/ask.ts';
import type { MemberCall, Page, PublicCall } from '../frame/call.ts';
import {
  renderActions,
  renderButton,
  renderEmpty,
  renderHeading,
  renderLinkButton,
  renderNotice,
  renderTrail,
} from '../frame/components.ts';
import { renderField } from '../frame/fields.ts';
import { nameOf } from '../keys/terms.ts';
import { consolePath, renderPrograms } from '../request/request-view.ts';
import { type Answered, renderAnswer, renderJsonBody } from './answer-view.ts';
import { readFaults, renderCodes, renderParameters } from './parameter-fields.ts';
import { describeCost, renderSchemaLink, renderWords } from './schema-page.ts';

export type Asked =
  | ({ readonly kind: 'answered' } & Answered)
  /** Parameters of the path have no value, so nothing was requested. */
  | { readonly kind: 'incomplete'; readonly missing: readonly string[] }
  /** The key has to be chosen, or the call confirmed. */
  | { readonly kind: 'unconfirmed' };

interface EndpointState {
  readonly request: ApiRequest;
  /** The values of the request are those of an example, because the address has none. */
  readonly isExample: boolean;
  readonly baseUrl: string;
  readonly stamp: string;
  readonly choice: KeyChoice | null;
  readonly asked: Asked | null;
}

export function renderEndpointPage(call: PublicCall, state: EndpointState): Page {
  const { request, baseUrl, asked } = state;
  const { endpoint } = request;
  const hasFaults = asked !== null && findFaults(asked).size > 0;
  const body = html`
    ${renderTrail({ label: 'API reference', href: '/portal/api' })}
    ${renderHeading(endpoint.summary)}
    <p><code>${endpoint.method} ${endpoint.path}</code></p>
    <p>${renderWords(endpoint.description)} <span class="silent">${describeCost(endpoint)}</span></p>
    <div class=${asked === null || hasFaults ? 'explorer console' : 'explorer console first'}>
      ${renderForm(state)}
      <section id="results" tabindex="-1" class="results" aria-label=${asked === null ? 'Example and programs' : 'Answer'}>
        ${asked === null ? null : html`<p class="jump"><a href="#request">Change the request</a></p>`}
        ${asked === null ? renderExample(endpoint) : renderAsked(call, state, asked)}
        <section aria-labelledby="programs">
          <h2 id="programs">The request as a program</h2>
          ${renderPrograms(completeRequest(request), baseUrl)}
        </section>
        ${renderCodes(endpoint.codes)}
      </section>
    </div>
  `;
  return { title: endpoint.summary, body, section: 'api', ...(asked === null ? {} : { results: true }) };
}

function findFaults(asked: Asked | null): ReadonlyMap<string, string> {
  if (asked === null || asked.kind === 'unconfirmed') return new Map();
  if (asked.kind === 'answered') return readFaults(asked.refusal, asked.answer);
  return new Map(asked.missing.map((name) => [name, 'Fill it in: it is part of the path.']));
}

function renderForm({ request, isExample, choice, stamp, asked }: EndpointState): unknown {
  const { endpoint, values, more } = request;
  const faults = findFaults(asked);
  const path = `/portal/api/${endpoint.id}`;
  return html`
    <form
      id="request"
      method="get"
      action=${`${path}#results`}
      class="filters"
      data-slow="Sending…"
      aria-label="Request"
    >
      ${isExample ? html`<p class="hint">Filled in with an example. Change what you like, then send it.</p>` : null}
      ${renderParameters(endpoint, { values, faults })}
      ${more === '' ? null : renderMore(more)}
      <input type="hidden" name="asked" value=${stamp === '' ? '1' : stamp} autocomplete="off" />
      ${choice === null || !endpoint.metered ? null : renderCharge(choice)}
      ${renderActions(
        endpoint.method === 'GET' ? renderSend(endpoint, choice) : renderOnlyProgram(),
        renderExampleLink(request, choice),
        values.size === 0 && more === '' ? null : html`<a href=${`${path}?empty=1`}>Clear</a>`,
      )}
    </form>
  `;
}

/** Following a link must not change anything. */
function renderOnlyProgram(): unknown {
  return html`<span class="silent">The console only reads: send it with one of the programs.</span>`;
}

function renderMore(more: string): unknown {
  return renderField({
    id: 'p-more',
    label: 'Further parameters',
    hint: 'Sent unchanged, as in a query string.',
    attributes: { name: 'more', value: more, spellcheck: 'false' },
  });
}

function renderCharge(choice: KeyChoice): unknown {
  if (choice.keys.length === 0) return renderEmpty('To try it, you need a live key for the records product.');
  return renderKeyChoice(choice);
}

function renderSend({ metered }: DescribedEndpoint, choice: KeyChoice | null): unknown {
  if (choice === null) return renderButton('Sign in to send');
  if (metered && choice.keys.length === 0) return renderLinkButton('Issue a key', '/portal/keys/new');
  const { key } = choice;
  const payer = key === null ? null : html` of <bdi>${nameOf(key)}</bdi>`;
  return html`${renderButton('Send')} <span class="silent">${metered ? html`One unit${payer}` : 'Free'}</span>`;
}

function renderExampleLink(request: ApiRequest, choice: KeyChoice | null): unknown {
  const filled = buildExample(request);
  if (filled.values.size === 0 || request.values.size > 0) return null;
  return html`
    <a href=${consolePath(filled, { keyId: choice?.key?.id ?? '' })}>Fill in an example</a>
  `;
}

/** Filters that make an example of a search, as far as the endpoint has them: few, so that it finds something. */
const EXAMPLE_FILTERS: readonly string[] = ['jurisdiction', 'status'];

/** A call that somebody could mean: what it needs, and for a search some filters. */
export function buildExample({ endpoint }: ApiRequest): ApiRequest {
  const isSearch = endpoint.name === 'search' || endpoint.name === 'scoped_search';
  const filled = endpoint.parameters.filter(
    ({ required, name }) => required || (isSearch && EXAMPLE_FILTERS.includes(name)),
  );
  const values = new Map(filled.map(({ name, example }) => [name, example] as const));
  return completeRequest({ endpoint, values, more: '' });
}

/** With the examples of the values that a call needs and does not have. */
function completeRequest(request: ApiRequest): ApiRequest {
  const { endpoint, values, more } = request;
  const needed = endpoint.parameters.filter(({ required, name }) => required && !values.has(name));
  const isUnfiltered = endpoint.codes.includes('missing_filter') && values.size === 0 && more === '';
  const filter = endpoint.parameters.filter(({ declared }) => isUnfiltered && declared?.filter === true).slice(0, 1);
  const examples = [...needed, ...filter].map(({ name, example }) => [name, example] as const);
  return { ...request, values: new Map([...values, ...examples]) };
}

function renderAsked(call: PublicCall, { request, stamp, choice }: EndpointState, asked: Asked): unknown {
  switch (asked.kind) {
    case 'answered':
      return renderAnswer(request, asked, { asked: call.query.get('asked') ?? '', stamp });
    case 'incomplete':
      return renderNotice('bad', 'Nothing was requested: the path is not complete.', 'alert');
    case 'unconfirmed':
      return choice === null ? null : renderAsk(call as MemberCall, choice);
  }
}

function renderExample({ schema, example }: DescribedEndpoint): unknown {
  return html`
    <section aria-labelledby="example">
      <h2 id="example">Example of an answer</h2>
      ${renderJsonBody(example)}
      <p class="hint">Its members: ${renderSchemaLink(schema)}</p>
    </section>
  `;
}
