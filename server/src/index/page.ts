/**
 * The first matches of a segment in the order of a search. In the order of changes, they are read off the chunks. In
 * the order of a date, there are two methods: walking the order and checking whether each record matches, or looking up
 * the place of every match and keeping the best. The number of matches decides which takes fewer steps. Where matches
 * may be many, a short walk comes first in either order: it often fills the page and costs less than finding them all.
 */
import type { CursorKey } from '../plan/search.ts';
import { lowerBound } from './arrays.ts';
import { dayOf, type OrderSections } from './dates.ts';
import { AS_BITS, CHECKED_MAX, type SegmentMatches } from './match.ts';
import type { SearchTools } from './matchers.ts';
import { CHUNK_BITS, CHUNK_SIZE, CHUNK_WORDS, countBits, hasBit, listBits } from './postings.ts';
import type { Segment } from './segment.ts';

export interface SegmentPage {
  /** In the order of the search. */
  readonly ordinals: readonly number[];
  /** The number of matches, exact at least up to `countMax`. */
  readonly count: number;
}

export interface PageWanted {
  readonly isDescending: boolean;
  /** How many matches to find. */
  readonly needed: number;
  /** Up to which number to count matches; 0 = not at all. */
  readonly countMax: number;
}

/** In the order of changes. A page begins at ordinal `after`, or, descending, just before it; null = no cursor. */
export function findByChange(
  matches: SegmentMatches,
  { isDescending, needed, countMax }: PageWanted,
  after: number | null,
  tools: SearchTools,
): SegmentPage {
  const { list, bits } = tools.scratch;
  const { chunks, ordinals } = matches;
  const from = after === null || isDescending ? ordinals.from : Math.max(ordinals.from, after);
  const to = after === null || !isDescending ? ordinals.to : Math.min(ordinals.to, after);
  const isCounting = countMax > 0;
  if (!isCounting) {
    const ordinalAt = (position: number): number => (isDescending ? to - 1 - position : from + position);
    const found = walkShortly(matches, ordinalAt, { from: 0, to: to - from }, needed, tools);
    if (found !== null) return { ordinals: found, count: 0 };
  }
  const first = isCounting ? chunks.from : from >>> CHUNK_BITS;
  const last = isCounting ? chunks.to : Math.ceil(to / CHUNK_SIZE);
  const found: number[] = [];
  let count = 0;
  for (let step = 0; step < last - first; step += 1) {
    if (found.length >= needed && count >= countMax) break;
    const chunk = isDescending ? last - 1 - step : first + step;
    const size = matches.evaluate(chunk, bits, 0);
    if (size === AS_BITS) tools.interruption.check(DENSE_CHUNK_US * matches.matchers.length);
    if (isCounting) count += size === AS_BITS ? countBits(bits, 0) : size;
    if (found.length >= needed || size === 0) continue;
    const members = size === AS_BITS ? listBits(bits, 0, list) : size;
    for (let at = 0; at < members && found.length < needed; at += 1) {
      const ordinal = chunk * CHUNK_SIZE + list[isDescending ? members - 1 - at : at]!;
      if (ordinal >= from && ordinal < to) found.push(ordinal);
    }
  }
  return { ordinals: found, count };
}

/** The records of a segment sorted by a date in either direction; those without the date come last (rule I-16). */
export class WantedOrder {
  readonly length: number;
  private readonly order: OrderSections;
  private readonly isDescending: boolean;
  private readonly undated: number;

  constructor(order: OrderSections, isDescending: boolean) {
    this.order = order;
    this.isDescending = isDescending;
    this.length = order.sorted.length;
    // Records without the date have day number 0.
    this.undated = order.starts[1]!;
  }

  /** The position, in the wanted direction, of the record at a place of the order. */
  positionOf(place: number): number {
    if (this.isDescending) return this.length - 1 - place;
    return place < this.undated ? this.length - this.undated + place : place - this.undated;
  }

  ordinalAt(position: number): number {
    const { sorted } = this.order;
    if (this.isDescending) return sorted[this.length - 1 - position]!;
    const dated = this.length - this.undated;
    return sorted[position < dated ? position + this.undated : position - dated]!;
  }

  /** The positions of the dated records at places [from, to). */
  positionsOf(from: number, to: number): { from: number; to: number } {
    if (this.isDescending) return { from: this.length - to, to: this.length - from };
    return { from: from - this.undated, to: to - this.undated };
  }

