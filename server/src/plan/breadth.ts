/**
 * Refuses queries that are too broad before anything is read (rule I-13): some filters are only allowed together with
 * others. Every refusal names the filter and says exactly what to add or shorten.
 */
import { CONTAINS_SCOPE_MAX, JURISDICTIONS_MAX } from '@tmds/contract/limits';
import type { FilterName } from '@tmds/contract/parameters';
import { apiError } from '../base/errors.ts';
import type { SearchRequest } from '../parse/search.ts';

const CONTAINS = ['mark_name_contains', 'owner_name_contains', 'representative_name_contains'] as const;
const STARTSWITH = ['mark_name_startswith', 'owner_name_startswith', 'representative_name_startswith'] as const;
const VIENNA_COMPANIONS = ['jurisdiction', 'nice_class', 'nice_class_all', 'owner_country'] as const;

/** @throws ApiError `query_too_broad` with the name of the filter in `param`. */
export function checkBreadth(request: Pick<SearchRequest, 'register' | 'filters'>): void {
  const { register, filters } = request;
  const scope = register === null ? (filters.jurisdiction?.length ?? 0) : 1;
  for (const name of CONTAINS) {
    if (filters[name] === undefined) continue;
    if (scope === 0)
      throw tooBroad(name, `needs a register scope: add jurisdiction with 1 to ${CONTAINS_SCOPE_MAX} codes`);
    if (scope > CONTAINS_SCOPE_MAX) {
      throw tooBroad(name, `spans at most ${CONTAINS_SCOPE_MAX} registers: shorten jurisdiction from ${scope} codes`);
    }
  }
  for (const name of STARTSWITH) {
    if (filters[name] !== undefined && scope === 0) {
      throw tooBroad(name, `needs a register scope: add jurisdiction with 1 to ${JURISDICTIONS_MAX} codes`);
    }
  }
  const [category] = filters.vienna_code?.find((numbers) => numbers.length === 1) ?? [];
  const hasCompanion = scope > 0 || VIENNA_COMPANIONS.some((name) => filters[name] !== undefined);
  if (category !== undefined && !hasCompanion) {
    throw tooBroad(
      'vienna_code',
      `of one segment (${category}) needs company: add jurisdiction, nice_class, nice_class_all or owner_country, or ` +
        `lengthen it to at least two segments such as ${category}.1`,
    );
  }
}

function tooBroad(param: FilterName, reason: string): Error {
  return apiError('query_too_broad', `${param} ${reason}.`, { param });
}
