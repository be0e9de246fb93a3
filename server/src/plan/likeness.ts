/** Turns a `SimilarRequest` into the search that the index answers, and the bound of its answer. Pure. */
import { LIKENESS_RECORDS_PER_ENTRY, type LikenessStrategy } from '@tmds/contract/likeness';
import type { SimilarRequest } from '../parse/likeness.ts';
import { checkBreadth } from './breadth.ts';
import { type Condition, planConditions } from './filters.ts';

/** Plain data, which can be sent to another thread. */
export interface LikenessSearch {
  readonly mark: string;
  readonly strategies: readonly LikenessStrategy[];
  readonly conditions: readonly Condition[];
  /** The classes of the goods of the mark; empty if they were not stated. */
  readonly classes: readonly number[];
  /** The most records of the names that are found. */
  readonly recordsMax: number;
}

export interface SimilarPlan extends LikenessSearch {
  readonly limit: number;
}

/** @throws ApiError `query_too_broad` for filters that a search would refuse (rule I-13). */
export function planSimilar(request: SimilarRequest): SimilarPlan {
  checkBreadth({ register: null, filters: request.filters });
  const { mark, strategies, classes, limit } = request;
  const recordsMax = limit * LIKENESS_RECORDS_PER_ENTRY;
  return { mark, strategies, classes, limit, recordsMax, conditions: planConditions(request.filters, null) };
}
