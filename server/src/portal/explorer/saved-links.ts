/** Saved searches as links that make them again. */
import { html } from 'htm/preact';
import type { SavedSearch } from '../../store/accounts/saved-searches.ts';
import { describeFilters } from './filter-chips.ts';
import { readSearch } from './search-target.ts';

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
        ({ id, name, search }) => html`
          <li key=${id}>
            <a rel="nofollow" href=${savedPath(search, keyId)}><bdi>${name}</bdi></a>${' '}
            ${describeSaved(search) === name ? null : html`<span class="silent"><bdi>${describeSaved(search)}</bdi></span>`}
          </li>
        `,
      )}
    </ul>
  `;
}
