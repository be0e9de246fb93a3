/** The results of a search: which of how many rows they are, the table, its sorting and the links to other pages. */

import { SEARCH_CONTROLS } from '@tmds/contract/parameters';
import type { SearchPage } from '@tmds/contract/record';
import { html } from 'htm/preact';
import {
  renderActions,
  renderDisclosure,
  renderEmpty,
  renderLinkButton,
  renderPager,
  renderTabs,
  renderToggles,
} from '../frame/components.ts';
import { formatCount } from '../frame/pieces.ts';
import { joinNames, placeName } from '../frame/registers.ts';
import type { TableColumn } from '../frame/table.ts';
import { exportPath, readExport } from './export-plan.ts';
import type { RecordsShown } from './record-parts.ts';
import {
  COLUMNS,
  type Column,
  DEFAULT_COLUMNS,
  readColumns,
  renderRecordGrid,
  renderRecordTable,
} from './record-table.ts';
import {
  type Changes,
  encodePairs,
  isGrid,
  nextPagePath,
  readRowsBefore,
  readSearch,
  type SearchPairs,
} from './search-pairs.ts';
import { listFilters } from './search-words.ts';
import { type CountedNear, renderNear } from './spelling-help.ts';
import { renderWaitingNames, type WaitingNames } from './waiting-names.ts';

export interface SearchShown extends RecordsShown {
  readonly query: URLSearchParams;
  readonly pairs: SearchPairs;
  readonly columns: readonly string[];
}

export type Elsewhere = readonly { readonly value: string; readonly count: number }[];

interface Counted {
  /** The exact number of matches; null if it was not counted in time. */
  readonly total: number | null;
  /**
   * For an empty search: the matches in other registers; null if they were not counted, undefined if none are left out.
   */
  readonly elsewhere: Elsewhere | null | undefined;
  /** For an empty search: searches near it that find something. */
  readonly near: readonly CountedNear[];
  readonly registers: number;
  /** Names that the table lacks. */
  readonly waiting: WaitingNames | null;
}

export function renderResults(page: SearchPage, shown: SearchShown, counted: Counted): unknown {
  const { total, registers } = counted;
  const { items } = page;
  if (items.length === 0) return html`${renderNone(shown, counted)} ${renderTools(shown, false)}`;
  const { query, keyId, columns } = shown;
  const before = readRowsBefore(query);
  const next = nextPagePath(query, page, keyId);
  return html`
    <div class="toolbar">
      <p class="summary">
        <span role="status">${describeRows(before, items.length, total)}</span>
        ${' '}${describeScope(shown.pairs, registers)}${describeSort(query)}
      </p>
      <p class="jump"><a href="#facets">Narrow down</a></p>
      ${renderViews(shown)}
      ${isGrid(query) ? null : renderColumnChoice(shown)}
      ${renderTools(shown, true)}
    </div>
    ${renderWaitingNames(counted.waiting)}
    ${
      isGrid(query)
        ? renderRecordGrid(items, shown)
        : renderRecordTable(items, shown, { columns, sortOf: (column) => sortOf(column, shown) })
    }
    ${renderPager(
      [
        query.has('cursor') ? { label: 'First page', href: linkWith(shown, { cursor: null }) } : null,
        next === null ? null : { label: 'Next page', href: next, rel: 'next' },
      ],
      next === null ? 'End of the results.' : null,
    )}
  `;
}

function renderNone(shown: SearchShown, { elsewhere, near, registers }: Counted): unknown {
  const removed = shown.pairs.filter(([name]) => name !== 'cursor');
  const nearby = renderNear(near, removed, (changes) => linkWith(shown, changes));
  const advice = near.length > 0 ? '' : ' Remove a filter, or search for a part of the name instead of the whole name.';
  if (elsewhere === undefined) {
    return html`${renderEmpty(`No trademarks found ${describeScope(shown.pairs, registers)}.${advice}`)} ${nearby}`;
  }
  const none = `No trademarks found ${describeScope(shown.pairs, registers)}.`;
  const link = linkWith(shown, { jurisdiction: null, cursor: null });
  const all = renderActions(renderLinkButton('Search all registers', link, 'second'));
  if (elsewhere === null) {
    return html`${renderEmpty(`${none} Other registers were not counted in time.`)} ${all} ${nearby}`;
  }
  const total = elsewhere.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) {
    return html`${renderEmpty(`${none} There are none in other registers either.${advice}`)} ${nearby}`;
  }
  const places = joinNames(
    elsewhere.map(({ value }) => value),
    placeName,
  );
  return html`
    ${renderEmpty(`${none} There ${total === 1 ? 'is' : 'are'} ${formatCount(total)} in ${places}.`)} ${all} ${nearby}
  `;
}

/** `in all 29 registers`, `in France and Germany`. */
function describeScope(pairs: SearchPairs, registers: number): string {
  const chosen = pairs.find(([name]) => name === 'jurisdiction')?.[1];
  if (chosen === undefined) return registers === 1 ? 'in the one register' : `in all ${registers} registers`;
  const codes = chosen.split(',').map((code) => code.trim().toUpperCase());
  return `in ${joinNames(codes, placeName)}`;
}

