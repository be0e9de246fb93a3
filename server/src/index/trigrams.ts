/**
 * Finds the texts of a dictionary that contain a part. Each trigram (three consecutive code points) leads to the texts
 * that contain it. The rarest trigrams of the part are intersected first, and the remaining texts are compared with it.
 */
import {
  countTexts,
  decodePoints,
  Growing,
  lowerBound,
  type Numbers,
  shareCopy,
  shareZeros,
  type Texts,
} from './arrays.ts';

export interface TrigramSections {
  /**
   * The code points that occur, in the order of first appearance: letter `i + 1` is `alphabet[i]`. If it is full,
   * others share one number.
   */
  readonly alphabet: Uint32Array;
  /** Trigrams as `packTrigram` packs their letters, ascending. */
  readonly trigrams: Float64Array;
  /** How many texts contain each trigram. */
  readonly counts: Uint32Array;
  /** Where the postings of each trigram begin. */
  readonly starts: Uint32Array;
  /** Positions of texts, stored as differences with 7 bits per byte. */
  readonly postings: Uint8Array;
}

/**
 * Letters are numbered by first appearance, from 1, and stay below this, so that three fit into a double exactly (51
 * bits). Few dictionaries have nearly that many; all further letters share the last number, and texts that contain one
 * are compared with the part.
 */
const LETTERS = 2 ** 17;
const SHARED_LETTER = LETTERS - 1;

function packTrigram(first: number, second: number, third: number): number {
  return (first * LETTERS + second) * LETTERS + third;
}

/** Texts compared between two checks whether the search continues: a few milliseconds of work. */
const TEXTS_AT_ONCE = 1 << 16;

/** Comparing this few texts with the part costs less than intersecting them with another trigram. */
const CANDIDATES_FEW = 64;
/** Reading a list this many times longer than the candidates costs more than comparing those it would rule out. */
const LIST_LENGTH_RATIO = 12;

export class TrigramReader {
  private readonly sections: TrigramSections;
  private readonly texts: Texts;
  private readonly letters: ReadonlyMap<number, number>;

  constructor(sections: TrigramSections, texts: Texts) {
    this.sections = sections;
    this.texts = texts;
    this.letters = new Map(Array.from(sections.alphabet, (point, index) => [point, index + 1]));
  }

  /** Positions of the texts that contain `part`, ascending. One of fewer than three code points is in no trigram. */
  find(part: string, check: () => void): Uint32Array {
    const letters = this.listLetters(part);
    if (letters.length < 3) return this.scan(Buffer.from(part), check);
    const wanted = this.listTrigrams(letters);
    if (wanted === null) return new Uint32Array(0);
    const [rarest, ...others] = wanted;
    let candidates = this.readPostings(rarest!);
    for (const trigram of others) {
      const length = this.sections.counts[trigram]!;
      if (candidates.length <= CANDIDATES_FEW || length > candidates.length * LIST_LENGTH_RATIO) break;
      check();
      candidates = this.intersect(candidates, trigram);
    }
    // A part of three code points is itself the trigram, so there is nothing left to compare.
    if (letters.length === 3 && !letters.includes(SHARED_LETTER)) return candidates;
    return this.verify(candidates, Buffer.from(part), check);
  }

  private scan(part: Uint8Array, check: () => void): Uint32Array {
    const found = new Growing(Uint32Array);
    const count = countTexts(this.texts);
    for (let text = 0; text < count; text += 1) {
      if (text % TEXTS_AT_ONCE === 0) check();
      if (contains(this.texts, text, part)) found.push(text);
    }
    return found.filled();
  }

  /** The numbers of the code points of a part; 0 for one that does not occur. */
  private listLetters(part: string): number[] {
    const absent = this.letters.size < SHARED_LETTER - 1 ? 0 : SHARED_LETTER;
    return [...part].map((character) => this.letters.get(character.codePointAt(0)!) ?? absent);
  }

  /** Positions of the trigrams of these letters, rarest first; null if one of them does not occur. */
  private listTrigrams(letters: readonly number[]): number[] | null {
    const { trigrams, counts } = this.sections;
    const wanted = new Set<number>();
    for (let at = 2; at < letters.length; at += 1) {
      const packed = packTrigram(letters[at - 2]!, letters[at - 1]!, letters[at]!);
      const found = lowerBound(trigrams, packed);
      if (trigrams[found] !== packed) return null;
      wanted.add(found);
    }
    return [...wanted].sort((one, other) => counts[one]! - counts[other]!);
  }

