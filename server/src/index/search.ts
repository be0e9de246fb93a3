/**
 * A search over a view: finds the exact matches of each segment, sorts the best of them together, and determines where
 * the next page begins. A position is a value, a register and a uid, so that it means the same in every process.
 */
import type { Instant } from '@tmds/contract/record';
import type { CursorKey, SearchQuery } from '../plan/search.ts';
import { lowerBound } from './arrays.ts';
import { dateOf, dayAt, findPlaces, NO_DAY, type OrderDate } from './dates.ts';
import { instantOf, microsOf } from './instants.ts';
import type { Interruption } from './interruption.ts';
import { SegmentMatches } from './match.ts';
import type { SearchTools } from './matchers.ts';
import { findByChange, findByDate, type PageWanted, type SegmentPage, WantedOrder } from './page.ts';
import { compareValues, type Sign, takeFirst } from './runs.ts';
import type { Scratch } from './scratch.ts';
import { type Segment, splitKey } from './segment.ts';
import { compareTexts } from './texts.ts';
import type { View, ViewPart } from './view.ts';

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

/** @throws SearchInterrupted */
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
  const date = day === null ? null : dateOf(day);
  return { ...splitKey(segment.readKey(ordinal)), updated_at, value: sort === 'updated_at' ? updated_at : date };
}

/** Where the page after a record begins. */
function positionOf({ value, jurisdiction_code, uid }: FoundRecord): CursorKey {
  return { value, jurisdiction_code, uid };
}
