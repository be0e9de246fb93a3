/**
 * What the matches of a search are: for some fields the most frequent values, with exact counts. Each narrows the
 * search to itself; one that the search asks for already takes the filter off.
 */
import { html } from 'htm/preact';
import { formatCount } from '../frame/pieces.ts';

/** Values of a field and how many matches carry each, most frequent first. */
export interface FacetCounts {
  readonly field: FacetField;
  readonly values: readonly { readonly value: string; readonly count: number }[];
}

/** The fields that are counted, and what they are called. */
export const FACET_FIELDS = {
  status: 'Status',
  jurisdiction: 'Register',
  nice_class: 'Nice class',
  kind_of_mark: 'Kind of mark',
  mark_feature: 'Mark feature',
  owner_country: 'Owner country',
} as const;
export type FacetField = keyof typeof FACET_FIELDS;

/** Beyond so many values a list tells more than anybody reads. */
const VALUES_SHOWN_MAX = 8;

/** `linkWith` gives this page with filters changed, null = left out. */
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
              <a href=${href} aria-current=${isAsked ? 'true' : null}>${value}</a>
              ${' '}<span class="count">${formatCount(count)}</span>
            </li>
          `;
        })}
      </ul>
      ${left > 0 ? html`<p class="silent">${formatCount(left)} more</p>` : null}
    </details>
  `;
}
