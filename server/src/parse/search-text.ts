/**
 * A search as text that can be kept: its filters in the order of their table, each value in its canonical form. Read
 * again, the text gives the same filters, so equal searches have equal texts.
 */
import { FILTERS, type FilterName } from '@tmds/contract/parameters';
import { viennaTerm } from '../record/terms.ts';
import type { SearchFilters } from './search.ts';

/** A query string without `?`. */
export function writeSearch(filters: SearchFilters): string {
  const pairs = (Object.keys(FILTERS) as FilterName[]).flatMap((name) => {
    const value = filters[name];
    return value === undefined ? [] : [[name, writeValue(name, value)] as [string, string]];
  });
  return new URLSearchParams(pairs).toString();
}

function writeValue(name: FilterName, value: NonNullable<SearchFilters[FilterName]>): string {
  if (!Array.isArray(value)) return value as string;
  if (FILTERS[name].value.form === 'vienna_codes') return (value as number[][]).map(viennaTerm).join(',');
  return value.join(',');
}
