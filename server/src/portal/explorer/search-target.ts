/** The search that the address of an explorer page names, and the call of the API that answers it. */
import { needsPayload, readColumns } from './columns.ts';
import { encodePairs, expandPairs, readPairs, type SearchPairs } from './search-pairs.ts';

/** Fields of the address that belong to the page and not to the search. */
const OWN_FIELDS = ['key', 'done', 'go', 'asked', 'from', 'q', 'row', 'columns', 'view', 'watch'];

export interface SearchTarget {
  /** The search as the address has it. */
  readonly pairs: SearchPairs;
  /** `/v1/…` with its query: with the payload where a column needs it. */
  readonly target: string;
}

/** Whether the results are a grid of images rather than a table. */
export function isGrid(query: URLSearchParams): boolean {
  return query.get('view') === 'grid';
}

export function readSearch(query: URLSearchParams): SearchTarget {
  const pairs = readPairs(query, OWN_FIELDS);
  const isExpanded = isGrid(query) || needsPayload(readColumns(query.get('columns')));
  const asked = isExpanded ? expandPairs(pairs) : pairs;
  return { pairs, target: `/v1/trademarks${encodePairs(asked)}` };
}
