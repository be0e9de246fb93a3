/**
 * A search over a view: finds the exact matches of each segment, sorts the best of them together, and determines where
 * the next page begins; and how much work that will be. A position is a value, a register and a uid, so that it means
 * the same in every process.
 */
import type { Instant } from '@tmds/contract/record';
import { instantOf, microsOf } from '../base/clock.ts';
import type { Condition, CursorKey, SearchQuery } from '../plan/search.ts';
import { compareTexts, findBeginning, findWhole, lowerBound, type TextRange } from './arrays.ts';
import { dateOf, dayAt, findPlaces, isOrderDate, NO_DAY, type OrderDate } from './dates.ts';
import { CHECKED_MAX, GATHERED_SHARE, MEMBER_US, SegmentMatches } from './match.ts';
import { type Interruption, limitWork, type Scratch, type SearchTools, TooMuchWork } from './matchers.ts';
import {
  DENSE_CHUNK_US,
  findByChange,
  findByDate,
  type PageWanted,
  POSITION_US,
  type SegmentPage,
  STEPS_AT_ONCE,
  shortWalk,
  WALK_STEP_US,
  WantedOrder,
} from './page.ts';
import { CHUNK_SIZE } from './postings.ts';
import { type Segment, splitKey, type View, type ViewPart } from './segment.ts';

/** A record with its position in the order of the search. */
export interface FoundRecord extends CursorKey {
  /** The last change that the index knows. */
  readonly updated_at: Instant;
}

export interface Matches {
  /** The search saw every publish up to this stamp, in microseconds since 1970. */
  readonly stamp: number;
  /** In the order of the search. */
  readonly records: readonly FoundRecord[];
  /** The position of the last record if there are more matches; otherwise null. */
  readonly last: CursorKey | null;
  /** Exact up to the query's `countMax`; 0 if nothing was counted. */
  readonly count: number;
}

interface Candidate {
  readonly segment: Segment;
  readonly ordinal: number;
  /** By which it is sorted, as `dayOf` returns it; null for no date, and in the order of changes. */
  readonly day: number | null;
}

/** @throws SearchInterrupted, TooMuchWork */
export function searchView(view: View, query: SearchQuery, scratch: Scratch, interruption: Interruption): Matches {
  const tools = { scratch, interruption };
  const { candidates, count } =
    query.sort === 'updated_at' ? searchByChange(view, query, tools) : searchByDate(view, query, query.sort, tools);
  const records = candidates.slice(0, query.limit).map((candidate) => readRecord(candidate, query));
  const hasMore = candidates.length > query.limit;
  return {
    stamp: view.stamp,
    records,
    last: hasMore ? positionOf(records.at(-1)!) : null,
    count: query.countMax === 0 ? 0 : count,
  };
}

/** Null if the search would do more than this much work, in microseconds as it is estimated. */
export function searchWithin(view: View, query: SearchQuery, scratch: Scratch, microsMax: number): Matches | null {
  try {
    return searchView(view, query, scratch, limitWork(microsMax));
  } catch (error) {
    if (error instanceof TooMuchWork) return null;
    throw error;
  }
}

interface Found {
  readonly candidates: readonly Candidate[];
  readonly count: number;
}

function wantedOf({ order, limit, countMax }: SearchQuery): PageWanted {
  return { isDescending: order === 'desc', needed: limit + 1, countMax };
}

/** Segments are in the order of changes, so each one continues where the previous one ended. */
function searchByChange(view: View, query: SearchQuery, tools: SearchTools): Found {
  const wanted = wantedOf(query);
  const candidates: Candidate[] = [];
  let count = 0;
  for (const part of wanted.isDescending ? view.parts.toReversed() : view.parts) {
    const needed = wanted.needed - candidates.length;
    const countMax = Math.max(0, wanted.countMax - count);
    if (needed === 0 && countMax === 0) break;
    tools.scratch.takeBack();
    const matches = SegmentMatches.open(part, query.conditions, tools);
    if (matches === null) continue;
    const after = query.after === null ? null : findOrdinal(part.segment, query.after, wanted.isDescending);
    const page = findByChange(matches, { ...wanted, needed, countMax }, after, tools);
    count += page.count;
    candidates.push(...toCandidates(part, page, query.sort));
  }
  return { candidates, count };
}

function searchByDate(view: View, query: SearchQuery, sort: OrderDate, tools: SearchTools): Found {
  const wanted = wantedOf(query);
  const runs: Candidate[][] = [];
  let count = 0;
  for (const part of view.parts) {
    tools.scratch.takeBack();
    // A count needs every condition; without one, the interval of the sort date only limits the positions.
    const bound = wanted.countMax === 0 ? sort : null;
    const matches = SegmentMatches.open(part, query.conditions, tools, bound);
    if (matches === null) continue;
    const order = new WantedOrder(part.segment.orders[sort], wanted.isDescending);
    const page = findByDate(matches, order, findPositions(part.segment, order, query, sort), wanted, tools);
    count += page.count;
    runs.push(toCandidates(part, page, sort));
  }
  const sign = wanted.isDescending ? -1 : 1;
  const compare = (one: Candidate, other: Candidate): number => compareDated(one, other, sign);
  return { candidates: runs.length > 1 ? takeFirst(runs, compare, wanted.needed) : runs.flat(), count };
}

