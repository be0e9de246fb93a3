/**
 * Every distinct name as a row of words, and every distinct word with its letters and keys, in typed arrays. It knows
 * how rare each word and each gram is. It does not know records: a name is never removed, and its reader says which
 * names are held now. Names that are spelled alike are one name.
 */
import type { CountedWord } from '@tmds/contract/likeness';
import { Growing, type Numbers } from '../index/arrays.ts';
import { TextTable } from '../index/text-table.ts';
import { isForeign, type SpelledWord } from '../record/spelling.ts';
import { bitsOf, GRAMS, GramWalk, rarityOf, readCodes, writeCodes } from './grams.ts';
import { combineHashes, hashKey, KEY_NAMES, KEYS, type KeyName } from './keys.ts';
import { distinctionOf, type Frequencies, type WordCounts } from './query.ts';

/** The number of a name without letters. */
export const NO_NAME = 0xffffffff;
/** How rare grams are is counted again once this share of names has been added. */
const STALE_SHARE = 0.1;

interface KeyColumn {
  readonly hashes: Growing<Uint32Array>;
  readonly lengths: Growing<Uint16Array>;
}

export class Lexicon implements Frequencies {
  private readonly texts = new TextTable();
  readonly letters = new Growing(Uint8Array, 1 << 16);
  readonly letterStarts = new Growing(Uint32Array);
  /** 1 = the letters of the word are a transliteration. */
  readonly foreign = new Growing(Uint8Array);
  /** Bits of the letters of each word; digits share bits. */
  readonly wordBits = new Growing(Uint32Array);
  /** The weight of the grams of each word, with borders at its ends. */
  readonly wordWeights = new Growing(Float32Array);
  /** How many names have each word. */
  readonly wordCounts = new Growing(Uint32Array);
  private readonly columns: Readonly<Record<KeyName, KeyColumn>> = mapKeys(() => ({
    hashes: new Growing(Uint32Array),
    lengths: new Growing(Uint16Array),
  }));
  /** Name `i` is the words [nameStarts[i], nameStarts[i + 1]) of `words`. */
  readonly words = new Growing(Uint32Array, 1 << 12);
  readonly nameStarts = new Growing(Uint32Array);
  /** The weight of all grams of each name. */
  readonly nameWeights = new Growing(Float32Array);
  /** A hash table of names with open addressing: the number of a name plus one; 0 = free. */
  private slots = new Uint32Array(1 << 12);
  private readonly walk = new GramWalk();
  private readonly gramCounts = new Uint32Array(GRAMS);
  /** The names whose grams are counted: those that are nowhere transliterated. */
  private counted = 0;
  private weighedAt = -1;
  /** How rare each gram is among all names; fixed until `weigh` finds it stale. */
  readonly gramWeights = new Float32Array(GRAMS);

  constructor() {
    this.letterStarts.push(0);
    this.nameStarts.push(0);
  }

  get wordCount(): number {
    return this.foreign.length;
  }

  get nameCount(): number {
    return this.nameStarts.length - 1;
  }

  /** The number of a name; `NO_NAME` if it has no words. */
  add(words: readonly SpelledWord[]): number {
    if (words.length === 0) return NO_NAME;
    const from = this.words.length;
    for (const word of words) this.words.push(this.internWord(word));
    const found = this.placeName(from, this.words.length);
    if (found.name !== null) {
      this.words.length = from;
      return found.name;
    }
    const name = this.nameCount;
    this.slots[found.slot] = name + 1;
    this.nameStarts.push(this.words.length);
    const distinct = new Set(this.words.array.subarray(from, this.words.length));
    for (const word of distinct) this.wordCounts.array[word]! += 1;
    const grams = this.walkGrams(name);
    if (!isForeign(words)) {
      this.counted += 1;
      for (const gram of grams) this.gramCounts[gram]! += 1;
    }
    this.nameWeights.push(sumWeights(this.gramWeights, grams));
    if (this.nameCount * 2 > this.slots.length) this.growSlots();
    return name;
  }

