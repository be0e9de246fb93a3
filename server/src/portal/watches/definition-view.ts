/**
 * The subject of a watch, in the words of the explorer, and its preview: how many records match now, and how many hits
 * it would have had in each month.
 */
import { HELD_AS_NAMES, LIKENESS_STRATEGY_NAMES } from '@tmds/contract/likeness';
import type { Instant } from '@tmds/contract/record';
import type { WatchDetail, WatchKind, WatchMonth } from '@tmds/contract/watches';
import { html } from 'htm/preact';
import type { StoredWatch, WatchedRecord, WatchSubject } from '../../store/watches/watches.ts';
import { listValues, readSearch } from '../explorer/search-pairs.ts';
import { describeFilters, renderFilterChips } from '../explorer/search-words.ts';
import { renderDayChart } from '../frame/charts.ts';
import { renderBadge, renderDisclosure, renderEmpty, renderFacts, renderNotice } from '../frame/components.ts';
import { formatCount, formatMonth, renderInstant } from '../frame/pieces.ts';
import { renderTable, type TableColumn } from '../frame/table.ts';
import { CHOICE_TITLES } from '../frame/wording.ts';
import { readSimilar } from '../similar/similar-target.ts';

const LISTED_MAX = 200;

const NOUNS = { records: ['record', 'records'], owners: ['owner', 'owners'] } as const;

function countNoun(kind: Exclude<WatchKind, 'search' | 'similar'>, count: number): string {
  return `${formatCount(count)} ${NOUNS[kind][count === 1 ? 0 : 1]}`;
}

export function describeWatch({ kind, search, item_count }: StoredWatch): string {
  if (kind === 'similar') return describeSimilar(search ?? '');
  if (kind !== 'search') return countNoun(kind, item_count);
  return describeFilters(readSearch(new URLSearchParams(search ?? '')).pairs);
}

export function renderWatchState({ ended_at }: Pick<StoredWatch, 'ended_at'>): unknown {
  return ended_at === null ? renderBadge('good', 'active') : renderBadge('off', 'stopped');
}

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
  const chosen = listValues(pairs, 'strategies');
  const strategies = LIKENESS_STRATEGY_NAMES.filter((name) => chosen.includes(name));
  const texts = HELD_AS_NAMES.filter((name) => chosen.includes(name));
  const classes = listValues(pairs, 'classes');
  return html`
    <p>Names like <strong><bdi>${mark}</bdi></strong></p>
    ${renderFacts([
      ['Ways', strategies.map((name) => CHOICE_TITLES[name]).join(', ')],
      ['Texts', texts.length === 0 ? 'all' : texts.map((name) => CHOICE_TITLES[name]).join(', ')],
      ['Classes of its goods', classes.length === 0 ? null : classes.join(', ')],
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

function renderListed(summary: string, entries: readonly unknown[]): unknown {
  const more = entries.length - LISTED_MAX;
  return renderDisclosure(
    summary,
    html`
      <ul>${entries.slice(0, LISTED_MAX).map((entry) => html`<li>${entry}</li>`)}</ul>
      ${more > 0 ? html`<p class="hint">And ${formatCount(more)} more.</p>` : null}
    `,
  );
}

export interface PreviewShown {
  readonly counts: Pick<WatchDetail, 'matches_now' | 'months' | 'counted_from'> | null;
  /** Listed records that no register has now. */
  readonly missing: readonly WatchedRecord[];
  /** Lines that were left out, because another names the same. */
  readonly repeats: number;
}

/** `withHits`: the watch exists, and may have had some. */
export function renderPreview({ counts, missing, repeats }: PreviewShown, withHits: boolean): unknown {
  return html`
    <section>
      <h2>${withHits ? 'Matches' : 'Preview'}</h2>
      ${repeats === 0 ? null : renderNotice('plain', describeRepeats(repeats))}
      ${missing.length === 0 ? null : renderMissing(missing)}
      ${
        counts === null
          ? renderEmpty('The matches could not be counted in time. The watch works anyway.')
          : renderCounts(counts, withHits)
      }
    </section>
  `;
}

function describeRepeats(repeats: number): string {
  return repeats === 1
    ? 'One line repeats another line and is left out.'
    : `${formatCount(repeats)} lines repeat other lines and are left out.`;
}

function renderMissing(missing: readonly WatchedRecord[]): unknown {
  const isOne = missing.length === 1;
  const subject = isOne ? 'One record of the list is' : `${formatCount(missing.length)} records of the list are`;
  const fate = isOne ? 'It is watched anyway' : 'They are watched anyway';
  const sentence = `${subject} in no register now. ${fate}, with hits once a register has ${isOne ? 'it' : 'them'}.`;
  return renderNotice('warn', html`<p>${sentence}</p>${renderListed('Which', missing.map(renderRecordName))}`);
}

function renderCounts(
  { matches_now, months, counted_from }: NonNullable<PreviewShown['counts']>,
  withHits: boolean,
): unknown {
  const isQuiet = months.every(({ events, hits }) => events === 0 && hits === 0);
  if (matches_now === 0 && isQuiet) return renderEmpty('No record matches now.');
  const matching = matches_now === 1 ? 'record matches' : 'records match';
  const bars = months
    .toReversed()
    .flatMap(({ month, events }) =>
      events === null
        ? []
        : [{ label: MONTHS[Number(month.slice(5)) - 1]!, title: formatMonth(month), values: [events] }],
    );
  return html`
    <p>
      <strong>${formatCount(matches_now)}</strong> ${matching} now. Changes that such a watch finds, by month,
      earlier ones included:
    </p>
    ${counted_from.startsWith(`${months.at(-1)!.month}-01T00:00:00.000000`) ? null : renderStopped(counted_from)}
    ${renderDayChart(bars, ['events'])}
    ${renderDisclosure('The same as a table', renderMonths(months, withHits))}
  `;
}

function renderStopped(countedFrom: Instant): unknown {
  return renderNotice(
    'plain',
    html`The history has more events than a preview reads. They are counted from ${renderInstant(countedFrom)} on.`,
  );
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function renderMonths(months: readonly WatchMonth[], withHits: boolean): unknown {
  const hits: TableColumn<WatchMonth> = { label: 'Hits', style: 'number', cell: (month) => formatCount(month.hits) };
  return renderTable<WatchMonth>({
    label: 'Matches by month',
    narrow: 'row',
    rows: months,
    columns: [
      { label: 'Month (UTC)', isHeader: true, cell: ({ month }) => formatMonth(month) },
      {
        label: 'Events',
        style: 'number',
        cell: ({ events }) => (events === null ? 'not counted' : formatCount(events)),
      },
      { label: 'Last changed', style: 'number', cell: ({ last_changed }) => formatCount(last_changed) },
      ...(withHits ? [hits] : []),
    ],
  });
}
