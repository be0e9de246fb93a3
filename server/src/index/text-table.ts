/** Distinct texts, numbered in the order in which they are first met. */
import { appendText, type DictionarySections, Growing, shareZeros, sortTexts, type Texts } from './arrays.ts';

/** Offset basis and prime of the hash function FNV-1a. */
const HASH_BASIS = 0x811c9dc5;
const HASH_PRIME = 0x01000193;

export class TextTable {
  private readonly bytes = new Growing(Uint8Array, 1 << 16);
  private readonly offsets = new Growing(Uint32Array);
  private readonly hashes = new Growing(Uint32Array);
  /** A hash table with open addressing: the position of a text plus one; 0 = free. */
  private slots = new Uint32Array(1 << 12);

  constructor() {
    this.offsets.push(0);
  }

  get count(): number {
    return this.hashes.length;
  }

  get texts(): Texts {
    return { bytes: this.bytes.filled(), offsets: this.offsets.filled() };
  }

  /** Bytes of memory. */
  get size(): number {
    const arrays = [this.bytes.array, this.offsets.array, this.hashes.array, this.slots];
    return arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** The position of a text; a new text gets the next one. */
  intern(text: string): number {
    const { position, slot, hash } = this.place(text);
    if (position !== null) {
      this.bytes.length = this.offsets.array[this.count] as number;
      return position;
    }
    const added = this.count;
    this.slots[slot] = added + 1;
    this.hashes.push(hash);
    this.offsets.push(this.bytes.length);
    if (this.count * 2 > this.slots.length) this.growSlots();
    return added;
  }

  /** The position of a text; null if it is not there. */
  find(text: string): number | null {
    const { position } = this.place(text);
    this.bytes.length = this.offsets.array[this.count] as number;
    return position;
  }

  /** Where a text is, or would be. Its bytes are left after those of all texts. */
  private place(text: string): { readonly position: number | null; readonly slot: number; readonly hash: number } {
    const from = this.bytes.length;
    appendText(this.bytes, text);
    const bytes = this.bytes.array;
    const to = this.bytes.length;
    let hash = HASH_BASIS;
    for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ (bytes[at] as number), HASH_PRIME);
    hash = (hash ^ (hash >>> 15)) >>> 0;
    const mask = this.slots.length - 1;
    let slot = hash & mask;
    for (let entry = this.slots[slot] as number; entry !== 0; entry = this.slots[slot] as number) {
      if (this.hashes.array[entry - 1] === hash && this.isSame(entry - 1, from, to)) {
        return { position: entry - 1, slot, hash };
      }
      slot = (slot + 1) & mask;
    }
    return { position: null, slot, hash };
  }

  /** Gives back the room that is not used. */
  trim(): void {
    for (const growing of [this.bytes, this.offsets, this.hashes]) growing.trim();
  }

  private isSame(position: number, from: number, to: number): boolean {
    const bytes = this.bytes.array;
    const start = this.offsets.array[position] as number;
    if ((this.offsets.array[position + 1] as number) - start !== to - from) return false;
    for (let at = from; at < to; at += 1) if (bytes[start + at - from] !== bytes[at]) return false;
    return true;
  }

  private growSlots(): void {
    this.slots = new Uint32Array(this.slots.length * 2);
    const mask = this.slots.length - 1;
    for (let position = 0; position < this.hashes.length; position += 1) {
      let slot = (this.hashes.array[position] as number) & mask;
      while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
      this.slots[slot] = position + 1;
    }
  }
}

/** Collects texts and the records that have them. */
export class DictionaryBuilder {
  private readonly table = new TextTable();
  private readonly textOfPair = new Growing(Uint32Array);
  private readonly ordinalOfPair = new Growing(Uint32Array);

  /** Takes ordinals in ascending order. */
  add(text: string, ordinal: number): void {
    this.textOfPair.push(this.table.intern(text));
    this.ordinalOfPair.push(ordinal);
  }

  finish(): DictionarySections {
    const { count, texts } = this.table;
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