  private internWord(word: SpelledWord): number {
    // Words of two scripts can have the same text only if one is Latin, which has no transliteration.
    const number = this.texts.intern(word.text);
    if (number < this.wordCount) return number;
    this.letters.reserve(word.letters.length);
    this.letters.length = writeCodes(word.letters, this.letters.array, this.letters.length);
    this.letterStarts.push(this.letters.length);
    this.foreign.push(word.isForeign ? 1 : 0);
    this.wordCounts.push(0);
    this.wordBits.push(bitsOf(this.letters.array, this.letters.length - word.letters.length, this.letters.length));
    this.wordWeights.push(sumWeights(this.gramWeights, this.walkWord(number)));
    for (const name of KEY_NAMES) {
      const { hash, length } = hashKey(KEYS[name](word));
      this.columns[name].hashes.push(hash);
      this.columns[name].lengths.push(length);
    }
    return number;
  }

  private placeName(from: number, to: number): { readonly name: number | null; readonly slot: number } {
    const words = this.words.array;
    const mask = this.slots.length - 1;
    let slot = hashRow(words, from, to) & mask;
    for (let entry = this.slots[slot]!; entry !== 0; entry = this.slots[slot]!) {
      if (this.isSameRow(entry - 1, from, to)) return { name: entry - 1, slot };
      slot = (slot + 1) & mask;
    }
    return { name: null, slot };
  }

  private isSameRow(name: number, from: number, to: number): boolean {
    const words = this.words.array;
    const start = this.nameStarts.array[name]!;
    if (this.nameStarts.array[name + 1]! - start !== to - from) return false;
    for (let at = from; at < to; at += 1) if (words[start + at - from] !== words[at]) return false;
    return true;
  }

  private growSlots(): void {
    this.slots = new Uint32Array(this.slots.length * 2);
    const mask = this.slots.length - 1;
    const starts = this.nameStarts.array;
    for (let name = 0; name < this.nameCount; name += 1) {
      let slot = hashRow(this.words.array, starts[name]!, starts[name + 1]!) & mask;
      while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
      this.slots[slot] = name + 1;
    }
  }

  /** The number of a word; null if no name has it. */
  findWord(text: string): number | null {
    return this.texts.find(text);
  }

  countWord(text: string): Omit<CountedWord, 'word'> {
    return { names: this.countNames(this.findWord(text)), names_in_classes: null };
  }

  distinctionOf(word: number | null): number {
    return distinctionOf(this.countNames(word), this.nameCount);
  }

  private countNames(word: number | null): number {
    return word === null ? 0 : this.wordCounts.array[word]!;
  }

  /** How often each word occurs among all names. */
  get allCounts(): WordCounts {
    return { names: this.nameCount, counts: this.wordCounts.array };
  }

  /** How often each word occurs among the names that are marked with 1. */
  countWords(marked: Uint8Array): WordCounts {
    const counts = new Uint32Array(this.wordCount);
    const words = this.words.array;
    const starts = this.nameStarts.array;
    let names = 0;
    for (let name = 0; name < this.nameCount; name += 1) {
      if (marked[name] !== 1) continue;
      names += 1;
      const from = starts[name]!;
      const to = starts[name + 1]!;
      for (let at = from; at < to; at += 1) {
        const word = words[at]!;
        let before = from;
        while (words[before] !== word) before += 1;
        // A word that a name repeats counts once.
        if (before === at) counts[word]! += 1;
      }
    }
    return { names, counts };
  }

  /** Hash and length of a key of a word. */
  keyColumn(name: KeyName): { readonly hashes: Uint32Array; readonly lengths: Uint16Array } {
    const { hashes, lengths } = this.columns[name];
    return { hashes: hashes.array, lengths: lengths.array };
  }

