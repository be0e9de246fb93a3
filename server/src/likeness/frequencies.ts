/**
 * How often words and grams occur. A word is as common as it is among all names, or among those of the classes that
 * were asked for, whichever is more: one that every dentist has is no more distinctive for being rare elsewhere.
 */
import type { CountedWord } from '@tmds/contract/likeness';

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