  /** The first position after a record, which may no longer be in the segment. */
  findPositionAfter(segment: Segment, { value, ...key }: CursorKey): number {
    const { days, starts, sorted } = this.order;
    // Day number 0 belongs to the records without a date, so its index is -1.
    const index = value === null ? -1 : lowerBound(days, dayOf(value));
    const hasRecords = value === null || days[index] === dayOf(value);
    const from = starts[index + 1]!;
    const place = hasRecords ? segment.findKey(sorted, from, starts[index + 2]!, key, this.isDescending) : from;
    if (this.isDescending) return this.length - place;
    return value === null ? this.length - this.undated + place : place - this.undated;
  }

  positionOfOrdinal(ordinal: number): number {
    return this.positionOf(this.order.places[ordinal]!);
  }
}

/** In the order of a date, among the records at `positions` [from, to). */
export function findByDate(
  matches: SegmentMatches,
  order: WantedOrder,
  positions: Stretch,
  wanted: PageWanted,
  tools: SearchTools,
): SegmentPage {
  const { needed, countMax } = wanted;
  const { length } = order;
  if (matches.isWhole) return { ordinals: takePositions(order, positions, needed), count: length };
  if (!isWalkShorter(matches.upperBound, needed, length)) return collect(matches, order, positions, needed, tools);
  if (countMax === 0) {
    const found = walkShortly(matches, (position) => order.ordinalAt(position), positions, needed, tools);
    if (found !== null) return { ordinals: found, count: 0 };
  }
  const { chunks } = matches.part.segment;
  tools.interruption.check(chunks * DENSE_CHUNK_US * matches.matchers.length);
  const { words, counts } = tools.scratch.lendBits(chunks);
  const count = fillBits(matches, words, counts, tools);
  if (isWalkShorter(count, needed, length)) {
    const found = walk(words, order, positions, needed, count, tools);
    if (found !== null) return { ordinals: found, count };
  }
  const best = new BestPositions(needed, positions);
  for (let chunk = 0; chunk < chunks; chunk += 1) {
    if (counts[chunk] === 0) continue;
    tools.interruption.check(counts[chunk]! * POSITION_US);
    const size = listBits(words, chunk * CHUNK_WORDS, tools.scratch.list);
    for (let at = 0; at < size; at += 1) {
      best.offer(order.positionOfOrdinal(chunk * CHUNK_SIZE + tools.scratch.list[at]!));
    }
  }
  return { ordinals: best.finish(order), count };
}

function takePositions(order: WantedOrder, { from, to }: { from: number; to: number }, needed: number): number[] {
  const end = Math.min(to, from + needed);
  return Array.from({ length: Math.max(0, end - from) }, (_, index) => order.ordinalAt(from + index));
}

/** Looks up the position of each match as it is found. */
function collect(
  matches: SegmentMatches,
  order: WantedOrder,
  positions: Stretch,
  needed: number,
  { scratch, interruption }: SearchTools,
): SegmentPage {
  const best = new BestPositions(needed, positions);
  let count = 0;
  for (let chunk = matches.chunks.from; chunk < matches.chunks.to; chunk += 1) {
    const found = matches.evaluate(chunk, scratch.bits, 0);
    if (found === AS_BITS) interruption.check(DENSE_CHUNK_US * matches.matchers.length);
    const size = found === AS_BITS ? listBits(scratch.bits, 0, scratch.list) : found;
    count += size;
    interruption.check(size * POSITION_US);
    for (let at = 0; at < size; at += 1) best.offer(order.positionOfOrdinal(chunk * CHUNK_SIZE + scratch.list[at]!));
  }
  return { ordinals: best.finish(order), count };
}

/** Stores every match as a bit; returns the number of matches. */
export function fillBits(
  matches: SegmentMatches,
  words: Uint32Array,
  counts: Uint32Array,
  { scratch: { list } }: SearchTools,
): number {
  let count = 0;
  for (let chunk = 0; chunk < matches.part.segment.chunks; chunk += 1) {
    const base = chunk * CHUNK_WORDS;
    const isWithin = chunk >= matches.chunks.from && chunk < matches.chunks.to;
    const size = isWithin ? matches.evaluate(chunk, words, base) : 0;
    if (size === AS_BITS) counts[chunk] = countBits(words, base);
    else {
      words.fill(0, base, base + CHUNK_WORDS);
      for (let at = 0; at < size; at += 1) words[base + (list[at]! >> 5)]! |= 1 << (list[at]! & 31);
      counts[chunk] = size;
    }
    count += counts[chunk]!;
  }
  return count;
}

