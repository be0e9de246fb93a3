/**
 * The keys of a word. Two names are alike in a way if the keys of their words, in a row, are the same text. A key of a
 * word is computed once, when the word is first met.
 */
import { colognePhonetic } from 'cologne-phonetic';
import { doubleMetaphone } from 'double-metaphone';
import unhomoglyph from 'unhomoglyph';
import type { SpelledWord } from '../record/spelling.ts';

/** `plain` is the word itself, with digits between letters read as letters. */
export const KEY_NAMES = ['plain', 'sound', 'otherSound', 'germanSound', 'consonants', 'stem', 'glyphs'] as const;
export type KeyName = (typeof KEY_NAMES)[number];

const DIGITS_AS_LETTERS: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  8: 'b',
};

/** A digit is read as a letter only in a word that has letters. */
function readDigits(letters: string): string {
  return /[a-z]/.test(letters) ? letters.replace(/[0134578]/g, (digit) => DIGITS_AS_LETTERS[digit]!) : letters;
}

/** Digits sound like themselves. */
function soundRuns(letters: string, sound: (run: string) => string): string {
  return letters.replace(/[a-z]+/g, sound);
}

const ENDINGS = /(?:[aeiou]?s|[aeio]|en|er|n|x)$/;
const STEM_LETTERS_MIN = 3;
/** Words that a mark may have or leave out: articles of some languages. */
const ARTICLES = new Set(
  'the a an la le les el los las il lo gli der die das den un une una ein eine het de'.split(' '),
);

/** Without the ending of a plural or a grammatical gender; empty for an article. */
function stemOf(letters: string): string {
  if (ARTICLES.has(letters)) return '';
  const stem = letters.replace(ENDINGS, '');
  return stem.length < STEM_LETTERS_MIN ? letters : stem;
}

/** As the letters look: m like rn, w like vv, 1 and i like l, Cyrillic с like Latin c. */
function drawGlyphs({ text }: SpelledWord): string {
  return unhomoglyph(text).toLowerCase().replaceAll('vv', 'w').replaceAll('i', 'l').replaceAll('o', '0');
}

export const KEYS: Readonly<Record<KeyName, (word: SpelledWord) => string>> = {
  plain: ({ text, isForeign }) => (isForeign ? text : readDigits(text)),
  sound: ({ letters }) => soundRuns(letters, (run) => doubleMetaphone(run)[0]),
  otherSound: ({ letters }) => soundRuns(letters, (run) => doubleMetaphone(run)[1]),
  germanSound: ({ letters }) => soundRuns(letters, colognePhonetic),
  consonants: ({ letters }) => letters.replace(/[aeiouy]/g, '').replace(/(.)\1+/g, '$1'),
  stem: ({ letters }) => stemOf(letters),
  glyphs: drawGlyphs,
};

/** The key of a name: those of its words in a row. */
export function keyOf(name: KeyName, words: readonly SpelledWord[]): string {
  return words.map((word) => KEYS[name](word)).join('');
}
