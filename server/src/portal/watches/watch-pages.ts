/** The pages of watches: the list, and one of them with its matches and hits. */

import { html } from 'htm/preact';
import { DAY_MS, isoInstant } from '../../base/clock.ts';
import { listCalendars } from '../../store/dates/calendars.ts';
import { listRegisters } from '../../store/records/registers.ts';
import { countRecentHits, HITS_COUNTED_MAX, listMissingRecords } from '../../store/watches/counts.ts';
import { nameHit } from '../../store/watches/hit-handling.ts';
import { findLatestHits } from '../../store/watches/hits.ts';
import { findSeenThrough, markWatchSeen } from '../../store/watches/new-hits.ts';
import { findSubject, listLatestWatches, type StoredWatch, type WatchSubject } from '../../store/watches/watches.ts';
import { fromOf } from '../explorer/ask.ts';
import { encodePairs, readSearch } from '../explorer/search-pairs.ts';
import { readFilings, renderFilingsPart } from '../filings/filings-view.ts';
import { renderCalendars } from '../frame/calendar-section.ts';
import type { MemberCall, Page } from '../frame/call.ts';
import {
  renderActions,
  renderEmpty,
  renderFacts,
  renderHeading,
  renderLinkButton,
  renderTabs,
  renderTrail,
} from '../frame/components.ts';
import { cutPage, readPosition, renderFurther } from '../frame/paging.ts';
import { formatCount, renderInstant } from '../frame/pieces.ts';
import { mayOpen } from '../frame/roles.ts';
import { renderListing, type TableColumn } from '../frame/table.ts';
import type { PortalServices } from '../services.ts';
import {
  describeWatch,
  type PreviewShown,
  renderChecked,
  renderPreview,
  renderReference,
  renderSubject,
  renderWatchState,
} from './definition-view.ts';
import {
  encodeHitsAsked,
  type Handlers,
  type HitsAsked,
  joinHits,
  parseHit,
  planHits,
  readHandlers,
  readHitsAsked,
  type ShownHit,
} from './hits.ts';
import { HITS_SHOWN, renderHitFilter, renderHits } from './hits-view.ts';
import { findOwn } from './typed-watch.ts';
import { NEW_WATCH } from './watch-forms.ts';
import { renderWhyForm } from './why.ts';

interface ListedWatch {
  readonly watch: StoredWatch;
  readonly matches: number | null;
  readonly hits: number;
}

/** Hits of a list are counted over this many days. */
const LATELY_DAYS = 30;

const WATCHES_SHOWN = 25;