/** A walk finds a match every `length / matches` steps on average; collecting takes `matches` steps. */
function isWalkShorter(matches: number, needed: number, length: number): boolean {
  return matches * matches > needed * length;
}

/** Microseconds that bits of a chunk take for each condition, with members listed and room for cold caches. */
export const DENSE_CHUNK_US = 50;

/** Microseconds that it takes to look up the place of a match, with room for cold caches. */
export const POSITION_US = 0.02;

/** Microseconds that a step of a walk takes for each condition, with room for cold caches. */
export const WALK_STEP_US = 0.08;

/** A short walk takes at most this many steps for each match that the page needs, and this share of all. */
const STEPS_PER_MATCH_MAX = 32;
const WALKED_SHARE = 1 / 64;
/** Steps between two looks at whether the walk fills the page in time. */
export const STEPS_AT_ONCE = 64;

/** The most steps of a walk that comes before any other method. */
export function shortWalk(needed: number, length: number): number {
  return Math.min(needed * STEPS_PER_MATCH_MAX, Math.floor(length * WALKED_SHARE));
}

interface Stretch {
  readonly from: number;
  readonly to: number;
}

/**
 * A walk that asks every condition about each record. Null as soon as matches come too seldom to fill the page within a
 * short walk: how they lie in this order is unknown before.
 */
function walkShortly(
  matches: SegmentMatches,
  ordinalAt: (position: number) => number,
  { from, to }: Stretch,
  needed: number,
  { interruption }: SearchTools,
): number[] | null {
  if (matches.upperBound <= CHECKED_MAX) return null;
  const stepsMax = shortWalk(needed, matches.part.segment.records);
  const found: number[] = [];
  let steps = 0;
  for (let end = from; end < to && found.length < needed; ) {
    if (steps > 0 && needed * steps > stepsMax * found.length) return null;
    interruption.check(STEPS_AT_ONCE * WALK_STEP_US * matches.matchers.length);
    end = Math.min(to, end + STEPS_AT_ONCE);
    for (; from + steps < end && found.length < needed; steps += 1) {
      const ordinal = ordinalAt(from + steps);
      if (matches.has(ordinal)) found.push(ordinal);
    }
  }
  return found;
}

/** Null if `stepsMax` steps do not fill the page: collecting the matches then costs no more than the walk so far. */
function walk(
  words: Uint32Array,
  order: WantedOrder,
  { from, to }: Stretch,
  needed: number,
  stepsMax: number,
  { interruption }: SearchTools,
): number[] | null {
  const found: number[] = [];
  const end = Math.min(to, from + stepsMax);
  let position = from;
  for (; position < end && found.length < needed; position += 1) {
    if (position % CHUNK_SIZE === 0) interruption.check();
    const ordinal = order.ordinalAt(position);
    if (hasBit(words, 0, ordinal)) found.push(ordinal);
  }
  return found.length >= needed || position === to ? found : null;
}

/** Positions kept before they are sorted and cut: eight times the largest page, so that cuts are rare but cheap. */
const KEPT_MAX = 4_096;

/** Keeps the lowest of the positions it is offered. */
class BestPositions {
  private readonly kept = new Float64Array(KEPT_MAX);
  private readonly needed: number;
  private readonly from: number;
  private size = 0;
  /** Positions at or above this cannot be among the lowest. */
  private limit: number;

  constructor(needed: number, positions: { readonly from: number; readonly to: number }) {
    this.needed = needed;
    this.from = positions.from;
    this.limit = positions.to;
  }

  offer(position: number): void {
    if (position < this.from || position >= this.limit) return;
    this.kept[this.size++] = position;
    if (this.size === KEPT_MAX) this.cut();
  }

  private cut(): void {
    this.kept.subarray(0, this.size).sort();
    this.size = Math.min(this.size, this.needed);
    if (this.size === this.needed) this.limit = this.kept[this.size - 1]!;
  }

  finish(order: WantedOrder): number[] {
    this.cut();
    return Array.from(this.kept.subarray(0, this.size), (position) => order.ordinalAt(position));
  }
}
