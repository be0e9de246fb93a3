/** What a search for likeness says of a name, in words: strategies, tiers, goods, age. */
import {
  type GoodsRelation,
  HELD_AS,
  type HeldAs,
  LIKENESS_STRATEGIES,
  type LikenessStrategy,
  type LikenessTier,
  type SimilarRecord,
} from '@tmds/contract/likeness';

type Choice = LikenessStrategy | HeldAs;

/** Strategies, and the texts that are compared. */
export const CHOICE_TITLES: Readonly<Record<Choice, string>> = {
  equal: 'Same letters',
  glyphs: 'Letters look the same',
  edits: 'One or two letters differ',
  plural: 'Same stem',
  order: 'Other order of words',
  sound: 'Same sound',
  consonants: 'Same consonants',
  transliteration: 'Alike in another script',
  within: 'One within the other',
  word: 'A word in common',
  beginning: 'Same beginning',
  letters: 'Letters in common',
  mark: 'Text of the mark',
  variant: 'Translations held',
  pseudo_mark: 'Pseudo marks held',
};

const DESCRIPTIONS: Readonly<Record<Choice, string>> = {
  ...HELD_AS,
  ...Object.fromEntries(Object.entries(LIKENESS_STRATEGIES).map(([name, { description }]) => [name, description])),
} as Record<Choice, string>;

export function listChoices(choices: readonly Choice[]): { value: Choice; label: string; title: string }[] {
  return choices.map((value) => ({ value, label: CHOICE_TITLES[value], title: DESCRIPTIONS[value] }));
}

export const TIER_TITLES: Readonly<Record<LikenessTier, { readonly title: string; readonly means: string }>> = {
  identical: { title: 'Identical', means: 'the same letters' },
  near: { title: 'Near', means: 'a letter or two, the sound, the look or the order differs' },
  shared: { title: 'Shared', means: 'a word or the beginning is shared' },
  alike: { title: 'Alike', means: 'some letters in a row are shared' },
};

/** How the classes of a record relate to those of the mark; null if none were asked for. */
export function describeGoods(goods: GoodsRelation | null): string | null {
  if (goods === null) return null;
  const classes = `${goods.nice_classes.length === 1 ? 'class' : 'classes'} ${goods.nice_classes.join(', ')}`;
  switch (goods.relation) {
    case 'same':
      return `In common: ${classes}`;
    case 'related':
      return `Related: ${classes}`;
    case 'apart':
      return 'Other classes';
    case 'unknown':
      return 'Classes not stated';
  }
}

export function describeAge({ age_years: years }: Pick<SimilarRecord, 'age_years'>): string | null {
  if (years === null) return null;
  return years === 0 ? 'less than a year old' : `${years} ${years === 1 ? 'year' : 'years'} old`;
}
