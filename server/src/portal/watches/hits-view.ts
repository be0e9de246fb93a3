/**
 * The hits of a watch: which marks, what happened to them, what changed, and who handles them; and the page of one hit,
 * whose address colleagues send each other.
 */
import { describeHeld } from '@tmds/contract/likeness-words';
import type { HitEvent, HitLikeness, WatchHitItem } from '@tmds/contract/watches';
import { html } from 'htm/preact';
import type { VersionEvent } from '../../store/records/history.ts';
import { HIT_NOTE_MAX } from '../../store/watches/hit-handling.ts';
import type { StoredWatch } from '../../store/watches/watches.ts';
import { fromOf } from '../explorer/ask.ts';
import { type RecordsShown, recordPath, renderMarkName } from '../explorer/record-parts.ts';
import { COLUMNS } from '../explorer/record-table.ts';
import type { MemberCall, Page } from '../frame/call.ts';
import {
  type Level,
  renderActions,
  renderBadge,
  renderCopyable,
  renderFacts,
  renderHeading,
  renderLinkButton,
  renderToggles,
} from '../frame/components.ts';
import { buttonsField, hiddenField, offeredField, rowsField } from '../frame/field-kinds.ts';
import { renderTick } from '../frame/fields.ts';
import { declareForm, renderForm } from '../frame/forms.ts';
import { noteField, renderHandling, stateField } from '../frame/handling-form.ts';
import { renderInstant } from '../frame/pieces.ts';
import { registerName } from '../frame/registers.ts';
import { nameOfPerson } from '../frame/roles.ts';
import { renderTable } from '../frame/table.ts';
import { describeGoods, renderStatus } from '../frame/wording.ts';
import { meaningOf, renderChangeLines, renderChanges, renderOccasion, renderSource } from '../history/change-view.ts';
import { renderGoodsDiff } from '../history/goods-diff.ts';
import { numberOf, renderPicture as renderMarkPicture } from '../similar/entries-view.ts';
import { renderReference } from './definition-view.ts';
import {
  encodeHitsAsked,
  type Handlers,
  HIT_KINDS,
  HIT_STATES,
  type HitStateName,
  type HitsAsked,
  type ShownHit,
} from './hits.ts';
import { renderWatchTrail } from './watch-forms.ts';

export const EVENTS: Readonly<Record<HitEvent, readonly [Level, string]>> = {
  begins: ['good', 'new match'],
  changes: ['plain', 'changed'],
  stops: ['off', 'no longer matches'],
};

const STATES: Readonly<Record<ShownHit['state'], readonly [Level, string]>> = {
  new: ['warn', 'new'],
  seen: ['plain', 'seen'],
  done: ['off', 'done'],
};

const NOTE_SHOWN = 120;

export function hitPath(watchId: string, name: string): string {
  return `/portal/watches/${watchId}/hits/${encodeURIComponent(name)}`;
}

export const HITS_SHOWN = 25;

/** What is done about several hits. `list`: the filters of the page. */
export const CHOSEN_HITS = declareForm({
  list: hiddenField(false),
  hit: rowsField(HITS_SHOWN),
  do: buttonsField({
    done: { label: 'Mark chosen as done' },
    mine: { label: 'Assign chosen to me' },
    open: { label: 'Open chosen again' },
  }),
});

export const HIT = declareForm({
  hit: hiddenField(false),
  state: stateField([{ value: 'done', label: 'Done' }]),
  person: offeredField('Person', ''),
  note: noteField(HIT_NOTE_MAX),
});

export function renderHits(
  call: MemberCall,
  hits: readonly ShownHit[],
  {
    watchId,
    asked,
    handlers,
    opening,
  }: { watchId: string; asked: HitsAsked; handlers: Handlers; opening: RecordsShown },
): unknown {
  const table = renderTable<ShownHit>({
    label: 'Hits',
    rows: hits,
    columns: [
      {
        label: 'Choose',
        isUnlabelled: true,
        cell: ({ name, item, record }) => renderTick('hit', name, record?.mark_name ?? item.uid),
      },
      { label: 'Picture', isUnlabelled: true, style: 'image', cell: (hit) => renderPicture(watchId, hit) },
      { label: 'Mark', isHeader: true, style: 'name', cell: (hit) => renderMark(watchId, hit) },
      { label: 'Register', style: 'name', cell: renderRegister },
      {
        label: 'Owner',
        style: 'name',
        cell: ({ record }) => (record === null ? null : COLUMNS.owner!.render(record, opening)),
      },
      {
        label: 'Classes',
        style: 'classes',
        cell: ({ record }) => (record === null ? null : COLUMNS.classes!.render(record, opening)),
      },
      { label: 'What changed', style: 'words', cell: renderWhat },
      { label: 'When', cell: ({ item }) => renderInstant(item.version) },
      { label: 'State', style: 'words', cell: (hit) => renderState(hit, handlers) },
    ],
  });
  return renderForm(call, CHOSEN_HITS, {
    action: `/portal/watches/${watchId}/hits-handled`,
    layout: null,
    before: table,
    shown: {
      list: { value: encodeHitsAsked(asked) },
      do: { offers: asked.state === 'done' ? ['done', 'mine', 'open'] : ['done', 'mine'] },
    },
    label: null,
  });
}

