/** The keys by which whole names are equal in some way, and the strategy that each pair of keys belongs to. */
import type { LikenessStrategy } from '@tmds/contract/likeness';
import type { KeyName } from './keys.ts';

/**
 * What is less alike, from 0 to 1, is not found by strategies that find every name to some degree. Half of the weight
 * of both texts is a transliteration; for the others, the yardstick says how much can be left out
 * (docs/design/likeness.md#the-order).
 */
export const LIKENESS_MIN = { transliteration: 0.5, word: 0.2, letters: 0.2 } as const satisfies Partial<
  Record<LikenessStrategy, number>
>;

/** As `LIKENESS_MIN`; 0 for a strategy that finds a name or does not. */
export function likenessMinOf(strategy: LikenessStrategy): number {
  return (LIKENESS_MIN as Partial<Record<LikenessStrategy, number>>)[strategy] ?? 0;
}

/** The key of a name and the key of the mark that it equals. */
export interface KeyPair {
  readonly key: KeyName;
  readonly against: KeyName;
  readonly strategy: LikenessStrategy;
  /** A shorter key is equal by chance. */
  readonly lengthMin: number;
  /** Whether it says something about names in different scripts. */
  readonly anyScript: boolean;
}

export const KEY_PAIRS: readonly KeyPair[] = [
  { key: 'plain', against: 'plain', strategy: 'equal', lengthMin: 1, anyScript: true },
  { key: 'glyphs', against: 'glyphs', strategy: 'glyphs', lengthMin: 1, anyScript: true },
  { key: 'stem', against: 'stem', strategy: 'plural', lengthMin: 1, anyScript: false },
  { key: 'sound', against: 'sound', strategy: 'sound', lengthMin: 1, anyScript: true },
  { key: 'sound', against: 'otherSound', strategy: 'sound', lengthMin: 1, anyScript: true },
  { key: 'otherSound', against: 'sound', strategy: 'sound', lengthMin: 1, anyScript: true },
  { key: 'otherSound', against: 'otherSound', strategy: 'sound', lengthMin: 1, anyScript: true },
  { key: 'germanSound', against: 'germanSound', strategy: 'sound', lengthMin: 1, anyScript: true },
  { key: 'consonants', against: 'consonants', strategy: 'consonants', lengthMin: 2, anyScript: false },
];
