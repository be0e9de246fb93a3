/**
 * On the page of a record: the changes in the version that it shows, and a notice when that version is no longer
 * current.
 */
import type { Instant, TrademarkDetail } from '@tmds/contract/record';
import { html } from 'htm/preact';
import type { VersionEvent } from '../../store/records/history.ts';
import { renderActions, renderLinkButton, renderNotice } from '../frame/components.ts';
import { renderInstant } from '../frame/pieces.ts';
import { renderChanges, renderDigests, renderOccasion, renderSource } from './change-view.ts';
import { historyPath, type RecordPlace, versionPath } from './places.ts';

/** `change`: null if it was not found in time. */
export function renderWhatChanged(
  { first_seen_at: firstSeen }: Pick<TrademarkDetail, 'first_seen_at'>,
  change: VersionEvent | null,
  place: RecordPlace,
): unknown {
  const before = change?.event.previous_version ?? null;
  return html`
    <section id="what-changed">
      <h2>What changed</h2>
      ${change === null ? html`<p class="hint">The changes could not be read in time; see the full history.</p>` : renderChange(change, firstSeen, place)}
      ${renderActions(
        before === null ? null : renderLinkButton('Previous version', versionPath(place, before), 'second', NOFOLLOW),
        renderLinkButton('Full history', historyPath(place), 'second', NOFOLLOW),
      )}
      <p class="hint">
        Included in the price of this page. Each page of the history, and each version, costs one unit.
      </p>
    </section>
  `;
}

const NOFOLLOW = { rel: 'nofollow' };

function renderChange(change: VersionEvent, firstSeen: Instant, place: RecordPlace): unknown {
  const { event } = change;
  const isFirst = event.previous_version === null;
  return html`
    ${isFirst ? html`<p>${describeFirst(change, firstSeen)}</p>` : renderOccasion(event)}
    ${renderSource(event.source)}
    ${isFirst ? null : renderChanges(event, place)}
    ${renderDigests(event.source)}
  `;
}

function describeFirst({ event, replaced_at: replaced }: VersionEvent, firstSeen: Instant): unknown {
  const published = html`published on ${renderInstant(event.version, 'second')}`;
  if (event.version !== firstSeen) {
    return html`The history begins with this version, ${published}. Earlier versions were not kept.`;
  }
  return replaced === null
    ? html`No changes since we first received it on ${renderInstant(event.version, 'second')}.`
    : html`This is the first version, ${published}.`;
}

/** Above a record in a past version. */
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
        }.${change === null ? ' It could not be checked in time whether this is still the current version.' : null}
      </p>
    `,
  );
}

/** If the record on the page is a remembered one and a newer one exists; null otherwise. */
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