  private readPostings(trigram: number): Uint32Array {
    const { counts, starts, postings } = this.sections;
    const found = new Uint32Array(counts[trigram]!);
    let at = starts[trigram]!;
    let text = -1;
    for (let index = 0; index < found.length; index += 1) {
      let byte = postings[at++]!;
      let step = byte & 127;
      for (let shift = 7; byte > 127; shift += 7) {
        byte = postings[at++]!;
        step |= (byte & 127) << shift;
      }
      text += step + 1;
      found[index] = text;
    }
    return found;
  }

  /** Removes the texts that do not contain the trigram from `candidates`, in place. */
  private intersect(candidates: Uint32Array, trigram: number): Uint32Array {
    const { starts, postings } = this.sections;
    const end = starts[trigram + 1]!;
    let kept = 0;
    let candidate = 0;
    for (let at = starts[trigram]!, text = -1; at < end && candidate < candidates.length; ) {
      let byte = postings[at++]!;
      let step = byte & 127;
      for (let shift = 7; byte > 127; shift += 7) {
        byte = postings[at++]!;
        step |= (byte & 127) << shift;
      }
      text += step + 1;
      while (candidate < candidates.length && candidates[candidate]! < text) candidate += 1;
      if (candidates[candidate] !== text) continue;
      candidates[kept++] = text;
      candidate += 1;
    }
    return candidates.subarray(0, kept);
  }

  private verify(candidates: Uint32Array, part: Uint8Array, check: () => void): Uint32Array {
    let kept = 0;
    for (let index = 0; index < candidates.length; index += 1) {
      if (index % TEXTS_AT_ONCE === 0) check();
      const text = candidates[index]!;
      if (contains(this.texts, text, part)) candidates[kept++] = text;
    }
    return candidates.subarray(0, kept);
  }
}

function contains({ bytes, offsets }: Texts, text: number, part: Uint8Array): boolean {
  const last = offsets[text + 1]! - part.length;
  const first = part[0];
  const end = part.length - 1;
  const ending = part[end];
  for (let from = offsets[text]!; from <= last; from += 1) {
    if (bytes[from] !== first || bytes[from + end] !== ending) continue;
    let at = 1;
    while (at < end && bytes[from + at] === part[at]) at += 1;
    if (at >= end) return true;
  }
  return false;
}

/** The trigrams of all texts of a dictionary. */
export function buildTrigrams(texts: Texts): TrigramSections {
  const found = new TrigramTable();
  const count = countTexts(texts);
  /** The trigrams of each text, without repeats, as the table numbers them. */
  const met = new Growing(Uint32Array, 1 << 16);
  const metEnds = new Uint32Array(count);
  const points = new Uint32Array(longestText(texts));
  for (let text = 0; text < count; text += 1) {
    const length = decodePoints(texts.bytes, texts.offsets[text]!, texts.offsets[text + 1]!, points);
    found.meetText(text, points, length, met);
    metEnds[text] = met.length;
  }
  return found.finish(met.filled(), metEnds);
}

function longestText({ offsets }: Texts): number {
  let longest = 0;
  for (let text = 0; text + 1 < offsets.length; text += 1) {
    longest = Math.max(longest, offsets[text + 1]! - offsets[text]!);
  }
  return longest;
}

const NONE = 0xffffffff;

class TrigramTable {
  /** The numbers of letters, by the upper bits of their code points and then by the lower 8. */
  private readonly letterPages: Uint32Array[] = [];
  private readonly alphabet = new Growing(Uint32Array, 256);
  private readonly packed = new Growing(Float64Array);
  private readonly lastText = new Growing(Uint32Array);
  private readonly counts = new Growing(Uint32Array);
  /** A hash table with open addressing: the number of a trigram plus one; 0 = free. */
  private slots = new Uint32Array(1 << 14);

