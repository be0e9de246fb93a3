/**
 * Changes: the latest of a register, or the feed from an instant on. Like the explorer, each page is one call of the
 * public API with a key that the person chose.
 */
import type { ChangesPage, JurisdictionInfo, TrademarkDetail } from '@tmds/contract/record';
import { html } from 'htm/preact';
import { listRegisters } from '../../store/records/registers.ts';
import { type Explorer, fromOf, type KeyChoice, renderKeyChoice } from '../explorer/ask.ts';
import { type Asked, askFor, paidPage, renderAsked } from '../explorer/asked-page.ts';
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
import type { PortalServices } from '../services.ts';

const FEED_LIMIT = 50;
const LATEST_LIMIT = 25;

export function listFeedRoutes(services: PortalServices, answers: Answers): PortalRoute[] {
  const explorer = { services, answers };
  return [paidPage('/feed', explorer, HEAD, (call, choice) => showFeed(call, explorer, choice))];
}

const HEAD = { title: 'Latest changes', section: 'registers' } as const;

async function showFeed(call: MemberCall, explorer: Explorer, choice: KeyChoice): Promise<Page> {
  const { database } = explorer.services;
  const { query } = call;
  const form = {
    registers: await listRegisters(database),
    register: query.get('register') ?? '',
    since: query.get('since') ?? '',
  };
  const { register, since } = form;
  const isAsked = query.has('show') || register !== '' || since !== '';
  const target = since === '' ? planLatest(register) : planFeed({ register, since, cursor: query.get('cursor') ?? '' });
  const asked = isAsked ? await askFor<ChangesPage>(call, explorer, choice, target) : null;
  const items = await spellRecords(database, asked?.body?.items ?? []);
  const body = html`
    ${renderHeading(HEAD.title)}
    ${renderRegisterTabs(call, 'changes')}
    ${renderForm(form, choice)}
    ${asked === null || asked.body === null ? null : renderChangesPage(call, items, asked.body, { ...form, asked })}
    ${
      asked === null
        ? renderEmpty(`Show the latest changes of all registers, or choose one. ${COSTS}`)
        : renderAsked(call, asked)
    }
  `;
  return { ...HEAD, body };
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

interface FeedForm {
  readonly registers: readonly JurisdictionInfo[];
  readonly register: string;
  readonly since: string;
}

function renderForm({ registers, register, since }: FeedForm, choice: KeyChoice): unknown {
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

function renderChangesPage(
  call: MemberCall,
  items: readonly TrademarkDetail[],
  page: ChangesPage,
  { register, since, asked: { keyId } }: FeedForm & { readonly asked: Asked<unknown> },
): unknown {
  if (items.length === 0) {
    return renderEmpty('Nothing has changed since then. What was loaded in the last few minutes is listed soon.');
  }
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
