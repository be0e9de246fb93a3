/**
 * A search as text that can be kept: its filters in the order of their table, each value in its canonical form. Read
 * again, the text gives the same filters, so equal searches have equal texts.
 */
import { HELD_AS_NAMES } from '@tmds/contract/likeness';
import { FILTERS, type FilterName } from '@tmds/contract/parameters';
import { viennaTerm } from '../record/terms.ts';
import type { WatchedSimilar } from './likeness.ts';
import type { SearchFilters } from './search.ts';

/** A query string without `?`. */
export function writeSearch(filters: SearchFilters): string {
  const pairs = (Object.keys(FILTERS) as FilterName[]).flatMap((name) => {
    const value = filters[name];
    return value === undefined ? [] : [[name, writeValue(name, value)] as [string, string]];
  });
  return new URLSearchParams(pairs).toString();
}

/** The same for a mark that a watch compares names with. Texts are named only if some are left out. */
export function writeSimilar({ mark, strategies, heldAs, classes, filters }: WatchedSimilar): string {
  const texts = HELD_AS_NAMES.every((name) => heldAs.includes(name)) ? [] : heldAs;
  const own = new URLSearchParams({ mark, strategies: [...strategies, ...texts].join(',') });
  if (classes.length > 0) own.set('classes', classes.join(','));
  const search = writeSearch(filters);
  return search === '' ? own.toString() : `${own.toString()}&${search}`;
}

function writeValue(name: FilterName, value: NonNullable<SearchFilters[FilterName]>): string {
  if (!Array.isArray(value)) return value as string;
  if (FILTERS[name].value.form === 'vienna_codes') return (value as number[][]).map(viennaTerm).join(',');
  return value.join(',');
}
