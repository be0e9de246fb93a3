/** The hits that are new to a person: the newest of them, and how many each watch has. */

import { html } from 'htm/preact';
import { nameHit } from '../../store/watches/hit-handling.ts';
import { NEW_HITS_COUNTED_MAX, type WatchNews } from '../../store/watches/new-hits.ts';
import { renderMarkName } from '../explorer/record-parts.ts';
import type { MemberCall } from '../frame/call.ts';
import { renderBadge, renderButton, renderEmpty, renderSubheading } from '../frame/components.ts';
import { formatCount, formFields, renderInstant } from '../frame/pieces.ts';
import { registerName } from '../frame/registers.ts';
import { renderTable } from '../frame/table.ts';
import { renderChecked } from '../watches/definition-view.ts';
import { EVENTS, hitPath } from '../watches/hits-view.ts';
import type { HitsNews, NewHitShown } from './home.ts';

export function renderNews(call: MemberCall, news: HitsNews): unknown {
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

function renderSeen(call: MemberCall, completeThrough: string): unknown {
  return html`
    <form method="post" action="/portal/hits-seen">
      ${formFields(call)}
      <input type="hidden" name="through" value=${completeThrough} />
      ${renderButton('Mark all as seen', 'second')}
    </form>
  `;
}

function renderWatchNews({ id, name, hits }: WatchNews): unknown {
  const count = hits < NEW_HITS_COUNTED_MAX ? formatCount(hits) : `${formatCount(hits)} or more`;
  return html`<li key=${id}><a href=${`/portal/watches/${id}`}><bdi>${name}</bdi></a> <strong>${count}</strong></li>`;
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
      keyOf: ({ stamp, jurisdiction_code, uid, watch }) => `${stamp} ${jurisdiction_code} ${uid} ${watch.id}`,
      columns: [
        { label: 'Mark', isHeader: true, style: 'name', cell: renderMark },
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

function renderMark(hit: NewHitShown): unknown {
  const path = hitPath(hit.watch.id, nameHit(hit));
  const name = hit.record === null ? html`<code>${hit.uid}</code>` : renderMarkName(hit.record);
  return html`<a href=${path}><bdi>${name}</bdi></a>`;
}
