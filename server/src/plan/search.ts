/**
 * From a `SearchRequest` to a `SearchPlan`: the conditions, the order, and the paths on which the page is looked for,
 * one after the other, each with a bound, until one of them is conclusive (docs/decisions/0009). Pure: it knows no
 * database and no clock, so the same request, with the same knowledge of terms, always gives the same plan.
 * Invariant: the last path has no bound, and every path finds the same page.
 */
import type { FilterDate, Order, Sort } from '@tmds/contract/enums';
import { MATCHED_COUNT_MAX } from '@tmds/contract/limits';
import type { DateText } from '@tmds/contract/record';
import { type CursorBinding, type CursorKey, encodeCursor } from '../parse/cursor.ts';
import type { SearchRequest } from '../parse/search.ts';
import { codeTerm, PAIRED_DATE } from '../record/terms.ts';
import { checkBreadth } from './breadth.ts';
import { coverClosely, coverDates, isCovered, type Stretch, stretchFrom, stretchTo, weighCover } from './cover.ts';
import { estimateSearch, isBroadScope, NOTHING_KNOWN, readShares, type TermStatistics } from './estimate.ts';
import { type Conditions, findInterval, type Interval, planConditions } from './filters.ts';
import { type Covers, type Paired, pairConditions, type Sought } from './pairs.ts';
import { planPaths, type SearchPath } from './paths.ts';
import { NO_SAMPLE, type RecordSample } from './record-sample.ts';
import { type SignedConditions, signConditions } from './signed.ts';
import { surveySearch } from './survey.ts';

export type { CursorKey } from '../parse/cursor.ts';
export type {
  Conditions,
  Interval,
  IntervalColumn,
  NameColumn,
  TextCondition,
} from './filters.ts';
export type { SignedConditions } from './signed.ts';

/** What a request asks for, told by itself alone. */
export interface SearchOutline {
  /** The register of the path; null for a global search. It may not exist. */
  readonly register: string | null;
  readonly conditions: Conditions;
  /** Terms that, with the covers, say the same as those of the conditions, as the term index answers them fastest. */
  readonly sought: Sought;
  /** The registers asked for, sorted; none = all. */
  readonly scope: readonly string[];
  /** What a walk compares beside the registers. */
  readonly walked: Conditions;
  /** The interval of the sort field, which bounds a walk instead of being compared row by row. */
  readonly walkedInterval: Interval | null;
  /** Sets of date terms, of each of which every date of an interval has one; only the term index is asked for them. */
  readonly covers: Covers;
  /** The same of intervals that hold so much that only a gathering of many rows gains by them. */
  readonly broadCovers: Covers;
  readonly sort: Sort;
  readonly order: Order;
  readonly after: CursorKey | null;
  readonly limit: number;
  readonly expandPayload: boolean;
  readonly countMatches: boolean;
  readonly binding: CursorBinding;
}

/** An outline, and the ways that are best by what is known of its terms. */
export interface SearchPlan extends SearchOutline {
  /** Those along whose own orders a walk goes, side by side: the whole scope, or none for the order of all. */
  readonly lanes: readonly string[];
  /** What a walk asks the signatures in its index, before it fetches a record; null for nothing. */
  readonly signed: SignedConditions | null;
  readonly paths: readonly SearchPath[];
  /** Of the whole query, about; null where nothing is known. */
  readonly matchesExpected: number | null;
  /** Records to walk in the order of changes until more match than are counted; null where other ways cost less. */
  readonly countRows: number | null;
}

/** @throws ApiError `query_too_broad` (rule I-13). */
export function outlineSearch(request: SearchRequest): SearchOutline {
  checkBreadth(request);
  const { register, filters, sort } = request;
  const conditions = planConditions(filters, register);
  const scope = register === null ? (filters.jurisdiction ?? []) : [register];
  const walked = omitScope(conditions, scope);
  return {
    register,
    conditions,
    ...pairConditions(conditions, planCovers(walked)),
    scope,
    walked,
    walkedInterval: findInterval(conditions, sort),
    sort,
    order: request.order,
    after: request.after,
    limit: request.limit,
    expandPayload: request.expandPayload,
    countMatches: request.countMatches,
    binding: request.binding,
  };
}

/** Whatever is known, the page is the same. */
export function arrangePaths(
  outline: SearchOutline,
  statistics: TermStatistics,
  sample: RecordSample = NO_SAMPLE,
): SearchPlan {
  const { scope, walkedInterval } = outline;
  const lanes = isBroadScope(scope, statistics) ? [] : scope;
  const walked = compareRarestFirst(outline.walked, statistics);
  const arranged = { ...outline, lanes, walked, signed: signConditions({ walked, walkedInterval }, statistics) };
  const estimate = estimateSearch(arranged, statistics, sample);
  return {
    ...arranged,
    matchesExpected: estimate?.matches ?? null,
    countRows: planCountRows(arranged, sample),
    paths: planPaths(arranged, estimate),
  };
}

/** A longer walk costs more than counting by the index. */
const COUNT_ROWS_MAX = 200_000;
const COUNT_MARGIN = 2;

function planCountRows(
  plan: Omit<SearchPlan, 'matchesExpected' | 'countRows' | 'paths'>,
  sample: RecordSample,
): number | null {
  if (!plan.countMatches) return null;
  const survey = surveySearch({ ...inOrderOfChanges(plan), limit: MATCHED_COUNT_MAX }, sample);
  if (survey?.page == null || survey.matches < COUNT_MARGIN * MATCHED_COUNT_MAX) return null;
  const rows = Math.ceil(COUNT_MARGIN * survey.page.rows);
  return rows <= COUNT_ROWS_MAX ? rows : null;
}

