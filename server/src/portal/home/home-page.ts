/** The first page of a person: it is about marks; keys and webhooks are on it only if something is wrong with them. */
import { html } from 'htm/preact';
import { DOCKET_DAYS } from '../../store/accounts/dockets.ts';
import type { RecentSearch } from '../../store/accounts/recent-searches.ts';
import type { RegisterRhythm } from '../../store/records/registers.ts';
import { describeFilters } from '../explorer/filter-chips.ts';
import { readSearch } from '../explorer/search-pairs.ts';
import { renderFilingsPart } from '../filings/filings-view.ts';
import type { MemberCall, Page } from '../frame/call.ts';
import { renderButton, renderEmpty, renderHeading, renderSubheading } from '../frame/components.ts';
import { formatCount, formFields, renderInstant } from '../frame/pieces.ts';
import { registerName } from '../frame/registers.ts';
import { mayOpen } from '../frame/roles.ts';
import { renderTable } from '../frame/table.ts';
import { describeState } from '../reconcile/list-page.ts';
import { describeDays, judgeFreshness } from '../registers/coverage-view.ts';
import { renderConcerns } from '../usage/usage-page.ts';
import { renderDates } from './dates-view.ts';
import type { Home } from './home.ts';
import { renderNews } from './news-view.ts';

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
        ${steps.map(
          ({ href, title: name, text }) => html`<li key=${href}><a href=${href}>${name}</a> <span>${text}</span></li>`,
        )}
      </ol>
    </section>
  `;
}

function renderSearches(call: MemberCall, searches: readonly RecentSearch[]): unknown {
  const clear = html`
    <form method="post" action="/portal/searches-cleared">
      ${formFields(call)} ${renderButton('Clear', 'quiet', { 'aria-label': 'Clear recent searches' })}
    </form>
  `;
  return html`
    <section>
      ${renderSubheading('Recent searches', clear)}
      ${renderTable<RecentSearch>({
        label: 'Recent searches',
        rows: searches,
        keyOf: ({ search }) => search,
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
        keyOf: ({ docket_id: id }) => id,
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
    <li key=${code}>
      <a href=${`/portal/registers/${encodeURIComponent(code)}`}>${registerName(code)}</a> is late: last updated
      ${` ${describeDays(age_days!)}`} ago, usually every${' '}
      ${rhythm_days! < 1.5 ? 'day' : describeDays(rhythm_days!)}.
    </li>
  `;
}
