/**
 * What a segment is made of. Typed arrays grow while it is built and are shared between threads once it is complete.
 * Texts are bytes in UTF-8, stored end to end; they compare by byte: in code point order, like PostgreSQL collation C.
 * In a dictionary they are in order, and found by bisection.
 */

export type Numbers = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array;

type Constructor<Kind extends Numbers> = {
  new (buffer: ArrayBufferLike, byteOffset?: number, length?: number): Kind;
  readonly BYTES_PER_ELEMENT: number;
};

/** An array of zeros in memory that threads can share. */
export function shareZeros<Kind extends Numbers>(kind: Constructor<Kind>, length: number): Kind {
  return new kind(new SharedArrayBuffer(length * kind.BYTES_PER_ELEMENT));
}

/** A copy in memory that threads can share. */
export function shareCopy<Kind extends Numbers>(kind: Constructor<Kind>, numbers: Kind): Kind {
  const shared = shareZeros(kind, numbers.length);
  shared.set(numbers as never);
  return shared;
}

/** Factor of growth: copies each number about twice over all growths, and wastes at most a third of the memory. */
const GROWTH = 1.5;

/** An array that numbers are appended to. `push` and `reserve` may replace `array`, so read the property again. */
export class Growing<Kind extends Numbers> {
  array: Kind;
  length = 0;
  private readonly kind: Constructor<Kind>;

  constructor(kind: Constructor<Kind>, capacity = 1024) {
    this.kind = kind;
    this.array = new kind(new ArrayBuffer(capacity * kind.BYTES_PER_ELEMENT));
  }

  /** Makes room for `more` numbers. */
  reserve(more: number): void {
    const needed = this.length + more;
    if (needed <= this.array.length) return;
    const capacity = Math.max(needed, Math.ceil(this.array.length * GROWTH));
    const grown = new this.kind(new ArrayBuffer(capacity * this.kind.BYTES_PER_ELEMENT));
    grown.set(this.array.subarray(0, this.length) as never);
    this.array = grown;
  }

  push(value: number): void {
    if (this.length === this.array.length) this.reserve(1);
    this.array[this.length] = value;
    this.length += 1;
  }

  /** Gives back the room that is not used. */
  trim(): void {
    if (this.length < this.array.length) this.array = this.array.slice(0, this.length) as Kind;
  }

  filled(): Kind {
    return this.array.subarray(0, this.length) as Kind;
  }

  /** A copy of the appended numbers in memory that threads can share. */
  share(): Kind {
    return shareCopy(this.kind, this.filled());
  }
}

/** The first position in [from, to) whose value is at least `value`; `to` if there is none. Values ascend. */
export function lowerBound(values: Numbers, value: number, from = 0, to = values.length): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Text `i` is `bytes[offsets[i] … offsets[i + 1])`. */
export interface Texts {
  readonly bytes: Uint8Array;
  readonly offsets: Uint32Array;
}

/** Negative, zero or positive if `one` is less than, equal to or greater than `other`. */
export function compareTexts(one: Texts, oneAt: number, other: Texts, otherAt: number): number {
  const from = other.offsets[otherAt] as number;
  return compareBytes(one, oneAt, other.bytes, from, other.offsets[otherAt + 1] as number);
}

/** Compares text `at` with the bytes [from, to) in the same way. */
export function compareBytes(texts: Texts, at: number, bytes: Uint8Array, from = 0, to = bytes.length): number {
  const own = texts.bytes;
  const start = texts.offsets[at] as number;
  const length = (texts.offsets[at + 1] as number) - start;
  const common = Math.min(length, to - from);
  for (let index = 0; index < common; index += 1) {
    const difference = (own[start + index] as number) - (bytes[from + index] as number);
    if (difference !== 0) return difference;
  }
  return length - (to - from);
}

export function readText({ bytes, offsets }: Texts, at: number): string {
  const from = offsets[at]!;
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, offsets[at + 1]! - from).toString();
}

/** Up to this number, texts are sorted by insertion, which beats quicksort on small sets. */
const INSERTED_MAX = 16;

