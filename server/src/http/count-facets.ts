/** Counts facets for the portal's explorer, with the filters of the public search, however broad. */
import type { SearchIndex } from '../follow/live-index.ts';
import type { SearchLimits } from '../follow/search-pool.ts';
import type { CountedField, FacetValue } from '../index/facets.ts';
import { checkDeclared, splitQuery } from '../parse/query.ts';
import { parseSearch } from '../parse/search.ts';
import { planSearch } from '../plan/search.ts';
import { orNull } from './or-null.ts';

export interface FieldCounts<Field extends CountedField> {
  readonly field: Field;
  /** Most frequent first. */
  readonly values: readonly FacetValue[];
}

/** Null if the search is refused or cannot be answered within the limits. */
export async function countFieldValues<Field extends CountedField>(
  index: SearchIndex,
  query: string,
  fields: readonly Field[],
  limits: SearchLimits,
): Promise<FieldCounts<Field>[] | null> {
  return await orNull(async () => {
    const { conditions } = planSearch(parseSearch(checkDeclared('search', splitQuery(query)), null, 'page'));
    const facets = await index.countFacets(conditions, fields, limits);
    return fields.map((field) => ({ field, values: facets[field] ?? [] }));
  });
}
