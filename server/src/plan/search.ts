/**
 * From a `SearchRequest` to a `SearchPlan`: the conditions, the order, and the paths on which the page is looked for,
 * one after the other, each with a bound, until one of them is conclusive (docs/decisions/0009). Pure: it knows no
 * database, no statistics and no clock, so the same request always gives the same plan.
 * Invariant: the last path has no bound, and every path finds the same page.
 */
import type { FilterDate, Order, Sort } from '@tmds/contract/enums';
import { type CursorBinding, type CursorKey, encodeCursor } from '../parse/cursor.ts';
import type { SearchRequest } from '../parse/search.ts';
import { codeTerm } from '../record/terms.ts';
import { checkBreadth } from './breadth.ts';
import { coverDates, stretchFrom, weighCover } from './cover.ts';
import { type Conditions, type Interval, planConditions } from './filters.ts';
import { pairConditions, type Sought } from './pairs.ts';

export type { CursorKey } from '../parse/cursor.ts';
export type {
  Conditions,
  Interval,
  IntervalColumn,
  NameColumn,
  TextCondition,
} from './filters.ts';

/**
 * `walk`: read the records of the scope in the order of the page and keep what matches; conclusive when the page is
 * full or the order ends. `leap`: go on with the walk of a date by gathering the matches of its next months at once.
 * `gather`: find all matches by the term index and sort them; conclusive when there are no more than the bound.
 * `recent`: the same by the range of change times. The bound is a number of records; null = none.
 */
export interface SearchPath {
  readonly kind: 'walk' | 'leap' | 'gather' | 'recent';
  readonly rowsMax: number | null;
  /** True for a walk that is taken only where the rows walked so far promise a full page within its bound. */
  readonly ifPromising?: true;
  /** True for a gathering that asks the term index for a whole name or number alone, and compares all else. */
  readonly byPinned?: true;
  /** True for a leap that ends with all dates that are left, and goes on with the records that have none. */
  readonly toEnd?: true;
  /** True for a gathering that asks the term index for the broad covers too. */
  readonly withBroadCovers?: true;
}

export interface SearchPlan {
  /** The register of the path; null for a global search. It may not exist. */
  readonly register: string | null;
  readonly conditions: Conditions;
  /** Terms that say the same as those of the conditions, as the term index answers them fastest. */
  readonly sought: Sought;
  /** The registers asked for, sorted; none = all. A walk goes along the orders of each, side by side. */
  readonly scope: readonly string[];
  /** What a walk compares: the conditions but for the registers, which its orders say. */
  readonly walked: Conditions;
  /** The interval of the sort field, which bounds a walk instead of being compared row by row. */
  readonly walkedInterval: Interval | null;
  /** Sets of date terms, of each of which every date of an interval has one; only the term index is asked for them. */
  readonly covers: readonly (readonly number[])[];
  /** The same of intervals that hold so much that only a gathering of many rows gains by them. */
  readonly broadCovers: readonly (readonly number[])[];
  readonly sort: Sort;
  readonly order: Order;
  readonly after: CursorKey | null;
  readonly limit: number;
  readonly expandPayload: boolean;
  readonly countMatches: boolean;
  readonly paths: readonly SearchPath[];
  readonly binding: CursorBinding;
}

/** @throws ApiError `query_too_broad` (rule I-13). */
export function planSearch(request: SearchRequest): SearchPlan {
  checkBreadth(request);
  const { register, filters, sort } = request;
  const conditions = planConditions(filters, register);
  const scope = register === null ? (filters.jurisdiction ?? []) : [register];
  const sought = pairConditions(conditions);
  const walked = omitScope(conditions, scope);
  const walkedInterval = conditions.intervals.find(({ column }) => column === sort) ?? null;
  const { covers, broadCovers } = planCovers(walked);
  return {
    register,
    conditions,
    sought,
    scope,
    walked,
    walkedInterval,
    covers,
    broadCovers,
    sort,
    order: request.order,
    after: request.after,
    limit: request.limit,
    expandPayload: request.expandPayload,
    countMatches: request.countMatches,
    paths: planPaths({ sought, walked, covers, broadCovers, walkedInterval, sort, limit: request.limit }),
    binding: request.binding,
  };
}

