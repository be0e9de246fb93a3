/**
 * The exact set of matches in one segment, a chunk at a time. In each chunk the condition with the fewest members
 * leads: if there are few, each is checked against the other conditions; otherwise whole bitmaps are intersected.
 */
import type { Sort } from '@tmds/contract/enums';
import { microsOf } from '../base/clock.ts';
import type { Condition } from '../plan/search.ts';
import { splitJoined } from '../record/aliases.ts';
import { type DictionarySections, findBeginning, findWhole, type TextRange } from './arrays.ts';
import { findDayNumbers, findPlaces, isOrderDate } from './dates.ts';
import type { NameFamily } from './entry.ts';
import { ColumnMatcher, type Matcher, type SearchTools, TermsMatcher } from './matchers.ts';
import { gatherOrdinals, PlacesMatcher } from './ordinals.ts';
import { CHUNK_SIZE, CHUNK_WORDS, hasBit } from './postings.ts';
import type { DeadRecords, Segment, ViewPart } from './segment.ts';

/**
 * Upper limit on members that are checked one by one. A check costs about as much as two words of a bitmap, and the
 * bitmap of a chunk has 2,048 words.
 */
export const CHECKED_MAX = 1_024;

/**
 * A date interval with at most this share of a segment's records is turned into bits, so that it can lead. For a longer
 * one, the date of each candidate is looked up.
 */
export const GATHERED_SHARE = 1 / 16;

/** Microseconds that a record takes that is checked, for each condition, with room for cold caches. */
export const MEMBER_US = 0.1;

/** Half-open. */
interface Range {
  from: number;
  to: number;
}

/** What `evaluate` returns if the matches are bits instead of a list. */
export const AS_BITS = -1;

export class SegmentMatches {
  readonly part: ViewPart;
  /** The ordinals that satisfy the conditions on change times. */
  readonly ordinals: Range;
  /** The segment has at most this many matches. */
  readonly upperBound: number;
  readonly matchers: readonly Matcher[];
  private readonly tools: SearchTools;

  /**
   * Null if no record of the segment can match. `boundElsewhere`: the date that the page is sorted by, if the caller
   * cuts the page to the interval of that date itself; a long interval is then not checked here again.
   */
  static open(
    part: ViewPart,
    conditions: readonly Condition[],
    tools: SearchTools,
    boundElsewhere: Sort | null = null,
  ): SegmentMatches | null {
    const matchers: Matcher[] = [];
    const ordinals = { from: 0, to: part.segment.records };
    for (const condition of conditions) {
      tools.interruption.check();
      if (condition.kind === 'changes') narrow(ordinals, part, condition);
      else {
        const matcher = openMatcher(part, condition, tools);
        if (matcher.total === 0) return null;
        const isBound = condition.kind === 'dates' && condition.field === boundElsewhere;
        if (isBound && matcher instanceof PlacesMatcher) continue;
        matchers.push(matcher);
      }
    }
    return ordinals.from < ordinals.to ? new SegmentMatches(part, matchers, ordinals, tools) : null;
  }

  private constructor(part: ViewPart, matchers: Matcher[], ordinals: Range, tools: SearchTools) {
    this.part = part;
    this.matchers = matchers.sort((one, other) => one.total - other.total);
    this.ordinals = ordinals;
    this.tools = tools;
    this.upperBound = Math.min(ordinals.to - ordinals.from, matchers[0]?.total ?? part.segment.records);
  }

  /** True if every record of the segment matches. */
  get isWhole(): boolean {
    const { segment, dead } = this.part;
    return this.matchers.length === 0 && this.upperBound === segment.records && (dead?.total ?? 0) === 0;
  }

  /** Chunks that may hold matches. */
  get chunks(): Range {
    return { from: Math.floor(this.ordinals.from / CHUNK_SIZE), to: Math.ceil(this.ordinals.to / CHUNK_SIZE) };
  }

  /**
   * Finds the matches of a chunk. Returns their number if they are in the list of the scratch memory, ascending, or
   * `AS_BITS` if they are bits of `bits` from word `base` on.
   */
  evaluate(chunk: number, bits: Uint32Array, base: number): number {
    this.tools.interruption.check();
    let leader: Matcher | null = null;
    let fewest = Number.POSITIVE_INFINITY;
    for (const matcher of this.matchers) {
      const members = matcher.enter(chunk);
      if (members === 0) return 0;
      if (members >= fewest) continue;
      fewest = members;
      leader = matcher;
    }
    if (leader !== null && fewest <= CHECKED_MAX) {
      this.tools.interruption.check(fewest * MEMBER_US * this.matchers.length);
      return this.checkEach(leader, chunk);
    }
    this.intersect(leader, chunk, bits, base);
    return AS_BITS;
  }

  /** Whether a record matches, without a look at others: for a few of them, anywhere in the segment. */
  has(ordinal: number): boolean {
    if (ordinal < this.ordinals.from || ordinal >= this.ordinals.to) return false;
    for (const matcher of this.matchers) if (!matcher.has(ordinal)) return false;
    const { dead } = this.part;
    return dead === null || !hasBit(dead.words, 0, ordinal);
  }

