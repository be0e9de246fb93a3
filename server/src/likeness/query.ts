/** A mark that is asked for, prepared for the comparison with every word and every name of a lexicon. */

import { isForeign, joinLetters, type SpelledWord, spellName } from '../record/spelling.ts';
import type { Frequencies } from './frequencies.ts';
import { bitsOf, GRAMS, listGrams, writeCodes } from './grams.ts';
import { hashBeginnings } from './key-hash.ts';
import { type KeyName, keyOf } from './keys.ts';

/** Shorter words are in too many names to be alike by chance only. */
export const ALIKE_LETTERS_MIN = 3;

/** A key of the mark with the hashes of its beginnings. */
export interface QueryKey {
  readonly key: KeyName;
  readonly hashes: Uint32Array;
  readonly length: number;
}

/** A distinct word of the mark. */
export interface QueryWord extends SpelledWord {
  /** Its number in the lexicon; null if no name has it. */
  readonly word: number | null;
  /** As of `Frequencies`. */
  readonly distinction: number;
  readonly weight: number;
}

export interface LikenessQuery {
  readonly frequencies: Frequencies;
  readonly words: readonly SpelledWord[];
  readonly letters: string;
  readonly codes: Uint8Array;
  /** Bits of the letters that occur. */
  readonly letterBits: number;
  readonly isForeign: boolean;
  /** Weight of each gram of the mark; 0 for all others. */
  readonly gramWeights: Float32Array;
  readonly weight: number;
  readonly distinct: readonly QueryWord[];
  /** By gram: 0, or one more than the place in `gramWords` that says which words of the mark have it. */
  readonly gramPlaces: Uint16Array;
  /** Places in `distinct`. */
  readonly gramWords: readonly (readonly number[])[];
  key(name: KeyName): QueryKey;
}

export function buildQuery(frequencies: Frequencies, mark: string): LikenessQuery {
  const words = spellName(mark);
  const letters = joinLetters(words);
  const codes = new Uint8Array(letters.length);
  writeCodes(letters, codes, 0);
  const gramWeights = new Float32Array(GRAMS);
  let weight = 0;
  for (const gram of listGrams(letters)) {
    gramWeights[gram] = frequencies.gramWeights[gram]!;
    weight += gramWeights[gram]!;
  }
  const distinct = listDistinct(frequencies, words);
  const gramPlaces = new Uint16Array(GRAMS);
  const gramWords: number[][] = [];
  for (const [place, word] of distinct.entries()) {
    if (word.letters.length < ALIKE_LETTERS_MIN) continue;
    for (const gram of listGrams(word.letters)) {
      if (gramPlaces[gram] === 0) gramPlaces[gram] = gramWords.push([]);
      gramWords[gramPlaces[gram]! - 1]!.push(place);
    }
  }
  return {
    frequencies,
    words,
    letters,
    codes,
    letterBits: bitsOf(codes),
    isForeign: isForeign(words),
    gramWeights,
    weight,
    distinct,
    gramPlaces,
    gramWords,
    key: (name) => ({ key: name, ...hashBeginnings(keyOf(name, words)) }),
  };
}

function listDistinct(frequencies: Frequencies, words: readonly SpelledWord[]): QueryWord[] {
  const distinct = new Map(words.map((word) => [word.text, word]));
  return Array.from(distinct.values(), (each) => {
    const word = frequencies.findWord(each.text);
    const weight = listGrams(each.letters).reduce((sum, gram) => sum + frequencies.gramWeights[gram]!, 0);
    return { ...each, word, distinction: frequencies.distinctionOf(word), weight };
  });
}
