/** Turns a `SimilarRequest` into the search that the index answers, and the bound of its answer. Pure. */
import { type HeldAs, LIKENESS_RECORDS_PER_ENTRY, type LikenessStrategy } from '@tmds/contract/likeness';
import type { SimilarRequest } from '../parse/likeness.ts';
import { type Condition, checkBreadth, planConditions } from './search.ts';

/** Plain data, which can be sent to another thread. */
export interface LikenessSearch {
  readonly mark: string;
  readonly strategies: readonly LikenessStrategy[];
  /** The texts that are compared. */
  readonly heldAs: readonly HeldAs[];
  readonly conditions: readonly Condition[];
  /** The classes of the goods of the mark; empty if they were not stated. */
  readonly classes: readonly number[];
  /** What a record in any of them satisfies; empty if none were stated. */
  readonly inClasses: readonly Condition[];
  /** The most records of the names that are found. */
  readonly recordsMax: number;
}

export interface SimilarPlan extends LikenessSearch {
  readonly limit: number;
}

/** @throws ApiError `query_too_broad` for filters that a search would refuse (rule I-13). */
export function planSimilar(request: SimilarRequest): SimilarPlan {
  checkBreadth({ register: null, filters: request.filters });
  const { filters, ...asked } = request;
  return {
    ...asked,
    recordsMax: asked.limit * LIKENESS_RECORDS_PER_ENTRY,
    conditions: planConditions(filters, null),
    inClasses: asked.classes.length === 0 ? [] : planConditions({ nice_class: [...asked.classes] }, null),
  };
}
