/** The subject of a watch, in the words of the explorer. */

import { HELD_AS_NAMES, LIKENESS_STRATEGY_NAMES } from '@tmds/contract/likeness';
import type { Instant } from '@tmds/contract/record';
import type { WatchKind } from '@tmds/contract/watches';
import { html } from 'htm/preact';
import type { StoredWatch, WatchedRecord, WatchSubject } from '../../store/watches/watches.ts';
import { describeFilters, renderFilterChips } from '../explorer/filter-chips.ts';
import { readSearch } from '../explorer/search-pairs.ts';
import { CHOICE_TITLES } from '../frame/alike-words.ts';
import { renderBadge, renderDisclosure, renderFacts } from '../frame/components.ts';
import { formatCount, renderInstant } from '../frame/pieces.ts';
import { readSimilar } from '../similar/similar-target.ts';

/** Entries of a list that a page shows. */
const LISTED_MAX = 200;

const NOUNS = { records: ['record', 'records'], owners: ['owner', 'owners'] } as const;

function countNoun(kind: Exclude<WatchKind, 'search' | 'similar'>, count: number): string {
  return `${formatCount(count)} ${NOUNS[kind][count === 1 ? 0 : 1]}`;
}

/** The definition in one line. */
export function describeWatch({ kind, search, item_count }: StoredWatch): string {
  if (kind === 'similar') return describeSimilar(search ?? '');
  if (kind !== 'search') return countNoun(kind, item_count);
  return describeFilters(readSearch(new URLSearchParams(search ?? '')).pairs);
}

export function renderWatchState({ ended_at }: Pick<StoredWatch, 'ended_at'>): unknown {
  return ended_at === null ? renderBadge('good', 'active') : renderBadge('off', 'stopped');
}

/** Null for none. */
export function renderReference({ reference }: Pick<StoredWatch, 'reference'>): unknown {
  return reference === null ? null : html`<bdi>${reference}</bdi>`;
}

/** Up to when events of the history are matched; before the first of them, the database has the beginning of time. */
export function renderChecked(through: Instant): unknown {
  return through < FIRST_CHECK ? html`<span class="silent">not checked yet</span>` : renderInstant(through);
}

const FIRST_CHECK = '2000';

export function renderSubject(subject: WatchSubject): unknown {
  switch (subject.kind) {
    case 'search':
      return renderSearch(subject.search);
    case 'similar':
      return renderSimilarSubject(subject.search);
    case 'records':
      return renderListed(countNoun('records', subject.records.length), subject.records.map(renderRecordName));
    case 'owners':
      return renderListed(
        countNoun('owners', subject.owners.length),
        subject.owners.map((name) => html`<bdi>${name}</bdi>`),
      );
  }
}

/** A mark that names are compared with, in one line. */
export function describeSimilar(search: string): string {
  const { mark, filters } = readSimilar(new URLSearchParams(search));
  const within = describeFilters(filters);
  return `Names like “${mark}”${within === '' ? '' : `; ${within}`}`;
}

function renderSimilarSubject(search: string): unknown {
  const { mark, filters, pairs } = readSimilar(new URLSearchParams(search));
  const textOf = (name: string): string => pairs.find(([known]) => known === name)?.[1] ?? '';
  const chosen = textOf('strategies').split(',');
  const strategies = LIKENESS_STRATEGY_NAMES.filter((name) => chosen.includes(name));
  const texts = HELD_AS_NAMES.filter((name) => chosen.includes(name));
  const classes = textOf('classes');
  return html`
    <p>Names like <strong><bdi>${mark}</bdi></strong></p>
    ${renderFacts([
      ['Ways', strategies.map((name) => CHOICE_TITLES[name]).join(', ')],
      ['Texts', texts.length === 0 ? 'all' : texts.map((name) => CHOICE_TITLES[name]).join(', ')],
      ['Classes of its goods', classes === '' ? null : classes.split(',').join(', ')],
      ['Only records with', filters.length === 0 ? null : html`<bdi>${describeFilters(filters)}</bdi>`],
    ])}
  `;
}

export function renderSearch(search: string): unknown {
  return renderFilterChips(readSearch(new URLSearchParams(search)).pairs, null);
}

export function renderRecordName({ jurisdiction_code, uid }: WatchedRecord): unknown {
  return html`<code>${jurisdiction_code} ${uid}</code>`;
}

export function renderListed(summary: string, entries: readonly unknown[]): unknown {
  const more = entries.length - LISTED_MAX;
  return renderDisclosure(
    summary,
    html`
      <ul>${entries.slice(0, LISTED_MAX).map((entry, position) => html`<li key=${position}>${entry}</li>`)}</ul>
      ${more > 0 ? html`<p class="hint">And ${formatCount(more)} more.</p>` : null}
    `,
  );
}
