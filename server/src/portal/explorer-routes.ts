/**
 * The explorer: a search, a record, the changes of a register, each one call of the public API with a key of the
 * customer that the person chose, and therefore judged, metered and refused like any other. A page that another site
 * sent the browser to costs nothing until the person asks for it.
 */

import type { ChangesPage, SearchPage, TrademarkDetail } from '@tmds/contract/record';
import { html } from 'htm/preact';
import { type CustomerKey, findCustomerKey, listCustomerKeys } from '../store/portal-keys.ts';
import { listRegisters } from '../store/registers.ts';
import type { ApiAnswer, MemberCall, Page, PortalRoute, PortalServices } from './call.ts';
import { type FormState, readPairs, renderControls, renderFilters, type SearchPairs } from './explorer-form.ts';
import { renderCost, renderKeyChoice, renderRefused, renderResults, type Shown } from './explorer-results.ts';
import { renderFeed } from './feed-page.ts';
import { nameOf } from './keys-pages.ts';
import { renderRecord } from './record-page.ts';
import { buildSearchCode, quote, renderRequest } from './snippets.ts';

const COSTS = 'A search costs one unit, whatever it finds; a refused one costs none.';
const FEED_COSTS = 'Each page costs one unit; a refused one costs none.';
const OWN_FIELDS = ['key', 'done', 'go'];

export function listExplorerRoutes(services: PortalServices): PortalRoute[] {
  return [
    { method: 'GET', url: '/explorer', members: (call) => showExplorer(call, services) },
    { method: 'GET', url: '/explorer/records/:register/*', members: (call) => showRecord(call, services) },
    { method: 'GET', url: '/feed', members: (call) => showFeed(call, services) },
  ];
}

/** Live keys that carry the records product, and the chosen one: the one named, or the newest. */
async function chooseKey(
  call: MemberCall,
  { database }: PortalServices,
): Promise<{ keys: CustomerKey[]; key: CustomerKey | null }> {
  const all = await listCustomerKeys(database, call.user.customer_id);
  const keys = all.filter(
    ({ revoked_at, products }) => revoked_at === null && products.some(({ product }) => product === 'records'),
  );
  return { keys, key: keys.find(({ id }) => id === call.query.get('key')) ?? keys[0] ?? null };
}

function renderNoKey(title: string, section: 'explorer' | 'feed'): Page {
  const body = html`
    <section class="narrow">
      <h1>${title}</h1>
      <p class="empty">Looking at records is a call like any other and needs a live key for the records product.</p>
      <p><a class="button" href="/portal/keys/new">Issue a key</a></p>
    </section>
  `;
  return { title, body, section };
}

/** What a call came to, with the key's count after it. */
async function ask(
  call: MemberCall,
  services: PortalServices,
  key: CustomerKey,
  target: string,
): Promise<{ answer: ApiAnswer; key: CustomerKey }> {
  const answer = await services.callApi(key.id, target);
  const counted = await findCustomerKey(services.database, call.user.customer_id, key.id);
  return { answer, key: counted ?? key };
}

function queryText(pairs: SearchPairs): string {
  const text = new URLSearchParams(pairs.map(([name, value]) => [name, value])).toString();
  return text === '' ? '' : `?${text}`;
}

function baseUrlOf(call: MemberCall, { recordPrefix }: PortalServices): string {
  return `${call.origin}/${recordPrefix}`;
}

function renderAsk(call: MemberCall): unknown {
  const [path = '', query = ''] = call.target.split('?');
  const fields = [...new URLSearchParams(query)].filter(([name]) => name !== 'go');
  return html`
    <form method="get" action=${path} class="notice">
      ${fields.map(
        ([name, value], position) => html`<input key=${position} type="hidden" name=${name} value=${value} />`,
      )}
      <input type="hidden" name="go" value="1" />
      <p>A link from elsewhere led here. Looking costs one unit.</p>
      <button type="submit">Look</button>
    </form>
  `;
}

async function showExplorer(call: MemberCall, services: PortalServices): Promise<Page> {
  const { keys, key } = await chooseKey(call, services);
  if (key === null) return renderNoKey('Explorer', 'explorer');
  const registers = (await listRegisters(services.database)).map(({ jurisdiction_code }) => jurisdiction_code);
  const pairs = readPairs(call.query, OWN_FIELDS);
  const target = `/v1/trademarks${queryText(pairs)}`;
  const asks = pairs.some(([name]) => name !== 'sort' && name !== 'order' && name !== 'limit' && name !== 'count');
  const asked = asks && !call.fromElsewhere ? await ask(call, services, key, target) : null;
  const refusal = asked === null ? null : readRefusal(asked.answer);
  const state: FormState = { pairs: pairs.filter(([name]) => name !== 'cursor'), registers, refusal };
  const shown: Shown = { query: call.query, pairs, keyId: key.id };
  const request = renderRequest({ baseUrl: baseUrlOf(call, services), target, code: buildSearchCode(pairs) });
  const body = html`
    <h1>Explorer</h1>
    <div class=${refusal === null ? 'explorer first' : 'explorer'}>
      <form
        id="search"
        method="get"
        action="/portal/explorer"
        class="filters"
        data-slow="Searching…"
        aria-label="Search"
      >
        ${refusal === null ? null : renderRefused(refusal)}
        ${renderFilters(state)}
        ${renderControls(state)}
        ${renderKeyChoice(keys, key)}
        <div class="actions">
          <button type="submit">Search</button>
          <a class="button second" href=${`/portal/explorer?key=${key.id}`}>Clear</a>
        </div>
      </form>
      <section class="results" aria-label="Results">
        ${asks && asked === null ? renderAsk(call) : null}
        ${
          asked === null
            ? html`<p class="empty">Choose at least one filter. ${COSTS}</p>`
            : html`
                ${refusal === null ? html`<p class="jump"><a href="#search">Change the search</a></p>` : null}
                ${refusal === null ? renderResults(asked.answer.body as SearchPage, shown) : null}
                ${renderCost(asked.answer, asked.key, nameOf(asked.key))} ${request}
              `
        }
      </section>
    </div>
  `;
  return { title: 'Explorer', body, section: 'explorer', wide: true };
}

