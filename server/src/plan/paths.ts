/**
 * The paths on which the page of a search is looked for, one after the other, each with a bound, until one of them is
 * conclusive (docs/decisions/0009). What is known of the terms decides which come first, never what is found.
 * Invariant: the last path has no bound, and every path finds the same page.
 */
import type { DateText } from '@tmds/contract/record';
import type { Estimate, Seen, Way } from './estimate.ts';
import { findChangeBounds, isIndexed } from './filters.ts';
import type { SearchPlan } from './search.ts';
import type { Reached } from './survey.ts';

/**
 * `walk`: read the records of the scope in the order of the page and keep what matches; conclusive when the page is
 * full or the order ends. `leap`: go on with the walk of a date by gathering the matches of its next months at once.
 * `gather`: find all matches by the term index and sort them; conclusive when there are no more than the bound.
 * `recent`: the same by the range of change times. The bound is a number of records; null = none.
 */
export interface SearchPath {
  readonly kind: 'walk' | 'leap' | 'gather' | 'recent';
  readonly rowsMax: number | null;
  /**
   * The fewest matches among the rows walked so far that are believed to promise a page; then the walk is taken where
   * they promise a full one within its bound.
   */
  readonly ifPromising?: number;
  /** The fewest matches that the walk so far must have found for this to be tried. */
  readonly ifFound?: number;
  /** What alone a gathering asks the term index for, comparing all else: whole names and numbers, or parts of names. */
  readonly asksOnly?: 'pinned' | 'parts';
  /** For a leap: dates up to which it goes first, one after the other until the page is full. */
  readonly until?: readonly DateText[];
  /** True for a leap over all dates that are left, which goes on with the records that have none. */
  readonly toEnd?: true;
  /** True for a gathering that asks the term index for the broad covers too. */
  readonly withBroadCovers?: true;
}

/** A first walk reads so many records for each of the page, and no fewer than for one of 50. */
const WALK_ITEMS_MIN = 50;

/** How many records the walks of a search may read, each about as long as it takes to gather instead. */
interface Reach {
  /** Of the first walk, for each record of the page. */
  readonly perItem: number;
  /** The second walk, which shows how dense the matches are. */
  readonly second: number;
  /** The longest walk that a promise is believed for. */
  readonly promised: number;
  /** The longest first walk that is expected to fill the page. */
  readonly expected: number;
  /** The first of those after everything else was tried; each next one may read ten times as much. */
  readonly next: number;
}

/**
 * Records published together share a stamp and stand register by register, 5,000 at most, so many must be passed to see
 * how dense the matches are; records of one day stand so, too. An order by date lies across the table, so a record
 * costs more; one that is passed by its signature costs a third.
 */
const REACHES = {
  byChange: { perItem: 6, second: 5_000, promised: 20_000, expected: 40_000, next: 20_000 },
  byDate: { perItem: 6, second: 1_200, promised: 8_000, expected: 2_400, next: 20_000 },
  signedByChange: { perItem: 20, second: 15_000, promised: 60_000, expected: 100_000, next: 60_000 },
  signedByDate: { perItem: 12, second: 3_000, promised: 20_000, expected: 6_000, next: 50_000 },
} as const satisfies Record<string, Reach>;

function reachOf({ signed, sort }: Planned): Reach {
  if (sort === 'updated_at') return signed === null ? REACHES.byChange : REACHES.signedByChange;
  return signed === null ? REACHES.byDate : REACHES.signedByDate;
}

/** An interval of at most a quarter of a year is gathered without asking how dense it is. */
const BRIEF_COVER_TERMS = 3;
/** Fewer matches promise nothing. */
const PROMISING_MATCHES = 3;
/**
 * What bears a whole number is hardly ever more. The service sorts so few itself: a statement that sorts, counts and
 * fetches again what it sorted takes 0.15 ms longer, a seventh of such a search.
 */
export const GATHER_ROWS_FEW = 64;
/** Nearly every exact number or name is had by gathering at once so many records, or as many as may bear it. */
const GATHER_ROWS_PINNED = 2_000;
const PINNED_MARGIN = 1.3;
/** A walk that is expected to fill the page may read so many times the rows that this should take. */
const EXPECTED_MARGIN = 3;
/**
 * Even a hopeless walk is begun, for filters may depend on each other, unless gathering is so cheap that walking in
 * vain would be most of the cost.
 */