  private checkEach(leader: Matcher, chunk: number): number {
    const { scratch } = this.tools;
    const { list } = scratch;
    let size = leader.list(scratch);
    for (const matcher of this.matchers) {
      if (size === 0) return 0;
      if (matcher !== leader) size = matcher.filter(list, size);
    }
    const { from, to } = this.membersOf(chunk);
    const dead = this.deadIn(chunk);
    if (from === 0 && to === CHUNK_SIZE && dead === null) return size;
    let kept = 0;
    for (let at = 0; at < size; at += 1) {
      const member = list[at]!;
      if (member < from || member >= to) continue;
      if (dead === null || !hasBit(dead.words, chunk * CHUNK_WORDS, member)) list[kept++] = member;
    }
    return kept;
  }

  private intersect(leader: Matcher | null, chunk: number, bits: Uint32Array, base: number): void {
    if (leader === null) bits.fill(0xffffffff, base, base + CHUNK_WORDS);
    else leader.fill(bits, base);
    for (const matcher of this.matchers) if (matcher !== leader) matcher.intersect(bits, base, this.tools.scratch);
    const { from, to } = this.membersOf(chunk);
    if (from > 0) clearBits(bits, base, 0, from);
    if (to < CHUNK_SIZE) clearBits(bits, base, to, CHUNK_SIZE);
    const dead = this.deadIn(chunk);
    if (dead === null) return;
    const first = chunk * CHUNK_WORDS;
    for (let word = 0; word < CHUNK_WORDS; word += 1) bits[base + word]! &= ~dead.words[first + word]!;
  }

  /** The members of a chunk that satisfy the conditions on change times. */
  private membersOf(chunk: number): Range {
    const start = chunk * CHUNK_SIZE;
    return {
      from: Math.max(0, this.ordinals.from - start),
      to: Math.min(CHUNK_SIZE, this.ordinals.to - start),
    };
  }

  private deadIn(chunk: number): DeadRecords | null {
    const { dead } = this.part;
    return dead !== null && dead.counts[chunk]! > 0 ? dead : null;
  }
}

/** Clears the bits of members [from, to). */
function clearBits(bits: Uint32Array, base: number, from: number, to: number): void {
  const first = base + (from >> 5);
  const last = base + (to >> 5);
  const keptBelow = (1 << (from & 31)) - 1;
  const keptAbove = ~((1 << (to & 31)) - 1);
  if (first === last) {
    bits[first]! &= keptBelow | keptAbove;
    return;
  }
  bits[first]! &= keptBelow;
  bits.fill(0, first + 1, last);
  if ((to & 31) !== 0) bits[last]! &= keptAbove;
}

function narrow(ordinals: Range, { segment }: ViewPart, { from, to }: Condition & { kind: 'changes' }): void {
  if (from !== null) ordinals.from = Math.max(ordinals.from, segment.findStamp(microsOf(from)));
  if (to !== null) ordinals.to = Math.min(ordinals.to, segment.findStamp(microsOf(to)));
}

function openMatcher(part: ViewPart, condition: Exclude<Condition, { kind: 'changes' }>, tools: SearchTools): Matcher {
  const { segment } = part;
  switch (condition.kind) {
    case 'terms': {
      const terms = condition.values.map((value) => segment.findTerm(condition.field, value));
      return new TermsMatcher(
        segment,
        terms.filter((term) => term !== null),
      );
    }
    case 'number':
      return openNumber(part, condition, tools);
    case 'numbers':
      return openNumbers(part, condition, tools);
    case 'name':
      return openName(part, condition, tools);
    case 'names':
      return openNames(part, condition, tools);
    case 'held':
      return openHeld(part, condition, tools);
    case 'dates':
      return openDates(part, condition, tools);
  }
}

function gatherTexts(
  segment: Segment,
  tools: SearchTools,
  { ordinals, ordinalStarts }: DictionarySections,
  { from, to }: TextRange,
): Matcher {
  return gatherOrdinals(segment, tools, ordinals, Uint32Array.of(ordinalStarts[from]!, ordinalStarts[to]!));
}

function openNumber(
  { segment }: ViewPart,
  { field, number, spelled = [] }: Condition & { kind: 'number' },
  tools: SearchTools,
): Matcher {
  const dictionary = segment.numbers[field];
  const whole = findWhole(dictionary, number);
  if (spelled.length === 0) return gatherTexts(segment, tools, dictionary, whole);
  const found = [...listOrdinals(dictionary, whole)];
  for (const each of spelled) {
    tools.interruption.check();
    const term = segment.findTerm('jurisdiction', each.register);
    if (term === null) continue;
    const register = new TermsMatcher(segment, [term]);
    for (const ordinal of listOrdinals(dictionary, findWhole(dictionary, each.number))) {
      register.enter(Math.floor(ordinal / CHUNK_SIZE));
      tools.scratch.list[0] = ordinal % CHUNK_SIZE;
      if (register.filter(tools.scratch.list, 1) > 0) found.push(ordinal);
    }
  }
  return gatherOrdinals(segment, tools, Uint32Array.from(found), Uint32Array.of(0, found.length));
}

