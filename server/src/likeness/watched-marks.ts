/**
 * Compares names with all marks that watches have, at once: tables lead from a name to the few marks that may be alike
 * in a way, and each of those is then compared as a search for likeness explains it. No names are known beforehand, so
 * all letters weigh the same, and strategies that rank a name among all are left out.
 * Invariant: what is found for a mark is what comparing it with each name alone would find.
 */

import type { HeldAs } from '@tmds/contract/likeness';
import { describeEvidence } from '@tmds/contract/likeness-words';
import type { HitLikeness, WatchStrategy } from '@tmds/contract/watches';
import { type RecordText, Sieve } from '../index/sift.ts';
import type { Condition } from '../plan/search.ts';
import { isForeign, joinLetters, type SpelledWord, spellName } from '../record/spelling.ts';
import { BEGINNING_LETTERS_MIN, explainPair } from './explain.ts';
import { bitsOf, codesOf, countBits, EDITS_MAX, GRAMS, listGrams } from './grams.ts';
import { KEY_NAMES, KEY_PAIRS, KEYS, type KeyName, LIKENESS_MIN } from './keys.ts';
import type { Frequencies } from './query.ts';

/** A name that is alike. */
export type AlikeText = Pick<HitLikeness, 'name' | 'evidence'>;

interface Mark {
  readonly words: readonly SpelledWord[];
  readonly letters: string;
  readonly codes: Uint8Array;
  readonly letterBits: number;
  readonly isForeign: boolean;
  readonly grams: number;
  readonly strategies: ReadonlySet<WatchStrategy>;
}

const ALL_THE_SAME: Frequencies = {
  gramWeights: new Float32Array(GRAMS).fill(1),
  findWord: () => null,
  distinctionOf: () => 1,
  countWord: () => ({ names: 0, names_in_classes: null }),
};

/** Keys of words, which take most of the time; forgotten all at once. */
const KNOWN_WORDS_MAX = 50_000;

/** Lists of marks by a key. */
class Table<Key> {
  private readonly lists = new Map<Key, Set<Mark>>();

  add(key: Key, mark: Mark): void {
    const list = this.lists.get(key);
    if (list === undefined) this.lists.set(key, new Set([mark]));
    else list.add(mark);
  }

  delete(key: Key, mark: Mark): void {
    const list = this.lists.get(key);
    if (list?.delete(mark) === true && list.size === 0) this.lists.delete(key);
  }

  get(key: Key): Iterable<Mark> {
    return this.lists.get(key) ?? NONE;
  }
}

const NONE: readonly Mark[] = [];

export class WatchedMarks {
  private readonly marks = new Map<string, Mark>();
  private readonly idsOf = new Map<Mark, string>();
  private readonly byKey = KEY_PAIRS.map(() => new Table<string>());
  private readonly byLength = new Table<number>();
  private readonly byOrder = new Table<string>();
  private readonly byWord = new Table<string>();
  private readonly byBeginning = new Table<string>();
  private readonly byGram = new Table<number>();
  private readonly knownKeys = new Map<string, ReadonlyMap<KeyName, string>>();

  /** Replaces the mark of this id. */
  put(id: string, text: string, strategies: readonly WatchStrategy[]): void {
    this.delete(id);
    const words = spellName(text);
    const letters = joinLetters(words);
    const codes = codesOf(letters);
    const mark: Mark = {
      words,
      letters,
      codes,
      letterBits: bitsOf(codes),
      isForeign: isForeign(words),
      grams: listGrams(letters).length,
      strategies: new Set(strategies),
    };
    this.marks.set(id, mark);
    this.idsOf.set(mark, id);
    this.file(mark, 'add');
  }

  delete(id: string): void {
    const mark = this.marks.get(id);
    if (mark === undefined) return;
    this.marks.delete(id);
    this.idsOf.delete(mark);
    this.file(mark, 'delete');
  }

  get size(): number {
    return this.marks.size;
  }

  /** By id: the names that are alike. */
  match(names: Iterable<string>): Map<string, AlikeText[]> {
    const found = new Map<string, AlikeText[]>();
    if (this.marks.size === 0) return found;
    for (const name of names) {
      const words = spellName(name);
      if (words.length === 0) continue;
      for (const [mark, strategies] of this.propose(words)) {
        const evidence = explainPair(mark.words, words, strategies, ALL_THE_SAME).map((each) => ({
          strategy: each.strategy as WatchStrategy,
          text: describeEvidence(each),
        }));
        if (evidence.length === 0) continue;
        const id = this.idsOf.get(mark)!;
        const texts = found.get(id) ?? [];
        texts.push({ name, evidence });
        found.set(id, texts);
      }
    }
    return found;
  }

