/**
 * Matchers of records that a dictionary or an order lists: a few by ordinal, many as bits, most of an order by their
 * places.
 */
import { lowerBound } from './arrays.ts';
import type { OrderSections } from './dates.ts';
import { Matcher, type Scratch, type SearchTools, type SegmentBits } from './matchers.ts';
import { ARRAY_MAX, CHUNK_BITS, CHUNK_SIZE, CHUNK_WORDS, hasBit, setBit } from './postings.ts';
import type { Segment } from './segment.ts';

/** Matches a few records, listed by ordinal. */
class OrdinalsMatcher extends Matcher {
  readonly total: number;
  private readonly ordinals: Uint32Array;
  private from = 0;
  private to = 0;

  /** Takes ordinals in ascending order, without repeats. */
  constructor(ordinals: Uint32Array) {
    super();
    this.ordinals = ordinals;
    this.total = ordinals.length;
  }

  enter(chunk: number): number {
    this.start = chunk * CHUNK_SIZE;
    this.from = lowerBound(this.ordinals, this.start);
    this.to = lowerBound(this.ordinals, this.start + CHUNK_SIZE, this.from);
    return this.to - this.from;
  }

  override list({ list }: Scratch): number {
    for (let at = this.from; at < this.to; at += 1) list[at - this.from] = this.ordinals[at]! - this.start;
    return this.to - this.from;
  }

  fill(bits: Uint32Array, base: number): void {
    bits.fill(0, base, base + CHUNK_WORDS);
    for (let at = this.from; at < this.to; at += 1) setBit(bits, base, this.ordinals[at]! - this.start);
  }

  has(ordinal: number): boolean {
    return this.ordinals[lowerBound(this.ordinals, ordinal)] === ordinal;
  }

  override filter(list: Uint16Array, size: number): number {
    let kept = 0;
    let own = this.from;
    for (let at = 0; at < size && own < this.to; at += 1) {
      const ordinal = this.start + list[at]!;
      while (own < this.to && this.ordinals[own]! < ordinal) own += 1;
      if (own < this.to && this.ordinals[own] === ordinal) list[kept++] = list[at]!;
    }
    return kept;
  }
}

/** Matches many records, as bits of the whole segment. */
class BitsMatcher extends Matcher {
  readonly total: number;
  private readonly own: SegmentBits;
  /** Its first word in the selected chunk. */
  private from = 0;

  constructor(bits: SegmentBits, total: number) {
    super();
    this.own = bits;
    this.total = total;
  }

  enter(chunk: number): number {
    this.start = chunk * CHUNK_SIZE;
    this.from = chunk * CHUNK_WORDS;
    return this.own.counts[chunk]!;
  }

  fill(bits: Uint32Array, base: number): void {
    bits.set(this.own.words.subarray(this.from, this.from + CHUNK_WORDS), base);
  }

  override intersect(bits: Uint32Array, base: number): void {
    const { words } = this.own;
    for (let word = 0; word < CHUNK_WORDS; word += 1) bits[base + word]! &= words[this.from + word]!;
  }

  has(ordinal: number): boolean {
    return hasBit(this.own.words, 0, ordinal);
  }
}

/** Matches records at places [from, to) of an order. */
export class PlacesMatcher extends Matcher {
  readonly total: number;
  private readonly order: OrderSections;
  private readonly from: number;
  private readonly to: number;

  constructor(order: OrderSections, from: number, to: number) {
    super();
    this.order = order;
    this.from = from;
    this.to = to;
    this.total = to - from;
  }

  enter(chunk: number): number {
    this.start = chunk * CHUNK_SIZE;
    return Math.min(this.total, CHUNK_SIZE);
  }

  fill(bits: Uint32Array, base: number): void {
    const { places } = this.order;
    const { start, from, to } = this;
    const size = Math.min(CHUNK_SIZE, places.length - start);
    bits.fill(0, base, base + CHUNK_WORDS);
    for (let member = 0; member < size; member += 1) {
      const place = places[start + member]!;
      if (place >= from && place < to) setBit(bits, base, member);
    }
  }

  has(ordinal: number): boolean {
    const place = this.order.places[ordinal]!;
    return place >= this.from && place < this.to;
  }
}

/** Ordinals gathered between two checks whether the search continues: a few milliseconds of work. */
const GATHERED_AT_ONCE = 1 << 18;

/**
 * A matcher of the ordinals in some ranges of an array, in any order and with possible repeats. `bounds` lists the
 * beginning and the end of each range.
 */
export function gatherOrdinals(
  segment: Segment,
  { scratch, interruption }: SearchTools,
  ordinals: Uint32Array,
  bounds: Uint32Array,
): Matcher {
  let count = 0;
  for (let at = 0; at < bounds.length; at += 2) count += bounds[at + 1]! - bounds[at]!;
  if (count <= ARRAY_MAX) return new OrdinalsMatcher(sortOrdinals(ordinals, bounds, count));
  const bits = scratch.lendBits(segment.chunks);
  const { words, counts } = bits;
  words.fill(0, 0, segment.chunks * CHUNK_WORDS);
  counts.fill(0, 0, segment.chunks);
  let total = 0;
  let untilCheck = GATHERED_AT_ONCE;
  for (let range = 0; range < bounds.length; range += 2) {
    const end = bounds[range + 1]!;
    for (let at = bounds[range]!; at < end; at += 1) {
      const ordinal = ordinals[at]!;
      const word = ordinal >>> 5;
      const bit = 1 << (ordinal & 31);
      if ((words[word]! & bit) !== 0) continue;
      words[word]! |= bit;
      counts[ordinal >>> CHUNK_BITS]! += 1;
      total += 1;
      untilCheck -= 1;
      if (untilCheck > 0) continue;
      interruption.check();
      untilCheck = GATHERED_AT_ONCE;
    }
  }
  return new BitsMatcher(bits, total);
}

/** The ordinals in the ranges, ascending, without repeats. */
function sortOrdinals(all: Uint32Array, bounds: Uint32Array, count: number): Uint32Array {
  const ordinals = new Uint32Array(count);
  let end = 0;
  for (let at = 0; at < bounds.length; at += 2) {
    ordinals.set(all.subarray(bounds[at], bounds[at + 1]), end);
    end += bounds[at + 1]! - bounds[at]!;
  }
  ordinals.sort();
  let kept = 0;
  for (let at = 0; at < count; at += 1) {
    if (at === 0 || ordinals[at] !== ordinals[at - 1]) ordinals[kept++] = ordinals[at]!;
  }
  return ordinals.subarray(0, kept);
}
