/** The search for likeness that the address of its page names, and the call of the API that answers it. */
import { ANALYTICS_ROOT } from '@tmds/contract/extras';
import { encodePairs, readPairs, type SearchPairs } from '../explorer/search-pairs.ts';

/** Parameters of the search that are no filters of records. */
const OF_LIKENESS = ['mark', 'classes', 'strategies', 'limit'] as const;
/** Fields of the address that belong to the page and not to the search. */
const OWN_FIELDS = ['key', 'done', 'go', 'asked', 'from', 'beside', 'format', ...OF_LIKENESS];

export interface SimilarTarget {
  readonly mark: string;
  readonly pairs: SearchPairs;
  readonly filters: SearchPairs;
  readonly target: string;
}

export function readSimilar(query: URLSearchParams): SimilarTarget {
  const joined = (name: string): string =>
    query
      .getAll(name)
      .filter((value) => value !== '')
      .join(',');
  const ofLikeness = OF_LIKENESS.map(
    (name) => [name, name === 'mark' ? (query.get(name) ?? '') : joined(name)] as const,
  );
  const filters = readPairs(query, OWN_FIELDS);
  const pairs = [...ofLikeness.filter(([, value]) => value.trim() !== ''), ...filters];
  return {
    mark: (query.get('mark') ?? '').trim(),
    pairs,
    filters,
    target: `${ANALYTICS_ROOT}/v1/similar${encodePairs(pairs)}`,
  };
}

export function similarPath(pairs: SearchPairs, keyId: string, more: SearchPairs = []): string {
  return `/portal/similar${encodePairs([...pairs, ['key', keyId], ...more])}`;
}
