/**
 * How much a search will touch, known before it begins: dictionaries and postings tell how many records satisfy each
 * condition. It decides nothing; who asks compares the answer with a bound. What cannot be known is told as endless.
 */
import type { Condition, SearchQuery } from '../plan/search.ts';
import { findPlaces, isOrderDate } from './dates.ts';
import { findBeginning, findWhole, type TextRange } from './dictionary.ts';
import { microsOf } from './instants.ts';
import { CHECKED_MAX } from './match.ts';
import { CHUNK_SIZE } from './postings.ts';
import type { Segment } from './segment.ts';
import type { View } from './view.ts';

/** Microseconds on a processor of 2.5 GHz with cold caches, as `bench/results/near-searches.md` measured them. */
const MEMBER_US = 0.1;
const CHUNK_US = 0.1;
const BISECTION_US = 2;
/** A chunk whose matches are bits, for each condition, its members listed. */
const DENSE_CHUNK_US = 50;

/** At most about this many microseconds of work; Infinity if only the search itself can tell. */
export function estimateWork(view: View, query: SearchQuery): number {
  let micros = 0;
  for (const { segment } of view.parts) micros += estimateIn(segment, query);
  return micros;
}

function estimateIn(segment: Segment, query: SearchQuery): number {
  const { conditions } = query;
  let fewest = segment.records;
  let micros = 0;
  for (const condition of conditions) {
    const members = countMembers(segment, condition);
    micros += BISECTION_US;
    if (members === 0) return micros;
    fewest = Math.min(fewest, members);
  }
  micros += segment.chunks * conditions.length * CHUNK_US;
  // Few enough to be checked one by one, wherever they are.
  if (fewest <= CHECKED_MAX) return micros + fewest * conditions.length * MEMBER_US;
  return micros + countDenseChunks(segment, query, fewest) * DENSE_CHUNK_US;
}

/** A page of one condition in the order of changes ends as soon as it is full. */
function countDenseChunks(
  segment: Segment,
  { conditions, sort, countMax, limit }: SearchQuery,
  members: number,
): number {
  const isRead = conditions.length === 1 && conditions[0]!.kind === 'terms' && sort === 'updated_at' && countMax === 0;
  return isRead ? Math.ceil(((limit + 1) * segment.records) / members / CHUNK_SIZE) : Number.POSITIVE_INFINITY;
}

/** How many records of a segment satisfy a condition, at most. Infinity if that takes a search. */
function countMembers(segment: Segment, condition: Condition): number {
  switch (condition.kind) {
    case 'terms': {
      const terms = condition.values.map((value) => segment.findTerm(condition.field, value));
      return terms.reduce((sum: number, term) => sum + (term === null ? 0 : segment.countTerm(term)), 0);
    }
    case 'number':
      return countOrdinals(segment.numbers[condition.field], findWhole, condition.number);
    case 'name': {
      if (condition.match === 'part') return Number.POSITIVE_INFINITY;
      const find = condition.match === 'whole' ? findWhole : findBeginning;
      return countOrdinals(segment.names[condition.family], find, condition.text);
    }
    case 'numbers':
    case 'names':
      return Number.POSITIVE_INFINITY;
    case 'dates': {
      if (!isOrderDate(condition.field)) return segment.records;
      const { from, to } = findPlaces(segment.orders[condition.field], condition.from, condition.to);
      return to - from;
    }
    case 'changes': {
      const from = condition.from === null ? 0 : segment.findStamp(microsOf(condition.from));
      const to = condition.to === null ? segment.records : segment.findStamp(microsOf(condition.to));
      return Math.max(0, to - from);
    }
  }
}

function countOrdinals<Dictionary extends { readonly ordinalStarts: Uint32Array }>(
  dictionary: Dictionary,
  find: (dictionary: Dictionary, text: string) => TextRange,
  text: string,
): number {
  const { from, to } = find(dictionary, text);
  return dictionary.ordinalStarts[to]! - dictionary.ordinalStarts[from]!;
}