const HOPELESS_FACTOR = 5;
const GATHER_COST_CHEAP = 20_000;
/** Where this many times a walk would be needed, a second one shows nothing that a leap or a gathering does not. */
const FAR_FACTOR = 4;
/** And where gathering costs no more than so many second walks; filters may depend on each other. */
const SECOND_FACTOR = 3;
/** So many in the first walk show that what was expected far away is commoner than that. */
const FOUND_THOUGH_FAR = 2;
/** Leaping finds the page only if enough match; so much must it save to be tried first, and where many do, so much. */
const LEAP_FACTOR = 4;
const LEAP_FACTOR_MANY = 2;
/** No leap costs less than this. */
const GATHER_COST_LEAST = 8_000;
const LEAP_MATCHES_MANY = 15_000;
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
export const LEAP_MONTHS_FIRST = 6;
export const LEAP_GROWTH = 3;
export const LEAPS_MAX = 2;
const TRY_GROWTH = 10;
const TRIES = 3;

type Planned = Pick<
  SearchPlan,
  | 'conditions'
  | 'scope'
  | 'lanes'
  | 'sought'
  | 'walked'
  | 'signed'
  | 'covers'
  | 'broadCovers'
  | 'walkedInterval'
  | 'sort'
  | 'limit'
>;

/** What is tried before the index is asked for everything: it costs next to nothing. */
function planFirstPaths(plan: Planned, estimate: Estimate | null, leapsFirst: boolean): SearchPath[] {
  const walks = planWalks(plan, estimate, leapsFirst);
  if (plan.walked.pinned.length > 0) return planPinnedPaths(plan, walks, estimate);
  return estimate !== null && !leapsFirst && isHopelessToWalk(estimate) ? [] : walks;
}

/** A whole name or number is gathered at once, unless it is known to be so common that walking costs less. */
function planPinnedPaths({ walked: { texts } }: Planned, walks: SearchPath[], estimate: Estimate | null): SearchPath[] {
  if (estimate !== null && estimate.walkCost <= estimate.gatherCost) return walks;
  const rowsMax = Math.max(GATHER_ROWS_PINNED, Math.ceil(PINNED_MARGIN * (estimate?.pinnedMost ?? 0)));
  const gather = { kind: 'gather', rowsMax, asksOnly: 'pinned' } as const;
  const isNumber = texts.some(({ column }) => column === 'number_keys');
  return [...(isNumber ? [{ ...gather, rowsMax: GATHER_ROWS_FEW }] : []), gather, ...walks];
}

/** As far as the page is expected, and farther where what was found so far promises one. */
function planWalks(plan: Planned, estimate: Estimate | null, leapsFirst: boolean): SearchPath[] {
  const { walked, covers } = plan;
  const reach = reachOf(plan);
  const promised = promisedWalks(reach);
  const rowsFirst = planFirstRows(plan, estimate);
  const first = [{ kind: 'walk', rowsMax: rowsFirst } as const, promised[0]!];
  if (covers.some((terms) => terms.length <= BRIEF_COVER_TERMS)) return first;
  const second = rowsFirst >= reach.second ? promised : [secondWalk(reach), ...promised];
  // That a pinned name was not gathered shows that it is commoner than was estimated.
  const isFar =
    estimate !== null &&
    walked.pinned.length === 0 &&
    estimate.pageRows > FAR_FACTOR * reach.second &&
    (leapsFirst || isCheaperToGather(estimate, reach));
  return [...first, ...(isFar ? second.map((path) => ({ ...path, ifFound: FOUND_THOUGH_FAR })) : second)];
}

function secondWalk({ second }: Reach): SearchPath {
  return { kind: 'walk', rowsMax: second };
}

/** Two tries: the first of them shows better how dense the matches are. */
function promisedWalks({ promised }: Reach): SearchPath[] {
  const walk = { kind: 'walk', rowsMax: promised, ifPromising: PROMISING_MATCHES } as const;
  return [walk, walk];
}

function isHopelessToWalk({ walkCost, gatherCost }: Estimate): boolean {
  return gatherCost < GATHER_COST_CHEAP && walkCost > HOPELESS_FACTOR * gatherCost;
}

