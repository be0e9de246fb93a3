/**
 * What a record satisfies that a watch matches now, as conditions of the index. The names that are like a mark are
 * found by the search for likeness and become a condition; it lists at most the nearest names of each strategy.
 */
import type { SearchIndex } from '../follow/live-index.ts';
import type { SearchLimits } from '../follow/search-pool.ts';
import { WatchedMarks } from '../likeness/watched-marks.ts';
import { checkDeclared, splitQuery } from '../parse/query.ts';
import { parseSearch } from '../parse/search.ts';
import { type Condition, planSearch } from '../plan/search.ts';
import { planMark, planNames, planOwners, type WatchedMark, type WatchPlan } from '../plan/watches.ts';

export type MatchedSubject = Exclude<WatchPlan['subject'], { kind: 'records' }>;

/** Records of names that are read: more names than that are not near. */
const NAMES_RECORDS_MAX = 10_000;

/** @throws ApiError `query_timeout`, `unavailable`. */
export async function findConditions(
  index: Pick<SearchIndex, 'findAlike'>,
  subject: MatchedSubject,
  limits: SearchLimits,
): Promise<readonly Condition[]> {
  switch (subject.kind) {
    case 'owners':
      return planOwners(subject.owners);
    case 'search':
      return readSearch(subject.search);
    case 'similar': {
      const watched = planMark(subject.search);
      const names = await findNames(index, watched, limits);
      return [planNames(names, watched.heldAs), ...watched.conditions];
    }
  }
}

/** Those of past events, and the mark that their names are compared with; null: of no watch for likeness. */
export function planPast(subject: MatchedSubject): readonly [readonly Condition[], WatchedMark | null] {
  switch (subject.kind) {
    case 'owners':
      return [planOwners(subject.owners), null];
    case 'search':
      return [readSearch(subject.search), null];
    case 'similar': {
      const watched = planMark(subject.search);
      return [watched.conditions, watched];
    }
  }
}

function readSearch(search: string): readonly Condition[] {
  return planSearch(parseSearch(checkDeclared('search', splitQuery(search)), null)).conditions;
}

async function findNames(
  index: Pick<SearchIndex, 'findAlike'>,
  { mark, strategies, heldAs }: WatchedMark,
  limits: SearchLimits,
): Promise<string[]> {
  const unbound = { conditions: [], classes: [], inClasses: [], recordsMax: NAMES_RECORDS_MAX };
  const search = { mark, strategies, heldAs, ...unbound };
  const { names } = await index.findAlike(search, limits);
  const marks = new WatchedMarks();
  marks.put(mark, mark, strategies);
  return (marks.match(new Set(names.map(({ name }) => name))).get(mark) ?? []).map(({ name }) => name);
}
