/**
 * What the term index is asked for beside what a record must satisfy: where one status is asked for together with
 * anything else that is paired with it, the pairs are asked for instead of both. They say the same, in shorter lists.
 */
import { isStatusTerm, statusPairTerm } from '../record/terms.ts';
import type { Conditions } from './filters.ts';

export type Sought = Pick<Conditions, 'allOf' | 'anyOf'>;

/** Sets of terms that the same records carry. */
export function pairConditions({ allOf, anyOf }: Sought): Sought {
  const [status, ...moreStatuses] = allOf.filter(isStatusTerm);
  if (status === undefined || moreStatuses.length > 0) return { allOf, anyOf };
  const pairOf = (term: number): number => statusPairTerm(status, term) ?? term;
  const pairedAllOf = allOf.map(pairOf);
  const pairedAnyOf = anyOf.map((terms) => {
    const paired = terms.map(pairOf);
    // Terms without a pair would be found with any status.
    return paired.some((term, index) => term === terms[index]) ? terms : paired;
  });
  const isSaid =
    pairedAllOf.some((term, index) => term !== allOf[index]) ||
    pairedAnyOf.some((terms, index) => terms !== anyOf[index]);
  return { allOf: isSaid ? pairedAllOf.filter((term) => term !== status) : allOf, anyOf: pairedAnyOf };
}
