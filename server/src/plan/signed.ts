/**
 * What the signatures of records tell a walk of its conditions (docs/decisions/0022): the bits that a record which
 * matches has for certain. It decides for which searches asking them pays.
 */
import { type Signature, signTerms } from '../record/signature.ts';
import { isSignedTerm } from '../record/terms.ts';
import { readShares, type TermStatistics } from './estimate.ts';
import { hasPart } from './filters.ts';
import type { SearchPlan } from './search.ts';

/** Never empty: a signature rules some records out. */
export interface SignedConditions {
  /** Bits that a record must have all of; null for none. */
  readonly all: Signature | null;
  /** Of each of these, a record must have at least one bit in either word. */
  readonly anyOf: readonly Signature[];
}

/** Where more records than this share carry all the terms, fetching each as it comes costs less than by its key. */
const SIGNED_SHARE_MAX = 0.25;

/**
 * Null where signatures tell nothing, or too little to ask them. Nor are they asked beside a condition that they know
 * nothing of: where those that are pending stand together in an order by date, each would be fetched by its key for
 * nothing.
 */
export function signConditions(
  { walked, walkedInterval }: Pick<SearchPlan, 'walked' | 'walkedInterval'>,
  statistics: Pick<TermStatistics, 'shares'>,
): SignedConditions | null {
  const { allOf, anyOf, texts, intervals } = walked;
  if (hasPart(walked) || texts.some(({ column }) => column === 'number_keys')) return null;
  if (intervals.some((interval) => interval !== walkedInterval)) return null;
  const signed = allOf.filter(isSignedTerm);
  const sets = anyOf.filter((terms) => terms.every(isSignedTerm));
  if (signed.length === 0 && sets.length === 0) return null;
  const shares = readShares(statistics, 0);
  const least = Math.min(...signed.map(shares.of), ...sets.map(shares.ofAny));
  if (least > SIGNED_SHARE_MAX) return null;
  return { all: signed.length === 0 ? null : signTerms(signed), anyOf: sets.map(signTerms) };
}
