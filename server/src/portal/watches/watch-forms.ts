/** The forms that create, change and end a watch. */

import {
  WATCH_CHOICES,
  WATCH_ITEMS_MAX,
  WATCH_NAME_MAX,
  WATCH_REFERENCE_MAX,
  WATCH_STRATEGIES_DEFAULT,
  type WatchKind,
} from '@tmds/contract/watches';
import { html } from 'htm/preact';
import type { StoredWatch } from '../../store/watches/watches.ts';
import { describeFilters } from '../explorer/filter-chips.ts';
import { renderFilters } from '../explorer/search-form.ts';
import { encodePairs, readSearch } from '../explorer/search-pairs.ts';
import { listChoices } from '../frame/alike-words.ts';
import type { MemberCall, Page } from '../frame/call.ts';
import {
  renderActions,
  renderButton,
  renderFault,
  renderHeading,
  renderLinkButton,
  renderTabs,
  renderTrail,
} from '../frame/components.ts';
import { renderChipSet, renderConfirm, renderField, renderSettled, renderTextArea } from '../frame/fields.ts';
import { buildFormPage } from '../frame/page-routes.ts';
import { formatCount, formFields } from '../frame/pieces.ts';
import { registerName } from '../frame/registers.ts';
import { readSimilar } from '../similar/similar-target.ts';
import { type PreviewShown, renderPreview, renderSearch } from './definition-view.ts';
import type { Narrowing, TypedWatch } from './typed-watch.ts';

interface WatchFormView {
  readonly typed: TypedWatch;
  /** The watch to change; null creates one. */
  readonly watch: StoredWatch | null;
  readonly preview: PreviewShown | null;
  readonly fault: string | null;
  /** A search that mends the fault, with the text of its link; null if there is none. Default: null. */
  readonly way?: Narrowing['way'];
  /** The codes of the registers, for the fields of a search that is not typed yet. */
  readonly registers?: readonly string[];
}

export const NEW_WATCH = '/portal/new-watch';
/** The buttons of the form, by their action. */
export const DEEDS = { field: 'do', preview: 'preview', save: 'save' } as const;

const KINDS: readonly (readonly [WatchKind, string])[] = [
  ['search', 'A search'],
  ['records', 'Records'],
  ['owners', 'Owners'],
  ['similar', 'Names like a mark'],
];

export function renderWatchForm(call: MemberCall, view: WatchFormView): Page {
  const { typed, watch, preview, fault, way = null, registers = [] } = view;
  const title = watch === null ? 'New watch' : watch.ended_at === null ? 'Change the watch' : 'Watch again';
  const body = html`
    <section class="narrow">
      ${renderWatchTrail(watch)}
      ${renderHeading(title)}
      ${renderFault(fault)}
      ${way === null ? null : renderWay(way, watch)}
      ${watch === null ? renderKinds(typed.kind) : null}
      ${typed.kind === 'search' && typed.search === '' ? null : renderFields(call, view)}
    </section>
    ${typed.kind === 'search' && typed.search === '' ? renderSearchForm(registers) : null}
    ${preview === null ? null : renderPreview(preview, false)}
  `;
  return { title, body, section: 'watches', status: fault === null || call.form.size === 0 ? 200 : 422 };
}

function renderWay({ title, search }: NonNullable<Narrowing['way']>, watch: StoredWatch | null): unknown {
  const page = watch === null ? NEW_WATCH : `/portal/watches/${watch.id}/change`;
  return renderActions(renderLinkButton(title, `${page}?${new URLSearchParams({ search }).toString()}`, 'second'));
}

function renderKinds(here: WatchKind): unknown {
  return renderTabs(
    'What to watch',
    KINDS.map(([kind, label]) => ({ label, href: `${NEW_WATCH}?kind=${kind}`, isHere: kind === here })),
  );
}

/** The fields of a search, sent in this one, so that the page knows which of its forms was filled in. */
export const SEARCH_TYPED = 'fields';

function renderSearchForm(registers: readonly string[]): unknown {
  return html`
    <form method="get" action=${NEW_WATCH} class="filters" aria-label="Search to watch">
      <p class="hint">Fill in what to watch for. The next page counts what matches now, before the watch is created.</p>
      <input type="hidden" name=${SEARCH_TYPED} value="1" />
      <div class="groups">${renderFilters({ pairs: [], registers, refusal: null })}</div>
      ${renderActions(renderButton('Continue'))}
    </form>
  `;
}

