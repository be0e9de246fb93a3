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
  let [firstLower, firstUpper, secondLower, secondUpper] = [0, 0, 0, 0];
  for (let at = 0; at < terms.length; at += 1) {
    const term = terms[at] as number;
    if (!isSignedTerm(term)) continue;
    const first = Math.imul(term, MULTIPLIERS[0]) >>> 26;
    if (first < 32) firstLower |= 1 << first;
    else firstUpper |= 1 << (first - 32);
    const second = Math.imul(term, MULTIPLIERS[1]) >>> 26;
    if (second < 32) secondLower |= 1 << second;
    else secondUpper |= 1 << (second - 32);
  }
  return [joinWord(firstUpper, firstLower), joinWord(secondUpper, secondLower)];
}

function joinWord(upper: number, lower: number): bigint {
  return (BigInt(upper) << 32n) | BigInt(lower >>> 0);
}