  /** Appends the trigrams of a text without repeats; overwrites `points`. */
  meetText(text: number, points: Uint32Array, length: number, met: Growing<Uint32Array>): void {
    for (let at = 0; at < length; at += 1) points[at] = this.numberLetter(points[at]!);
    for (let at = 2; at < length; at += 1) {
      const trigram = this.number(points[at - 2]!, points[at - 1]!, points[at]!);
      if (this.lastText.array[trigram] === text) continue;
      this.lastText.array[trigram] = text;
      this.counts.array[trigram]! += 1;
      met.push(trigram);
    }
  }

  private numberLetter(point: number): number {
    this.letterPages[point >>> 8] ??= new Uint32Array(256);
    const page = this.letterPages[point >>> 8]!;
    const known = page[point & 255]!;
    if (known !== 0) return known;
    if (this.alphabet.length === SHARED_LETTER - 1) return SHARED_LETTER;
    this.alphabet.push(point);
    page[point & 255] = this.alphabet.length;
    return this.alphabet.length;
  }

  private number(first: number, second: number, third: number): number {
    const packed = packTrigram(first, second, third);
    const mask = this.slots.length - 1;
    let slot = hashLetters(first, second, third) & mask;
    for (let entry = this.slots[slot]!; entry !== 0; entry = this.slots[slot]!) {
      if (this.packed.array[entry - 1] === packed) return entry - 1;
      slot = (slot + 1) & mask;
    }
    const number = this.packed.length;
    this.slots[slot] = number + 1;
    this.packed.push(packed);
    this.lastText.push(NONE);
    this.counts.push(0);
    if (this.packed.length * 2 > this.slots.length) this.growSlots();
    return number;
  }

  private growSlots(): void {
    this.slots = new Uint32Array(this.slots.length * 4);
    const mask = this.slots.length - 1;
    for (let number = 0; number < this.packed.length; number += 1) {
      const packed = this.packed.array[number]!;
      const first = Math.floor(packed / (LETTERS * LETTERS));
      const second = Math.floor(packed / LETTERS) % LETTERS;
      let slot = hashLetters(first, second, packed % LETTERS) & mask;
      while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
      this.slots[slot] = number + 1;
    }
  }

  finish(met: Uint32Array, metEnds: Uint32Array): TrigramSections {
    const packed = this.packed.filled();
    const order = Uint32Array.from(packed, (_, number) => number).sort((one, other) => packed[one]! - packed[other]!);
    const trigrams = shareZeros(Float64Array, order.length);
    const counts = shareZeros(Uint32Array, order.length);
    const placeOf = new Uint32Array(order.length);
    const next = new Float64Array(order.length);
    let total = 0;
    for (let place = 0; place < order.length; place += 1) {
      const number = order[place]!;
      placeOf[number] = place;
      trigrams[place] = packed[number]!;
      counts[place] = this.counts.array[number]!;
      next[place] = total;
      total += counts[place]!;
    }
    const texts = new Uint32Array(total);
    for (let text = 0, at = 0; text < metEnds.length; text += 1) {
      for (; at < metEnds[text]!; at += 1) texts[next[placeOf[met[at]!]!]!++] = text;
    }
    return { alphabet: this.alphabet.share(), trigrams, counts, ...packPostings(texts, counts) };
  }
}

function hashLetters(first: number, second: number, third: number): number {
  let hash = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b) ^ Math.imul(third, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** Bytes that a difference of 32 bits takes at most, with 7 bits per byte. */
const DIFFERENCE_BYTES_MAX = 5;

function packPostings(texts: Uint32Array, counts: Numbers): Pick<TrigramSections, 'starts' | 'postings'> {
  const starts = shareZeros(Uint32Array, counts.length + 1);
  const bytes = new Growing(Uint8Array, texts.length + 1024);
  for (let trigram = 0, at = 0; trigram < counts.length; trigram += 1) {
    const end = at + counts[trigram]!;
    bytes.reserve((end - at) * DIFFERENCE_BYTES_MAX);
    const { array } = bytes;
    let to = bytes.length;
    for (let before = -1; at < end; at += 1) {
      let step = texts[at]! - before - 1;
      before = texts[at]!;
      for (; step > 127; step >>>= 7) array[to++] = (step & 127) | 128;
      array[to++] = step;
    }
    bytes.length = to;
    starts[trigram + 1] = to;
  }
  return { starts, postings: shareCopy(Uint8Array, bytes.filled()) };
}