function toCandidates({ segment }: ViewPart, { ordinals }: SegmentPage, sort: SearchQuery['sort']): Candidate[] {
  const dayOf = (ordinal: number): number | null =>
    sort === 'updated_at' ? null : dayOfRecord(segment, ordinal, sort);
  return ordinals.map((ordinal) => ({ segment, ordinal, day: dayOf(ordinal) }));
}

/** Null if it has no such date. */
function dayOfRecord(segment: Segment, ordinal: number, sort: OrderDate): number | null {
  const order = segment.orders[sort];
  const day = dayAt(order, order.places[ordinal]!);
  return day === NO_DAY ? null : day;
}

/** The positions that the cursor and the interval of the sort date allow. */
function findPositions(
  segment: Segment,
  order: WantedOrder,
  { conditions, after }: SearchQuery,
  sort: OrderDate,
): { from: number; to: number } {
  const sections = segment.orders[sort];
  const positions = { from: 0, to: order.length };
  for (const condition of conditions) {
    if (condition.kind !== 'dates' || condition.field !== sort) continue;
    const places = findPlaces(sections, condition.from, condition.to);
    const { from, to } = order.positionsOf(places.from, places.to);
    positions.from = Math.max(positions.from, from);
    positions.to = Math.min(positions.to, to);
  }
  if (after !== null) positions.from = Math.max(positions.from, order.findPositionAfter(segment, after));
  return positions;
}

/** The first ordinal after the position; with `isDescending`, the first at or after it. */
function findOrdinal(segment: Segment, after: CursorKey, isDescending: boolean): number {
  const micros = microsOf(after.value!);
  const index = lowerBound(segment.stamps, micros);
  const from = segment.stampStarts[index]!;
  if (segment.stamps[index] !== micros) return from;
  const to = segment.stampStarts[index + 1]!;
  return segment.findKey(null, from, to, after, isDescending);
}

function compareDated(one: Candidate, other: Candidate, sign: Sign): number {
  return (
    compareValues(one.day, other.day, sign) ||
    sign * compareTexts(one.segment.keys, one.ordinal, other.segment.keys, other.ordinal)
  );
}

function readRecord({ segment, ordinal, day }: Candidate, { sort }: SearchQuery): FoundRecord {
  const updated_at = instantOf(segment.stampOf(ordinal));
  const value = sort === 'updated_at' ? updated_at : day === null ? null : dateOf(day);
  // Written out, because merging two objects takes as long as finding them.
  const { jurisdiction_code, uid } = splitKey(segment.readKey(ordinal));
  return { jurisdiction_code, uid, updated_at, value };
}

/** Where the page after a record begins. */
function positionOf({ value, jurisdiction_code, uid }: FoundRecord): CursorKey {
  return { value, jurisdiction_code, uid };
}

/** Microseconds, with room for cold caches: a record put into a list; a chunk entered; a text found. */
const GATHERED_US = 0.02;
const CHUNK_US = 0.1;
const BISECTION_US = 2;

/** What is known about a condition in a segment. */
interface Reach {
  /** At most this many records satisfy it. */
  readonly members: number;
  /** About this many do; 0 if nobody knows. */
  readonly likely: number;
  /** This many of them are put into a list before the first one is checked. */
  readonly gathered: number;
}

/** Only a search can find out. */
const UNKNOWN: Reach = { members: Number.POSITIVE_INFINITY, likely: 0, gathered: Number.POSITIVE_INFINITY };

/**
 * How much a search will touch, before it begins: dictionaries and postings show how many records satisfy each
 * condition. In microseconds of work; Infinity if only the search itself can find out. Where the matches are many, it
 * assumes that one condition says nothing about another; a search that may only do so much work is limited (`limitWork`).
 */
export function estimateWork(view: View, query: SearchQuery): number {
  let micros = 0;
  for (const { segment } of view.parts) micros += estimateIn(segment, query);
  return micros;
}

