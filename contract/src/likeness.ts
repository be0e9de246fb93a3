/** Searches for names that are alike: the strategies, in which order their hits come, and the bounds. */

/** How near a hit is; nearer ones come first. */
export const LIKENESS_TIERS = ['identical', 'near', 'shared', 'alike'] as const;
export type LikenessTier = (typeof LIKENESS_TIERS)[number];

interface StrategyDefinition {
  /** The tier to which it can raise a name. */
  readonly tier: LikenessTier;
  readonly description: string;
}

/** Each can be switched off. The order is that of the evidence of a hit. */
export const LIKENESS_STRATEGIES = {
  equal: {
    tier: 'identical',
    description: 'The same letters: letter case, accents, punctuation, spaces and digits for letters do not count.',
  },
  glyphs: { tier: 'near', description: 'The letters look the same: rn and m, vv and w, 1 and l, Cyrillic с and c.' },
  edits: { tier: 'near', description: 'One or two letters added, left out, changed or exchanged with a neighbour.' },
  plural: { tier: 'near', description: 'The same but for endings of plurals and genders, and for articles.' },
  order: { tier: 'near', description: 'The same words in another order.' },
  sound: { tier: 'near', description: 'The same sound, read as English and other European names, or as German.' },
  consonants: { tier: 'near', description: 'The same consonants in the same order.' },
  transliteration: {
    tier: 'near',
    description:
      'Alike once the letters of another script are written as Latin letters. The transliteration is made here.',
  },
  within: { tier: 'shared', description: 'All words of one occur in the other.' },
  word: { tier: 'shared', description: 'A word of one is a word of the other or much like it; the rarer, the better.' },
  beginning: { tier: 'shared', description: 'The same first letters, three or more.' },
  letters: {
    tier: 'alike',
    description: 'Two and three letters in a row in common, weighted by how rare they are among all names.',
  },
} as const satisfies Record<string, StrategyDefinition>;

export type LikenessStrategy = keyof typeof LIKENESS_STRATEGIES;
export const LIKENESS_STRATEGY_NAMES = Object.keys(LIKENESS_STRATEGIES) as LikenessStrategy[];
