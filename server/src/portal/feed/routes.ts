/**
 * Changes: the latest of a register, or the feed from an instant on. Like the explorer, each page is one call of the
 * public API with a key that the person chose.
 */
import type { ChangesPage, JurisdictionInfo, TrademarkDetail } from '@tmds/contract/record';
import { html } from 'htm/preact';
import { listRegisters } from '../../store/records/registers.ts';
import {
  ask,
  baseUrlOf,
  chooseKey,
  type Explorer,
  fromOf,
  type KeyChoice,
  type Outcome,
  renderAsk,
  renderKeyChoice,
  renderNoKey,
} from '../explorer/ask.ts';
import { renderCost, renderRefused } from '../explorer/outcome-view.ts';
import { renderRecordTable } from '../explorer/record-table.ts';
import type { Answers } from '../explorer/remembered-answers.ts';
import { encodePairs, type SearchPairs } from '../explorer/search-pairs.ts';
import type { MemberCall, Page, PortalRoute } from '../frame/call.ts';
import { renderButton, renderEmpty, renderHeading, renderPager } from '../frame/components.ts';
import { renderField, renderSelect } from '../frame/fields.ts';
import { spellRecords } from '../frame/party-names.ts';
import { formatCount } from '../frame/pieces.ts';
import { nameAndCode } from '../frame/registers.ts';
import { renderRegisterTabs } from '../registers/registers-page.ts';
import { type RequestShown, renderRequest } from '../request/request-view.ts';
import type { PortalServices } from '../services.ts';

const FEED_LIMIT = 50;
const LATEST_LIMIT = 25;

export function listFeedRoutes(services: PortalServices, answers: Answers): PortalRoute[] {
  const explorer = { services, answers };
  return [{ method: 'GET', url: '/feed', members: (call) => showFeed(call, explorer) }];
}

async function showFeed(call: MemberCall, explorer: Explorer): Promise<Page> {
  const { services, answers } = explorer;
  const { query } = call;
  const choice = await chooseKey(call, services, answers);
  if (choice.keys.length === 0) return renderNoKey(call, services, { title: 'Latest changes', section: 'registers' });
  const registers = await listRegisters(services.database);
  const register = query.get('register') ?? '';
  const since = query.get('since') ?? '';
  const isAsked = query.has('show') || register !== '' || since !== '';
  const target = since === '' ? planLatest(register) : planFeed({ register, since, cursor: query.get('cursor') ?? '' });
  const outcome = isAsked ? await ask(call, explorer, choice, target) : null;
  const request = { baseUrl: baseUrlOf(call, services), target, keyId: choice.key?.id ?? '' };
  const page = outcome === null || outcome.refusal !== null ? null : (outcome.answer.body as ChangesPage);
  const items = await spellRecords(services.database, page?.items ?? []);
  return renderFeedPage(call, { registers, register, since, choice, isAsked, outcome, items, request });
}

/** The newest changes: a search, because the feed has the oldest first. */
function planLatest(register: string): string {
  const pairs: SearchPairs = [
    ...(register === '' ? [] : [['jurisdiction', register] as const]),
    ['updated_since', '1970-01-01T00:00:00Z'],
    ['limit', String(LATEST_LIMIT)],
  ];
  return `/v1/trademarks${encodePairs(pairs)}`;
}

function planFeed({ register, since, cursor }: { register: string; since: string; cursor: string }): string {
  const pairs: SearchPairs = [
    ['since', since],
    ...(cursor === '' ? [] : [['cursor', cursor] as const]),
    ['limit', String(FEED_LIMIT)],
  ];
  const path = register === '' ? '/v1/changes' : `/v1/${encodeURIComponent(register)}/changes`;
  return `${path}${encodePairs(pairs)}`;
}

const COSTS = 'Each page costs one unit; a refused one costs nothing.';

interface FeedState {
  readonly registers: readonly JurisdictionInfo[];
  readonly register: string;
  readonly since: string;
  readonly choice: KeyChoice;
  readonly isAsked: boolean;
  readonly outcome: Outcome | null;
  readonly items: readonly TrademarkDetail[];
  readonly request: RequestShown;
}

function renderFeedPage(call: MemberCall, state: FeedState): Page {
  const { choice, isAsked, outcome, request } = state;
  const refusal = outcome?.refusal ?? null;
  const page = outcome !== null && refusal === null ? (outcome.answer.body as ChangesPage) : null;
  const body = html`
    ${renderHeading('Latest changes')}
    ${renderRegisterTabs(call, 'changes')}
    ${renderForm(state)}
    ${page === null ? null : renderChangesPage(call, page, state)}
    ${isAsked ? null : renderEmpty(`Show the latest changes of all registers, or choose one. ${COSTS}`)}
    ${isAsked && outcome === null ? renderAsk(call, choice) : null}
    ${refusal === null ? null : renderRefused(refusal)}
    ${outcome === null ? null : renderCost(outcome)}
    ${isAsked ? renderRequest(request) : null}
  `;
  return { title: 'Latest changes', body, section: 'registers' };
}

function renderForm({ registers, register, since, choice }: FeedState): unknown {
  return html`
    <form method="get" action="/portal/feed" class="row" data-slow="Reading…">
      <input type="hidden" name="show" value="1" />
      ${renderSelect({
        id: 'register',
        label: 'Register',
        choices: [
          { value: '', label: 'All registers' },
          ...registers.map(({ jurisdiction_code: code, record_count }) => ({
            value: code,
            label: `${nameAndCode(code)}, ${formatCount(record_count)}`,
          })),
        ],
        chosen: register,
      })}
      ${renderField({
        id: 'since',
        label: 'Since',
        attributes: { value: since, placeholder: '2026-11-01', 'aria-describedby': 'since-note' },
      })}
      ${renderKeyChoice(choice)}
      ${renderButton('Show')}
      <p class="hint" id="since-note">
        Empty for the latest changes. With a date, such as 2026-11-01, every change from then on is shown, oldest first;
        a change is listed a few minutes after it was loaded.
      </p>
    </form>
  `;
}

function renderChangesPage(call: MemberCall, page: ChangesPage, state: FeedState): unknown {
  const { items, register, since, choice } = state;
  if (items.length === 0) {
    return renderEmpty('Nothing has changed since then. What was loaded in the last few minutes is listed soon.');
  }
  const keyId = choice.key?.id ?? '';
  const isFeed = since !== '';
  const next = new URLSearchParams({ register, since, cursor: page.next_cursor ?? '', key: keyId });
  return html`
    <p class="summary" role="status">
      ${items.length} ${isFeed ? 'changes, oldest first' : 'latest changes, newest first'}
    </p>
    ${renderRecordTable(items, { languages: call.languages, keyId, from: fromOf(call) })}
    ${
      isFeed && page.next_cursor !== null
        ? renderPager([{ label: 'Next page', href: `/portal/feed?${next.toString()}`, rel: 'next' }])
        : null
    }
  `;
}
