/** On the page of a record: what changed in the version that it shows, and what says that it is no longer current. */
import type { HistoryEvent } from '@tmds/contract/history';
import type { Instant, TrademarkDetail } from '@tmds/contract/record';
import { html } from 'htm/preact';
import type { VersionEvent } from '../../store/records/history.ts';
import { renderActions, renderLinkButton, renderNotice } from '../frame/components.ts';
import { renderInstant } from '../frame/pieces.ts';
import { renderChanges } from './change-view.ts';
import { renderOccasion, renderSource } from './event-view.ts';
import { historyPath, type RecordPlace, versionPath } from './places.ts';

/** `change`: null if it was not told in time. */
export function renderWhatChanged(
  { first_seen_at: firstSeen }: Pick<TrademarkDetail, 'first_seen_at'>,
  change: VersionEvent | null,
  place: RecordPlace,
): unknown {
  const event = change?.event ?? null;
  return html`
    <section id="what-changed">
      <h2>What changed</h2>
      ${event === null ? html`<p class="hint">Not told in time; the history says it.</p>` : renderEvent(event, firstSeen, place)}
      ${renderActions(
        event === null || event.previous_version === null
          ? null
          : renderLinkButton('The record before', versionPath(place, event.previous_version), 'second', NOFOLLOW),
        renderLinkButton('Its whole history', historyPath(place), 'second', NOFOLLOW),
      )}
      <p class="hint">What is here cost nothing more. Each page of the history, and each version, costs one unit.</p>
    </section>
  `;
}

const NOFOLLOW = { rel: 'nofollow' };

function renderEvent(event: HistoryEvent, firstSeen: Instant, place: RecordPlace): unknown {
  if (event.previous_version !== null) {
    return html`${renderOccasion(event)} ${renderChanges(event, place)} ${renderSource(event.source)}`;
  }
  const isFirst = event.version === firstSeen;
  return html`
    <p>
      ${
        isFirst
          ? html`Nothing yet: this is the first version of the record, published on ${renderInstant(event.version, 'second')}.`
          : html`Nothing that is kept: the history begins with this version, published on
            ${renderInstant(event.version, 'second')}. There were others before.`
      }
    </p>
    ${renderSource(event.source)}
  `;
}

/** Above a record that is shown as it was. */
export function renderAsItWas(version: Instant, change: VersionEvent | null): unknown {
  const replaced = change?.replaced_at ?? null;
  if (change !== null && replaced === null) {
    return renderNotice(
      'plain',
      html`<p>This is the current version, published on ${renderInstant(version, 'second')}.</p>`,
    );
  }
  return renderNotice(
    'warn',
    html`
      <p>
        <strong>The record as it was on ${renderInstant(version, 'second')}</strong>${
          replaced === null ? null : html`, replaced on ${renderInstant(replaced, 'second')}`
        }.
      </p>
    `,
  );
}

/** Where the record on the page is remembered and there is a newer one; null otherwise. */
export function renderOutdated(change: VersionEvent | null, againPath: string): unknown {
  const replaced = change?.replaced_at ?? null;
  if (replaced === null) return null;
  return renderNotice(
    'warn',
    html`
      <p>
        A newer version was published on ${renderInstant(replaced, 'second')}.${' '}
        <a rel="nofollow" href=${againPath}>Ask again, for one unit</a>
      </p>
    `,
  );
}