function renderPicture(watchId: string, { name, record }: Pick<ShownHit, 'name' | 'record'>): unknown {
  const path = `/portal/watches/${watchId}/pictures/${encodeURIComponent(name)}`;
  return record === null ? null : renderMarkPicture(record, path);
}

export function numberOfHit({ record, item }: Pick<ShownHit, 'record' | 'item'>): string {
  return record === null ? item.uid : numberOf(record);
}

function renderMark(watchId: string, { name, item, record }: ShownHit): unknown {
  const mark = record === null ? html`<code>${item.uid}</code>` : renderMarkName(record);
  return html`<a href=${hitPath(watchId, name)} dir="auto">${mark}</a>`;
}

function renderRegister(hit: ShownHit): unknown {
  const number = numberOfHit(hit);
  return html`<span>${registerName(hit.item.jurisdiction_code)} <span class="silent"><bdi>${number}</bdi></span></span>`;
}

function renderWhat({ item }: ShownHit): unknown {
  const { event, changes, cause } = item;
  return html`
    ${renderBadge(...EVENTS[event])} <span class="silent">${meaningOf(cause)}</span>
    ${renderLikeness(item)}
    ${renderChangeLines(changes)}
  `;
}

/** Everything that makes the name of a hit alike. */
export function listWhy({ name, held_as, evidence }: HitLikeness): string[] {
  const held = describeHeld(held_as ?? 'mark', name);
  return [...(held === null ? [] : [held]), ...evidence.map(({ text }) => text)];
}

/** Why a hit of a watch for likeness is alike; null for others. */
export function renderLikeness({ likeness }: Pick<WatchHitItem, 'likeness'>): unknown {
  if (likeness === null) return null;
  const goods = describeGoods(likeness.goods);
  return html`
    <ul class="entries" aria-label="Why it is alike">
      ${[...listWhy(likeness), ...(goods === null ? [] : [goods])].map((text) => html`<li><bdi>${text}</bdi></li>`)}
    </ul>
  `;
}

function renderState({ state, handling }: ShownHit, { nameOf }: Handlers): unknown {
  const note = handling?.note ?? null;
  const person = handling?.assigned_to ?? (state === 'done' ? handling?.done_by : null) ?? null;
  const cut = note === null || note.length <= NOTE_SHOWN ? note : `${note.slice(0, NOTE_SHOWN)}…`;
  return html`
    ${renderBadge(...STATES[state])}
    ${person === null ? null : html` <bdi>${nameOf(person)}</bdi>`}
    ${cut === null ? null : html`<br /><span class="silent"><bdi>${cut}</bdi></span>`}
  `;
}

/** Chips by kind of change and by state; one of each may be chosen. */
export function renderHitFilter(watchId: string, asked: HitsAsked): unknown {
  const linkTo = (changes: Partial<HitsAsked>): string =>
    `/portal/watches/${watchId}${encodeHitsAsked({ ...asked, ...changes })}#hits`;
  return html`
    ${renderToggles('By state', Object.keys(HIT_STATES) as HitStateName[], {
      titleOf: (name) => HIT_STATES[name],
      isOn: (name) => name === asked.state,
      linkTo: (name) => linkTo({ state: name === asked.state ? null : name }),
    })}
    ${renderToggles('By kind of change', Object.keys(HIT_KINDS), {
      titleOf: (name) => HIT_KINDS[name]?.title,
      isOn: (name) => name === asked.kind,
      linkTo: (name) => linkTo({ kind: name === asked.kind ? null : name }),
    })}
  `;
}

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
    ${renderWatchTrail(watch)}
    ${renderHeading(
      html`<bdi>${record === null ? item.uid : renderMarkName(record)}</bdi>`,
      html`<span>${renderBadge(...EVENTS[item.event])} ${renderBadge(...STATES[hit.state])}</span>`,
    )}
    ${renderFacts([
      ['Picture', renderPicture(watch.id, hit)],
      ['Register', registerName(item.jurisdiction_code)],
      ['Number', html`<code>${numberOfHit(hit)}</code>`],
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
  const people = [
    { value: '', label: 'Nobody' },
    ...assignable.map((member) => ({ value: member.user_id, label: nameOfPerson(member) })),
    ...(isGone ? [{ value: assigned, label: nameOf(assigned) }] : []),
  ];
  return renderHandling(call, HIT, {
    action: `/portal/watches/${watch.id}/hit`,
    shown: {
      hit: { value: name },
      state: { value: state },
      person: { value: assigned, choices: people },
      note: { value: handling?.note ?? null },
    },
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
