/** The position of a page of results in its search. */
import type { SearchPage } from '@tmds/contract/record';

/** The page after the one that this query of an address shows; null after the last. */
export function nextPagePath(
  query: URLSearchParams,
  { items, next_cursor: cursor }: SearchPage,
  keyId: string,
): string | null {
  if (cursor === null) return null;
  const before = readRowsBefore(query);
  const next = new URLSearchParams(query);
  for (const name of ['cursor', 'row', 'asked', 'go', 'done']) next.delete(name);
  next.set('key', keyId);
  next.set('cursor', cursor);
  if (before !== null) next.set('row', String(before + items.length));
  return `/portal/explorer?${next.toString()}`;
}

/**
 * How many matches come before this page, as counted by the link that led here. The number is only shown, so that a
 * false one in an address harms nobody. Null when unknown.
 */
export function readRowsBefore(query: URLSearchParams): number | null {
  if (!query.has('cursor')) return 0;
  const row = query.get('row') ?? '';
  return /^\d{1,10}$/.test(row) ? Number(row) : null;
}
