/**
 * Matchers know which records of a segment satisfy one condition, chunk by chunk. A record that does is a member.
 * Members are always exact; only their number may be an upper bound, where the comments say so. The tools of a search
 * are here too: its working memory, and what ends it.
 */

import type { Clock } from '../base/clock.ts';
import { lowerBound } from './arrays.ts';
import type { ColumnSections } from './dates.ts';
import { ARRAY_MAX, CHUNK_BITS, CHUNK_SIZE, CHUNK_WORDS, hasBit, listBits, setBit } from './postings.ts';
import type { Segment } from './segment.ts';

/** What every step of a search needs. */
export interface SearchTools {
  readonly scratch: Scratch;
  readonly interruption: Interruption;
}

export abstract class Matcher {
  /** The segment has at most this many members. */
  abstract readonly total: number;

  /** The first ordinal of the chunk that is selected. */
  protected start = 0;

  /** Selects the chunk for the other methods; returns an upper bound for the number of its members. */
  abstract enter(chunk: number): number;

  /** Overwrites the bits from word `base` on with those of the members. */
  abstract fill(bits: Uint32Array, base: number): void;

  /** Whether a record is a member, whichever chunk was selected. */
  abstract has(ordinal: number): boolean;

  /** Removes everything that is not a member from the first `size` entries of `list`; returns how many remain. */
  filter(list: Uint16Array, size: number): number {
    let kept = 0;
    for (let at = 0; at < size; at += 1) if (this.has(this.start + list[at]!)) list[kept++] = list[at]!;
    return kept;
  }

  /** Writes the members into the scratch list, ascending; returns how many there are. */
  list(scratch: Scratch): number {
    this.fill(scratch.side, 0);
    return listBits(scratch.side, 0, scratch.list);
  }

  /** Clears the bits of everything that is not a member. */
  intersect(bits: Uint32Array, base: number, scratch: Scratch): void {
    const { side } = scratch;
    this.fill(side, 0);
    for (let word = 0; word < CHUNK_WORDS; word += 1) bits[base + word]! &= side[word]!;
  }
}

/** Matches records that have any of some terms. */
export class TermsMatcher extends Matcher {
  readonly total: number;
  private readonly segment: Segment;
  private readonly terms: readonly number[];

  constructor(segment: Segment, terms: readonly number[]) {
    super();
    this.segment = segment;
    this.terms = terms;
    const sum = terms.reduce((total, term) => total + segment.countTerm(term), 0);
    this.total = Math.min(sum, segment.records);
  }

  private place(term: number, ordinal = this.start): number {
    return term * this.segment.chunks + (ordinal >>> CHUNK_BITS);
  }

  enter(chunk: number): number {
    this.start = chunk * CHUNK_SIZE;
    const { counts } = this.segment.postings;
    let sum = 0;
    for (const term of this.terms) sum += counts[this.place(term)]!;
    return sum;
  }

  override list(scratch: Scratch): number {
    const [term] = this.terms;
    const { counts, starts, members } = this.segment.postings;
    const place = this.place(term!);
    const count = counts[place]!;
    if (this.terms.length > 1 || count > ARRAY_MAX) return super.list(scratch);
    scratch.list.set(members.subarray(starts[place], starts[place]! + count));
    return count;
  }

  fill(bits: Uint32Array, base: number): void {
    const { counts, starts, members } = this.segment.postings;
    let isFilled = false;
    for (const term of this.terms) {
      const place = this.place(term);
      if (counts[place]! <= ARRAY_MAX) continue;
      this.addBitmap(bits, base, starts[place]! >> 1, isFilled);
      isFilled = true;
    }
    if (!isFilled) bits.fill(0, base, base + CHUNK_WORDS);
    for (const term of this.terms) {
      const place = this.place(term);
      const count = counts[place]!;
      if (count > ARRAY_MAX) continue;
      const from = starts[place]!;
      for (let at = from; at < from + count; at += 1) setBit(bits, base, members[at]!);
    }
  }

  private addBitmap(bits: Uint32Array, base: number, from: number, isFilled: boolean): void {
    const { memberWords } = this.segment;
    if (isFilled) for (let word = 0; word < CHUNK_WORDS; word += 1) bits[base + word]! |= memberWords[from + word]!;
    else bits.set(memberWords.subarray(from, from + CHUNK_WORDS), base);
  }

  override intersect(bits: Uint32Array, base: number, scratch: Scratch): void {
    const { counts, starts } = this.segment.postings;
    const place = this.place(this.terms[0]!);
    if (this.terms.length > 1 || counts[place]! <= ARRAY_MAX) {
      super.intersect(bits, base, scratch);
      return;
    }
    const { memberWords } = this.segment;
    const from = starts[place]! >> 1;
    for (let word = 0; word < CHUNK_WORDS; word += 1) bits[base + word]! &= memberWords[from + word]!;
  }

  has(ordinal: number): boolean {
    const { counts, starts, members } = this.segment.postings;
    const member = ordinal & (CHUNK_SIZE - 1);
    for (const term of this.terms) {
      const place = this.place(term, ordinal);
      const from = starts[place]!;
      const count = counts[place]!;
      if (count > ARRAY_MAX) {
        if (hasBit(this.segment.memberWords, from >> 1, member)) return true;
      } else {
        const found = lowerBound(members, member, from, from + count);
        if (found < from + count && members[found] === member) return true;
      }
    }
    return false;
  }
}

