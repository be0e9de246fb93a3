/**
 * The most frequent values among the matches of a search, with exact counts. A click on a value narrows the search to
 * it; a click on a value that the search names already removes the filter.
 */
import { html } from 'htm/preact';
import { renderDisclosure } from '../frame/components.ts';
import { formatCount } from '../frame/pieces.ts';
import { FACET_FIELDS, type FacetCounts, type FacetField, meaningOfValue, nameOfValue } from './facet-fields.ts';
import { planToggle } from './facet-filters.ts';
import type { LinkWith, SearchPairs } from './search-pairs.ts';

/** Values of one field that are visible at once, and those that a click adds. */
const VALUES_SHOWN_MAX = 8;
const VALUES_MORE_MAX = 60;

/** `facets`: null if they were not counted in time. */
export function renderFacets(facets: readonly FacetCounts[] | null, pairs: SearchPairs, linkWith: LinkWith): unknown {
  if (facets === null) {
    return html`
      <section id="facets" class="facets" aria-label="Matches by field">
        <p class="hint">The matches by status, register and class were not counted in time.</p>
      </section>
    `;
  }
  const fields = Object.keys(FACET_FIELDS);
  const filled = facets
    .filter(({ values }) => values.length > 0)
    .sort((one, other) => fields.indexOf(one.field) - fields.indexOf(other.field));
  if (filled.length === 0) return null;
  return html`
    <section id="facets" tabindex="-1" class="facets" aria-label="Matches by field">
      ${filled.map((facet) => renderFacet(facet, pairs, linkWith))}
    </section>
  `;
}

function renderFacet(facet: FacetCounts, pairs: SearchPairs, linkWith: LinkWith): unknown {
  const { field } = facet;
  const values = sortShown(facet);
  const renderList = (listed: FacetCounts['values']): unknown => html`
    <ul>
      ${listed.map(
        ({ value, count }) => html`
        <li key=${value}>
          ${renderValue(field, value, pairs, linkWith)}${' '}<span class="matches">${formatCount(count)}</span>
        </li>
      `,
      )}
    </ul>
  `;
  const more = values.slice(VALUES_SHOWN_MAX, VALUES_SHOWN_MAX + VALUES_MORE_MAX);
  const left = values.length - VALUES_SHOWN_MAX - more.length;
  return html`
    <details key=${field} open>
      <summary>${FACET_FIELDS[field]}</summary>
      ${renderList(values.slice(0, VALUES_SHOWN_MAX))}
      ${more.length === 0 ? null : renderDisclosure(`${more.length} more`, renderList(more))}
      ${left > 0 ? html`<p class="silent">${formatCount(left)} others</p>` : null}
    </details>
  `;
}

function renderValue(field: FacetField, value: string, pairs: SearchPairs, linkWith: LinkWith): unknown {
  const { isAsked, changes } = planToggle(field, value, pairs);
  const name = html`<bdi>${nameOfValue(field, value)}</bdi>`;
  const meaning = meaningOfValue(field, value);
  const explained = meaning === null ? null : html` <span class="silent">${meaning}</span>`;
  if (changes === null) return html`<span class="value" title=${meaning}>${name}${explained}</span>`;
  const href = linkWith({ ...changes, cursor: null });
  return html`
    <span class="value" title=${meaning}>
      <a href=${href} rel="nofollow" aria-current=${isAsked ? 'true' : null}>${name}</a>${explained}
    </span>
  `;
}

/**
 * Years run from the latest back; other values have the most frequent first, and equally frequent ones in their order.
 */
function sortShown({ field, values }: FacetCounts): FacetCounts['values'] {
  if (field === 'application_year') return [...values].sort((one, other) => (one.value < other.value ? 1 : -1));
  return [...values].sort(
    (one, other) =>
      other.count - one.count || VALUE_ORDER.compare(nameOfValue(field, one.value), nameOfValue(field, other.value)),
  );
}

/** Class 3 comes before class 14. */
const VALUE_ORDER = new Intl.Collator('en', { numeric: true });
