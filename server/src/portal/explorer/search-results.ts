/** The results of a search: the table, its sorting and the links to other pages. */
import { SEARCH_CONTROLS } from '@tmds/contract/parameters';
import type { SearchPage } from '@tmds/contract/record';
import { html } from 'htm/preact';
import { formatCount } from '../frame/pieces.ts';
import { type Opening, renderRecordTable } from './record-table.ts';
import type { SearchPairs } from './search-pairs.ts';

/** The search that the results are of. */
export interface SearchShown extends Opening {
  readonly query: URLSearchParams;
  readonly pairs: SearchPairs;
}

export function renderResults(page: SearchPage, shown: SearchShown): unknown {
  const { items, next_cursor: cursor, matched_count: matched, matched_count_capped: capped } = page;
  const found =
    matched === undefined
      ? ''
      : `${formatCount(matched)}${capped === true ? ' or more' : ''} ${matched === 1 ? 'match' : 'matches'}, `;
  if (items.length === 0) {
    const advice = 'Remove a filter, or search for a part of the name instead of the whole name.';
    return html`<p class="empty">Nothing matches. ${advice}</p>`;
  }
  const first = html`<a class="button second" href=${linkWith(shown, { cursor: null })}>First page</a>`;
  const next = html`<a class="button second" rel="next" href=${linkWith(shown, { cursor })}>Next page</a>`;
  return html`
    <p class="summary" role="status">${found}${items.length} on this page</p>
    ${renderRecordTable(items, shown, (field, label) => renderSort(field, label, shown))}
    <p class="paging">
      ${shown.query.has('cursor') ? first : null}
      ${cursor === null ? html`<span class="silent">End of the results.</span>` : next}
    </p>
  `;
}

/** A heading that sorts; a second click reverses the order. */
function renderSort(field: string, label: string, shown: SearchShown): unknown {
  const sort = shown.query.get('sort') || SEARCH_CONTROLS.sort.value.default;
  const order = shown.query.get('order') || SEARCH_CONTROLS.order.value.default;
  const active = sort === field;
  const next = active && order === 'desc' ? 'asc' : 'desc';
  const direction = order === 'desc' ? 'descending' : 'ascending';
  const href = linkWith(shown, { sort: field, order: next, cursor: null });
  return html`
    <th scope="col" aria-sort=${active ? direction : null}>
      <a href=${href} class="sort">${label}${
        active
          ? html`<span aria-hidden="true">
        ${order === 'desc' ? ' ↓' : ' ↑'}
      </span>`
          : null
      }</a>
    </th>
  `;
}

export function linkWith({ pairs, keyId }: SearchShown, changes: Readonly<Record<string, string | null>>): string {
  const kept = pairs.filter(([name]) => !(name in changes)).map(([name, value]) => [name, value]);
  const added = Object.entries(changes).filter((entry): entry is [string, string] => entry[1] !== null);
  const query = new URLSearchParams([...kept, ...added, ['key', keyId]] as [string, string][]);
  return `/portal/explorer?${query.toString()}`;
}
