/** The filters of a search as chips, each removed by a click if there is something to link to, and saved searches. */

import { html } from 'htm/preact';
import type { SavedSearch } from '../../store/accounts/saved-searches.ts';
import { renderChipLinks } from '../frame/components.ts';
import { formatDate } from '../frame/pieces.ts';
import { joinNames } from '../frame/registers.ts';
import { labelOf } from './labels.ts';
import { type LinkWith, readSearch, type SearchPairs } from './search-pairs.ts';

const CODED = new Set(['jurisdiction', 'office', 'owner_country', 'designated_country']);
/** They say how to show the matches, not which. */
const CONTROLS = new Set(['sort', 'order', 'limit', 'count', 'cursor', 'expand']);

/** The filters without the fields that say how to show the matches. */
export function listFilters(pairs: SearchPairs): SearchPairs {
  return pairs.filter(([name]) => !CONTROLS.has(name));
}

export function renderFilterChips(pairs: SearchPairs, linkWith: LinkWith | null): unknown {
  const filters = listFilters(pairs);
  if (filters.length === 0) return null;
  return renderChipLinks(
    'Filters of this search',
    filters.map(([name, value]) => ({
      label: html`${labelOf(name)}: <bdi>${describeValue(name, value)}</bdi>`,
      href: linkWith?.({ [name]: null, cursor: null }) ?? null,
      isOn: false,
      sign: '×',
      verb: 'Remove',
    })),
  );
}

export function describeFilters(pairs: SearchPairs): string {
  const filters = listFilters(pairs);
  return filters.map(([name, value]) => `${labelOf(name)}: ${describeValue(name, value)}`).join(', ');
}

function describeValue(name: string, value: string): string {
  return CODED.has(name) ? joinNames(value.split(',').map((code) => code.trim().toUpperCase())) : formatDate(value);
}

export function savedPath(search: string, keyId: string): string {
  const query = new URLSearchParams(search);
  if (keyId !== '') query.set('key', keyId);
  return `/portal/explorer?${query.toString()}`;
}

export function describeSaved(search: string): string {
  return describeFilters(readSearch(new URLSearchParams(search)).pairs);
}

export function renderSavedLinks(saved: readonly SavedSearch[], keyId: string): unknown {
  return html`
    <ul id="saved" class="entries">
      ${saved.map(
        ({ name, search }) => html`
          <li>
            <a rel="nofollow" href=${savedPath(search, keyId)}><bdi>${name}</bdi></a>${' '}
            ${describeSaved(search) === name ? null : html`<span class="silent"><bdi>${describeSaved(search)}</bdi></span>`}
          </li>
        `,
      )}
    </ul>
  `;
}
