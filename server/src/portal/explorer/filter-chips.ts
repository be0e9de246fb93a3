/** The filters of a search as chips. A click on one removes it, if there is something to link to. */
import { html } from 'htm/preact';
import { renderChipLinks } from '../frame/components.ts';
import { formatDate } from '../frame/pieces.ts';
import { joinNames } from '../frame/registers.ts';
import { labelOf } from './labels.ts';
import type { LinkWith, SearchPairs } from './search-pairs.ts';

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

/** The filters of a search in a line. */
export function describeFilters(pairs: SearchPairs): string {
  const filters = listFilters(pairs);
  return filters.map(([name, value]) => `${labelOf(name)}: ${describeValue(name, value)}`).join(', ');
}

function describeValue(name: string, value: string): string {
  return CODED.has(name) ? joinNames(value.split(',').map((code) => code.trim().toUpperCase())) : formatDate(value);
}