export async function showWatches(call: MemberCall, { database, clock, watches }: PortalServices): Promise<Page> {
  const { customer_id } = call.user;
  const live = call.query.get('show') !== 'ended';
  const place = readPosition(call.query);
  const before = place === null ? null : { created_at: place.at, watch_id: place.id };
  const found = await listLatestWatches(database, customer_id, { live, before, limit: WATCHES_SHOWN + 1 });
  const { rows: shown, further } = cutPage(
    found,
    WATCHES_SHOWN,
    (last) => `/portal/watches?${live ? '' : 'show=ended&'}before=${last.created_at}_${last.watch_id}`,
  );
  const ids = shown.map(({ watch_id }) => watch_id);
  const subjects = shown.map((watch) => () => findSubject(database, watch));
  const [hits, counts] = await Promise.all([
    countRecentHits(database, ids, isoInstant(clock.nowMs() - LATELY_DAYS * DAY_MS)),
    live && !call.fromElsewhere ? watches.countMatches(customer_id, subjects) : [],
  ]);
  const rows = shown.map((watch, at) => ({
    watch,
    matches: counts[at] ?? null,
    hits: hits.get(watch.watch_id) ?? 0,
  }));
  const body = html`
    ${renderHeading('Watches', renderLinkButton('New watch', NEW_WATCH))}
    <p class="hint">
      A watch reports new matches, changes of what matches, and records that no longer match: here, to programs, and
      through${' '}
      ${mayOpen(call.person, 'webhooks') ? html`<a href="/portal/webhooks">webhooks</a>` : 'webhooks'}.
    </p>
    ${renderTabs('Which watches', [
      { label: 'Active', href: '/portal/watches', isHere: live },
      { label: 'Stopped', href: '/portal/watches?show=ended', isHere: !live },
    ])}
    ${renderWatchList(rows, live)}
    ${renderFurther(further, 'Older', 'next')}
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

const FILINGS_SHOWN = 25;

export async function showWatch(call: MemberCall, services: PortalServices): Promise<Page> {
  const { database } = services;
  const { user_id: userId, customer_id: customerId } = call.user;
  const watch = await findOwn(call, services);
  const subject = await findSubject(database, watch);
  const before = parseHit(call.query.get('before') ?? '');
  const asked = readHitsAsked(call.query);
  const seenThrough = asked.since ?? (await findSeenThrough(database, userId, watch.watch_id)) ?? '';
  const filter = planHits(asked, userId, seenThrough);
  const hits = await findLatestHits(database, watch.watch_id, { before, limit: HITS_SHOWN, filter });
  // Whoever opens the page has seen the newest hits, and with them that there are older ones.
  const isWhole = asked.kind === null && (asked.state === null || asked.state === 'new');
  if (before === null && isWhole && !call.fromElsewhere) {
    await markWatchSeen(database, { userId, watchId: watch.watch_id, through: hits.completeThrough });
  }
  const [preview, shown, handlers, calendars, filings, registers] = await Promise.all([
    preparePreview(call, services, { subject, repeats: 0, watchId: watch.watch_id }),
    joinHits(database, { watchId: watch.watch_id, items: hits.items, seenThrough }),
    readHandlers(database, customerId),
    listCalendars(database, customerId, { watch_id: watch.watch_id }),
    readFilings(database, customerId, { watch_id: watch.watch_id }, FILINGS_SHOWN),
    listRegisters(database).then((all) => all.map(({ jurisdiction_code: code }) => code)),
  ]);
  // What was new when the reader came is still marked on the pages that this one leads to.
  const kept = { ...asked, since: seenThrough };
  const more = hits.olderThan === null ? null : encodeHitsAsked(kept, { before: nameHit(hits.olderThan) });
  const older = more === null ? null : `/portal/watches/${watch.id}${more}#hits`;
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
      ['Checked up to', renderChecked(hits.completeThrough)],
    ])}
    ${renderActions(
      renderLinkButton(isLive ? 'Change…' : 'Watch again…', `${path}/change`, 'second'),
      subject.kind === 'search' ? renderLinkButton('Search now', linkSearch(subject.search), 'second') : null,
      mayOpen(call.person, 'webhooks') ? renderLinkButton('Webhooks', '/portal/webhooks', 'second') : null,
      isLive ? renderLinkButton('Stop watching…', `${path}/end`, 'danger') : null,
    )}
    ${renderFilingsPart(call, filings)}
    ${renderHitsSection(call, { watch, hits: shown, asked: kept, handlers, older })}
    <section>
      <h2>Why is a mark not here?</h2>
      <div class="narrow">${renderWhyForm(watch.id, registers, { register: '', number: '' })}</div>
    </section>
    ${isLive ? renderCalendars(call, { calendars, action: `${path}/calendar`, lasts: 'It works until you revoke it or stop the watch.' }) : null}
    ${renderPreview(preview, true)}
  `;
  return { title: `Watch ${watch.name}`, body, section: 'watches' };
}

interface HitsSection {
  readonly watch: StoredWatch;
  readonly hits: readonly ShownHit[];
  readonly asked: HitsAsked;
  readonly handlers: Handlers;
  /** The address of the older hits; null if there are none. */
  readonly older: string | null;
}

function renderHitsSection(call: MemberCall, { watch, hits, asked, handlers, older }: HitsSection): unknown {
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
      ${renderFurther(older, 'Older', 'next')}
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

export async function preparePreview(
  call: MemberCall,
  { database, watches }: PortalServices,
  { subject, repeats, watchId }: { subject: WatchSubject; repeats: number; watchId: string | null },
): Promise<PreviewShown> {
  const [counts, missing] = await Promise.all([
    // A link on another site must not keep the search busy.
    call.fromElsewhere ? null : watches.preview(call.user.customer_id, subject, watchId),
    subject.kind === 'records' ? listMissingRecords(database, subject.records) : [],
  ]);
  return { counts, missing, repeats };
}
