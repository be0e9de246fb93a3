/** The forms that create, change and end a watch. */

import { FILTERS } from '@tmds/contract/parameters';
import {
  BODY_BYTES_MAX,
  WATCH_CHOICES,
  WATCH_ITEMS_MAX,
  WATCH_NAME_MAX,
  WATCH_REFERENCE_MAX,
  WATCH_STRATEGIES_DEFAULT,
  type WatchKind,
} from '@tmds/contract/watches';
import { html } from 'htm/preact';
import type { StoredWatch } from '../../store/watches/watches.ts';
import { renderFilters } from '../explorer/search-form.ts';
import { encodePairs, findValue, readSearch } from '../explorer/search-pairs.ts';
import { describeFilters } from '../explorer/search-words.ts';
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
import { areaField, buttonsField, chipsField, hiddenField, sureField, textField } from '../frame/field-kinds.ts';
import { renderSettled } from '../frame/fields.ts';
import { declareForm, type Field, renderForm } from '../frame/forms.ts';
import { formatCount } from '../frame/pieces.ts';
import { registerName } from '../frame/registers.ts';
import { listChoices } from '../frame/wording.ts';
import { readSimilar } from '../similar/similar-target.ts';
import { type PreviewShown, renderPreview, renderSearch } from './definition-view.ts';
import type { Narrowing, TypedWatch } from './typed-watch.ts';

/** Whether a text is a name or an entry of a list is judged by the rules of the API. */
const read = (text: string): string => text;

const NAMED = {
  kind: hiddenField(),
  name: textField({
    label: 'Name',
    hint: 'For people: on pages, in webhooks and in mails.',
    attributes: { required: true, maxlength: WATCH_NAME_MAX },
    read,
  }),
  reference: textField({
    label: 'Your reference',
    hint: 'Optional, such as a matter number. Hits, files, webhooks and mails repeat it.',
    attributes: { maxlength: WATCH_REFERENCE_MAX },
    read,
  }),
};
const PREVIEWED = { do: buttonsField({ preview: { label: 'Preview', isUnchecked: true } }, 'save') };

const MOST = `one a line, at most ${formatCount(WATCH_ITEMS_MAX)}`;
const CLASSES = Array.from({ length: 45 }, (_, at) => ({ value: String(at + 1), label: String(at + 1) }));

const SEARCH = declareForm({ ...NAMED, search: hiddenField() });
const RECORDS = declareForm({
  ...NAMED,
  records: areaField({
    label: 'Records',
    hint: html`The code of the register and the id of the record, such as <code>EM EM500000018229854</code>, ${MOST}.
      If you have numbers in other forms, <a href="/portal/reconcile">Dockets</a> finds their records and
      can watch them.`,
    read,
    bytesMax: BODY_BYTES_MAX,
  }),
  ...PREVIEWED,
});
const OWNERS = declareForm({
  ...NAMED,
  owners: areaField({
    label: 'Owners',
    hint: `Whole names, ${MOST}. Capitals do not matter.`,
    read,
    bytesMax: BODY_BYTES_MAX,
  }),
  ...PREVIEWED,
});
/** What else the search for likeness was narrowed by. */
const KEPT_FILTERS: Readonly<Record<string, Field<string>>> = Object.fromEntries(
  Object.keys(FILTERS)
    .filter((name) => name !== 'jurisdiction')
    .map((name) => [name, hiddenField()]),
);

/** The fields have the names that they have on the page that searches for likeness. */
const SIMILAR = declareForm({
  ...NAMED,
  mark: textField({
    label: 'Mark',
    hint: 'Hits are records whose names are like it.',
    attributes: { required: true, dir: 'auto', spellcheck: 'false' },
    read,
  }),
  strategies: chipsField({
    label: 'Ways in which names are alike, and the texts that are compared',
    hint: 'The other ways find many names. No text chosen means all.',
    initial: WATCH_STRATEGIES_DEFAULT,
  }),
  classes: chipsField({
    label: 'Classes of its goods and services',
    hint: 'Hits say whether they have a class in common. They leave nothing out.',
  }),
  jurisdiction: chipsField({ label: 'Registers', hint: 'None chosen means all.' }),
  ...KEPT_FILTERS,
  ...PREVIEWED,
});