/** Matches records by the date in a column. */
export class ColumnMatcher extends Matcher {
  readonly total: number;
  private readonly column: ColumnSections;
  private readonly from: number;
  private readonly to: number;
  private end = 0;
  private low = 0;
  private high = 0;

  /** Matches day numbers [from, to). */
  constructor(column: ColumnSections, from: number, to: number) {
    super();
    this.column = column;
    this.from = from;
    this.to = to;
    this.total = column.numbers.length;
  }

  enter(chunk: number): number {
    this.start = chunk * CHUNK_SIZE;
    this.end = Math.min(this.column.numbers.length, this.start + CHUNK_SIZE);
    this.low = this.findNumber(this.from, this.start);
    this.high = this.findNumber(this.to, this.low);
    return this.high - this.low;
  }

  /** The first place from `from` on, in the sorted chunk, whose day number is at least `number`. */
  private findNumber(number: number, from: number): number {
    const { numbers, sorted } = this.column;
    let low = from;
    let high = this.end;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (numbers[this.start + sorted[middle]!]! < number) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  fill(bits: Uint32Array, base: number): void {
    const { sorted } = this.column;
    bits.fill(0, base, base + CHUNK_WORDS);
    for (let at = this.low; at < this.high; at += 1) setBit(bits, base, sorted[at]!);
  }

  override intersect(bits: Uint32Array, base: number, scratch: Scratch): void {
    // Takes the smaller side: sets the bits of the members, or clears those of all others.
    if ((this.high - this.low) * 2 <= this.end - this.start) {
      super.intersect(bits, base, scratch);
      return;
    }
    this.clear(bits, base, this.start, this.low);
    this.clear(bits, base, this.high, this.end);
  }

  private clear(bits: Uint32Array, base: number, from: number, to: number): void {
    const { sorted } = this.column;
    for (let at = from; at < to; at += 1) bits[base + (sorted[at]! >> 5)]! &= ~(1 << (sorted[at]! & 31));
  }

  has(ordinal: number): boolean {
    const number = this.column.numbers[ordinal]!;
    return number >= this.from && number < this.to;
  }
}

/** A bit for every record of a segment, and the number of bits set in each chunk. */
export interface SegmentBits {
  readonly words: Uint32Array;
  readonly counts: Uint32Array;
}

/** Bitmaps kept for the next search, more than most searches need; each takes 2 MB at most (`SEGMENT_RECORDS_MAX`). */
const KEPT_BITMAPS_MAX = 8;

/** The working memory of a search thread. Its searches use it one after the other. */
export class Scratch {
  /** Members of one chunk, ascending. */
  readonly list = new Uint16Array(CHUNK_SIZE);
  /** Two bitmaps of one chunk. */
  readonly bits = new Uint32Array(CHUNK_WORDS);
  readonly side = new Uint32Array(CHUNK_WORDS);
  private readonly kept: SegmentBits[] = [];
  private lent = 0;

  /** A bitmap of a segment, not cleared; valid until `takeBack`. */
  lendBits(chunks: number): SegmentBits {
    const index = this.lent;
    this.lent += 1;
    const kept = this.kept[index];
    if (kept !== undefined && kept.counts.length >= chunks) return kept;
    const bits = { words: new Uint32Array(chunks * CHUNK_WORDS), counts: new Uint32Array(chunks) };
    if (index < KEPT_BITMAPS_MAX) this.kept[index] = bits;
    return bits;
  }

  /** Makes every lent bitmap available again. */
  takeBack(): void {
    this.lent = 0;
  }
}

/** Why a search ended without an answer. */
export class SearchInterrupted extends Error {
  readonly reason: 'cancelled' | 'timed_out';

  constructor(reason: 'cancelled' | 'timed_out') {
    super(`the search was ${reason === 'cancelled' ? 'cancelled' : 'out of time'}`);
    this.reason = reason;
  }
}

/** A search that may only do so much work would do more. One object, because to note where it was thrown takes long. */
export class TooMuchWork extends Error {}
const TOO_MUCH_WORK = new TooMuchWork();

/** Ends a search that is cancelled or out of time. Searches check for it every few milliseconds. */
export interface Interruption {
  /**
   * `micros`: about what the work up to the next check takes, for searches that may only do so much of it.
   *
   * @throws SearchInterrupted, TooMuchWork
   */
  check(micros?: number): void;
}

/** `isCancelled()` may be called some thousand times a second. */
export function limitSearch(
  clock: Pick<Clock, 'monotonicMs'>,
  budgetMs: number,
  isCancelled: () => boolean,
): Interruption {
  const deadlineMs = clock.monotonicMs() + budgetMs;
  return {
    check: () => {
      if (isCancelled()) throw new SearchInterrupted('cancelled');
      if (clock.monotonicMs() > deadlineMs) throw new SearchInterrupted('timed_out');
    },
  };
}

/** Ends a search before it does more than this much work, in microseconds as it is estimated, not as it passes. */
export function limitWork(microsMax: number): Interruption {
  let left = microsMax;
  return {
    check: (micros = 0) => {
      left -= micros;
      if (left < 0) throw TOO_MUCH_WORK;
    },
  };
}

export const NEVER_INTERRUPTED: Interruption = { check: () => {} };
