/** Decides which searches of the portal a call of the API may not make, so that its pages can say so. */
import { ApiError } from '../base/errors.ts';
import { checkDeclared, splitQuery } from '../parse/query.ts';
import { type Breadth, parseSearch } from '../parse/search.ts';
import { planSearch } from '../plan/search.ts';

/** Why the API refuses a search that a page of the portal may make; null if both take it, or neither does. */
export function findCallLimit(query: string): ApiError | null {
  const refusal = findRefusal(query, 'call');
  return refusal === null || findRefusal(query, 'page') !== null ? null : refusal;
}

function findRefusal(query: string, breadth: Breadth): ApiError | null {
  try {
    planSearch(parseSearch(checkDeclared('search', splitQuery(query)), null, breadth));
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
