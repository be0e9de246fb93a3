/** A search in words: labels of fields, filters as chips and in a line, refusals in the words of the form. */

import { JURISDICTIONS_MAX } from '@tmds/contract/limits';
import { FILTERS, type FilterName } from '@tmds/contract/parameters';
import { html } from 'htm/preact';
import type { SavedSearch } from '../../store/accounts/saved-searches.ts';
import { renderChipLinks } from '../frame/components.ts';
import { formatDate } from '../frame/pieces.ts';
import { joinNames } from '../frame/registers.ts';
import { wordsOf } from '../frame/wording.ts';
import { type LinkWith, readSearch, type SearchPairs } from './search-pairs.ts';

const LABELS: Readonly<Record<string, string>> = {
  jurisdiction: 'Register',
  mark_name: 'Mark, exact',
  mark_name_contains: 'Mark contains',
  mark_name_startswith: 'Mark starts with',
  owner_name: 'Owner, exact',
  owner_name_contains: 'Owner contains',
  owner_name_startswith: 'Owner starts with',
  representative_name: 'Representative, exact',
  representative_name_contains: 'Representative contains',
  representative_name_startswith: 'Representative starts with',
  nice_class: 'Nice class, any of',
  nice_class_all: 'Nice class, all of',
};

/** The search form's hint for a field; for other fields, the API's description. */
const HINTS: Readonly<Record<string, string>> = {
  jurisdiction: `Choose up to ${JURISDICTIONS_MAX}. None chosen means all.`,
  office: 'The two letters of the office, such as WO; several separated by commas.',
  owner_country: 'The two letters of the country, such as JP; several separated by commas.',
  designated_country: 'The two letters of the country, such as FR; several separated by commas.',
  application_number: 'In any spelling that its register has for it.',
  registration_number: 'In any spelling that its register has for it.',
  international_registration_number: 'The number of the Madrid registration.',
  priority_number: 'The number of the earlier application.',
  updated_since: 'For example 2026-11-01, or with a time: 2026-11-01T09:00:00Z.',
  updated_before: 'For example 2026-12-01, or with a time: 2026-12-01T09:00:00Z.',
  vienna_code:
    'For example 26.03; several separated by commas. A main category alone (26) also needs a register or a class.',
};

export function hintOf(name: FilterName): string {
  return HINTS[name] ?? FILTERS[name].description.replaceAll('`', '');
}

export function labelOf(name: string): string {
  return LABELS[name] ?? wordsOf(name);
}

/** The message of a refusal in the words of the form: with the label of its parameter instead of the name. */
export function messageOf({
  message,
  param,
}: {
  readonly message: string;
  readonly param: string | undefined;
}): string {
  // An unknown filter name may be any text, and such a text must not become a pattern.
  if (param === undefined || !Object.hasOwn(FILTERS, param)) return message;
  return message.replaceAll(new RegExp(`\\b${param}\\b`, 'g'), labelOf(param));
}

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
      label: html`${labelOfFilter(name, value)}: <bdi>${describeValue(name, value)}</bdi>`,
      href: linkWith?.({ [name]: null, cursor: null }) ?? null,
      isOn: false,
      sign: '×',
      verb: 'Remove',
    })),
  );
}

export function describeFilters(pairs: SearchPairs): string {
  const filters = listFilters(pairs);
  return filters.map(([name, value]) => `${labelOfFilter(name, value)}: ${describeValue(name, value)}`).join(', ');
}

/** Of one value there is no any or all. */
function labelOfFilter(name: string, value: string): string {
  const label = labelOf(name);
  return value.includes(',') ? label : label.replace(/, (?:any|all) of$/, '');
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
