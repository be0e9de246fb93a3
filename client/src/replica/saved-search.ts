/** A search as the scope of a replica: its filters as one text, the same however they were written. */
import { FILTERS } from '@tmds/contract/parameters';
import type { SearchFilters } from '../parameters.ts';
import { encodeQuery } from '../query.ts';

/**
 * `owner_name=acme%20inc.&status=Pending`, names sorted; null without a search.
 *
 * @param search filters, or a query as in the address of a search
 * @throws TypeError when it names something that is no filter, or nothing
 */
export function normalizeSearch(search: SearchFilters | string | undefined): string | null {
  if (search === undefined) return null;
  const filters = typeof search === 'string' ? readQuery(search) : search;
  const stated = Object.entries(filters).filter(([, value]) => value !== undefined);
  for (const [name] of stated) {
    if (Object.hasOwn(FILTERS, name)) continue;
    throw new TypeError(`${name} is no filter; the search of a replica consists of filters alone`);
  }
  if (stated.length === 0) throw new TypeError('search must have a filter, such as owner_name=acme%20inc.');
  return encodeQuery(Object.fromEntries(stated.sort(([a], [b]) => (a < b ? -1 : 1)))).slice(1);
}

/** The filters of a text that `normalizeSearch` wrote. */
export function parseSearch(text: string): SearchFilters {
  return readQuery(text);
}

function readQuery(text: string): SearchFilters {
  const filters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (filters.has(name)) throw new TypeError(`${name} is stated twice; write its values with commas between them`);
    filters.set(name, value);
  }
  return Object.fromEntries(filters);
}