/** Sorts `order`, a list of positions of texts, by text: a three-way quicksort that compares one byte at a time. */
export function sortTexts({ bytes, offsets }: Texts, order: Uint32Array): void {
  /** The byte of a text at a depth, plus one; 0 at its end. */
  const byteAt = (text: number, depth: number): number => {
    const at = (offsets[text] as number) + depth;
    return at < (offsets[text + 1] as number) ? (bytes[at] as number) + 1 : 0;
  };
  const isBefore = (one: number, other: number, depth: number): boolean => {
    for (let at = depth; ; at += 1) {
      const first = byteAt(one, at);
      const second = byteAt(other, at);
      if (first !== second) return first < second;
      if (first === 0) return false;
    }
  };
  const insert = (low: number, high: number, depth: number): void => {
    for (let at = low + 1; at < high; at += 1) {
      const text = order[at] as number;
      let place = at;
      for (; place > low && isBefore(text, order[place - 1] as number, depth); place -= 1) {
        order[place] = order[place - 1] as number;
      }
      order[place] = text;
    }
  };
  const pending = [0, order.length, 0];
  while (pending.length > 0) {
    const depth = pending.pop() as number;
    const high = pending.pop() as number;
    const low = pending.pop() as number;
    if (high - low <= INSERTED_MAX) {
      insert(low, high, depth);
      continue;
    }
    const eighth = (high - low) >> 3;
    const pivot = middleOf(
      byteAt(order[low + eighth] as number, depth),
      byteAt(order[(low + high) >> 1] as number, depth),
      byteAt(order[high - 1 - eighth] as number, depth),
    );
    let below = low;
    let above = high;
    for (let at = low; at < above; ) {
      const text = order[at] as number;
      const byte = byteAt(text, depth);
      if (byte < pivot) {
        order[at] = order[below] as number;
        order[below] = text;
        at += 1;
        below += 1;
      } else if (byte > pivot) {
        above -= 1;
        order[at] = order[above] as number;
        order[above] = text;
      } else at += 1;
    }
    if (below - low > 1) pending.push(low, below, depth);
    if (high - above > 1) pending.push(above, high, depth);
    // With a pivot of 0 the texts in the middle have ended: they are equal.
    if (pivot !== 0 && above - below > 1) pending.push(below, above, depth + 1);
  }
}

function middleOf(a: number, b: number, c: number): number {
  if (a < b) return b < c ? b : Math.max(a, c);
  return a < c ? a : Math.max(b, c);
}

/** UTF-8 takes at most 3 bytes per UTF-16 unit. */
const UNIT_BYTES_MAX = 3;
const encoder = new TextEncoder();

/** Appends a text in UTF-8; returns its length in bytes. */
export function appendText(bytes: Growing<Uint8Array>, text: string): number {
  bytes.reserve(text.length * UNIT_BYTES_MAX);
  const { array, length } = bytes;
  let at = length;
  for (let unit = 0; unit < text.length; unit += 1) {
    const code = text.charCodeAt(unit);
    if (code >= 0x80) {
      const { written } = encoder.encodeInto(text, array.subarray(length));
      bytes.length = length + written;
      return written;
    }
    array[at] = code;
    at += 1;
  }
  bytes.length = at;
  return at - length;
}

/** Writes the code points of a text into `into`; returns how many there are. */
export function decodePoints(bytes: Uint8Array, from: number, to: number, into: Uint32Array): number {
  let count = 0;
  for (let at = from; at < to; count += 1) {
    const first = bytes[at] as number;
    if (first < 0x80) {
      into[count] = first;
      at += 1;
    } else if (first < 0xe0) {
      into[count] = ((first & 31) << 6) | ((bytes[at + 1] as number) & 63);
      at += 2;
    } else if (first < 0xf0) {
      into[count] = ((first & 15) << 12) | (((bytes[at + 1] as number) & 63) << 6) | ((bytes[at + 2] as number) & 63);
      at += 3;
    } else {
      const upper = ((first & 7) << 18) | (((bytes[at + 1] as number) & 63) << 12);
      into[count] = upper | (((bytes[at + 2] as number) & 63) << 6) | ((bytes[at + 3] as number) & 63);
      at += 4;
    }
  }
  return count;
}

/**
 * The distinct texts of one kind (mark names, application numbers, …) in order, each with the ordinals of the records
 * that have it.
 */
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
