/** The page of changes: the choice of register and instant, and a page of changes. */
import type { ChangesPage, JurisdictionInfo, TrademarkDetail } from '@tmds/contract/record';
import { html } from 'htm/preact';
import { fromOf, type KeyChoice, type Outcome, renderAsk, renderKeyChoice } from '../explorer/ask.ts';
import { renderCost, renderRefused } from '../explorer/outcome-view.ts';
import { renderRecordTable } from '../explorer/record-table.ts';
import type { MemberCall, Page } from '../frame/call.ts';
import { renderButton, renderEmpty, renderHeading, renderPager } from '../frame/components.ts';
import { renderField, renderSelect } from '../frame/fields.ts';
import { formatCount } from '../frame/pieces.ts';
import { nameAndCode } from '../frame/registers.ts';
import { renderRegisterTabs } from '../registers/registers-page.ts';
import { type RequestShown, renderRequest } from '../request/request-view.ts';

const COSTS = 'Each page costs one unit; a refused one costs nothing.';

interface FeedState {
  readonly registers: readonly JurisdictionInfo[];
  /** Empty = all registers. */
  readonly register: string;
  /** Empty = the latest changes. */
  readonly since: string;
  readonly choice: KeyChoice;
  /** Whether the address requests changes, or only the form. */
  readonly isAsked: boolean;
  /** Null when nothing was requested. */
  readonly outcome: Outcome | null;
  /** The records of the page, with names as the source spells them. */
  readonly items: readonly TrademarkDetail[];
  readonly request: RequestShown;
}

export function renderFeedPage(call: MemberCall, state: FeedState): Page {
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
