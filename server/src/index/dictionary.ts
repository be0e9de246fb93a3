/**
 * The distinct texts of one kind (mark names, application numbers, …) in order, each with the ordinals of the records
 * that have it. Whole texts and beginnings are found by bisection.
 */
import { Growing, shareZeros } from './arrays.ts';
import { appendText, compareBytes, sortTexts, type Texts } from './texts.ts';

export interface DictionarySections extends Texts {
  /** Text `i` belongs to `ordinals[ordinalStarts[i] … ordinalStarts[i + 1])`, ascending, with possible repeats. */
  readonly ordinalStarts: Uint32Array;
  readonly ordinals: Uint32Array;
}

/** Texts [from, to) of a dictionary. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

export function countTexts({ offsets }: Texts): number {
  return offsets.length - 1;
}

/** The range of one text that equals `text`; empty if there is none. */
export function findWhole(dictionary: Texts, text: string): TextRange {
  const bytes = Buffer.from(text);
  const from = findNotBelow(dictionary, bytes);
  const isThere = from < countTexts(dictionary) && compareBytes(dictionary, from, bytes) === 0;
  return { from, to: isThere ? from + 1 : from };
}

/** All texts that begin with `text`. */
export function findBeginning(dictionary: Texts, text: string): TextRange {
  const bytes = Buffer.from(text);
  const from = findNotBelow(dictionary, bytes);
  let low = from;
  let high = countTexts(dictionary);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (beginsWith(dictionary, middle, bytes)) low = middle + 1;
    else high = middle;
  }
  return { from, to: low };
}

function findNotBelow(dictionary: Texts, bytes: Uint8Array): number {
  let low = 0;
  let high = countTexts(dictionary);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareBytes(dictionary, middle, bytes) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function beginsWith({ bytes: own, offsets }: Texts, at: number, bytes: Uint8Array): boolean {
  const start = offsets[at] as number;
  if ((offsets[at + 1] as number) - start < bytes.length) return false;
  for (let index = 0; index < bytes.length; index += 1) if (own[start + index] !== bytes[index]) return false;
  return true;
}

/** Offset basis and prime of the hash function FNV-1a. */
const HASH_BASIS = 0x811c9dc5;
const HASH_PRIME = 0x01000193;

/** Collects texts and the records that have them. */
export class DictionaryBuilder {
  private readonly bytes = new Growing(Uint8Array, 1 << 16);
  private readonly offsets = new Growing(Uint32Array);
  private readonly hashes = new Growing(Uint32Array);
  /** A hash table with open addressing: the position of a text plus one; 0 = free. */
  private slots = new Uint32Array(1 << 12);
  private readonly textOfPair = new Growing(Uint32Array);
  private readonly ordinalOfPair = new Growing(Uint32Array);

  constructor() {
    this.offsets.push(0);
  }

  /** Takes ordinals in ascending order. */
  add(text: string, ordinal: number): void {
    const from = this.bytes.length;
    appendText(this.bytes, text);
    this.textOfPair.push(this.intern(from));
    this.ordinalOfPair.push(ordinal);
  }

  /** The position of the text from `from` to the end of `bytes`; if it is known, its bytes are removed again. */
  private intern(from: number): number {
    const bytes = this.bytes.array;
    const to = this.bytes.length;
    let hash = HASH_BASIS;
    for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ (bytes[at] as number), HASH_PRIME);
    hash = (hash ^ (hash >>> 15)) >>> 0;
    const mask = this.slots.length - 1;
    let slot = hash & mask;
    for (let entry = this.slots[slot] as number; entry !== 0; entry = this.slots[slot] as number) {
      if (this.hashes.array[entry - 1] === hash && this.isSame(entry - 1, from, to)) {
        this.bytes.length = from;
        return entry - 1;
      }
      slot = (slot + 1) & mask;
    }
    const position = this.hashes.length;
    this.slots[slot] = position + 1;
    this.hashes.push(hash);
    this.offsets.push(to);
    if (this.hashes.length * 2 > this.slots.length) this.growSlots();
    return position;
  }

  private isSame(position: number, from: number, to: number): boolean {
    const bytes = this.bytes.array;
    const start = this.offsets.array[position] as number;
    if ((this.offsets.array[position + 1] as number) - start !== to - from) return false;
    for (let at = from; at < to; at += 1) if (bytes[start + at - from] !== bytes[at]) return false;
    return true;
  }

  private growSlots(): void {
    this.slots = new Uint32Array(this.slots.length * 4);
    const mask = this.slots.length - 1;
    for (let position = 0; position < this.hashes.length; position += 1) {
      let slot = (this.hashes.array[position] as number) & mask;
      while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
      this.slots[slot] = position + 1;
    }
  }

  finish(): DictionarySections {
    const count = this.hashes.length;
    const texts = { bytes: this.bytes.filled(), offsets: this.offsets.filled() };
    const order = Uint32Array.from({ length: count }, (_, position) => position);
    sortTexts(texts, order);
    const bytes = shareZeros(Uint8Array, texts.bytes.length);
    const offsets = shareZeros(Uint32Array, count + 1);
    const placeOf = new Uint32Array(count);
    for (let place = 0, at = 0; place < count; place += 1) {
      const position = order[place] as number;
      const text = texts.bytes.subarray(texts.offsets[position], texts.offsets[position + 1]);
      bytes.set(text, at);
      at += text.length;
      offsets[place + 1] = at;
      placeOf[position] = place;
    }
    return { bytes, offsets, ...this.groupOrdinals(placeOf) };
  }

  private groupOrdinals(placeOf: Uint32Array): Pick<DictionarySections, 'ordinalStarts' | 'ordinals'> {
    const pairs = this.textOfPair.length;
    const texts = this.textOfPair.array;
    const ordinalStarts = shareZeros(Uint32Array, placeOf.length + 1);
    for (let pair = 0; pair < pairs; pair += 1) {
      (ordinalStarts[(placeOf[texts[pair] as number] as number) + 1] as number) += 1;
    }
    for (let place = 0; place < placeOf.length; place += 1) {
      (ordinalStarts[place + 1] as number) += ordinalStarts[place] as number;
    }
    const next = Uint32Array.from(ordinalStarts);
    const ordinals = shareZeros(Uint32Array, pairs);
    for (let pair = 0; pair < pairs; pair += 1) {
      const place = placeOf[texts[pair] as number] as number;
      ordinals[next[place] as number] = this.ordinalOfPair.array[pair] as number;
      (next[place] as number) += 1;
    }
    return { ordinalStarts, ordinals };
  }
}
