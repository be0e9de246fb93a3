/**
 * The keys of a word. Two names are alike in a way if the keys of their words, in a row, are the same text. A key of a
 * word is computed once, when the word is first met. The hash of two keys in a row follows from the hashes of both and
 * a length. Each strategy by which whole names are equal has pairs of keys.
 */

import type { LikenessStrategy } from '@tmds/contract/likeness';
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

/** Odd, so that a power of it is never 0 modulo 2^32. */
const BASE = 0x01000193;
/** A longer key counts with its beginning. */
const LENGTH_MAX = 65_535;

/** Powers of the base for the lengths of nearly all keys. */
const POWERS = new Uint32Array(256);
for (let power = 1, length = 0; length < POWERS.length; length += 1) {
  POWERS[length] = power;
  power = Math.imul(power, BASE);
}

function powerOf(length: number): number {
  let power = POWERS[Math.min(length, POWERS.length - 1)]!;
  for (let reached = POWERS.length - 1; reached < length; reached += 1) power = Math.imul(power, BASE);
  return power;
}

/** Every hash and length of the beginnings of a key, the empty one first; the last is that of the key. */
export function hashBeginnings(key: string): { readonly hashes: Uint32Array; readonly length: number } {
  const length = Math.min(key.length, LENGTH_MAX);
  const hashes = new Uint32Array(length + 1);
  for (let at = 0; at < length; at += 1) hashes[at + 1] = Math.imul(hashes[at]!, BASE) + key.charCodeAt(at) + 1;
  return { hashes, length };
}

export function hashKey(key: string): { readonly hash: number; readonly length: number } {
  const { hashes, length } = hashBeginnings(key);
  return { hash: hashes[length]!, length };
}

/** The hash of two keys in a row; `length` is that of the second. */
export function combineHashes(first: number, second: number, length: number): number {
  return (Math.imul(first, powerOf(length)) + second) >>> 0;
}

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
interface KeyPair {
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
