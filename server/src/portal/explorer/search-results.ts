/** The results of a search: which rows they are of how many, the table, its sorting and the links to other pages. */
import { SEARCH_CONTROLS } from '@tmds/contract/parameters';
import type { SearchPage } from '@tmds/contract/record';
import { html } from 'htm/preact';
import { formatCount } from '../frame/pieces.ts';
import { COLUMNS, type Column, DEFAULT_COLUMNS } from './columns.ts';
import { exportPath, readExport } from './export-plan.ts';
import { renderRecordGrid } from './record-grid.ts';
import type { Opening } from './record-path.ts';
import { renderRecordTable } from './record-table.ts';
import type { Changes, SearchPairs } from './search-pairs.ts';
import { nextPagePath, readRowsBefore } from './search-place.ts';
import { isGrid } from './search-target.ts';

/** The search that the results are of. */
export interface SearchShown extends Opening {
  readonly query: URLSearchParams;
  readonly pairs: SearchPairs;
  readonly columns: readonly string[];
}

/** `total`: the exact number of matches; null if it is unknown. */
export function renderResults(page: SearchPage, shown: SearchShown, total: number | null): unknown {
  const { items } = page;
  if (items.length === 0) {
    const advice = 'Remove a filter, or search for a part of the name instead of the whole name.';
    return html`<p class="empty">Nothing matches. ${advice}</p>`;
  }
  const before = readRowsBefore(shown.query);
  const first = html`<a class="button second" href=${linkWith(shown, { cursor: null })}>First page</a>`;
  const next = nextPagePath(shown.query, page, shown.keyId);
  return html`
    <p class="summary" role="status">${describeRows(before, items.length, total)}</p>
    ${
      isGrid(shown.query)
        ? html`${renderViewLink(shown)} ${renderRecordGrid(items, shown)}`
        : html`${renderColumnChoice(shown)} ${renderTable(items, shown)}`
    }
    <p class="paging">
      ${shown.query.has('cursor') ? first : null}
      ${
        next === null
          ? html`<span class="silent">End of the results.</span>`
          : html`<a class="button second" rel="next" href=${next}>Next page</a>`
      }
      <a class="button second" href=${exportPath(readExport(shown.query), shown.keyId, null)}>Export…</a>
    </p>
  `;
}

function renderTable(items: SearchPage['items'], shown: SearchShown): unknown {
  return renderRecordTable(items, shown, {
    heading: (column) => renderHeading(column, shown),
    columns: shown.columns,
  });
}

/** Another page of the API answers a search for whole records, so the way between table and grid begins anew. */
function renderViewLink(shown: SearchShown): unknown {
  const isShown = isGrid(shown.query);
  const href = linkWith(shown, { view: isShown ? null : 'grid', cursor: null });
  return html`<p><a rel="nofollow" href=${href}>${isShown ? 'Show as a table' : 'Show as images'}</a></p>`;
}

/** `Rows 76–100 of 3,214`. Says no total that records which just changed have made wrong. */
function describeRows(before: number | null, length: number, total: number | null): string {
  const last = (before ?? 0) + length;
  const of = total === null || total < last ? '' : ` of ${formatCount(total)}`;
  if (before === null) return `${formatCount(length)}${of} on this page`;
  if (length === 1) return `Row ${formatCount(last)}${of}`;
  return `Rows ${formatCount(before + 1)}–${formatCount(last)}${of}`;
}

/** A heading that sorts; a second click reverses the order. */
function renderHeading({ label, sort: field }: Column, shown: SearchShown): unknown {
  if (field === undefined) return html`<th key=${label} scope="col">${label}</th>`;
  const sort = shown.query.get('sort') || SEARCH_CONTROLS.sort.value.default;
  const order = shown.query.get('order') || SEARCH_CONTROLS.order.value.default;
  const active = sort === field;
  const next = active && order === 'desc' ? 'asc' : 'desc';
  const direction = order === 'desc' ? 'descending' : 'ascending';
  const href = linkWith(shown, { sort: field, order: next, cursor: null });
  const arrow = html`<span aria-hidden="true">${order === 'desc' ? ' ↓' : ' ↑'}</span>`;
  return html`
    <th key=${label} scope="col" aria-sort=${active ? direction : null}>
      <a href=${href} class="sort">${label}${active ? arrow : null}</a>
    </th>
  `;
}

/** Every column as a link that shows or hides it. */
function renderColumnChoice(shown: SearchShown): unknown {
  return html`
    <details class="columns">
      <summary>Columns</summary>
      <ul class="columns-set" aria-label="Columns of the table">
        ${Object.entries(COLUMNS).map(([name, { label, isExpanded }]) => {
          const isShown = shown.columns.includes(name);
          const left = isShown ? shown.columns.filter((other) => other !== name) : [...shown.columns, name];
          return html`
            <li key=${name}>
              <a
                href=${linkWith({ ...shown, columns: left }, isExpanded === true ? { cursor: null } : {})}
                rel="nofollow"
                aria-current=${isShown ? 'true' : null}
              >
                <span class="unseen">${isShown ? 'Hide' : 'Show'} </span>${label}
                <span aria-hidden="true">${isShown ? '×' : '+'}</span>
              </a>
            </li>
          `;
        })}
      </ul>
      ${renderViewLink(shown)}
      <p class="hint">Images and goods are read from whole records, which is another search for one unit.</p>
    </details>
  `;
}

const isUsual = (columns: readonly string[]): boolean =>
  columns.length === DEFAULT_COLUMNS.length && DEFAULT_COLUMNS.every((name) => columns.includes(name));

/** Keeps the key and the columns, and with the cursor the number of rows before it. */
export function linkWith({ pairs, keyId, columns, query: shown }: SearchShown, changes: Changes): string {
  const query = new URLSearchParams(pairs.map(([name, value]) => [name, value]));
  if (!isUsual(columns)) query.set('columns', columns.join('.'));
  if (isGrid(shown)) query.set('view', 'grid');
  const row = shown.get('row');
  if (row !== null && !('cursor' in changes)) query.set('row', row);
  for (const [name, value] of Object.entries(changes)) {
    query.delete(name);
    if (value !== null) query.append(name, value);
  }
  query.append('key', keyId);
  return `/portal/explorer?${query.toString()}`;
}
