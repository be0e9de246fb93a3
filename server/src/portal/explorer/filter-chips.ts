/** The filters of a search as chips. A click on one removes it, where there is something to link to. */
import { html } from 'htm/preact';
import { renderChipLinks } from '../frame/components.ts';
import { joinNames } from '../frame/registers.ts';
import { labelOf } from './labels.ts';
import type { LinkWith, SearchPairs } from './search-pairs.ts';

const CODED = new Set(['jurisdiction', 'office', 'owner_country', 'designated_country']);
/** They say how to show the matches, not which. */
const CONTROLS = new Set(['sort', 'order', 'limit', 'count', 'cursor', 'expand']);

export function renderFilterChips(pairs: SearchPairs, linkWith: LinkWith | null): unknown {
  const filters = pairs.filter(([name]) => !CONTROLS.has(name));
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

function describeValue(name: string, value: string): string {
  return CODED.has(name) ? joinNames(value.split(',').map((code) => code.trim().toUpperCase())) : value;
}
