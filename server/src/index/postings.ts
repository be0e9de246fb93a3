/**
 * Which records have a term. Ordinals are divided into chunks of 65,536. In each chunk, the members of a term are an
 * ascending array of 16-bit numbers, or a bitmap if there are many (the containers of Roaring bitmaps).
 */
import { Growing, shareCopy, shareZeros } from './arrays.ts';

export const CHUNK_BITS = 16;
export const CHUNK_SIZE = 1 << CHUNK_BITS;
/** 32-bit words in the bitmap of a chunk. */
export const CHUNK_WORDS = CHUNK_SIZE / 32;
/** With more members, an array would be larger than the bitmap. */
export const ARRAY_MAX = CHUNK_SIZE / 16;
/** 16-bit units in the bitmap of a chunk. */
const BITMAP_UNITS = CHUNK_SIZE / 16;

export function countChunks(records: number): number {
  return Math.ceil(records / CHUNK_SIZE);
}

export interface PostingSections {
  /** At `term × chunks + chunk`: the number of members. */
  readonly counts: Uint32Array;
  /** At `term × chunks + chunk`: where they begin in `members`; always even for a bitmap. */
  readonly starts: Uint32Array;
  readonly members: Uint16Array;
}

/** Collects the terms of records in the order of ordinals, and packs them chunk by chunk. */
export class PostingsBuilder {
  private readonly termOfPair = new Growing(Uint32Array, CHUNK_SIZE);
  private readonly memberOfPair = new Growing(Uint16Array, CHUNK_SIZE);
  private readonly chunks: { counts: Uint32Array; starts: Uint32Array }[] = [];
  private readonly members = new Growing(Uint16Array, CHUNK_SIZE);
  private terms = 0;

  /** Takes each term of a record once; terms are numbered from 0. */
  add(term: number, ordinal: number): void {
    this.termOfPair.push(term);
    this.memberOfPair.push(ordinal & (CHUNK_SIZE - 1));
    if (term >= this.terms) this.terms = term + 1;
  }

  /** Packs the chunk; call it after its last record. */
  closeChunk(): void {
    const pairs = this.termOfPair.length;
    const terms = this.termOfPair.array;
    const counts = new Uint32Array(this.terms);
    for (let pair = 0; pair < pairs; pair += 1) counts[terms[pair]!]! += 1;
    const grouped = new Uint16Array(pairs);
    const next = new Uint32Array(this.terms);
    for (let term = 1; term < this.terms; term += 1) next[term] = next[term - 1]! + counts[term - 1]!;
    for (let pair = 0; pair < pairs; pair += 1) grouped[next[terms[pair]!]!++] = this.memberOfPair.array[pair]!;
    const starts = new Uint32Array(this.terms);
    for (let term = 0, from = 0; term < this.terms; term += 1) {
      const to = from + counts[term]!;
      starts[term] = packMembers(this.members, grouped, from, to);
      from = to;
    }
    this.chunks.push({ counts, starts });
    this.termOfPair.length = 0;
    this.memberOfPair.length = 0;
  }

  finish(): PostingSections {
    const chunks = this.chunks.length;
    const counts = shareZeros(Uint32Array, this.terms * chunks);
    const starts = shareZeros(Uint32Array, this.terms * chunks);
    for (const [chunk, packed] of this.chunks.entries()) {
      for (let term = 0; term < packed.counts.length; term += 1) {
        counts[term * chunks + chunk] = packed.counts[term]!;
        starts[term * chunks + chunk] = packed.starts[term]!;
      }
    }
    return { counts, starts, members: shareMembers(this.members) };
  }
}

/** Appends the numbers at [from, to) as an array or a bitmap; returns where it begins. */
export function packMembers(
  members: Growing<Uint16Array>,
  numbers: Uint16Array | Uint32Array,
  from: number,
  to: number,
): number {
  members.reserve(Math.max(to - from, BITMAP_UNITS) + 1);
  const { array } = members;
  if (to - from <= ARRAY_MAX) {
    const start = members.length;
    for (let at = from; at < to; at += 1) array[start + at - from] = numbers[at]! & (CHUNK_SIZE - 1);
    members.length = start + to - from;
    return start;
  }
  const start = members.length + (members.length & 1);
  array.fill(0, members.length, start + BITMAP_UNITS);
  for (let at = from; at < to; at += 1) {
    const member = numbers[at]! & (CHUNK_SIZE - 1);
    array[start + (member >> 4)]! |= 1 << (member & 15);
  }
  members.length = start + BITMAP_UNITS;
  return start;
}

/** The length is made even, so that bitmaps can be read as 32-bit words. */
export function shareMembers(members: Growing<Uint16Array>): Uint16Array {
  if (members.length % 2 === 1) members.push(0);
  return shareCopy(Uint16Array, members.filled());
}

/** Writes the numbers of the set bits, ascending, into `into` from `at` on; returns where they end. */
export function listBits(words: Uint32Array, base: number, into: Uint16Array, at = 0): number {
  let end = at;
  for (let word = 0; word < CHUNK_WORDS; word += 1) {
    for (let bits = words[base + word]!; bits !== 0; bits &= bits - 1) {
      into[end++] = (word << 5) | (31 - Math.clz32(bits & -bits));
    }
  }
  return end;
}

export function countBits(words: Uint32Array, base: number): number {
  let count = 0;
  for (let word = 0; word < CHUNK_WORDS; word += 1) {
    const bits = words[base + word]!;
    if (bits !== 0) count += countOnes(bits);
  }
  return count;
}

/** How many bits are set in both bitmaps. */
export function countCommonBits(one: Uint32Array, oneBase: number, other: Uint32Array, otherBase: number): number {
  let count = 0;
  for (let word = 0; word < CHUNK_WORDS; word += 1) {
    const bits = one[oneBase + word]! & other[otherBase + word]!;
    if (bits !== 0) count += countOnes(bits);
  }
  return count;
}

function countOnes(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

export function hasBit(words: Uint32Array, base: number, number: number): boolean {
  return ((words[base + (number >>> 5)]! >>> (number & 31)) & 1) === 1;
}

export function setBit(words: Uint32Array, base: number, number: number): void {
  words[base + (number >>> 5)]! |= 1 << (number & 31);
}
