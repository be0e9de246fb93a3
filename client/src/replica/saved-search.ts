/** The search of a replica: its filters as one normalized text. */
import { FILTERS } from '@tmds/contract/parameters';
import type { SearchFilters } from '../parameters.ts';
import { encodeQuery } from '../query.ts';

/**
 * `owner_name=acme%20inc.&status=Pending`, names sorted; null without a search.
 *
 * @param search filters, or a query as in the URL of a search
 * @throws TypeError when it has no filter, or something that is not a filter
 */
export function normalizeSearch(search: SearchFilters | string | undefined): string | null {
  if (search === undefined) return null;
  const filters = typeof search === 'string' ? readQuery(search) : search;
  const stated = Object.entries(filters).filter(([, value]) => value !== undefined);
  for (const [name] of stated) {
    if (Object.hasOwn(FILTERS, name)) continue;
    throw new TypeError(`${name} is not a filter; the search of a replica can have only filters`);
  }
  if (stated.length === 0) throw new TypeError('search must have a filter, such as owner_name=acme%20inc.');
  return encodeQuery(Object.fromEntries(stated.sort(([a], [b]) => (a < b ? -1 : 1)))).slice(1);
}

/** Parses a text that `normalizeSearch` wrote. */
export function parseSearch(text: string): SearchFilters {
  return readQuery(text);
}

function readQuery(text: string): SearchFilters {
  const filters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (filters.has(name)) throw new TypeError(`${name} is given twice; separate its values with commas`);
    filters.set(name, value);
  }
  return Object.fromEntries(filters);
}
