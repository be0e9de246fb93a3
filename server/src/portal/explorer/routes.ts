/**
 * The explorer: a search, a record, the changes of a register, each one call of the public API with a key of the
 * customer that the person chose, and therefore judged, metered and refused like any other. A page that another site
 * sent the browser to costs nothing until the person asks for it.
 */

import type { ChangesPage, SearchPage, TrademarkDetail } from '@tmds/contract/record';
import { html } from 'htm/preact';
import { findCustomerKey } from '../../store/accounts/portal-keys.ts';
import { listRegisters } from '../../store/records/registers.ts';
import type { Answers } from '../frame/answers.ts';
import type { ApiAnswer, MemberCall, Page, PortalRoute } from '../frame/call.ts';
import { parseNext } from '../frame/pieces.ts';
import type { PortalServices } from '../services.ts';
import { renderFacets } from './facets.ts';
import { renderFeed } from './feed-page.ts';
import { type FormState, readPairs, renderControls, renderFilters, type SearchPairs } from './form.ts';
import { chooseKey, type KeyChoice, renderAsk, renderKeyChoice, renderNoKey } from './key.ts';
import { renderRecord } from './record-page.ts';
import {
  type Asked,
  linkWith,
  type RefusalShown,
  renderCost,
  renderRefused,
  renderResults,
  type Shown,
} from './results.ts';
import { buildSearchCode, quote, renderRequest } from './snippets.ts';

const COSTS = 'A search costs one unit, whatever it finds; a refused one costs none.';
const FEED_COSTS = 'Each page costs one unit; a refused one costs none.';
const OWN_FIELDS = ['key', 'done', 'go', 'asked', 'from'];

interface Explorer {
  readonly services: PortalServices;
  readonly answers: Answers;
}

export function listExplorerRoutes(services: PortalServices, answers: Answers): PortalRoute[] {
  const explorer = { services, answers };
  return [
    { method: 'GET', url: '/explorer', members: (call) => showExplorer(call, explorer) },
    { method: 'GET', url: '/explorer/records/:register/*', members: (call) => showRecord(call, explorer) },
    { method: 'GET', url: '/feed', members: (call) => showFeed(call, explorer) },
  ];
}

/** What a call came to, with the key's count after it; nothing is asked before a key is chosen and the way is ours. */
async function ask(call: MemberCall, explorer: Explorer, choice: KeyChoice, target: string): Promise<Asked | null> {
  const { services, answers } = explorer;
  const { key } = choice;
  if (key === null || call.fromElsewhere) return null;
  const stamp = call.query.get('asked') ?? '';
  const found = await answers.find({ keyId: key.id, target, stamp }, () => services.callApi(key.id, target));
  const counted = await findCustomerKey(services.database, call.user.customer_id, key.id);
  return { ...found, key: counted ?? key, againPath: linkAgain(call, services) };
}

/** The same page, asked anew: a stamp in the address makes it another question, which a reload does not repeat. */
function linkAgain({ target }: MemberCall, { clock }: PortalServices): string {
  const [path = '', query = ''] = target.split('?');
  const fields = new URLSearchParams(query);
  fields.set('asked', clock.nowMs().toString(36));
  return `${path}?${fields.toString()}`;
}

function queryText(pairs: SearchPairs): string {
  const text = new URLSearchParams(pairs.map(([name, value]) => [name, value])).toString();
  return text === '' ? '' : `?${text}`;
}

function baseUrlOf(call: MemberCall, { recordPrefix }: PortalServices): string {
  return `${call.origin}/${recordPrefix}`;
}