  private file(mark: Mark, how: 'add' | 'delete'): void {
    const { words, letters, strategies } = mark;
    const keys = this.keysOf(words);
    for (const [index, { strategy, against, lengthMin }] of KEY_PAIRS.entries()) {
      const key = keys(against);
      if (strategies.has(strategy as WatchStrategy) && key.length >= lengthMin) this.byKey[index]![how](key, mark);
    }
    if (strategies.has('edits')) this.byLength[how](letters.length, mark);
    if (strategies.has('order') && words.length > 1) this.byOrder[how](orderOf(words), mark);
    if (strategies.has('within')) for (const { text } of words) this.byWord[how](text, mark);
    if (strategies.has('beginning')) this.byBeginning[how](letters.slice(0, BEGINNING_LETTERS_MIN), mark);
    if (strategies.has('transliteration')) for (const gram of listGrams(letters)) this.byGram[how](gram, mark);
  }

  /** Marks that may be alike, and in which ways; for each strategy at least those that are. */
  private propose(words: readonly SpelledWord[]): Map<Mark, Set<WatchStrategy>> {
    const proposed = new Map<Mark, Set<WatchStrategy>>();
    const propose = (mark: Mark, strategy: WatchStrategy): void => {
      const strategies = proposed.get(mark);
      if (strategies === undefined) proposed.set(mark, new Set([strategy]));
      else strategies.add(strategy);
    };
    const letters = joinLetters(words);
    const keys = this.keysOf(words);
    for (const [index, { key, strategy }] of KEY_PAIRS.entries()) {
      for (const mark of this.byKey[index]!.get(keys(key))) propose(mark, strategy as WatchStrategy);
    }
    const bits = bitsOf(codesOf(letters));
    for (let length = letters.length - EDITS_MAX; length <= letters.length + EDITS_MAX; length += 1) {
      for (const mark of this.byLength.get(length)) if (isNear(mark.letterBits, bits)) propose(mark, 'edits');
    }
    if (words.length > 1) for (const mark of this.byOrder.get(orderOf(words))) propose(mark, 'order');
    for (const { text } of words) for (const mark of this.byWord.get(text)) propose(mark, 'within');
    for (const mark of this.byBeginning.get(letters.slice(0, BEGINNING_LETTERS_MIN))) propose(mark, 'beginning');
    for (const mark of this.listTransliterated(words, letters)) propose(mark, 'transliteration');
    return proposed;
  }

  private listTransliterated(words: readonly SpelledWord[], letters: string): Mark[] {
    const foreign = isForeign(words);
    const shared = new Map<Mark, number>();
    const grams = listGrams(letters);
    for (const gram of grams) {
      for (const mark of this.byGram.get(gram)) {
        if (mark.isForeign !== foreign) shared.set(mark, (shared.get(mark) ?? 0) + 1);
      }
    }
    const isAlike = ([mark, count]: [Mark, number]): boolean =>
      2 * count >= LIKENESS_MIN.transliteration * (grams.length + mark.grams);
    return [...shared].filter(isAlike).map(([mark]) => mark);
  }

  /** The key of a name from those of its words. */
  private keysOf(words: readonly SpelledWord[]): (name: KeyName) => string {
    if (this.knownKeys.size > KNOWN_WORDS_MAX) this.knownKeys.clear();
    const all = words.map((word) => {
      const known = this.knownKeys.get(word.text) ?? new Map(KEY_NAMES.map((name) => [name, KEYS[name](word)]));
      this.knownKeys.set(word.text, known);
      return known;
    });
    return (name) => all.map((known) => known.get(name)!).join('');
  }
}

function orderOf(words: readonly SpelledWord[]): string {
  const texts = words.map(({ text }) => text);
  return texts.sort().join(' ');
}

function isNear(one: number, other: number): boolean {
  return countBits(one & ~other) <= EDITS_MAX && countBits(other & ~one) <= EDITS_MAX;
}

export interface SiftedMark {
  readonly mark: string;
  readonly strategies: readonly WatchStrategy[];
  /** The texts that are compared. */
  readonly heldAs: readonly HeldAs[];
}

/** Positions of records, ascending. `alike`: null = any name. */
export function siftRecords(
  records: readonly RecordText[],
  conditions: readonly Condition[],
  alike: SiftedMark | null,
): Uint32Array {
  const sieve = new Sieve(records);
  if (alike === null) return sieve.find(conditions);
  const marks = new WatchedMarks();
  marks.put(alike.mark, alike.mark, alike.strategies);
  const found = marks.match(sieve.listHeld()).get(alike.mark) ?? [];
  const texts = found.map(({ name }) => name);
  return sieve.find([{ kind: 'held', heldAs: alike.heldAs, texts }, ...conditions]);
}
