/** All published limits (specification section 8). They are counts unless the name ends in a unit. */

export const API_VERSION = '1.0.0';

export const SEARCH_PAGE_MAX = 500;
export const SEARCH_PAGE_DEFAULT = 50;
export const SEARCH_PAGE_EXPANDED_MAX = 50;

export const CHANGES_PAGE_MAX = 5000;
export const CHANGES_PAGE_DEFAULT = 500;
export const CHANGES_PAGE_EXPANDED_MAX = 200;

export const HISTORY_PAGE_MAX = 500;
export const HISTORY_PAGE_DEFAULT = 100;
export const RECORD_HISTORY_PAGE_MAX = 100;
export const RECORD_HISTORY_PAGE_DEFAULT = 25;

/** Codes in one `jurisdiction` parameter. */
export const JURISDICTIONS_MAX = 20;
/** Numbers in one `numbers` parameter; each has a record as a rule, so an answer is mostly one page. */
export const NUMBERS_MAX = SEARCH_PAGE_MAX;
/** Identities in one `identities` parameter; each has one record, so an answer is one page. */
export const IDENTITIES_MAX = SEARCH_PAGE_MAX;
/** An export that has lasted this long ends with its next page, and says where to continue. */
export const EXPORT_SECONDS_MAX = 300;
/** Registers that a `*_contains` filter may span. */
export const CONTAINS_SCOPE_MAX = 10;
/** Shortest value of `*_contains` and `*_startswith`, in Unicode code points (rule I-12). */
export const NAME_FRAGMENT_MIN = 3;

export const NICE_CLASS_MIN = 1;
export const NICE_CLASS_MAX = 45;

export const MATCHED_COUNT_MAX = 10_000;

export const QUERY_TIMEOUT_SECONDS = 10;
export const CHANGE_HORIZON_SECONDS = 300;

/** Longest accepted request target (path and query) and headers, in bytes. */
export const URL_BYTES_MAX = 16_384;
export const HEADER_BYTES_MAX = 32_768;

/** Largest payload of a record, in bytes of UTF-8. Specification 2.2 expects about 1 MB; this leaves room for more. */
export const PAYLOAD_BYTES_MAX = 32 * 1024 * 1024;

function assertRelation(holds: boolean, relation: string): void {
  if (!holds) throw new Error(`limits contradict each other: ${relation}`);
}

assertRelation(SEARCH_PAGE_DEFAULT <= SEARCH_PAGE_MAX, 'search default page <= largest page');
assertRelation(SEARCH_PAGE_EXPANDED_MAX <= SEARCH_PAGE_MAX, 'expanded search page <= largest page');
assertRelation(CHANGES_PAGE_DEFAULT <= CHANGES_PAGE_MAX, 'changes default page <= largest page');
assertRelation(CHANGES_PAGE_EXPANDED_MAX <= CHANGES_PAGE_MAX, 'expanded changes page <= largest page');
assertRelation(HISTORY_PAGE_DEFAULT <= HISTORY_PAGE_MAX, 'history default page <= largest page');
assertRelation(RECORD_HISTORY_PAGE_DEFAULT <= RECORD_HISTORY_PAGE_MAX, 'record history default page <= largest page');
assertRelation(CONTAINS_SCOPE_MAX <= JURISDICTIONS_MAX, 'contains scope <= jurisdiction list');
