/** The second pass: compares a mark with every name, by what the first has learnt of its words and by its letters. */

import { BEGINNING_LETTERS_MIN } from './explain.ts';
import { BORDER, countBits, countEdits, EDITS_MAX, GRAMS, LETTER_CODES, PAIRS, pairOf } from './grams.ts';
import { combineHashes, KEY_PAIRS } from './keys.ts';
import type { Lexicon } from './lexicon.ts';
import type { LikenessQuery, QueryKey } from './query.ts';
import { GRADE_MAX, gradeOf, type HeldNames, type Ranking, type Rankings } from './ranking.ts';
import {
  BEGINS,
  FIRST_SHIFT,
  FOREIGN,
  GRADE_BITS,
  KEYS_MASK,
  LAST_SHIFT,
  LENGTH_MAX,
  LENGTH_SHIFT,
  PAIR_MASK,
  PLACE_MASK,
  PLACE_SHIFT,
  SINGLE,
  STRIDE,
  type WordPass,
} from './word-pass.ts';

/** Sums of single precision in another order may differ by less than this. */
const CAUTION = 0.999;

export class NamePass {
  private readonly lexicon: Lexicon;
  private readonly query: LikenessQuery;
  private readonly keys: readonly (QueryKey | null)[];
  private readonly pass: WordPass;
  private readonly lists: Rankings;
  /** The name in which each gram of the mark was last met. */
  private readonly met = new Int32Array(GRAMS).fill(-1);
  private readonly allPlaces: number;
  private readonly byWord: Ranking | undefined;
  private readonly within: Ranking | undefined;
  private readonly order: Ranking | undefined;
  private readonly byLetters: Ranking | undefined;
  private readonly transliteration: Ranking | undefined;
  private readonly beginning: Ranking | undefined;
  private readonly edits: Ranking | undefined;

  constructor(
    lexicon: Lexicon,
    query: LikenessQuery,
    keys: readonly (QueryKey | null)[],
    pass: WordPass,
    lists: Rankings,
  ) {
    this.lexicon = lexicon;
    this.query = query;
    this.keys = keys;
    this.pass = pass;
    this.lists = lists;
    this.allPlaces = 2 ** query.distinct.length - 1;
    this.byWord = lists.get('word');
    this.within = lists.get('within');
    this.order = lists.get('order');
    this.byLetters = lists.get('letters');
    this.transliteration = lists.get('transliteration');
    this.beginning = lists.get('beginning');
    this.edits = lists.get('edits');
  }

  /** Compares names [from, to); returns how many of them are held. */
  compare(from: number, to: number, held: HeldNames): number {
    const starts = this.lexicon.nameStarts.array;
    let compared = 0;
    for (let name = from; name < to; name += 1) {
      if (held !== null && held[name] === 0) continue;
      compared += 1;
      this.compareName(name, starts[name]!, starts[name + 1]!);
    }
    return compared;
  }

  private compareName(name: number, from: number, to: number): void {
    const { lexicon, query } = this;
    const { learnt, floats } = this.pass;
    const words = lexicon.words.array;
    let flags = 0;
    let grade = 0;
    let places = 0;
    let others = 0;
    let bits = 0;
    let length = 0;
    const { gramWeights } = query;
    let bound = 0;
    let lastPair = 0;
    for (let at = from; at < to; at += 1) {
      const base = words[at]! * STRIDE;
      const first = learnt[base]!;
      flags |= first;
      grade = Math.max(grade, first & ((1 << GRADE_BITS) - 1));
      const place = (first >>> PLACE_SHIFT) & PLACE_MASK;
      if (place === 0) others += 1;
      else places |= 1 << (place - 1);
      length += first >>> LENGTH_SHIFT;
      bound += floats[base + 1]!;
      bits |= learnt[base + 2]!;
      const ends = learnt[base + 3]!;
      const pair = (ends >>> FIRST_SHIFT) & PAIR_MASK;
      const letter = Math.floor(pair / LETTER_CODES);
      const last = lastPair % LETTER_CODES;
      bound += gramWeights[pairOf(last, letter)]! + gramWeights[PAIRS + last * PAIRS + pair]!;
      if (at > from) bound += gramWeights[PAIRS + lastPair * LETTER_CODES + letter]!;
      lastPair = (ends >>> LAST_SHIFT) & PAIR_MASK;
    }
    bound += gramWeights[pairOf(lastPair % LETTER_CODES, BORDER)]! + gramWeights[PAIRS + lastPair * LETTER_CODES]!;
    if (grade > 0) this.byWord?.add(name, grade);
    if (places !== 0 && (others === 0 || places === this.allPlaces)) {
      this.within?.add(name, 1);
      if (others === 0 && this.isReordered(from, to)) this.order?.add(name, 1);
    }
    const base = words[from]! * STRIDE;
    const isSameScript = ((flags & FOREIGN) !== 0) === query.isForeign;
    const keys = learnt[base + 3]! & KEYS_MASK;
    if (keys !== 0) this.compareKeys(name, from, to, keys, isSameScript);
    if (isSameScript) {
      if ((learnt[base]! & BEGINS) !== 0) this.compareBeginning(name, from, to);
      const isNear = Math.abs(length - query.codes.length) <= EDITS_MAX;
      if (isNear || query.codes.length >= LENGTH_MAX - EDITS_MAX) this.compareEdits(name, from, to, bits);
    }
    const list = isSameScript ? this.byLetters : this.transliteration;
    if (list === undefined) return;
    const least = list.likenessMin;
    // Only the few that can be listed are compared letter by letter: `bound` counts a gram as often as it occurs.
    if ((flags & SINGLE) === 0 && 2 * bound < least * (query.weight + lexicon.nameWeights.array[name]!) * CAUTION)
      return;
    const exact = this.compareLetters(name, from, to);
    if (exact >= least) list.add(name, gradeOf(exact));
  }

