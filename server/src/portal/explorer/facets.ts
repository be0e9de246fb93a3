/**
 * The most frequent values among the matches of a search, with exact counts. A click on a value narrows the search to
 * it; a click on a value that the search names already removes the filter.
 */
import { html } from 'htm/preact';
import { formatCount } from '../frame/pieces.ts';
import { FACET_FIELDS, type FacetCounts, nameOfValue } from './facet-fields.ts';

/** Values listed for one field. */
const VALUES_SHOWN_MAX = 8;

/** `linkWith` links to this search with some filters changed; null removes a filter. */
export function renderFacets(
  facets: readonly FacetCounts[],
  query: URLSearchParams,
  linkWith: (changes: Readonly<Record<string, string | null>>) => string,
): unknown {
  const filled = facets.filter(({ values }) => values.length > 0);
  if (filled.length === 0) return null;
  return html`
    <section class="facets" aria-label="What the matches are">
      ${filled.map((facet) => renderFacet(facet, query, linkWith))}
    </section>
  `;
}

function renderFacet(
  { field, values }: FacetCounts,
  query: URLSearchParams,
  linkWith: (changes: Readonly<Record<string, string | null>>) => string,
): unknown {
  const asked = query.get(field);
  const left = values.length - VALUES_SHOWN_MAX;
  return html`
    <details open>
      <summary>${FACET_FIELDS[field]}</summary>
      <ul>
        ${values.slice(0, VALUES_SHOWN_MAX).map(({ value, count }) => {
          const isAsked = asked === value;
          const href = linkWith({ [field]: isAsked ? null : value, cursor: null });
          return html`
            <li>
              <a href=${href} aria-current=${isAsked ? 'true' : null}>${nameOfValue(field, value)}</a>
              ${' '}<span class="count">${formatCount(count)}</span>
            </li>
          `;
        })}
      </ul>
      ${left > 0 ? html`<p class="silent">${formatCount(left)} more</p>` : null}
    </details>
  `;
}
