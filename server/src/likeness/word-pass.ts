/**
 * The first pass: compares a mark with every distinct word. What it learns of a word serves every name that has it. Its
 * arrays are kept for the next search.
 */
import type { Interruption } from '../index/matchers.ts';
import { BORDER, pairOf, tripleOf } from './grams.ts';
import { KEY_PAIRS } from './keys.ts';
import type { Lexicon } from './lexicon.ts';
import { ALIKE_LETTERS_MIN, type LikenessQuery, type QueryKey, type QueryWord } from './query.ts';
import { gradeOf } from './ranking.ts';

/** Words compared between two checks whether the search continues: a millisecond of work. */
const WORDS_AT_ONCE = 8_192;
/** Room for the words of later publishes, so that memory is not asked for with each. */
const SPARE = 1.2;

/** What is learnt of a word, in four numbers next to each other: the second pass reads them in the order of names. */
export const STRIDE = 4;
/** The first number: grade of likeness, place in the mark plus one, and whether other things are known; letters. */
export const GRADE_BITS = 13;
export const PLACE_SHIFT = GRADE_BITS;
export const PLACE_MASK = 31;
export const FOREIGN = 1 << 18;
export const BEGINS = 1 << 19;
/** The word has one letter. */
export const SINGLE = 1 << 20;
export const LENGTH_SHIFT = 21;
/** Longer words have at least this many letters. */
export const LENGTH_MAX = 1023;
/** The last number: keys that begin so, then the first two letters and the last two, each as a gram. */
export const KEYS_MASK = (1 << KEY_PAIRS.length) - 1;
export const FIRST_SHIFT = KEY_PAIRS.length;
export const LAST_SHIFT = FIRST_SHIFT + 11;
export const PAIR_MASK = (1 << 11) - 1;

export class WordPass {
  /**
   * For each word: the first number; (a float) the weight of those of the mark's grams that are in it, repeats
   * included; bits of its letters; the last number, where bit `i` says that the mark's key of pair `i` begins with the
   * word's.
   */
  learnt = new Int32Array(0);
  /** The same memory. */
  floats = new Float32Array(0);

  run(lexicon: Lexicon, query: LikenessQuery, keys: readonly (QueryKey | null)[], interruption: Interruption): void {
    const count = lexicon.wordCount;
    this.reserve(count);
    const shared = new SharedGrams(lexicon, query);
    for (let from = 0; from < count; from += WORDS_AT_ONCE) {
      interruption.check();
      const to = Math.min(count, from + WORDS_AT_ONCE);
      this.begin(lexicon, query.codes, from, to);
      this.compareKeys(lexicon, keys, from, to);
      this.boundWords(lexicon, query, from, to);
      if (query.gramWords.length > 0) this.compareWords(lexicon, query, shared, from, to);
    }
    for (const [index, { word }] of query.distinct.entries()) {
      if (word !== null) this.learnt[word * STRIDE]! |= (index + 1) << PLACE_SHIFT;
    }
  }

  private reserve(count: number): void {
    if (this.learnt.length >= count * STRIDE) return;
    const capacity = Math.ceil(count * SPARE) * STRIDE;
    this.learnt = new Int32Array(capacity);
    this.floats = new Float32Array(this.learnt.buffer);
  }

  private begin(lexicon: Lexicon, codes: Uint8Array, from: number, to: number): void {
    const letters = lexicon.letters.array;
    const starts = lexicon.letterStarts.array;
    const first = codes[0];
    for (let word = from; word < to; word += 1) {
      const start = starts[word]!;
      const end = starts[word + 1]!;
      const begins = letters[start] === first ? BEGINS : 0;
      const foreign = lexicon.foreign.array[word] === 1 ? FOREIGN : 0;
      const single = end - start === 1 ? SINGLE : 0;
      const length = Math.min(LENGTH_MAX, end - start);
      this.learnt[word * STRIDE] = (length << LENGTH_SHIFT) | begins | foreign | single;
      this.learnt[word * STRIDE + 2] = lexicon.wordBits.array[word]!;
      const ends = single !== 0 ? 0 : pairOf(letters[end - 2]!, letters[end - 1]!);
      const pair = single !== 0 ? 0 : pairOf(letters[start]!, letters[start + 1]!);
      this.learnt[word * STRIDE + 3] = (ends << LAST_SHIFT) | (pair << FIRST_SHIFT);
    }
  }

