/** The first page of a person: it is about marks; keys and webhooks are on it only if something is wrong with them. */
import { html } from 'htm/preact';
import type { DueDate } from '../../due/next-dates.ts';
import { DISCLAIMER, describeDue, describeOmissions } from '../../due/words.ts';
import { DOCKET_DAYS } from '../../store/accounts/dockets.ts';
import type { RecentSearch } from '../../store/accounts/saved-searches.ts';
import type { RegisterRhythm } from '../../store/records/registers.ts';
import { nameHit } from '../../store/watches/hit-handling.ts';
import { NEW_HITS_COUNTED_MAX, type WatchNews } from '../../store/watches/new-hits.ts';
import { DATES_RULES } from '../dates/rule-view.ts';
import { fromOf } from '../explorer/ask.ts';
import { recordPath, renderMarkName } from '../explorer/record-parts.ts';
import { readSearch } from '../explorer/search-pairs.ts';
import { describeFilters } from '../explorer/search-words.ts';
import { renderFilingsPart } from '../filings/filings-view.ts';
import type { MemberCall, Page } from '../frame/call.ts';
import {
  renderBadge,
  renderButton,
  renderDisclosure,
  renderEmpty,
  renderHeading,
  renderSubheading,
} from '../frame/components.ts';
import { hiddenField } from '../frame/field-kinds.ts';
import { declareForm, renderButtonForm, renderForm } from '../frame/forms.ts';
import { formatCount, renderDate, renderInstant } from '../frame/pieces.ts';
import { registerName } from '../frame/registers.ts';
import { mayOpen } from '../frame/roles.ts';
import { renderTable } from '../frame/table.ts';
import { renderStatus } from '../frame/wording.ts';
import { describeState } from '../reconcile/list-page.ts';
import { describeDays, judgeFreshness } from '../registers/coverage-view.ts';
import { renderConcerns } from '../usage/usage-page.ts';
import { renderChecked } from '../watches/definition-view.ts';
import { EVENTS, hitPath } from '../watches/hits-view.ts';
import { type DatesAhead, FAR_DAYS, type HitsNews, type Home, NEAR_DAYS, type NewHitShown } from './home.ts';

export function renderHome(call: MemberCall, home: Home): Page {
  const { name } = call.person;
  const { news, dates, filings, searches, dockets, registers, concerns } = home;
  const body = html`
    ${renderHeading(name === null ? 'Welcome' : html`Welcome, <bdi>${name}</bdi>`)}
    ${isNewcomer(home) ? renderSteps('Three things to start with', FIRST_STEPS) : null}
    ${concerns.length === 0 ? null : html`<section><h2>Needs attention</h2>${renderConcerns(concerns)}</section>`}
    ${filings === null ? null : renderFilingsPart(call, filings)}
    ${news === null || news.liveWatches === 0 ? null : html`${renderNews(call, news)} ${dates === null ? null : renderDates(call, dates)}`}
    ${mayOpen(call.person, 'search') ? null : renderSteps('For your programs', FOR_DEVELOPERS)}
    <div class="lately">
      ${searches === null || searches.length === 0 ? null : renderSearches(call, searches)}
      ${dockets === null || dockets.length === 0 ? null : renderDockets(dockets)}
      ${renderRegisters(registers)}
    </div>
  `;
  return { title: 'Home', body, section: 'home' };
}

/** Somebody who has not searched yet, or whose team watches nothing. Those who may not search are none. */
function isNewcomer({ searches, news }: Home): boolean {
  return searches !== null && news !== null && (searches.length === 0 || news.liveWatches === 0);
}

interface Step {
  readonly href: string;
  readonly title: string;
  readonly text: string;
}

const FIRST_STEPS: readonly Step[] = [
  {
    href: '/portal/explorer',
    title: 'Search for a mark',
    text: 'By name, owner, number or class, in all registers at once.',
  },
  {
    href: '/portal/new-watch?kind=owners',
    title: 'Watch an owner or a search',
    text: 'This page then shows what is new. Below the results of every search, “Watch this search…” does the same.',
  },
  {
    href: '/portal/reconcile',
    title: 'Upload your docket',
    text: 'Every mark on your list is compared with its register, and differences are shown.',
  },
];

const FOR_DEVELOPERS: readonly Step[] = [
  { href: '/portal/keys', title: 'Keys', text: 'What your programs call with: issue, limit, rotate and revoke them.' },
  { href: '/portal/webhooks', title: 'Webhooks', text: 'Notify your programs when a watch has hits.' },
  { href: '/portal/log', title: 'Call log', text: 'Every call of the last 30 days, with what was wrong with it.' },
  { href: '/portal/api', title: 'API', text: 'The reference, in which every endpoint can be tried.' },
];

