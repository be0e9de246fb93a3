/**
 * The most frequent values among the matches of a search, with exact counts. A click on a value narrows the search to
 * exactly the matches that were counted for it; a click on a value that is already a filter removes the filter.
 */

import { FILTERS } from '@tmds/contract/parameters';
import { html } from 'htm/preact';
import { renderDisclosure } from '../frame/components.ts';
import { formatCount } from '../frame/pieces.ts';
import { registerName } from '../frame/registers.ts';
import { titleOfClass } from '../frame/wording.ts';
import { type Changes, findValue, type LinkWith, listValues, type SearchPairs } from './search-pairs.ts';

/** The values of a field, each with the number of matches that have it; most frequent first. */
export interface FacetCounts {
  readonly field: FacetField;
  readonly values: readonly { readonly value: string; readonly count: number }[];
}

/** The fields with their labels, those that are used most first. */
export const FACET_FIELDS = {
  jurisdiction: 'Register',
  nice_class: 'Nice class',
  status: 'Status',
  application_year: 'Year of filing',
  owner_country: 'Owner country',
  kind_of_mark: 'Kind of mark',
  mark_feature: 'Mark feature',
} as const;
export type FacetField = keyof typeof FACET_FIELDS;

const CODED: ReadonlySet<FacetField> = new Set(['jurisdiction', 'owner_country']);

function nameOfValue(field: FacetField, value: string): string {
  return CODED.has(field) ? registerName(value) : value;
}

/** What the value means, where the value alone does not say it; null elsewhere. */
function meaningOfValue(field: FacetField, value: string): string | null {
  return field === 'nice_class' ? titleOfClass(Number(value)) : null;
}

export interface Toggle {
  readonly isAsked: boolean;
  /** Null: no filter narrows the search to these matches. */
  readonly changes: Changes | null;
}

export function planToggle(field: FacetField, value: string, pairs: SearchPairs): Toggle {
  return field === 'application_year' ? toggleYear(value, pairs) : toggleValue(field, value, pairs);
}

function toggleValue(field: Exclude<FacetField, 'application_year'>, value: string, pairs: SearchPairs): Toggle {
  const all = `${field}_all`;
  for (const name of [field, all]) {
    const values = listValues(pairs, name);
    // The API takes statuses, kinds and codes in any letter case.
    const left = values.filter((other) => other.toUpperCase() !== value.toUpperCase());
    if (left.length === values.length) continue;
    return { isAsked: true, changes: { [name]: left.length === 0 ? null : left.join(',') } };
  }
  if (listValues(pairs, field).length === 0) return { isAsked: false, changes: { [field]: value } };
  // One more value in an "any of" filter would widen the search.
  const narrowed = all in FILTERS ? { [all]: [...listValues(pairs, all), value].join(',') } : null;
  return { isAsked: false, changes: narrowed };
}

const YEAR_FROM = 'application_date_from';
const YEAR_TO = 'application_date_to';

function toggleYear(year: string, pairs: SearchPairs): Toggle {
  const [first, last] = [`${year}-01-01`, `${year}-12-31`];
  const [from, to] = [findValue(pairs, YEAR_FROM), findValue(pairs, YEAR_TO)];
  if (from !== '' && to !== '' && from >= first && to <= last) {
    return { isAsked: true, changes: { [YEAR_FROM]: null, [YEAR_TO]: null } };
  }
  if (findValue(pairs, 'application_date') !== '') return { isAsked: false, changes: null };
  const changes = {
    [YEAR_FROM]: from > first ? from : first,
    [YEAR_TO]: to !== '' && to < last ? to : last,
  };
  return { isAsked: false, changes };
}

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
        <li>
          ${renderValue(field, value, pairs, linkWith)}${' '}<span class="matches">${formatCount(count)}</span>
        </li>
      `,
      )}
    </ul>
  `;
  const more = values.slice(VALUES_SHOWN_MAX, VALUES_SHOWN_MAX + VALUES_MORE_MAX);
  const left = values.length - VALUES_SHOWN_MAX - more.length;
  return html`
    <details open>
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