async function showExplorer(call: MemberCall, explorer: Explorer): Promise<Page> {
  const { services } = explorer;
  const choice = await chooseKey(call, services, explorer.answers);
  if (choice.keys.length === 0) return renderNoKey(call, services, { title: 'Explorer', section: 'explorer' });
  const registers = (await listRegisters(services.database)).map(({ jurisdiction_code }) => jurisdiction_code);
  const pairs = readPairs(call.query, OWN_FIELDS);
  const target = `/v1/trademarks${queryText(pairs)}`;
  const asks = pairs.some(([name]) => name !== 'sort' && name !== 'order' && name !== 'limit' && name !== 'count');
  const asked = asks ? await ask(call, explorer, choice, target) : null;
  const refusal = asked === null ? null : readRefusal(asked.answer);
  const facets = asked === null || refusal !== null ? [] : await services.countFacets(queryText(pairs).slice(1));
  const state: FormState = { pairs: pairs.filter(([name]) => name !== 'cursor'), registers, refusal };
  const keyId = choice.key?.id ?? '';
  const shown: Shown = { query: call.query, pairs, keyId, from: fromOf(call) };
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
        ${renderKeyChoice(choice)}
        <div class="actions">
          <button type="submit">Search</button>
          <a class="button second" href=${`/portal/explorer?key=${keyId}`}>Clear</a>
        </div>
      </form>
      <section class="results" aria-label="Results">
        ${asks && asked === null ? renderAsk(call, choice) : null}
        ${
          asked === null
            ? asks
              ? null
              : html`<p class="empty">Choose at least one filter. ${COSTS}</p>`
            : html`
                ${refusal === null ? html`<p class="jump"><a href="#search">Change the search</a></p>` : null}
                ${refusal === null ? renderResults(asked.answer.body as SearchPage, shown) : null}
                ${renderFacets(facets, call.query, (changes) => linkWith(shown, changes))}
                ${renderCost(asked)} ${request}
              `
        }
      </section>
    </div>
  `;
  return { title: 'Explorer', body, section: 'explorer', wide: true };
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

/** Characters of an address that another one carries. */
const FROM_CHARACTERS_MAX = 2000;

/** Where a record that is opened here leads back to. */
function fromOf({ target }: MemberCall): string | null {
  return target.length > FROM_CHARACTERS_MAX ? null : target;
}

function renderTrail(call: MemberCall): unknown {
  const from = call.query.get('from') ?? '';
  const path = parseNext(from);
  if (/^\/portal\/explorer\?/.test(path)) return html`<p class="trail"><a href=${path}>Back to the search</a></p>`;
  if (/^\/portal\/feed\?/.test(path)) return html`<p class="trail"><a href=${path}>Back to the changes</a></p>`;
  return html`<p class="trail"><a href="/portal/explorer">Explorer</a></p>`;
}

async function showRecord(call: MemberCall, explorer: Explorer): Promise<Page> {
  const { services } = explorer;
  const choice = await chooseKey(call, services, explorer.answers);
  if (choice.keys.length === 0) return renderNoKey(call, services, { title: 'Record', section: 'explorer' });
  const { register = '', '*': uid = '' } = call.params;
  const path = `/v1/${encodeURIComponent(register)}/trademarks/${encodeURIComponent(uid)}`;
  const target = `${path}?expand=payload`;
  const code = `const record = await client.get(${quote(register)}, ${quote(uid)}, { expand: 'payload' });`;
  const request = renderRequest({ baseUrl: baseUrlOf(call, services), target, code });
  const asked = await ask(call, explorer, choice, target);
  const refusal = asked === null ? null : readRefusal(asked.answer);
  const record = asked !== null && refusal === null ? (asked.answer.body as TrademarkDetail) : null;
  const title = record?.mark_name ?? `${register} ${uid}`;
  const body = html`
    ${renderTrail(call)}
    ${record === null ? html`<h1><bdi>${register} ${uid}</bdi></h1>` : renderRecord(record)}
    ${asked === null ? renderAsk(call, choice) : null}
    ${refusal === null ? null : renderRefused(refusal)}
    ${asked === null ? null : renderCost(asked)}
    ${request}
  `;
  const status = refusal?.code === 'not_found' ? 404 : 200;
  return { title, body, section: 'explorer', status };
}

async function showFeed(call: MemberCall, explorer: Explorer): Promise<Page> {
  const { services } = explorer;
  const choice = await chooseKey(call, services, explorer.answers);
  if (choice.keys.length === 0) return renderNoKey(call, services, { title: 'Changes', section: 'feed' });
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
  const asked = asks ? await ask(call, explorer, choice, target) : null;
  const refusal = asked === null ? null : readRefusal(asked.answer);
  const page = asked !== null && refusal === null ? (asked.answer.body as ChangesPage) : null;
  const scope = chosen === '' ? '' : `, jurisdiction_code: ${quote(chosen)}`;
  const place = cursor === '' ? '' : `, cursor: ${quote(cursor)}`;
  const keyId = choice.key?.id ?? '';
  const code =
    since === ''
      ? buildSearchCode(latest)
      : `const page = await client.changes({ since: ${quote(since)}${scope}${place}, limit: 50 });`;
  const body = html`
    ${renderFeed({ registers, chosen, since, keyId, from: fromOf(call), page, keyChoice: renderKeyChoice(choice) })}
    ${asks ? null : html`<p class="empty">Show the latest changes of all registers, or choose one. ${FEED_COSTS}</p>`}
    ${asks && asked === null ? renderAsk(call, choice) : null}
    ${refusal === null ? null : renderRefused(refusal)}
    ${asked === null ? null : renderCost(asked)}
    ${asks ? renderRequest({ baseUrl: baseUrlOf(call, services), target, code }) : null}
  `;
  return { title: 'Changes', body, section: 'feed', wide: true };
}
