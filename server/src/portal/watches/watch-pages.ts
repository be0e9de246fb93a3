/** The pages of watches: the list, and one of them with its matches and hits. */

import type { Instant } from '@tmds/contract/record';
import { html } from 'htm/preact';
import type { Calendar } from '../../store/dates/calendars.ts';
import { HITS_COUNTED_MAX } from '../../store/watches/counts.ts';
import type { StoredWatch, WatchSubject } from '../../store/watches/watches.ts';
import { fromOf } from '../explorer/ask.ts';
import { encodePairs, readSearch } from '../explorer/search-pairs.ts';
import type { ShownFiling } from '../filings/filings-view.ts';
import { renderFilingsPart } from '../filings/filings-view.ts';
import { renderCalendars } from '../frame/calendar-section.ts';
import type { MemberCall, Page } from '../frame/call.ts';
import {
  renderActions,
  renderEmpty,
  renderFacts,
  renderHeading,
  renderLinkButton,
  renderPager,
  renderTabs,
  renderTrail,
} from '../frame/components.ts';
import { formatCount, renderInstant } from '../frame/pieces.ts';
import { mayOpen } from '../frame/roles.ts';
import { renderListing, type TableColumn } from '../frame/table.ts';
import {
  describeWatch,
  type PreviewShown,
  renderChecked,
  renderPreview,
  renderReference,
  renderSubject,
  renderWatchState,
} from './definition-view.ts';
import { encodeHitsAsked, type Handlers, type HitsAsked, type ShownHit } from './hits.ts';
import { renderHitFilter, renderHits } from './hits-view.ts';
import { NEW_WATCH } from './watch-forms.ts';
import { renderWhyForm } from './why.ts';

export interface ListedWatch {
  readonly watch: StoredWatch;
  /** Null if it was not counted. */
  readonly matches: number | null;
  readonly hits: number;
}

interface WatchesView {
  readonly live: boolean;
  readonly watches: readonly ListedWatch[];
  /** The address of the older ones; null if there are none. */
  readonly older: string | null;
}

/** Hits of a list are counted over this many days. */
export const LATELY_DAYS = 30;

export function renderWatches({ person }: MemberCall, { live, watches, older }: WatchesView): Page {
  const body = html`
    ${renderHeading('Watches', renderLinkButton('New watch', NEW_WATCH))}
    <p class="hint">
      A watch reports new matches, changes of what matches, and records that no longer match: here, to programs, and
      through${' '}
      ${mayOpen(person, 'webhooks') ? html`<a href="/portal/webhooks">webhooks</a>` : 'webhooks'}.
    </p>
    ${renderTabs('Which watches', [
      { label: 'Active', href: '/portal/watches', isHere: live },
      { label: 'Stopped', href: '/portal/watches?show=ended', isHere: !live },
    ])}
    ${renderWatchList(watches, live)}
    ${older === null ? null : renderPager([{ label: 'Older', href: older, rel: 'next' }])}
  `;
  return { title: 'Watches', body, section: 'watches' };
}

function renderWatchList(watches: readonly ListedWatch[], live: boolean): unknown {
  const matches: TableColumn<ListedWatch> = {
    label: 'Matches now',
    style: 'number',
    cell: (row) => (row.matches === null ? html`<span class="silent">not counted</span>` : formatCount(row.matches)),
  };
  return renderListing<ListedWatch>({
    label: 'Watches',
    rows: watches,
    empty: live
      ? 'No active watches. Create one for a search, for owners, or for records on a list.'
      : 'No stopped watches. A watch that you stop is kept here with its hits.',
    columns: [
      {
        label: 'Name',
        cell: ({ watch }) => html`<a href=${`/portal/watches/${watch.id}`}><bdi>${watch.name}</bdi></a>`,
      },
      { label: 'Watches', style: 'words', cell: ({ watch }) => html`<bdi>${describeWatch(watch)}</bdi>` },
      ...(live ? [matches] : []),
      { label: `Hits in ${LATELY_DAYS} days`, style: 'number', cell: ({ hits }) => describeHits(hits) },
      { label: 'State', cell: ({ watch }) => renderWatchState(watch) },
    ],
  });
}

