/** The options and results of calls that the contract does not define. */
import type { CallOptions } from './config.ts';

export interface SearchAllOptions extends CallOptions {
  /** The walk ends after this many records: 1 or more, default 10,000. */
  itemsMax?: number | undefined;
}

export const SEARCH_ALL_ITEMS_DEFAULT = 10_000;

/** The number of records that a search matches, counted up to 10,000. */
export interface MatchedCount {
  readonly matched_count: number;
  /** True when more match. */
  readonly matched_count_capped: boolean;
}
