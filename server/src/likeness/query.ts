/**
 * A mark that is asked for, prepared for the comparison with every word and every name of a lexicon; and how often
 * words and grams occur. A word is as common as it is among all names, or among those of the classes that were asked
 * for, whichever is more: one that every dentist has is no more distinctive for being rare elsewhere.
 */

import type { CountedWord } from '@tmds/contract/likeness';
import { isForeign, joinLetters, type SpelledWord, spellName } from '../record/spelling.ts';
import { bitsOf, codesOf, GRAMS, listGrams } from './grams.ts';
import { hashBeginnings, type KeyName, keyOf } from './keys.ts';

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
  const codes = codesOf(letters);
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

/** What a comparison knows of the names that are held. */
export interface Frequencies {
  readonly gramWeights: Float32Array;
  /** The number of a word; null if no name has it. */
  findWord(text: string): number | null;
  /** How distinctive a word is, from 0, if every name has it, to 1, if none has. */
  distinctionOf(word: number | null): number;
  /** In how many names a word occurs. */
  countWord(text: string): Omit<CountedWord, 'word'>;
}

/** How often words occur among some names. */
export interface WordCounts {
  readonly names: number;
  /** By number; words that were added later are missing. */
  readonly counts: Uint32Array;
}

export function distinctionOf(count: number, names: number): number {
  return names === 0 ? 1 : 1 - Math.log(count + 1) / Math.log(names + 1);
}

/** A word occurs among the names of classes at least as often as it did, less this many standard deviations. */
const DEVIATIONS = 2;

/** The frequencies of a lexicon, with those of the classes that were asked for. */
export class FrequenciesInClasses implements Frequencies {
  private readonly all: Frequencies;
  private readonly allCounts: WordCounts;
  private readonly inClasses: WordCounts;

  constructor(all: Frequencies, allCounts: WordCounts, inClasses: WordCounts) {
    this.all = all;
    this.allCounts = allCounts;
    this.inClasses = inClasses;
  }

  get gramWeights(): Float32Array {
    return this.all.gramWeights;
  }

  findWord(text: string): number | null {
    return this.all.findWord(text);
  }

  distinctionOf(word: number | null): number {
    const { names, counts } = this.allCounts;
    const count = word === null ? 0 : counts[word]!;
    const own = this.countInClasses(word);
    // A few names say little: what may be chance does not count.
    const sure = Math.max(0, own - DEVIATIONS * Math.sqrt(own));
    return distinctionOf(Math.max(count, (sure / Math.max(1, this.inClasses.names)) * names), names);
  }

  countWord(text: string): Omit<CountedWord, 'word'> {
    return { ...this.all.countWord(text), names_in_classes: this.countInClasses(this.findWord(text)) };
  }

  private countInClasses(word: number | null): number {
    return word === null ? 0 : (this.inClasses.counts[word] ?? 0);
  }
}
