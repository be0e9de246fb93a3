/** What a search for likeness says of a name, in words: strategies, tiers, evidence, goods. */
import type {
  GoodsRelation,
  LikenessEvidence,
  LikenessStrategy,
  LikenessTier,
  SimilarRecord,
} from '@tmds/contract/likeness';
import { formatCount } from './pieces.ts';

export const STRATEGY_TITLES: Readonly<Record<LikenessStrategy, string>> = {
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
};

export const TIER_TITLES: Readonly<Record<LikenessTier, { readonly title: string; readonly means: string }>> = {
  identical: { title: 'Identical', means: 'the same letters' },
  near: { title: 'Near', means: 'a letter or two, the sound, the look or the order differs' },
  shared: { title: 'Shared', means: 'a word or the beginning is shared' },
  alike: { title: 'Alike', means: 'some letters in a row are shared' },
};

const percent = (likeness: number): string => `${Math.round(likeness * 100)} %`;

/** Evidence without its place, as hits of watches have it. */
export type EvidenceShown = LikenessEvidence extends infer Each
  ? Each extends unknown
    ? Omit<Each, 'place'>
    : never
  : never;

/** One piece of evidence in words, such as `Begins alike: rheo`. */
export function describeEvidence(evidence: EvidenceShown): string {
  switch (evidence.strategy) {
    case 'equal':
      return 'The same letters';
    case 'glyphs':
      return 'Its letters look the same';
    case 'edits':
      return evidence.edits === 1 ? 'One letter differs' : `${evidence.edits} letters differ`;
    case 'plural':
      return `The same stem: ${evidence.stem}`;
    case 'order':
      return 'The same words in another order';
    case 'sound':
      return `Sounds the same in ${evidence.read_as === 'german' ? 'German' : 'English'}`;
    case 'consonants':
      return `The same consonants: ${evidence.consonants}`;
    case 'transliteration':
      return `Alike in Latin letters, ${percent(evidence.likeness)}`;
    case 'within':
      return `One is within the other: ${evidence.words.map(({ word }) => word).join(' ')}`;
    case 'word':
      return describeWord(evidence);
    case 'beginning':
      return `Begins alike: ${evidence.letters}`;
    case 'letters':
      return `Letters in common, ${percent(evidence.likeness)}`;
  }
}

function describeWord({ likeness, asked, held }: Extract<EvidenceShown, { strategy: 'word' }>): string {
  const names = `${formatCount(held.names)} ${held.names === 1 ? 'name has' : 'names have'} it`;
  return asked.word === held.word
    ? `A word in common: ${held.word} (${names})`
    : `Words alike: ${asked.word} and ${held.word}, ${percent(likeness)} (${names})`;
}

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
