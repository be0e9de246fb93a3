/**
 * What the term index is asked for beside what a record must satisfy: where one status is asked for together with
 * anything else that is paired with it, the pairs are asked for instead of both. They say the same, in shorter lists.
 */
import { isStatusTerm, statusPairTerm } from '../record/terms.ts';
import type { Conditions } from './filters.ts';

export type Sought = Pick<Conditions, 'allOf' | 'anyOf'>;

/** Sets of date terms, as of a cover. */
export type Covers = readonly (readonly number[])[];

export interface Paired {
  readonly sought: Sought;
  readonly covers: Covers;
  /** Never said by their pairs alone: not every path asks for them. */
  readonly broadCovers: Covers;
}

/**
 * Sets of terms that the same records carry. Whatever asks for `sought` has to ask for `covers` too: either may be what
 * tells the status.
 */
export function pairConditions(
  { allOf, anyOf }: Sought,
  { covers, broadCovers }: Pick<Paired, 'covers' | 'broadCovers'>,
): Paired {
  const [status, ...moreStatuses] = allOf.filter(isStatusTerm);
  if (status === undefined || moreStatuses.length > 0) return { sought: { allOf, anyOf }, covers, broadCovers };
  const pairOf = (term: number): number => statusPairTerm(status, term) ?? term;
  const pairSet = (terms: readonly number[]): readonly number[] => {
    const paired = terms.map(pairOf);
    // Terms without a pair would be found with any status.
    return paired.some((term, index) => term === terms[index]) ? terms : paired;
  };
  const pairedAllOf = allOf.map(pairOf);
  const pairedAnyOf = anyOf.map(pairSet);
  const pairedCovers = covers.map(pairSet);
  const isSaid =
    pairedAllOf.some((term, index) => term !== allOf[index]) ||
    pairedAnyOf.some((terms, index) => terms !== anyOf[index]) ||
    pairedCovers.some((terms, index) => terms !== covers[index]);
  return {
    sought: { allOf: isSaid ? pairedAllOf.filter((term) => term !== status) : allOf, anyOf: pairedAnyOf },
    covers: pairedCovers,
    broadCovers: broadCovers.map(pairSet),
  };
}