function describeHits(hits: number): string {
  return hits < HITS_COUNTED_MAX ? formatCount(hits) : `${formatCount(hits)} or more`;
}

interface WatchView {
  readonly watch: StoredWatch;
  readonly subject: WatchSubject;
  readonly preview: PreviewShown;
  readonly hits: readonly ShownHit[];
  readonly completeThrough: Instant;
  readonly asked: HitsAsked;
  readonly handlers: Handlers;
  readonly calendars: readonly Calendar[];
  readonly filings: readonly ShownFiling[];
  /** The codes of all registers. */
  readonly registers: readonly string[];
  /** The address of the older hits; null if there are none. */
  readonly older: string | null;
}

export function renderWatch(call: MemberCall, view: WatchView): Page {
  const { watch, subject, preview, completeThrough } = view;
  const path = `/portal/watches/${watch.id}`;
  const isLive = watch.ended_at === null;
  const body = html`
    ${renderTrail({ label: 'Watches', href: '/portal/watches' })}
    ${renderHeading(html`<bdi>${watch.name}</bdi>`, renderWatchState(watch))}
    ${renderSubject(subject)}
    ${renderFacts([
      ['Your reference', renderReference(watch)],
      ['Id for programs', html`<code>${watch.id}</code>`],
      ['Created', renderInstant(watch.created_at)],
      ['Changed', watch.revision === 1 ? null : renderInstant(watch.changed_at)],
      ['Stopped', isLive ? null : renderInstant(watch.ended_at)],
      ['Checked up to', renderChecked(completeThrough)],
    ])}
    ${renderActions(
      renderLinkButton(isLive ? 'Change…' : 'Watch again…', `${path}/change`, 'second'),
      subject.kind === 'search' ? renderLinkButton('Search now', linkSearch(subject.search), 'second') : null,
      mayOpen(call.person, 'webhooks') ? renderLinkButton('Webhooks', '/portal/webhooks', 'second') : null,
      isLive ? renderLinkButton('Stop watching…', `${path}/end`, 'danger') : null,
    )}
    ${renderFilingsPart(call, view.filings)}
    ${renderHitsSection(call, view)}
    <section>
      <h2>Why is a mark not here?</h2>
      <div class="narrow">${renderWhyForm(watch.id, view.registers, { register: '', number: '' })}</div>
    </section>
    ${isLive ? renderCalendars(call, { calendars: view.calendars, action: `${path}/calendar`, lasts: 'It works until you revoke it or stop the watch.' }) : null}
    ${renderPreview(preview, true)}
  `;
  return { title: `Watch ${watch.name}`, body, section: 'watches' };
}

function renderHitsSection(call: MemberCall, { watch, hits, asked, handlers, older }: WatchView): unknown {
  const isFiltered = asked.kind !== null || asked.state !== null;
  const opening = { keyId: '', from: fromOf(call), languages: call.languages };
  const empty =
    older === null
      ? 'No hit matches. Choose fewer filters.'
      : 'None of the hits checked so far matches; there are more.';
  return html`
    <section id="hits">
      <h2>Hits</h2>
      ${renderHitFilter(watch.id, asked)}
      ${
        hits.length === 0
          ? renderEmpty(isFiltered ? empty : 'No hits yet. They appear here once a register reports a change.')
          : renderHits(call, hits, { watchId: watch.id, asked, handlers, opening })
      }
      ${older === null ? null : renderPager([{ label: 'Older', href: older, rel: 'next' }])}
      ${hits.length === 0 ? null : renderExports(watch.id, asked)}
      <p class="hint">
        Reading hits here costs nothing; opening a record costs one unit.
      </p>
    </section>
  `;
}

function renderExports(watchId: string, asked: HitsAsked): unknown {
  const to = (format: string): string => `/portal/watches/${watchId}/hits-file${encodeHitsAsked(asked, { format })}`;
  return renderActions(
    renderLinkButton('Download as CSV', to('csv'), 'second', { rel: 'nofollow' }),
    renderLinkButton('Download as Excel', to('excel'), 'second', { rel: 'nofollow' }),
  );
}

function linkSearch(search: string): string {
  return `/portal/explorer${encodePairs(readSearch(new URLSearchParams(search)).pairs)}`;
}
