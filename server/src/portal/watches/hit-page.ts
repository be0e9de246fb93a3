/** The page of one hit, whose address colleagues send each other: what changed, and what is done about it. */

import { html } from 'htm/preact';
import type { VersionEvent } from '../../store/records/history.ts';
import { HIT_NOTE_MAX } from '../../store/watches/hit-handling.ts';
import type { StoredWatch } from '../../store/watches/watches.ts';
import { fromOf } from '../explorer/ask.ts';
import { recordPath, renderMarkName } from '../explorer/record-parts.ts';
import { COLUMNS } from '../explorer/record-table.ts';
import type { MemberCall, Page } from '../frame/call.ts';
import {
  renderActions,
  renderBadge,
  renderCopyable,
  renderFacts,
  renderHeading,
  renderLinkButton,
  renderTrail,
} from '../frame/components.ts';
import { renderHandling } from '../frame/handling-form.ts';
import { renderInstant } from '../frame/pieces.ts';
import { registerName } from '../frame/registers.ts';
import { nameOfPerson } from '../frame/roles.ts';
import { renderStatus } from '../frame/wording.ts';
import { renderChanges } from '../history/change-view.ts';
import { renderOccasion, renderSource } from '../history/event-view.ts';
import { renderGoodsDiff } from '../history/goods-diff.ts';
import { renderReference } from './definition-view.ts';
import { EVENTS, hitPath, renderLikeness, renderPicture, STATES } from './hits-view.ts';
import type { Handlers, ShownHit } from './shown-hits.ts';

interface HitView {
  readonly watch: StoredWatch;
  readonly hit: ShownHit;
  readonly change: VersionEvent;
  /** Documents of the version and of the one before; null if they are the same, or too large to compare here. */
  readonly documents: { readonly before: unknown; readonly after: unknown } | null;
  readonly handlers: Handlers;
  readonly fault: string | null;
}

function filingPath({ id }: StoredWatch, { jurisdiction_code: register, uid }: ShownHit['item']): string {
  return `/portal/new-filing?${new URLSearchParams({ register, uid, watch: id }).toString()}`;
}

export function renderHit(call: MemberCall, view: HitView): Page {
  const { watch, hit, change } = view;
  const { item, record, name } = hit;
  const path = hitPath(watch.id, name);
  const title = record === null ? item.uid : (record.mark_name ?? item.uid);
  const opening = { keyId: '', from: fromOf(call), languages: call.languages };
  const body = html`
    ${renderTrail({ label: 'Watches', href: '/portal/watches' }, { label: html`<bdi>${watch.name}</bdi>`, href: `/portal/watches/${watch.id}` })}
    ${renderHeading(
      html`<bdi>${record === null ? item.uid : renderMarkName(record)}</bdi>`,
      html`<span>${renderBadge(...EVENTS[item.event])} ${renderBadge(...STATES[hit.state])}</span>`,
    )}
    ${renderFacts([
      ['Picture', renderPicture(watch.id, hit)],
      ['Register', registerName(item.jurisdiction_code)],
      ['Number', html`<code>${record?.application_number ?? record?.registration_number ?? item.uid}</code>`],
      ['Your reference', renderReference(watch)],
      ['Why it is alike', renderLikeness(item)],
      ['Status now', record === null ? null : renderStatus(record.status)],
      ['Owner', record === null ? null : COLUMNS.owner!.render(record, opening)],
      ['Classes', record === null ? null : COLUMNS.classes!.render(record, opening)],
    ])}
    ${renderActions(
      renderLinkButton('Open the record', recordPath(item, opening), 'second', { rel: 'nofollow' }),
      renderLinkButton('I filed something…', filingPath(watch, item), 'second', { rel: 'nofollow' }),
    )}
    <p class="hint">This page costs nothing; the record costs one unit.</p>
    ${renderWhatChanged(call, view, change)}
    ${renderHitHandling(call, view)}
    <section>
      <h2>Share</h2>
      ${renderCopyable('Link for a colleague', `${call.origin}${path}`, 'hit-link')}
      <p class="hint">It opens this page for members and administrators of your team who are signed in.</p>
    </section>
  `;
  return { title, body, section: 'watches', status: view.fault === null ? 200 : 422 };
}

function renderWhatChanged(call: MemberCall, { hit: { item }, documents }: HitView, { event }: VersionEvent): unknown {
  const place = { register: item.jurisdiction_code, uid: item.uid, kept: keptFrom(call) };
  const isFirst = event.previous_version === null;
  return html`
    <section id="what-changed">
      <h2>What changed</h2>
      ${renderOccasion(event)}
      ${renderSource(event.source)}
      ${isFirst ? null : renderChanges(event, place)}
      ${documents === null ? null : renderGoodsDiff(documents.before, documents.after)}
    </section>
  `;
}

function keptFrom(call: MemberCall): readonly (readonly [string, string])[] {
  const from = fromOf(call);
  return from === null ? [] : [['from', from]];
}

function renderHitHandling(call: MemberCall, { watch, hit, handlers, fault }: HitView): unknown {
  const { handling, name, state } = hit;
  const { assignable, nameOf } = handlers;
  const assigned = handling?.assigned_to ?? null;
  const isGone = assigned !== null && !assignable.some(({ user_id }) => user_id === assigned);
  return renderHandling(call, {
    action: `/portal/watches/${watch.id}/hit`,
    kept: { hit: name },
    states: [{ value: 'done', label: 'Done' }],
    state,
    people: {
      offered: [
        ...assignable.map((member) => ({ value: member.user_id, label: nameOfPerson(member) })),
        ...(isGone ? [{ value: assigned, label: nameOf(assigned) }] : []),
      ],
      chosen: assigned,
    },
    note: handling?.note ?? null,
    noteMax: HIT_NOTE_MAX,
    last: handling === null ? null : describeLast(hit, handlers),
    fault,
    back: `/portal/watches/${watch.id}#hits`,
  });
}

function describeLast({ handling }: ShownHit, { nameOf }: Handlers): unknown {
  const { done_at: doneAt, done_by: doneBy, changed_at: changedAt, changed_by: changedBy } = handling!;
  return html`
    ${doneAt === null || doneBy === null ? null : html`Done by <bdi>${nameOf(doneBy)}</bdi> on ${renderInstant(doneAt)}. `}
    Last changed by <bdi>${nameOf(changedBy)}</bdi> on ${renderInstant(changedAt)}.
  `;
}