/** The form of a watch of any kind, as it is sent. */
export const WATCH = declareForm({ ...SIMILAR.fields, ...OWNERS.fields, ...RECORDS.fields, ...SEARCH.fields });

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
  const known = { kind: { value: kind }, name: { value: name }, reference: { value: reference } };
  const submission = {
    action: watch === null ? NEW_WATCH : `/portal/watches/${watch.id}/change`,
    label: watch === null ? 'Create the watch' : watch.ended_at === null ? 'Change the watch' : 'Watch again',
    ...(watch === null ? {} : { back: `/portal/watches/${watch.id}` }),
  };
  switch (kind) {
    case 'search': {
      const shown = { ...known, search: { value: typed.search } };
      return renderForm(call, SEARCH, { ...submission, shown, note: renderSearched(typed, watch) });
    }
    case 'records':
      return renderForm(call, RECORDS, { ...submission, shown: { ...known, records: { value: typed.lines } } });
    case 'owners':
      return renderForm(call, OWNERS, { ...submission, shown: { ...known, owners: { value: typed.lines } } });
    case 'similar':
      return renderSimilar(call, typed, { submission, known, registers });
  }
}

function renderSearched({ search }: TypedWatch, watch: StoredWatch | null): unknown {
  const { pairs } = readSearch(new URLSearchParams(search));
  const explorer = `/portal/explorer${encodePairs(watch === null ? pairs : [...pairs, ['watch', watch.id]])}`;
  return html`
    ${renderSettled('Search', renderSearch(search))}
    <p><a href=${explorer}>Change the search</a></p>
  `;
}

interface SimilarShown {
  readonly submission: { readonly action: string; readonly label: string; readonly back?: string };
  readonly known: Readonly<Record<'kind' | 'name' | 'reference', { readonly value: string }>>;
  readonly registers: readonly string[];
}

function renderSimilar(call: MemberCall, { search }: TypedWatch, shown: SimilarShown): unknown {
  const { submission, known, registers } = shown;
  const { mark, pairs, filters } = readSimilar(new URLSearchParams(search));
  const chosenOf = (name: string) => ({ value: findValue(pairs, name) });
  const kept = filters.filter(([name]) => name !== 'jurisdiction');
  return renderForm(call, SIMILAR, {
    ...submission,
    shown: {
      ...Object.fromEntries(kept.map(([name, value]) => [name, { value }])),
      ...known,
      mark: { value: mark },
      strategies: { ...chosenOf('strategies'), choices: listChoices(WATCH_CHOICES) },
      classes: { ...chosenOf('classes'), choices: CLASSES },
      jurisdiction: {
        ...chosenOf('jurisdiction'),
        choices: registers.map((value) => ({ value, label: registerName(value), title: value })),
      },
    },
    note: kept.length === 0 ? null : renderSettled('Only records with', html`<bdi>${describeFilters(kept)}</bdi>`),
  });
}

export const ENDING = declareForm({ sure: sureField('Nobody needs hits of this watch any more') });

export const askEnd = (watch: StoredWatch) =>
  ({
    title: 'Stop watching',
    section: 'watches',
    trail: renderWatchTrail(watch),
    back: `/portal/watches/${watch.id}`,
    words: html`
      <p>
        Once you stop <strong><bdi>${watch.name}</bdi></strong>, it reports nothing more. Its hits stay, and you can
        start it again; changes in between are not reported.
      </p>
    `,
    label: 'Stop watching',
    kind: 'danger',
  }) as const;

export function renderWatchTrail(watch: StoredWatch | null): unknown {
  const all = { label: 'Watches', href: '/portal/watches' };
  return watch === null
    ? renderTrail(all)
    : renderTrail(all, { label: html`<bdi>${watch.name}</bdi>`, href: `/portal/watches/${watch.id}` });
}
