/**
 * The signature of a record: two words of 64 bits, in each of which every facet and every whole name has set one bit,
 * as in a Bloom filter. A walk along an order has it from the index alone and fetches no record that it rules out
 * (docs/decisions/0022). It rules out most that do not match and never one that does, so whoever asks it compares the
 * record itself afterwards.
 */
import { isSignedTerm } from './terms.ts';

/** The two words, as PostgreSQL's int8 has them. */
export type Signature = readonly [first: bigint, second: bigint];

/** Odd numbers that spread neighbouring terms over the upper six bits of their products; stored, so never to change. */
const MULTIPLIERS = [0x9e3779b9, 0x85ebca6b] as const;

/** What a record with these terms has at least; a term that is not signed sets nothing. */
export function signTerms(terms: readonly number[]): Signature {
  return [signWord(terms, MULTIPLIERS[0]), signWord(terms, MULTIPLIERS[1])];
}

function signWord(terms: readonly number[], multiplier: number): bigint {
  let lower = 0;
  let upper = 0;
  for (const term of terms) {
    if (!isSignedTerm(term)) continue;
    const bit = Math.imul(term, multiplier) >>> 26;
    if (bit < 32) lower |= 1 << bit;
    else upper |= 1 << (bit - 32);
  }
  return BigInt.asIntN(64, (BigInt(upper >>> 0) << 32n) | BigInt(lower >>> 0));
}