/** Whether gathering shows how dense the matches are, as a leap does, for little more than a second walk would cost. */
function isCheaperToGather({ gatherCost, walkCost, pageRows }: Estimate, { second }: Reach): boolean {
  return gatherCost < (SECOND_FACTOR * second * walkCost) / pageRows;
}

function isWorthLeaping({ gatherCost, leapCost, matches }: Estimate): boolean {
  if (gatherCost < GATHER_COST_LEAST) return false;
  return gatherCost > (matches > LEAP_MATCHES_MANY ? LEAP_FACTOR_MANY : LEAP_FACTOR) * leapCost;
}

/** What a sample shows is given so many times as much. */
const SEEN_MARGIN = 2.5;
/** Within so many times a second walk, that shows some matches of a page. */
const SHOWN_FACTOR = 10;
/** The years of several intervals that meet at one date hold many times more than the days. */
const LEAP_ROWS_SEEN = 150_000;

/** A few hits tell where matches begin: a walk may take so many times as long. What is gathered they tell better. */
const WALK_RISK = 2;

/** That matches begin far away may be chance: where they are spread evenly after all, a walk may cost such a share. */
const EVEN_WALK_SHARE = 0.125;

/** As far as the page would be if matches were spread evenly, where that costs little beside collecting them. */
function planEvenWalk({ walkCost, pageRows }: Estimate, { rowsIfEven }: Reached, { cost }: Way): SearchPath[] {
  const rowsMax = Math.ceil(EXPECTED_MARGIN * rowsIfEven);
  return rowsMax * (walkCost / pageRows) > EVEN_WALK_SHARE * cost ? [] : [{ kind: 'walk', rowsMax }];
}

/**
 * Where a sample shows the page, the way on which it costs least comes next after the first rows, or before them where
 * they cannot hold it. What it hardly shows is gathered, at length if it has to be: few match.
 */
function planSeenPaths(plan: Planned, estimate: Estimate, seen: Seen): SearchPath[] {
  const { page, collecting } = seen;
  const collected = collectSeen(seen);
  if (page === null) return [collected, { kind: 'gather', rowsMax: GATHER_ROWS_FIRST * TRY_GROWTH }];
  const reach = reachOf(plan);
  const first = planWalks(plan, estimate, false);
  if (WALK_RISK * estimate.walkCost > collecting.cost) {
    const isFar = page.rows > FAR_FACTOR * reach.second;
    return [...(isFar ? planEvenWalk(estimate, page, collecting) : first.slice(0, 1)), collected];
  }
  if (page.rows <= reach.second) return [...first, collected];
  const walk = { kind: 'walk', rowsMax: Math.ceil(SEEN_MARGIN * page.rows) } as const;
  if (page.rows > SHOWN_FACTOR * reach.second) return [...first.slice(0, 1), walk, collected];
  // Where the second walk finds none, they begin farther than so few of a sample have shown.
  const promised = { ...walk, ifPromising: PROMISING_MATCHES } as const;
  return [...first.slice(0, 1), secondWalk(reach), promised, promised, collected];
}

/** What could not be gathered within a bound cannot be within the same one, or less, later. */
function asksForAsMuch(earlier: SearchPath, later: SearchPath): boolean {
  const { kind, asksOnly, withBroadCovers, rowsMax } = earlier;
  const asksTheSame = kind === later.kind && asksOnly === later.asksOnly && withBroadCovers === later.withBroadCovers;
  return asksTheSame && (rowsMax ?? Number.POSITIVE_INFINITY) >= (later.rowsMax ?? 0);
}

/** The cheapest way to what a sample shows that is not a walk, with a bound that fits. */
function collectSeen({ page, collecting: { kind, asksOnly, rows } }: Seen): SearchPath {
  if (kind !== 'leap') {
    const rowsMax = Math.max(GATHER_ROWS_FIRST, Math.ceil(SEEN_MARGIN * rows));
    return asksOnly === undefined ? { kind, rowsMax } : { kind, rowsMax, asksOnly };
  }
  const { dates } = page!;
  return { kind, rowsMax: LEAP_ROWS_SEEN, ...(dates.length === 0 ? { toEnd: true } : { until: dates }) };
}