  /** The hash of a key of a name. */
  hashKey(name: number, key: KeyName): number {
    const { hashes, lengths } = this.keyColumn(key);
    let hash = 0;
    const to = this.nameStarts.array[name + 1]!;
    for (let at = this.nameStarts.array[name]!; at < to; at += 1) {
      const word = this.words.array[at]!;
      hash = combineHashes(hash, hashes[word]!, lengths[word]!);
    }
    return hash;
  }

  /** The distinct grams of a name; valid until the next call. */
  private walkGrams(name: number): Uint32Array {
    const { walk } = this;
    walk.begin();
    const to = this.nameStarts.array[name + 1]!;
    for (let at = this.nameStarts.array[name]!; at < to; at += 1) {
      const word = this.words.array[at]!;
      const end = this.letterStarts.array[word + 1]!;
      for (let letter = this.letterStarts.array[word]!; letter < end; letter += 1)
        walk.step(this.letters.array[letter]!);
    }
    return walk.end();
  }

  /** The distinct grams of a word, with borders at its ends; valid until the next call. */
  private walkWord(word: number): Uint32Array {
    const { walk } = this;
    walk.begin();
    const end = this.letterStarts.array[word + 1]!;
    for (let letter = this.letterStarts.array[word]!; letter < end; letter += 1) walk.step(this.letters.array[letter]!);
    return walk.end();
  }

  /** Counts again how rare each gram is, and weighs all names, if many names have been added since. */
  weigh(): void {
    if (this.weighedAt >= 0 && this.counted <= this.weighedAt * (1 + STALE_SHARE)) return;
    this.weighedAt = this.counted;
    for (let gram = 0; gram < GRAMS; gram += 1) this.gramWeights[gram] = rarityOf(this.gramCounts[gram]!, this.counted);
    const weights = this.nameWeights.array;
    for (let name = 0; name < this.nameCount; name += 1) {
      weights[name] = sumWeights(this.gramWeights, this.walkGrams(name));
    }
    for (let word = 0; word < this.wordCount; word += 1) {
      this.wordWeights.array[word] = sumWeights(this.gramWeights, this.walkWord(word));
    }
    for (const growing of this.listGrowing()) growing.trim();
    this.texts.trim();
  }

  /** The letters of a name without gaps. */
  readLetters(name: number): string {
    let letters = '';
    const to = this.nameStarts.array[name + 1]!;
    for (let at = this.nameStarts.array[name]!; at < to; at += 1) {
      const word = this.words.array[at]!;
      letters += readCodes(this.letters.array, this.letterStarts.array[word]!, this.letterStarts.array[word + 1]!);
    }
    return letters;
  }

  /** Bytes of memory. */
  get size(): number {
    const arrays = [this.slots, this.gramCounts, this.gramWeights, ...this.listGrowing().map(({ array }) => array)];
    return arrays.reduce((sum, { byteLength }) => sum + byteLength, this.texts.size);
  }

  private listGrowing(): readonly Growing<Numbers>[] {
    const { letters, letterStarts, foreign, wordBits, wordWeights, wordCounts, words, nameStarts, nameWeights } = this;
    const columns = KEY_NAMES.flatMap((name) => [this.columns[name].hashes, this.columns[name].lengths]);
    const own = [letters, letterStarts, foreign, wordBits, wordWeights, wordCounts, words, nameStarts, nameWeights];
    return [...own, ...columns] as unknown as readonly Growing<Numbers>[];
  }
}

function mapKeys<Value>(make: () => Value): Record<KeyName, Value> {
  return Object.fromEntries(KEY_NAMES.map((name) => [name, make()])) as Record<KeyName, Value>;
}

function sumWeights(weights: Float32Array, grams: Uint32Array): number {
  let sum = 0;
  for (let at = 0; at < grams.length; at += 1) sum += weights[grams[at]!]!;
  return sum;
}

function hashRow(words: Uint32Array, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ words[at]!, 0x01000193) ^ (hash >>> 13);
  return (hash ^ (hash >>> 15)) >>> 0;
}