function renderSteps(title: string, steps: readonly Step[]): unknown {
  return html`
    <section>
      <h2>${title}</h2>
      <ol class="steps">
        ${steps.map(({ href, title: name, text }) => html`<li><a href=${href}>${name}</a> <span>${text}</span></li>`)}
      </ol>
    </section>
  `;
}

function renderSearches(call: MemberCall, searches: readonly RecentSearch[]): unknown {
  const button = renderButton('Clear', 'quiet', { 'aria-label': 'Clear recent searches' });
  const clear = renderButtonForm(call, '/portal/searches-cleared', button);
  return html`
    <section>
      ${renderSubheading('Recent searches', clear)}
      ${renderTable<RecentSearch>({
        label: 'Recent searches',
        rows: searches,
        columns: [
          { label: 'Search', isHeader: true, style: 'name', cell: ({ search }) => renderSearchLink(search) },
          {
            label: 'Found',
            style: 'number',
            cell: ({ found }) => (found === null ? html`<span class="silent">not counted</span>` : formatCount(found)),
          },
          { label: 'When', cell: ({ searched_at: at }) => renderInstant(at) },
        ],
      })}
    </section>
  `;
}

function renderSearchLink(search: string): unknown {
  const { pairs } = readSearch(new URLSearchParams(search));
  return html`<a href=${`/portal/explorer?${search}`}><bdi>${describeFilters(pairs)}</bdi></a>`;
}

function renderDockets(dockets: NonNullable<Home['dockets']>): unknown {
  return html`
    <section>
      <h2>Recent dockets</h2>
      ${renderTable<(typeof dockets)[number]>({
        label: 'Recent dockets',
        rows: dockets,
        columns: [
          {
            label: 'File',
            isHeader: true,
            style: 'name',
            cell: ({ docket_id: id, name }) => html`<a href=${`/portal/reconcile/${id}`}><bdi>${name}</bdi></a>`,
          },
          { label: 'State', cell: describeState },
          { label: 'Uploaded', cell: ({ created_at: at }) => renderInstant(at) },
        ],
      })}
      <p class="hint">Uploads are kept ${24 * DOCKET_DAYS} hours.</p>
    </section>
  `;
}

function renderRegisters(registers: readonly RegisterRhythm[]): unknown {
  const late = registers.filter((register) => judgeFreshness(register) === 'late');
  return html`
    <section id="registers">
      <h2>Registers</h2>
      ${late.length === 0 ? renderEmpty(describeOnTime(registers)) : html`<ul>${late.map(renderLate)}</ul>`}
      <p><a href="/portal/registers">How complete is each register?</a></p>
    </section>
  `;
}

function describeOnTime(registers: readonly RegisterRhythm[]): string {
  if (registers.length === 0) return 'No register is served yet.';
  return registers.length === 1
    ? 'No register is late.'
    : `None of the ${formatCount(registers.length)} registers is late.`;
}

function renderLate(register: RegisterRhythm): unknown {
  const { jurisdiction_code: code, age_days, rhythm_days } = register;
  return html`
    <li>
      <a href=${`/portal/registers/${encodeURIComponent(code)}`}>${registerName(code)}</a> is late: last updated
      ${` ${describeDays(age_days!)}`} ago, usually every${' '}
      ${rhythm_days! < 1.5 ? 'day' : describeDays(rhythm_days!)}.
    </li>
  `;
}

/** Rows that are open; more are folded, up to the second number. */
const OPEN_MAX = 8;
const SHOWN_MAX = 100;

function renderDates(call: MemberCall, { dates, near, ...left }: DatesAhead): unknown {
  const soon = dates.filter(({ date }) => date <= near);
  const later = dates.filter(({ date }) => date > near);
  return html`
    <section id="dates">
      <h2>Dates ahead among watched marks</h2>
      ${dates.length === 0 ? renderEmpty(`No dates within ${FAR_DAYS} days.`) : null}
      ${renderDateGroup(call, `Within ${NEAR_DAYS} days`, soon)}
      ${renderDateGroup(call, `Within ${NEAR_DAYS + 1} to ${FAR_DAYS} days`, later)}
      <p class="hint">
        Dates are exactly as the registers state them; computed ones follow from a rule where a register states
        none.${' '}
        ${DISCLAIMER} <a href=${DATES_RULES}>How dates are computed</a>
        ${describeOmissions(left).map((sentence) => ` ${sentence}`)}
      </p>
    </section>
  `;
}