/** As far as should fill the page, where that is not far: one statement instead of two. */
function planFirstRows(plan: Planned, estimate: Estimate | null): number {
  const reach = reachOf(plan);
  const fewest = Math.max(WALK_ITEMS_MIN, plan.limit) * reach.perItem;
  const isWorthWalking =
    estimate !== null && estimate.pageRows <= reach.expected && estimate.walkCost <= estimate.gatherCost;
  if (!isWorthWalking) return fewest;
  return Math.max(fewest, Math.min(reach.expected, Math.ceil(EXPECTED_MARGIN * estimate.pageRows)));
}

/**
 * Matches that are many stand near the start of the order, and matches that are few are gathered quickly; a query whose
 * matches are many and far is found by leaping along its dates, or by giving either path ten times more, in turn. So a
 * search costs no more than a small multiple of its cheapest path, whatever is expected of it.
 */
export function planPaths(plan: Planned, estimate: Estimate | null): SearchPath[] {
  const { allOf, anyOf, texts, intervals, pinned } = plan.walked;
  const compared = intervals.filter((interval) => interval !== plan.walkedInterval);
  const isUnconditional = allOf.length === 0 && anyOf.length === 0 && texts.length === 0 && compared.length === 0;
  if (isUnconditional && plan.lanes.length === plan.scope.length) return [{ kind: 'walk', rowsMax: null }];

  const isPart = texts.some(isIndexed);
  const hasTerms = plan.sought.allOf.length > 0 || plan.sought.anyOf.length > 0;
  const canGather = hasTerms || plan.covers.length > 0 || isPart;
  const gathers: SearchPath['kind'][] = [];
  if (canGather) gathers.push('gather');
  if (findChangeBounds(plan) !== null) gathers.push('recent');
  const seen = canGather ? (estimate?.seen ?? null) : null;
  const heard = seen?.isHeard ? seen : null;
  // Within the interval of another date, the matches may lie anywhere in the order.
  const leaps = canGather && plan.sort !== 'updated_at' && compared.length === 0;
  const leapsFirst = leaps && heard === null && pinned.length === 0 && (estimate === null || isWorthLeaping(estimate));
  const paths = heard !== null ? planSeenPaths(plan, estimate!, heard) : planFirstPaths(plan, estimate, leapsFirst);
  if (leapsFirst) paths.push({ kind: 'leap', rowsMax: LEAP_ROWS });
  const add = (path: SearchPath): void => {
    if (!paths.some((earlier) => asksForAsMuch(earlier, path))) paths.push(path);
  };
  if (heard === null && seen !== null) add(collectSeen(seen));
  // To tell that it finds too much, a gathering would collect all.
  const isTooMuch = (rowsMax: number): boolean => seen !== null && seen.page !== null && estimate!.matches > rowsMax;
  const gatherFirst = isPart || plan.broadCovers.length > 0 ? GATHER_ROWS_FIRST_FEWER : GATHER_ROWS_FIRST;
  for (let attempt = 0; attempt < TRIES && gathers.length > 0; attempt++) {
    const growth = TRY_GROWTH ** attempt;
    const broadly = attempt > 0 ? ({ withBroadCovers: true } as const) : {};
    const alone = attempt === 0 && pinned.length > 0 ? ({ asksOnly: 'pinned' } as const) : {};
    for (const kind of gathers) {
      const gather = { kind, rowsMax: gatherFirst * growth, ...broadly, ...alone };
      if (kind === 'gather' && isTooMuch(gather.rowsMax)) continue;
      add(gather);
    }
    if (leaps) paths.push({ kind: 'leap', rowsMax: LEAP_ROWS });
    if (leaps && !isTooMuch(LEAP_ROWS)) paths.push({ kind: 'leap', rowsMax: LEAP_ROWS, toEnd: true });
    const rowsMax = reachOf(plan).next * growth;
    paths.push({ kind: 'walk', rowsMax }, { kind: 'walk', rowsMax, ifPromising: PROMISING_MATCHES });
  }
  // Whatever is not an exact walk has something to gather by: terms, parts of names, dates or change times.
  paths.push({ kind: gathers[0]!, rowsMax: null, withBroadCovers: true });
  return paths;
}