  private compareKeys(lexicon: Lexicon, keys: readonly (QueryKey | null)[], from: number, to: number): void {
    for (const [index, query] of keys.entries()) {
      if (query === null) continue;
      const { hashes, lengths } = lexicon.keyColumn(KEY_PAIRS[index]!.key);
      const { hashes: beginnings, length } = query;
      const bit = 1 << index;
      for (let word = from; word < to; word += 1) {
        const own = lengths[word]!;
        if (own <= length && beginnings[own] === hashes[word]) this.learnt[word * STRIDE + 3]! |= bit;
      }
    }
  }

  private boundWords(lexicon: Lexicon, { gramWeights }: LikenessQuery, from: number, to: number): void {
    const letters = lexicon.letters.array;
    const starts = lexicon.letterStarts.array;
    for (let word = from; word < to; word += 1) {
      const start = starts[word]!;
      const end = starts[word + 1]!;
      let before = letters[start]!;
      let last = letters[start + 1]!;
      let bound = end - start > 1 ? gramWeights[pairOf(before, last)]! : 0;
      for (let at = start + 2; at < end; at += 1) {
        const code = letters[at]!;
        bound += gramWeights[pairOf(last, code)]! + gramWeights[tripleOf(before, last, code)]!;
        before = last;
        last = code;
      }
      this.floats[word * STRIDE + 1] = bound;
    }
  }

  /** Words that have a gram of a word of the mark, borders included. */
  private compareWords(lexicon: Lexicon, query: LikenessQuery, shared: SharedGrams, from: number, to: number): void {
    const { gramPlaces } = query;
    const letters = lexicon.letters.array;
    const starts = lexicon.letterStarts.array;
    for (let word = from; word < to; word += 1) {
      const start = starts[word]!;
      const end = starts[word + 1]!;
      if (end - start < ALIKE_LETTERS_MIN) continue;
      let before = BORDER;
      let last = BORDER;
      for (let at = start; at <= end; at += 1) {
        const code = at < end ? letters[at]! : BORDER;
        const pair = pairOf(last, code);
        if (gramPlaces[pair] !== 0) shared.note(word, pair);
        if (at > start) {
          const triple = tripleOf(before, last, code);
          if (gramPlaces[triple] !== 0) shared.note(word, triple);
        }
        before = last;
        last = code;
      }
      if (shared.word === word) this.learnt[word * STRIDE]! |= gradeOf(shared.findBest());
    }
  }
}

/** The grams that one word after the other has in common with words of the mark. */
class SharedGrams {
  word = -1;
  private readonly lexicon: Lexicon;
  private readonly query: LikenessQuery;
  private readonly grams: number[] = [];
  private readonly weights: Float64Array;

  constructor(lexicon: Lexicon, query: LikenessQuery) {
    this.lexicon = lexicon;
    this.query = query;
    this.weights = new Float64Array(query.distinct.length);
  }

  note(word: number, gram: number): void {
    if (this.word !== word) {
      this.word = word;
      this.grams.length = 0;
    }
    // Few are shared, so a list is enough to know which ones have been met.
    if (!this.grams.includes(gram)) this.grams.push(gram);
  }

  /** The best likeness of the word with a word of the mark in the same kind of script. */
  findBest(): number {
    const { lexicon, query, word } = this;
    const isForeign = lexicon.foreign.array[word] === 1;
    const weights = this.weights.fill(0);
    for (const gram of this.grams) {
      for (const place of query.gramWords[query.gramPlaces[gram]! - 1]!) weights[place]! += lexicon.gramWeights[gram]!;
    }
    const own = lexicon.wordWeights.array[word]!;
    const distinction = query.frequencies.distinctionOf(word);
    let best = 0;
    for (let place = 0; place < weights.length; place += 1) {
      const shared = weights[place]!;
      const other = query.distinct[place]!;
      if (shared === 0 || other.isForeign !== isForeign) continue;
      best = Math.max(best, likenessOfWords(shared, own, other, distinction));
    }
    return best;
  }
}

/** How alike two words are by the weight of the grams that they share, times how distinctive the more common one is. */
function likenessOfWords(
  shared: number,
  weight: number,
  other: Pick<QueryWord, 'weight' | 'distinction'>,
  distinction: number,
): number {
  return ((2 * shared) / (weight + other.weight)) * Math.min(distinction, other.distinction);
}