function listOrdinals({ ordinals, ordinalStarts }: DictionarySections, { from, to }: TextRange): Uint32Array {
  return ordinals.subarray(ordinalStarts[from]!, ordinalStarts[to]!);
}

function openNumbers(
  { segment }: ViewPart,
  { fields, numbers }: Condition & { kind: 'numbers' },
  tools: SearchTools,
): Matcher {
  const found: number[] = [];
  for (const field of fields) {
    const dictionary = segment.numbers[field];
    for (const number of numbers) {
      for (const ordinal of listOrdinals(dictionary, findWhole(dictionary, number))) found.push(ordinal);
    }
    tools.interruption.check();
  }
  return gatherOrdinals(segment, tools, Uint32Array.from(found), Uint32Array.of(0, found.length));
}

function openName(
  { segment }: ViewPart,
  { family, match, text }: Condition & { kind: 'name' },
  tools: SearchTools,
): Matcher {
  const dictionary = segment.names[family];
  if (match === 'whole') return gatherTexts(segment, tools, dictionary, findWhole(dictionary, text));
  if (match === 'beginning') return gatherTexts(segment, tools, dictionary, findBeginning(dictionary, text));
  const texts = segment.openTrigrams(family).find(text, () => tools.interruption.check());
  const bounds = new Uint32Array(texts.length * 2);
  for (let at = 0; at < texts.length; at += 1) {
    bounds[at * 2] = dictionary.ordinalStarts[texts[at]!]!;
    bounds[at * 2 + 1] = dictionary.ordinalStarts[texts[at]! + 1]!;
  }
  return gatherOrdinals(segment, tools, dictionary.ordinals, bounds);
}

function openNames(
  { segment }: ViewPart,
  { family, texts }: Condition & { kind: 'names' },
  tools: SearchTools,
): Matcher {
  const dictionary = segment.names[family];
  const bounds: number[] = [];
  const shared: number[] = [];
  const ordinalsOf = (name: string): Uint32Array => {
    const { from, to } = findWhole(dictionary, name);
    return dictionary.ordinals.subarray(dictionary.ordinalStarts[from]!, dictionary.ordinalStarts[to]!);
  };
  for (const text of texts) {
    const [first = text, ...others] = splitJoined(text);
    if (others.length > 0) {
      const sets = others.map((part) => new Set(ordinalsOf(part)));
      for (const ordinal of ordinalsOf(first)) if (sets.every((set) => set.has(ordinal))) shared.push(ordinal);
      tools.interruption.check();
    }
    const { from, to } = findWhole(dictionary, text);
    if (from < to) bounds.push(dictionary.ordinalStarts[from]!, dictionary.ordinalStarts[to]!);
  }
  if (shared.length === 0) return gatherOrdinals(segment, tools, dictionary.ordinals, Uint32Array.from(bounds));
  for (let at = 0; at < bounds.length; at += 2) {
    for (const ordinal of dictionary.ordinals.subarray(bounds[at]!, bounds[at + 1]!)) shared.push(ordinal);
  }
  return gatherOrdinals(segment, tools, Uint32Array.from(shared), Uint32Array.of(0, shared.length));
}

/** A text of the dictionary of `mark_name` is a variant of the records that the one of variants lists. */
function openHeld({ segment }: ViewPart, { heldAs, texts }: Condition & { kind: 'held' }, tools: SearchTools): Matcher {
  const [mark, variant, pseudo] = [heldAs.includes('mark'), heldAs.includes('variant'), heldAs.includes('pseudo_mark')];
  const ordinalsOf = (family: NameFamily, text: string): Uint32Array =>
    listOrdinals(segment.names[family], findWhole(segment.names[family], text));
  const found: number[] = [];
  for (const text of texts) {
    tools.interruption.check();
    const variants = mark === variant ? null : new Set(ordinalsOf('variant', text));
    for (const ordinal of mark || variant ? ordinalsOf('mark_name', text) : []) {
      if (variants === null || variants.has(ordinal) === variant) found.push(ordinal);
    }
    if (pseudo) for (const ordinal of ordinalsOf('pseudo_mark', text)) found.push(ordinal);
  }
  return gatherOrdinals(segment, tools, Uint32Array.from(found), Uint32Array.of(0, found.length));
}

function openDates(part: ViewPart, { field, from, to }: Condition & { kind: 'dates' }, tools: SearchTools): Matcher {
  const { segment } = part;
  if (!isOrderDate(field)) {
    const column = segment.columns[field as keyof typeof segment.columns];
    const numbers = findDayNumbers(column.days, from, to);
    return new ColumnMatcher(column, numbers.from, numbers.to);
  }
  const order = segment.orders[field];
  const places = findPlaces(order, from, to);
  if (places.to - places.from > segment.records * GATHERED_SHARE) {
    return new PlacesMatcher(order, places.from, places.to);
  }
  return gatherOrdinals(segment, tools, order.sorted, Uint32Array.of(places.from, places.to));
}
