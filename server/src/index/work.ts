/**
 * How much a search will touch, known before it begins: dictionaries and postings show how many records satisfy each
 * condition. It decides nothing: the caller compares the answer with a bound. Infinity stands for what cannot be known.
 */
import type { Condition, SearchQuery } from '../plan/search.ts';
import { findPlaces, isOrderDate } from './dates.ts';
import { findBeginning, findWhole, type TextRange } from './dictionary.ts';
import { microsOf } from './instants.ts';
import { CHECKED_MAX, GATHERED_SHARE } from './match.ts';
import { CHUNK_SIZE } from './postings.ts';
import type { Segment } from './segment.ts';
import type { View } from './view.ts';

/** Microseconds, with room for cold caches: a record checked, or put into a list; a chunk entered; a text found. */
const MEMBER_US = 0.1;
const GATHERED_US = 0.02;
const CHUNK_US = 0.1;
const BISECTION_US = 2;
/** A chunk whose matches are bits, with its members listed, for each condition. */
const DENSE_CHUNK_US = 50;

/** What is known about a condition in a segment. */
interface Reach {
  /** At most this many records satisfy it. */
  readonly members: number;
  /** This many of them are put into a list before the first one is checked. */
  readonly gathered: number;
}

/** Only a search can find out. */
const UNKNOWN: Reach = { members: Number.POSITIVE_INFINITY, gathered: Number.POSITIVE_INFINITY };

/** At most about this many microseconds of work; Infinity if only the search itself can find out. */
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
    const { members, gathered } = reachOf(segment, condition);
    micros += BISECTION_US + gathered * GATHERED_US;
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

function reachOf(segment: Segment, condition: Condition): Reach {
  switch (condition.kind) {
    case 'terms': {
      const terms = condition.values.map((value) => segment.findTerm(condition.field, value));
      const members = terms.reduce((sum: number, term) => sum + (term === null ? 0 : segment.countTerm(term)), 0);
      return { members, gathered: 0 };
    }
    case 'number': {
      const dictionary = segment.numbers[condition.field];
      const texts = [condition.number, ...(condition.spelled ?? []).map(({ number }) => number)];
      const reaches = texts.map((text) => reachOfTexts(dictionary, findWhole, text).members);
      const members = reaches.reduce((sum, each) => sum + each, 0);
      return { members, gathered: members };
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
      if (!isOrderDate(condition.field)) return { members: segment.records, gathered: 0 };
      const { from, to } = findPlaces(segment.orders[condition.field], condition.from, condition.to);
      const members = to - from;
      return { members, gathered: members > segment.records * GATHERED_SHARE ? 0 : members };
    }
    case 'changes': {
      const from = condition.from === null ? 0 : segment.findStamp(microsOf(condition.from));
      const to = condition.to === null ? segment.records : segment.findStamp(microsOf(condition.to));
      return { members: Math.max(0, to - from), gathered: 0 };
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
  return { members, gathered: members };
}