/** A gathering of the next months of an order, and where the order goes on after them. */
export interface Leap {
  readonly plan: SearchPlan;
  readonly resume: CursorKey;
}

/** The matches of all dates that are left after a position in an order by date. */
export function planLastLeap(plan: SearchPlan, sort: FilterDate, position: CursorKey): SearchPlan {
  const [from, to] = plan.order === 'desc' ? [null, position.value] : [position.value, null];
  return planBetween(plan, position, { column: sort, from, to }, coverDates(sort, from, to));
}

/** From a position in an order by date over so many months; null where that order has none. */
export function planLeap(plan: SearchPlan, position: CursorKey, months: number): Leap | null {
  const { sort, order } = plan;
  if (sort === 'updated_at' || position.value === null) return null;
  const stretch = stretchFrom(sort, position.value, order, months);
  if (stretch === null) return null;
  const { from, to, next, covers } = stretch;
  return {
    plan: planBetween(plan, position, { column: sort, from, to }, covers),
    resume: { value: next, jurisdiction_code: '', uid: '' },
  };
}

/** The same search after a position and within an interval of its order. */
function planBetween(
  plan: SearchPlan,
  after: CursorKey,
  interval: Interval,
  covers: readonly (readonly number[])[],
): SearchPlan {
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

/** Few records match a pinned query, so the index needs no help from dates; without other terms it needs any help. */
function planCovers({ allOf, anyOf, texts, intervals, pinned }: Conditions): {
  covers: readonly number[][];
  broadCovers: readonly number[][];
} {
  const isAlone = allOf.length === 0 && anyOf.length === 0 && texts.length === 0;
  const covers: number[][] = [];
  const broadCovers: number[][] = [];
  for (const { column, from, to } of intervals) {
    if (column === 'updated_at') continue;
    const worth = weighCover(from, to);
    if (isAlone || (worth === 'selective' && pinned.length === 0)) covers.push(...coverDates(column, from, to));
    else if (worth !== 'useless') broadCovers.push(...coverDates(column, from, to));
  }
  return { covers, broadCovers };
}

/** First bounds of a walk; each further try may read ten times as much. */
const WALK_ROWS_FIRST = 300;
const WALK_ROWS_PER_ITEM = 6;
/**
 * Records published together share a stamp and stand register by register, 5,000 at most: so many must be passed to see
 * how dense the matches are. It costs little, for the order of changes is that of the table.
 */
const WALK_ROWS_SECOND_BY_CHANGE = 5_000;
/** Records of one day stand register by register, too. */
const WALK_ROWS_SECOND_BY_DATE = 1_200;
/** An interval of at most a quarter of a year is gathered without asking how dense it is. */
const BRIEF_COVER_TERMS = 3;
const WALK_ROWS_NEXT = 20_000;
/** Longest walks that a promise is believed for. An order by date lies across the table and costs far more. */
const PROMISED_ROWS_BY_CHANGE = 20_000;
/** A part of a name that is common is dearer to gather than to meet. */
const PROMISED_ROWS_PART = 40_000;
const PROMISED_ROWS_BY_DATE = 8_000;
/** Nearly every exact number or name is had by gathering at once; a large owner's is not worth more than this. */
const GATHER_ROWS_PINNED = 6_000;
/**
 * What a gathering costs beside its rows grows with the lists of the index: up to 50 ms among ten million records, as
 * long as fetching 15,000. Where a part of a name is compared row by row, or long intervals can be asked for next time,
 * less is tried first.
 */
const GATHER_ROWS_FIRST = 30_000;
const GATHER_ROWS_FIRST_FEWER = 6_000;
/** Of an order by date; the lists of a few months are short, whatever else is asked for. */
const LEAP_ROWS = 6_000;
/** The first leap spans so many months; the next one three times more or less, as the last found too little or much. */
export const LEAP_MONTHS_FIRST = 4;
export const LEAP_GROWTH = 3;
export const LEAPS_MAX = 2;
const TRY_GROWTH = 10;
const TRIES = 3;

type Planned = Pick<SearchPlan, 'sought' | 'walked' | 'covers' | 'broadCovers' | 'walkedInterval' | 'sort' | 'limit'>;

/** What is tried before the index is asked for more than a name or number: it costs next to nothing. */
function planFirstPaths({ walked, covers, sort, limit }: Planned, isPart: boolean): SearchPath[] {
  const isByChange = sort === 'updated_at';
  const promisedByChange = isPart ? PROMISED_ROWS_PART : PROMISED_ROWS_BY_CHANGE;
  const promisedRows = isByChange ? promisedByChange : PROMISED_ROWS_BY_DATE;
  const promised = { kind: 'walk', rowsMax: promisedRows, ifPromising: true } as const;
  const paths: SearchPath[] = [];
  if (walked.pinned.length > 0) paths.push({ kind: 'gather', rowsMax: GATHER_ROWS_PINNED, byPinned: true });
  const secondRows = isByChange ? WALK_ROWS_SECOND_BY_CHANGE : WALK_ROWS_SECOND_BY_DATE;
  paths.push({ kind: 'walk', rowsMax: Math.max(WALK_ROWS_FIRST, limit * WALK_ROWS_PER_ITEM) }, promised);
  const isBrief = covers.some((terms) => terms.length <= BRIEF_COVER_TERMS);
  if (!isPart && !isBrief) paths.push({ kind: 'walk', rowsMax: secondRows }, promised, promised);
  return paths;
}

/**
 * Matches that are many stand near the start of the order, and matches that are few are gathered quickly; a query whose
 * matches are many and far is found by leaping along its dates, or by giving either path ten times more, in turn. So a
 * search costs no more than a small multiple of its cheapest path, and nothing has to be estimated.
 */
function planPaths(plan: Planned): SearchPath[] {
  const { allOf, anyOf, texts, intervals } = plan.walked;
  const compared = intervals.filter((interval) => interval !== plan.walkedInterval);
  const isWalkExact = allOf.length === 0 && anyOf.length === 0 && texts.length === 0 && compared.length === 0;
  if (isWalkExact) return [{ kind: 'walk', rowsMax: null }];

  const isPart = texts.some(({ indexed }) => indexed);
  const hasTerms = plan.sought.allOf.length > 0 || plan.sought.anyOf.length > 0;
  const canGather = hasTerms || plan.covers.length > 0 || isPart;
  const isChangeBound = compared.some(({ column }) => column === 'updated_at');
  const gathers: SearchPath['kind'][] = [];
  if (canGather) gathers.push('gather');
  if (isChangeBound) gathers.push('recent');
  const isByChange = plan.sort === 'updated_at';
  const paths = planFirstPaths(plan, isPart);
  // Matches within the interval of another date have no place in the order that could be leaped to.
  const leaps = canGather && !isByChange && compared.length === 0;
  if (leaps) paths.push({ kind: 'leap', rowsMax: LEAP_ROWS });
  const gatherFirst = isPart || plan.broadCovers.length > 0 ? GATHER_ROWS_FIRST_FEWER : GATHER_ROWS_FIRST;
  for (let attempt = 0; attempt < TRIES && gathers.length > 0; attempt++) {
    const growth = TRY_GROWTH ** attempt;
    const broadly = attempt > 0 ? ({ withBroadCovers: true } as const) : {};
    for (const kind of gathers) paths.push({ kind, rowsMax: gatherFirst * growth, ...broadly });
    if (leaps) paths.push({ kind: 'leap', rowsMax: LEAP_ROWS, toEnd: true });
    const rowsMax = WALK_ROWS_NEXT * growth;
    paths.push({ kind: 'walk', rowsMax }, { kind: 'walk', rowsMax, ifPromising: true });
  }
  // Whatever is not an exact walk has something to gather by: terms, parts of names, dates or change times.
  paths.push({ kind: gathers[0]!, rowsMax: null, withBroadCovers: true });
  return paths;
}