function renderFields(call: MemberCall, { typed, watch, registers = [] }: WatchFormView): unknown {
  const { kind, name, reference } = typed;
  const action = watch === null ? NEW_WATCH : `/portal/watches/${watch.id}/change`;
  const label = watch === null ? 'Create the watch' : watch.ended_at === null ? 'Change the watch' : 'Watch again';
  return html`
    <form method="post" action=${action} enctype=${kind === 'search' || kind === 'similar' ? null : 'multipart/form-data'} class="stack">
      ${formFields(call)}
      <input type="hidden" name="kind" value=${kind} />
      ${renderField({
        id: 'name',
        label: 'Name',
        hint: 'For people: on pages, in webhooks and in mails.',
        attributes: { required: true, maxlength: WATCH_NAME_MAX, value: name },
      })}
      ${renderField({
        id: 'reference',
        label: 'Your reference',
        hint: 'Optional, such as a matter number. Hits, files, webhooks and mails repeat it.',
        attributes: { maxlength: WATCH_REFERENCE_MAX, value: reference },
      })}
      ${renderSubjectFields(typed, watch, registers)}
      ${renderActions(
        kind === 'search'
          ? null
          : renderButton('Preview', 'second', { name: DEEDS.field, value: DEEDS.preview, formnovalidate: true }),
        renderButton(label, 'first', { name: DEEDS.field, value: DEEDS.save }),
        watch === null ? null : renderLinkButton('Cancel', `/portal/watches/${watch.id}`, 'second'),
      )}
    </form>
  `;
}

function renderSubjectFields(typed: TypedWatch, watch: StoredWatch | null, registers: readonly string[]): unknown {
  if (typed.kind === 'search') return renderSearchField(typed, watch);
  return typed.kind === 'similar' ? renderSimilarFields(typed, registers) : renderLinesField(typed);
}

function renderSearchField({ search }: TypedWatch, watch: StoredWatch | null): unknown {
  const { pairs } = readSearch(new URLSearchParams(search));
  const explorer = `/portal/explorer${encodePairs(watch === null ? pairs : [...pairs, ['watch', watch.id]])}`;
  return html`
    <input type="hidden" name="search" value=${search} />
    ${renderSettled('Search', renderSearch(search))}
    <p><a href=${explorer}>Change the search</a></p>
  `;
}

/** The same names of fields as on the page that searches for likeness. */
function renderSimilarFields({ search }: TypedWatch, registers: readonly string[]): unknown {
  const { mark, pairs, filters } = readSimilar(new URLSearchParams(search));
  const chosenOf = (name: string): string[] => pairs.find(([known]) => known === name)?.[1].split(',') ?? [];
  const strategies = chosenOf('strategies');
  const kept = filters.filter(([name]) => name !== 'jurisdiction' || registers.length === 0);
  return html`
    ${renderField({
      id: 'mark',
      label: 'Mark',
      hint: 'Hits are records whose names are like it.',
      attributes: { required: true, value: mark, dir: 'auto', spellcheck: 'false' },
    })}
    ${renderChipSet({
      legend: 'Ways in which names are alike, and the texts that are compared',
      name: 'strategies',
      choices: listChoices(WATCH_CHOICES),
      chosen: strategies.length === 0 ? WATCH_STRATEGIES_DEFAULT : strategies,
      hint: 'The other ways find many names. No text chosen means all.',
    })}
    ${renderChipSet({
      legend: 'Classes of its goods and services',
      name: 'classes',
      choices: Array.from({ length: 45 }, (_, at) => ({ value: String(at + 1), label: String(at + 1) })),
      chosen: chosenOf('classes'),
      hint: 'Hits say whether they have a class in common. They leave nothing out.',
    })}
    ${
      registers.length === 0
        ? null
        : renderChipSet({
            legend: 'Registers',
            name: 'jurisdiction',
            choices: registers.map((value) => ({ value, label: registerName(value), title: value })),
            chosen: chosenOf('jurisdiction'),
            hint: 'None chosen means all.',
          })
    }
    ${kept.length === 0 ? null : renderSettled('Only records with', html`<bdi>${describeFilters(kept)}</bdi>`)}
    ${kept.map(([name, value]) => html`<input key=${name} type="hidden" name=${name} value=${value} />`)}
  `;
}

function renderLinesField({ kind, lines }: TypedWatch): unknown {
  const most = `one a line, at most ${formatCount(WATCH_ITEMS_MAX)}`;
  return kind === 'records'
    ? renderTextArea({
        id: kind,
        label: 'Records',
        hint: html`The code of the register and the id of the record, such as <code>EM EM500000018229854</code>, ${most}.
          If you have numbers in other forms, <a href="/portal/reconcile">Dockets</a> finds their records and
          can watch them.`,
        text: lines,
      })
    : renderTextArea({
        id: kind,
        label: 'Owners',
        hint: `Whole names, ${most}. Capitals do not matter.`,
        text: lines,
      });
}

export function renderEnd(call: MemberCall, watch: StoredWatch, fault: string | null): Page {
  const path = `/portal/watches/${watch.id}`;
  return buildFormPage(
    { title: 'Stop watching', section: 'watches', trail: renderWatchTrail(watch), fault },
    html`<p>
        Once you stop <strong><bdi>${watch.name}</bdi></strong>, it reports nothing more. Its hits stay, and you can
        start it again; changes in between are not reported.
      </p>
      ${renderConfirm({
        action: `${path}/end`,
        tokens: formFields(call),
        sure: 'Nobody needs hits of this watch any more',
        label: 'Stop watching',
        back: path,
      })}`,
  );
}

function renderWatchTrail(watch: StoredWatch | null): unknown {
  const all = { label: 'Watches', href: '/portal/watches' };
  return watch === null
    ? renderTrail(all)
    : renderTrail(all, { label: html`<bdi>${watch.name}</bdi>`, href: `/portal/watches/${watch.id}` });
}