export interface RefusalShown {
  readonly code: string;
  readonly message: string;
  readonly param: string | undefined;
  readonly requestId: string;
}

function readRefusal({ status, headers, body }: ApiAnswer): RefusalShown | null {
  if (status === 200) return null;
  const { error } = (body ?? {}) as { error?: { code?: string; message?: string; param?: string } };
  return {
    code: error?.code ?? 'internal_error',
    message: error?.message ?? 'The call was refused.',
    param: error?.param,
    requestId: headers['x-request-id'] ?? '',
  };
}

async function showRecord(call: MemberCall, services: PortalServices): Promise<Page> {
  const { key } = await chooseKey(call, services);
  if (key === null) return renderNoKey('Record', 'explorer');
  const { register = '', '*': uid = '' } = call.params;
  const path = `/v1/${encodeURIComponent(register)}/trademarks/${encodeURIComponent(uid)}`;
  const target = `${path}?expand=payload`;
  const code = `const record = await client.get(${quote(register)}, ${quote(uid)}, { expand: 'payload' });`;
  const request = renderRequest({ baseUrl: baseUrlOf(call, services), target, code });
  const asked = call.fromElsewhere ? null : await ask(call, services, key, target);
  const refusal = asked === null ? null : readRefusal(asked.answer);
  const record = asked !== null && refusal === null ? (asked.answer.body as TrademarkDetail) : null;
  const title = record?.mark_name ?? `${register} ${uid}`;
  const body = html`
    <p class="trail"><a href="/portal/explorer">Explorer</a></p>
    ${record === null ? html`<h1><bdi>${register} ${uid}</bdi></h1>` : renderRecord(record)}
    ${asked === null ? renderAsk(call) : null}
    ${refusal === null ? null : renderRefused(refusal)}
    ${asked === null ? null : renderCost(asked.answer, asked.key, nameOf(asked.key))}
    ${request}
  `;
  const status = refusal?.code === 'not_found' ? 404 : 200;
  return { title, body, section: 'explorer', status };
}

async function showFeed(call: MemberCall, services: PortalServices): Promise<Page> {
  const { keys, key } = await chooseKey(call, services);
  if (key === null) return renderNoKey('Changes', 'feed');
  const registers = await listRegisters(services.database);
  const chosen = call.query.get('register') ?? '';
  const since = call.query.get('since') ?? '';
  const cursor = call.query.get('cursor') ?? '';
  const pairs: SearchPairs = [
    ['since', since],
    ...(cursor === '' ? [] : [['cursor', cursor] as const]),
    ['limit', '50'],
  ];
  const path = chosen === '' ? '/v1/changes' : `/v1/${encodeURIComponent(chosen)}/changes`;
  const latest: SearchPairs = [
    ...(chosen === '' ? [] : [['jurisdiction', chosen] as const]),
    ['updated_since', '1970-01-01T00:00:00Z'],
    ['limit', '25'],
  ];
  const asks = call.query.has('show') || chosen !== '' || since !== '';
  const target = since === '' ? `/v1/trademarks${queryText(latest)}` : `${path}${queryText(pairs)}`;
  const asked = asks && !call.fromElsewhere ? await ask(call, services, key, target) : null;
  const refusal = asked === null ? null : readRefusal(asked.answer);
  const page = asked !== null && refusal === null ? (asked.answer.body as ChangesPage) : null;
  const scope = chosen === '' ? '' : `, jurisdiction_code: ${quote(chosen)}`;
  const code =
    since === ''
      ? buildSearchCode(latest)
      : `const page = await client.changes({ since: ${quote(since)}${scope}, limit: 50 });`;
  const body = html`
    ${renderFeed({ registers, chosen, since, keyId: key.id, page, keyChoice: renderKeyChoice(keys, key) })}
    ${asks ? null : html`<p class="empty">Show the latest changes of all registers, or choose one. ${FEED_COSTS}</p>`}
    ${asks && asked === null ? renderAsk(call) : null}
    ${refusal === null ? null : renderRefused(refusal)}
    ${asked === null ? null : renderCost(asked.answer, asked.key, nameOf(asked.key))}
    ${asks ? renderRequest({ baseUrl: baseUrlOf(call, services), target, code }) : null}
  `;
  return { title: 'Changes', body, section: 'feed', wide: true };
}