  /** The same words as those of the mark, as often, but not in the same order. */
  private isReordered(from: number, to: number): boolean {
    const { words: asked, distinct } = this.query;
    if (asked.length !== to - from || asked.length < 2) return false;
    const texts = Array.from(
      this.lexicon.words.array.subarray(from, to),
      (word) => distinct[((this.pass.learnt[word * STRIDE]! >>> PLACE_SHIFT) & PLACE_MASK) - 1]!.text,
    );
    const wanted = asked.map(({ text }) => text);
    return !isSame(texts, wanted) && isSame(texts.toSorted(), wanted.toSorted());
  }

  private compareKeys(name: number, from: number, to: number, bits: number, isSameScript: boolean): void {
    const words = this.lexicon.words.array;
    /** A strategy with several keys lists a name once. */
    let listed: string | null = null;
    for (const [index, query] of this.keys.entries()) {
      if (query === null || (bits & (1 << index)) === 0) continue;
      const { key, strategy, anyScript } = KEY_PAIRS[index]!;
      if (listed === strategy || !(anyScript || isSameScript)) continue;
      const { hashes, lengths } = this.lexicon.keyColumn(key);
      let hash = 0;
      let length = 0;
      for (let at = from; at < to && length <= query.length; at += 1) {
        const word = words[at]!;
        hash = combineHashes(hash, hashes[word]!, lengths[word]!);
        length += lengths[word]!;
      }
      if (length !== query.length || hash !== query.hashes[length]) continue;
      this.lists.get(strategy)!.add(name, 1);
      listed = strategy;
    }
  }

  /** How alike name and mark are by their grams, from 0 to 1. */
  private compareLetters(name: number, from: number, to: number): number {
    const { gramWeights, weight } = this.query;
    const { met } = this;
    const words = this.lexicon.words.array;
    const letters = this.lexicon.letters.array;
    const starts = this.lexicon.letterStarts.array;
    let shared = 0;
    let before = BORDER;
    let last = BORDER;
    let isFirst = true;
    for (let at = from; at <= to; at += 1) {
      // After the last word comes the border.
      const isEnd = at === to;
      const start = isEnd ? 0 : starts[words[at]!]!;
      const end = isEnd ? 1 : starts[words[at]! + 1]!;
      for (let letter = start; letter < end; letter += 1) {
        const code = isEnd ? BORDER : letters[letter]!;
        const pair = last * LETTER_CODES + code;
        const pairWeight = gramWeights[pair]!;
        if (pairWeight > 0 && met[pair] !== name) {
          met[pair] = name;
          shared += pairWeight;
        }
        if (!isFirst) {
          const triple = PAIRS + before * PAIRS + pair;
          const tripleWeight = gramWeights[triple]!;
          if (tripleWeight > 0 && met[triple] !== name) {
            met[triple] = name;
            shared += tripleWeight;
          }
        }
        isFirst = false;
        before = last;
        last = code;
      }
    }
    return shared === 0 ? 0 : (2 * shared) / (weight + this.lexicon.nameWeights.array[name]!);
  }

  private compareBeginning(name: number, from: number, to: number): void {
    const { lexicon, query } = this;
    const words = lexicon.words.array;
    const letters = lexicon.letters.array;
    const starts = lexicon.letterStarts.array;
    let common = 0;
    for (let at = from; at < to; at += 1) {
      const end = starts[words[at]! + 1]!;
      let letter = starts[words[at]!]!;
      for (; letter < end && letters[letter] === query.codes[common]; letter += 1) common += 1;
      if (letter < end) break;
    }
    if (common >= BEGINNING_LETTERS_MIN) this.beginning?.add(name, Math.min(GRADE_MAX, common));
  }

  private compareEdits(name: number, from: number, to: number, bits: number): void {
    if (this.edits === undefined) return;
    const { codes, letterBits } = this.query;
    if (countBits(letterBits & ~bits) > EDITS_MAX || countBits(bits & ~letterBits) > EDITS_MAX) return;
    const edits = countEdits(codes, this.readCodes(from, to));
    if (edits >= 1 && edits <= EDITS_MAX) this.edits.add(name, EDITS_MAX + 1 - edits);
  }

  private readCodes(from: number, to: number): number[] {
    const { words, letters, letterStarts } = this.lexicon;
    const codes: number[] = [];
    for (let at = from; at < to; at += 1) {
      const word = words.array[at]!;
      const end = letterStarts.array[word + 1]!;
      for (let letter = letterStarts.array[word]!; letter < end; letter += 1) codes.push(letters.array[letter]!);
    }
    return codes;
  }
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.every((text, at) => text === other[at]);
}
