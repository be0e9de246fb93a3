/**
 * Turns a `SearchRequest` into a `SearchPlan`: the conditions on a record, and which of the matching records are on the
 * page. Pure: the same request always gives the same plan. A plan does not say how its records are found.
 */
import type { Order, Sort } from '@tmds/contract/enums';
import { MATCHED_COUNT_MAX } from '@tmds/contract/limits';
import type { CursorBinding, CursorKey } from '../parse/cursor.ts';
import type { SearchRequest } from '../parse/search.ts';
import { checkBreadth } from './breadth.ts';
import { type Condition, planConditions } from './filters.ts';

export type { CursorKey } from '../parse/cursor.ts';
export type { Condition } from './filters.ts';

/** The request to the index: plain data, which can be sent to another thread. */
export interface SearchQuery {
  readonly conditions: readonly Condition[];
  readonly sort: Sort;
  readonly order: Order;
  /** The page begins after this record; null for the first page. */
  readonly after: CursorKey | null;
  /** Records per page. */
  readonly limit: number;
  /** Matches are counted up to this number; 0 = not counted. */
  readonly countMax: number;
}

export interface SearchPlan extends SearchQuery {
  /** The register of the path; null for a global search. It may not exist. */
  readonly register: string | null;
  readonly expandPayload: boolean;
  readonly binding: CursorBinding;
}

/** @throws ApiError `query_too_broad` (rule I-13), unless a page of the portal asks. */
export function planSearch(request: SearchRequest): SearchPlan {
  if (request.breadth === 'call') checkBreadth(request);
  return {
    register: request.register,
    conditions: planConditions(request.filters, request.register),
    sort: request.sort,
    order: request.order,
    after: request.after,
    limit: request.limit,
    // Counting one more than the bound shows whether it was exceeded (rule I-18).
    countMax: request.countMatches ? MATCHED_COUNT_MAX + 1 : 0,
    expandPayload: request.expandPayload,
    binding: request.binding,
  };
}
