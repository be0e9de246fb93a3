/**
 * The most frequent values among the matches of a search, with exact counts. A click on a value narrows the search to
 * it; a click on a value that the search names already removes the filter.
 */
import { html } from 'htm/preact';
import { formatCount } from '../frame/pieces.ts';
import { FACET_FIELDS, type FacetCounts, nameOfValue } from './facet-fields.ts';
import { planToggle } from './facet-filters.ts';
import type { LinkWith, SearchPairs } from './search-pairs.ts';

/** Values listed for one field. */
const VALUES_SHOWN_MAX = 8;

export function renderFacets(facets: readonly FacetCounts[], pairs: SearchPairs, linkWith: LinkWith): unknown {
  const filled = facets.filter(({ values }) => values.length > 0);
  if (filled.length === 0) return null;
  return html`
    <section class="facets" aria-label="What the matches are">
      ${filled.map((facet) => renderFacet(facet, pairs, linkWith))}
    </section>
  `;
}

function renderFacet(facet: FacetCounts, pairs: SearchPairs, linkWith: LinkWith): unknown {
  const { field } = facet;
  const values = sortShown(facet);
  const left = values.length - VALUES_SHOWN_MAX;
  return html`
    <details key=${field} open>
      <summary>${FACET_FIELDS[field]}</summary>
      <ul>
        ${values.slice(0, VALUES_SHOWN_MAX).map(({ value, count }) => {
          const { isAsked, changes } = planToggle(field, value, pairs);
          const name = html`<bdi>${nameOfValue(field, value)}</bdi>`;
          return html`
            <li key=${value}>
              ${
                changes === null
                  ? html`<span>${name}</span>`
                  : html`<a href=${linkWith({ ...changes, cursor: null })} aria-current=${isAsked ? 'true' : null}>${name}</a>`
              }
              ${' '}<span class="count">${formatCount(count)}</span>
            </li>
          `;
        })}
      </ul>
      ${left > 0 ? html`<p class="silent">${formatCount(left)} more</p>` : null}
    </details>
  `;
}

/** Years run from the latest back; other values stay with the most frequent first. */
function sortShown({ field, values }: FacetCounts): FacetCounts['values'] {
  if (field !== 'application_year') return values;
  return [...values].sort((one, other) => (one.value < other.value ? 1 : -1));
}
