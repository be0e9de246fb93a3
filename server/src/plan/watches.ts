/** Turns what a watch matches into conditions of a search, and into the text that is stored. Pure. */

import { writeSearch } from '../parse/search-text.ts';
import type { WatchedIdentity, WatchRequest } from '../parse/watches.ts';
import { type Condition, planSearch } from './search.ts';

export { encodePosition } from '../parse/cursor.ts';
export type { HitsRequest, WatchesRequest, WatchRequest } from '../parse/watches.ts';

export interface WatchPlan {
  readonly name: string;
  readonly subject:
    | { readonly kind: 'search'; readonly search: string }
    | { readonly kind: 'records'; readonly records: readonly WatchedIdentity[] }
    | { readonly kind: 'owners'; readonly owners: readonly string[] };
}

/** @throws ApiError `query_too_broad`, as the search would be refused. */
export function planWatch(request: WatchRequest): WatchPlan {
  const { name } = request;
  switch (request.kind) {
    case 'search':
      planSearch(request.search);
      return { name, subject: { kind: 'search', search: writeSearch(request.search.filters) } };
    case 'records':
      return { name, subject: { kind: 'records', records: request.records } };
    case 'owners':
      return { name, subject: { kind: 'owners', owners: request.owners } };
  }
}

/** The conditions of listed owners. */
export function planOwners(owners: readonly string[]): Condition[] {
  return [{ kind: 'names', family: 'owner_name', texts: owners }];
}