function estimateIn(segment: Segment, query: SearchQuery): number {
  const { conditions, sort } = query;
  let fewest = segment.records;
  let likely = segment.records;
  let micros = 0;
  for (const condition of conditions) {
    const reach = reachOf(segment, condition);
    micros += BISECTION_US + reach.gathered * GATHERED_US;
    if (reach.members === 0) return micros;
    fewest = Math.min(fewest, reach.members);
    // The page begins within the interval of the date that it is sorted by.
    const isBound = condition.kind === 'dates' && condition.field === sort;
    if (!isBound) likely *= Math.min(1, reach.likely / segment.records);
  }
  micros += segment.chunks * conditions.length * CHUNK_US;
  // Few enough to be checked one by one, wherever they are.
  if (fewest <= CHECKED_MAX) return micros + fewest * conditions.length * MEMBER_US;
  return micros + estimatePage(segment, query, { fewest, likely });
}

/** A page of many matches is often full after a short walk; without a count, not all of them have to be found. */
function estimatePage(
  { records, chunks }: Segment,
  { conditions, sort, countMax, limit }: SearchQuery,
  { fewest, likely }: { readonly fewest: number; readonly likely: number },
): number {
  const needed = limit + 1;
  const chunkMicros = conditions.length * DENSE_CHUNK_US;
  const isDated = sort !== 'updated_at';
  const all = chunks * chunkMicros + (isDated ? fewest * POSITION_US : 0);
  if (countMax > 0 || likely === 0) return all;
  const steps = (needed * records) / likely;
  const stepMicros = conditions.length * WALK_STEP_US;
  if (steps <= shortWalk(needed, records)) return steps * stepMicros;
  // A walk among matches that come too seldom ends soon.
  const tried = STEPS_AT_ONCE * stepMicros;
  return isDated ? tried + all : tried + Math.min(chunks, Math.ceil(steps / CHUNK_SIZE)) * chunkMicros;
}

function reachOf(segment: Segment, condition: Condition): Reach {
  switch (condition.kind) {
    case 'terms': {
      const terms = condition.values.map((value) => segment.findTerm(condition.field, value));
      const members = terms.reduce((sum: number, term) => sum + (term === null ? 0 : segment.countTerm(term)), 0);
      return { members, likely: members, gathered: 0 };
    }
    case 'number': {
      const dictionary = segment.numbers[condition.field];
      const texts = [condition.number, ...(condition.spelled ?? []).map(({ number }) => number)];
      const reaches = texts.map((text) => reachOfTexts(dictionary, findWhole, text).members);
      const members = reaches.reduce((sum, each) => sum + each, 0);
      return { members, likely: members, gathered: members };
    }
    case 'name': {
      if (condition.match === 'part') return UNKNOWN;
      const find = condition.match === 'whole' ? findWhole : findBeginning;
      return reachOfTexts(segment.names[condition.family], find, condition.text);
    }
    case 'numbers':
    case 'names':
    case 'held':
      return UNKNOWN;
    case 'dates': {
      if (!isOrderDate(condition.field)) return { members: segment.records, likely: 0, gathered: 0 };
      const { from, to } = findPlaces(segment.orders[condition.field], condition.from, condition.to);
      const members = to - from;
      return { members, likely: members, gathered: members > segment.records * GATHERED_SHARE ? 0 : members };
    }
    case 'changes': {
      const from = condition.from === null ? 0 : segment.findStamp(microsOf(condition.from));
      const to = condition.to === null ? segment.records : segment.findStamp(microsOf(condition.to));
      const members = Math.max(0, to - from);
      return { members, likely: members, gathered: 0 };
    }
  }
}

function reachOfTexts<Dictionary extends { readonly ordinalStarts: Uint32Array }>(
  dictionary: Dictionary,
  find: (dictionary: Dictionary, text: string) => TextRange,
  text: string,
): Reach {
  const { from, to } = find(dictionary, text);
  const members = dictionary.ordinalStarts[to]! - dictionary.ordinalStarts[from]!;
  return { members, likely: members, gathered: members };
}

/** 1 for ascending, -1 for descending. */
type Sign = 1 | -1;

/** Negative if `one` comes before `other`, 0 if equal. Null, for no value, comes last in both directions (I-16). */
function compareValues<Value extends number | string>(one: Value | null, other: Value | null, sign: Sign): number {
  if (one === other) return 0;
  if (one === null || other === null) return one === null ? 1 : -1;
  return one < other ? -sign : sign;
}

/** The first `needed` of all runs, each of which is in the order of `compare`; no two elements compare as equal. */
function takeFirst<Element>(
  runs: readonly (readonly Element[])[],
  compare: (one: Element, other: Element) => number,
  needed: number,
): Element[] {
  const taken: Element[] = [];
  const open = runs.filter(({ length }) => length > 0).map((run) => ({ run, at: 0 }));
  while (taken.length < needed && open.length > 0) {
    let first = open[0]!;
    for (const each of open) if (compare(each.run[each.at]!, first.run[first.at]!) < 0) first = each;
    taken.push(first.run[first.at]!);
    first.at += 1;
    if (first.at === first.run.length) open.splice(open.indexOf(first), 1);
  }
  return taken;
}