function renderDateGroup(call: MemberCall, title: string, dates: readonly DueDate[]): unknown {
  if (dates.length === 0) return null;
  const [open, folded] = [dates.slice(0, OPEN_MAX), dates.slice(OPEN_MAX, SHOWN_MAX)];
  const left = dates.length - SHOWN_MAX;
  return html`
    <h3>${title}</h3>
    ${renderDateRows(call, title, open)}
    ${
      folded.length === 0
        ? null
        : renderDisclosure(`${formatCount(folded.length)} more`, renderDateRows(call, `${title}, more`, folded))
    }
    ${left > 0 ? html`<p class="hint">And ${formatCount(left)} later ones.</p>` : null}
  `;
}

function renderDateRows(call: MemberCall, label: string, dates: readonly DueDate[]): unknown {
  return renderTable<DueDate>({
    label,
    narrow: 'lines',
    rows: dates,
    columns: [
      { label: 'Date', cell: ({ date }) => renderDate(date) },
      { label: 'What', cell: renderDue },
      {
        label: 'Mark',
        isHeader: true,
        style: 'name',
        cell: ({ record }) =>
          html`<a href=${recordPath(record, { keyId: '', from: fromOf(call) })}><bdi>${renderMarkName(record)}</bdi></a>`,
      },
      { label: 'Register', cell: ({ record }) => registerName(record.jurisdiction_code) },
      { label: 'Status', cell: ({ record }) => renderStatus(record.status) },
    ],
  });
}

function renderDue(due: DueDate): unknown {
  return html`${describeDue(due)}${due.computed === null ? null : html` ${renderBadge('off', 'computed')}`}`;
}

function renderNews(call: MemberCall, news: HitsNews): unknown {
  const { watches, liveWatches, completeThrough } = news;
  const checked = html`<p class="hint">Checked up to: ${renderChecked(completeThrough)}</p>`;
  if (watches.length === 0) {
    return html`
      <section id="new">
        <h2>New since you looked</h2>
        ${renderEmpty(html`Nothing new in your <a href="/portal/watches">${countWatches(liveWatches)}</a>.`)}
        ${checked}
      </section>
    `;
  }
  return html`
    <section id="new">
      ${renderSubheading('New since you looked', renderSeen(call, completeThrough))}
      <ul class="news" aria-label="Watches with new hits">${watches.map(renderWatchNews)}</ul>
      ${renderOthers(news)}
      ${renderHits(news)}
      ${checked}
    </section>
  `;
}

function countWatches(count: number): string {
  return count === 1 ? '1 watch' : `${formatCount(count)} watches`;
}

/** `through`: what the page shows. */
export const SEEN = declareForm({ through: hiddenField(false) });

function renderSeen(call: MemberCall, completeThrough: string): unknown {
  return renderForm(call, SEEN, {
    action: '/portal/hits-seen',
    layout: null,
    shown: { through: { value: completeThrough } },
    label: 'Mark all as seen',
    kind: 'second',
  });
}

function renderWatchNews({ id, name, hits }: WatchNews): unknown {
  const count = hits < NEW_HITS_COUNTED_MAX ? formatCount(hits) : `${formatCount(hits)} or more`;
  return html`<li><a href=${`/portal/watches/${id}`}><bdi>${name}</bdi></a> <strong>${count}</strong></li>`;
}

function renderOthers({ watches, watchesTotal }: HitsNews): unknown {
  const others = watchesTotal - watches.length;
  if (others <= 0) return null;
  return html`<p class="hint"><a href="/portal/watches">${formatCount(others)} more</a> have new hits.</p>`;
}

function renderHits({ hits, watches }: HitsNews): unknown {
  const total = watches.reduce((sum, watch) => sum + watch.hits, 0);
  const left = total - hits.length;
  return html`
    ${renderTable<NewHitShown>({
      label: 'Newest hits',
      narrow: 'lines',
      rows: hits,
      columns: [
        { label: 'Mark', isHeader: true, style: 'name', cell: renderHitName },
        { label: 'Register', cell: ({ jurisdiction_code: code }) => registerName(code) },
        { label: 'What', cell: ({ event }) => renderBadge(...EVENTS[event]) },
        {
          label: 'Watch',
          style: 'name',
          cell: ({ watch }) => html`<a href=${`/portal/watches/${watch.id}`}><bdi>${watch.name}</bdi></a>`,
        },
        { label: 'When', cell: ({ stamp }) => renderInstant(stamp) },
      ],
    })}
    ${left > 0 ? html`<p class="hint">The newest ${formatCount(hits.length)} are shown; each watch has all of its hits.</p>` : null}
  `;
}

function renderHitName(hit: NewHitShown): unknown {
  const path = hitPath(hit.watch.id, nameHit(hit));
  const name = hit.record === null ? html`<code>${hit.uid}</code>` : renderMarkName(hit.record);
  return html`<a href=${path}><bdi>${name}</bdi></a>`;
}