/** The order, where no column of the table shows it. */
function describeSort(query: URLSearchParams): string {
  const isLatest = (query.get('sort') || SEARCH_CONTROLS.sort.value.default) === SEARCH_CONTROLS.sort.value.default;
  if (!isLatest || readColumns(query.get('columns')).includes('changed')) return '';
  return (query.get('order') || SEARCH_CONTROLS.order.value.default) === 'desc'
    ? ', latest changes first'
    : ', latest changes last';
}

/** What can be done with a search. An empty one has nothing to export. */
function renderTools({ query, keyId }: SearchShown, hasRows: boolean): unknown {
  const search = encodePairs(listFilters(readSearch(query).pairs)).slice(1);
  const save = `/portal/searches/new?${new URLSearchParams({ search }).toString()}`;
  const tools = [
    ...(query.has('watch') ? [] : [{ label: 'Save this search…', href: save }]),
    linkWatch(query),
    ...(hasRows ? [{ label: 'Export…', href: exportPath(readExport(query), keyId, null) }] : []),
  ];
  return html`
    <nav class="tools" aria-label="With this search">
      ${tools.map(({ label, href }) => html`<a rel="nofollow" href=${href}>${label}</a>`)}
    </nav>
  `;
}

/** To the form of a new watch, or of the one whose search is being changed. */
function linkWatch(query: URLSearchParams): { label: string; href: string } {
  const search = new URLSearchParams({ search: encodePairs(listFilters(readSearch(query).pairs)).slice(1) });
  const watch = query.get('watch');
  return watch === null
    ? { label: 'Watch this search…', href: `/portal/new-watch?${search.toString()}` }
    : { label: 'Use in the watch…', href: `/portal/watches/${encodeURIComponent(watch)}/change?${search.toString()}` };
}

/**
 * Another page of the API answers a search for whole records, so switching between table and grid starts at the first
 * page.
 */
function renderViews(shown: SearchShown): unknown {
  const link = (view: string | null): string => linkWith(shown, { view, cursor: null });
  const isImages = isGrid(shown.query);
  return renderTabs('How to show the results', [
    { label: 'Table', href: link(null), isHere: !isImages },
    { label: 'Images', href: link('grid'), isHere: isImages },
  ]);
}

/** `3,214 trademarks, 76–100 shown`. States no total that recent changes of records have made wrong. */
function describeRows(before: number | null, length: number, total: number | null): string {
  const last = (before ?? 0) + length;
  if (total === length) return countTrademarks(total);
  const first = length === 1 ? '' : `${formatCount((before ?? 0) + 1)}–`;
  const range = `${first}${formatCount(last)}`;
  const place = before === null ? `${formatCount(length)} on this page` : `${range} shown`;
  if (total !== null && total >= last) return `${countTrademarks(total)}, ${place}`;
  const uncounted = total === null ? ' (total not counted in time)' : '';
  if (before === null) return `${countTrademarks(length)} on this page${uncounted}`;
  return `${length === 1 ? 'Trademark' : 'Trademarks'} ${range}${uncounted}`;
}

function countTrademarks(count: number): string {
  return count === 1 ? '1 trademark' : `${formatCount(count)} trademarks`;
}

function sortOf({ sort: field }: Column, shown: SearchShown): TableColumn<unknown>['sort'] {
  if (field === undefined) return undefined;
  const sort = shown.query.get('sort') || SEARCH_CONTROLS.sort.value.default;
  const order = shown.query.get('order') || SEARCH_CONTROLS.order.value.default;
  const active = sort === field;
  const next = active && order === 'desc' ? 'asc' : 'desc';
  const direction = order === 'desc' ? 'descending' : 'ascending';
  return { href: linkWith(shown, { sort: field, order: next, cursor: null }), direction: active ? direction : null };
}

function renderColumnChoice(shown: SearchShown): unknown {
  const chips = renderToggles('Columns of the table', Object.keys(COLUMNS), {
    titleOf: (name) => COLUMNS[name]?.label,
    isOn: (name) => shown.columns.includes(name),
    linkTo: (name) => {
      const columns = shown.columns.includes(name)
        ? shown.columns.filter((other) => other !== name)
        : [...shown.columns, name];
      return linkWith({ ...shown, columns }, COLUMNS[name]?.isExpanded === true ? { cursor: null } : {});
    },
    verbs: ['Hide', 'Show'],
  });
  const costs = 'Images and goods are read from whole records, which is another search for one unit.';
  return renderDisclosure('Columns', html`${chips} <p class="hint">${costs}</p>`);
}

const isUsual = (columns: readonly string[]): boolean =>
  columns.length === DEFAULT_COLUMNS.length && DEFAULT_COLUMNS.every((name) => columns.includes(name));

/** Keeps the key and the columns, and with the cursor the number of rows before it. */
export function linkWith({ pairs, keyId, columns, query: shown }: SearchShown, changes: Changes): string {
  const query = new URLSearchParams(pairs.map(([name, value]) => [name, value]));
  if (!isUsual(columns)) query.set('columns', columns.join('.'));
  if (isGrid(shown)) query.set('view', 'grid');
  const watch = shown.get('watch');
  if (watch !== null) query.set('watch', watch);
  const row = shown.get('row');
  if (row !== null && !('cursor' in changes)) query.set('row', row);
  for (const [name, value] of Object.entries(changes)) {
    query.delete(name);
    if (value !== null) query.append(name, value);
  }
  query.append('key', keyId);
  return `/portal/explorer?${query.toString()}`;
}