/** The same search from the beginning of the order of changes. */
export function inOrderOfChanges<Plan extends Pick<SearchPlan, 'conditions' | 'lanes' | 'scope'>>(
  plan: Plan,
): Plan & Pick<SearchPlan, 'sort' | 'order' | 'after' | 'walkedInterval'> {
  const walkedInterval = findInterval(plan.conditions, 'updated_at');
  // Where it ends in each of several lanes, a count would have to be put together.
  const lanes = plan.lanes.length > 1 ? [] : plan.lanes;
  return { ...plan, lanes, sort: 'updated_at', order: 'desc', after: null, walkedInterval };
}

/** @throws ApiError `query_too_broad` (rule I-13). */
export function planSearch(request: SearchRequest, statistics: TermStatistics = NOTHING_KNOWN): SearchPlan {
  return arrangePaths(outlineSearch(request), statistics);
}

/** The term that the fewest records carry ends most comparisons of rows. */
function compareRarestFirst(walked: Conditions, statistics: TermStatistics): Conditions {
  const shares = readShares(statistics, 0);
  return { ...walked, allOf: [...walked.allOf].sort((one, other) => shares.of(one) - shares.of(other)) };
}

/** A gathering of the next months of an order, and where the order goes on after them. */
export interface Leap {
  readonly plan: SearchPlan;
  readonly resume: CursorKey;
}

/** The matches of all dates that are left after a position in an order by date; null for its beginning. */
export function planLastLeap(plan: SearchPlan, sort: FilterDate, position: CursorKey | null): SearchPlan {
  const value = position?.value ?? null;
  const [from, to] = plan.order === 'desc' ? [null, value] : [value, null];
  return planBetween(plan, position, { column: sort, from, to }, coverDates(sort, from, to));
}

/** From a position in an order by date over so many months; null where that order has none. */
export function planLeap(plan: SearchPlan, position: CursorKey, months: number): Leap | null {
  const { sort, order } = plan;
  if (sort === 'updated_at' || position.value === null) return null;
  const stretch = stretchFrom(sort, position.value, order, months);
  return stretch === null ? null : planStretch(plan, sort, position, stretch);
}

/** So many records are sooner asked for again than left out by the lists of more months. */
const PASSED_AGAIN_MAX = 3_000;

/**
 * From a position in an order by date, or from its beginning, up to the month of a date; null where that is passed.
 * `rowsPassed`: records that a walk has read before the position.
 */
export function planLeapTo(
  plan: SearchPlan,
  sort: FilterDate,
  position: CursorKey | null,
  date: DateText,
  rowsPassed: number,
): Leap | null {
  const { order, walkedInterval, after } = plan;
  const begin = after?.value ?? (order === 'desc' ? walkedInterval?.to : walkedInterval?.from) ?? null;
  const from = position?.value ?? begin;
  const stretch = stretchTo(sort, from, order, date, rowsPassed <= PASSED_AGAIN_MAX ? begin : from);
  if (from !== null && (stretch.from ?? from) > (stretch.to ?? from)) return null;
  return planStretch(coverAll(plan), sort, position, stretch);
}

/** The same search, which asks the index for every interval, as closely as it can. */
function coverAll(plan: SearchPlan): SearchPlan {
  const covers = plan.conditions.intervals.flatMap(({ column, from, to }) => {
    if (column === 'updated_at' || column === plan.sort) return [];
    // Only years can be told together with the status.
    const paired = column === PAIRED_DATE ? coverDates(column, from, to) : [];
    return [...paired, ...coverClosely(column, from, to)];
  });
  return { ...plan, ...pairConditions(plan.conditions, { covers, broadCovers: [] }) };
}

function planStretch(plan: SearchPlan, sort: FilterDate, position: CursorKey | null, stretch: Stretch): Leap {
  const { from, to, next, covers } = stretch;
  return {
    plan: planBetween(plan, position, { column: sort, from, to }, covers),
    resume: { value: next, jurisdiction_code: '', uid: '' },
  };
}

/** The same search after a position and within an interval of its order. */
function planBetween(plan: SearchPlan, after: CursorKey | null, interval: Interval, covers: Covers): SearchPlan {
  const conditions = { ...plan.conditions, intervals: [...plan.conditions.intervals, interval] };
  return { ...plan, conditions, covers: [...plan.covers, ...covers], after };
}

/** The cursor of the record at which a page of this plan ends. */
export function encodePosition(plan: Pick<SearchPlan, 'binding'>, key: CursorKey): string {
  return encodeCursor(plan.binding, key);
}

/** The conditions without the terms of the registers of the scope: all of them, as one set or as one term. */
function omitScope(conditions: Conditions, scope: readonly string[]): Conditions {
  const registers = scope.map((code) => codeTerm('jurisdiction', code)).filter((term) => term !== null);
  const isScope = (terms: readonly number[]): boolean =>
    terms.length === registers.length && terms.every((term, index) => term === registers[index]);
  if (registers.length === 1) {
    return { ...conditions, allOf: conditions.allOf.filter((term) => term !== registers[0]) };
  }
  return { ...conditions, anyOf: conditions.anyOf.filter((terms) => !isScope(terms)) };
}

function planCovers(walked: Conditions): Pick<Paired, 'covers' | 'broadCovers'> {
  const covers: number[][] = [];
  const broadCovers: number[][] = [];
  for (const interval of walked.intervals) {
    const { column, from, to } = interval;
    if (column === 'updated_at') continue;
    if (isCovered(interval, walked)) covers.push(...coverDates(column, from, to));
    else if (weighCover(from, to) !== 'useless') broadCovers.push(...coverDates(column, from, to));
  }
  return { covers, broadCovers };
}
