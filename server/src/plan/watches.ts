/** Turns what a watch matches into conditions of a search, and into the text that is stored. Pure. */

import type { HeldAs } from '@tmds/contract/likeness';
import { parseWatchedSimilar, type WatchedSimilar, writeSimilar } from '../parse/likeness.ts';
import { writeSearch } from '../parse/search.ts';
import type { WatchedIdentity, WatchRequest } from '../parse/watches.ts';
import { type Condition, checkBreadth, planConditions, planSearch } from './search.ts';

export { encodePosition } from '../parse/cursor.ts';
export type { HitsRequest, WatchesRequest, WatchRequest } from '../parse/watches.ts';

export interface WatchPlan {
  readonly name: string;
  readonly reference: string | null;
  readonly subject:
    | { readonly kind: 'search'; readonly search: string }
    | { readonly kind: 'records'; readonly records: readonly WatchedIdentity[] }
    | { readonly kind: 'owners'; readonly owners: readonly string[] }
    /** The query string of a search for likeness. */
    | { readonly kind: 'similar'; readonly search: string };
}

/** @throws ApiError `query_too_broad`, as the search would be refused. */
export function planWatch(request: WatchRequest): WatchPlan {
  const { name, reference } = request;
  const named = { name, reference };
  switch (request.kind) {
    case 'search':
      planSearch(request.search);
      return { ...named, subject: { kind: 'search', search: writeSearch(request.search.filters) } };
    case 'records':
      return { ...named, subject: { kind: 'records', records: request.records } };
    case 'owners':
      return { ...named, subject: { kind: 'owners', owners: request.owners } };
    case 'similar':
      checkBreadth({ register: null, filters: request.similar.filters });
      return { ...named, subject: { kind: 'similar', search: writeSimilar(request.similar) } };
  }
}

/** A mark that names are compared with, and what the records have to satisfy. */
export type WatchedMark = Omit<WatchedSimilar, 'filters'> & { readonly conditions: readonly Condition[] };

/** The mark of a stored watch. */
export function planMark(search: string): WatchedMark {
  const { filters, ...watched } = parseWatchedSimilar(search);
  return { ...watched, conditions: planConditions(filters, null) };
}

/** The condition that one of these names is held of a mark in one of these ways. */
export function planNames(texts: readonly string[], heldAs: readonly HeldAs[]): Condition {
  return { kind: 'held', heldAs, texts };
}

/** The conditions of listed owners. */
export function planOwners(owners: readonly string[]): Condition[] {
  return [{ kind: 'names', family: 'owner_name', texts: owners }];
}
