/**
 * What a sample of the stored records shows of a search: how many match, and how far along its order the page is.
 * Unlike the shares of single terms, it knows which filters go together, and which dates. It decides nothing and is
 * believed as far as its hits allow (docs/decisions/0027, 0029); an old sample costs time and changes no answer.
 */
import type { Order } from '@tmds/contract/enums';
import type { DateText } from '@tmds/contract/record';
import { CODED_YEAR_MAX, CODED_YEAR_MIN, codeTerm, isSampledTerm } from '../record/terms.ts';
import { isCovered, isCoveredByMonths } from './cover.ts';
import { findChangeBounds, isIndexed, type TextCondition } from './filters.ts';
import {
  type Bounds,
  boundsOf,
  findCarriers,
  findNamed,
  intersectLists,
  keepWithin,
  NO_RANK,
  type RecordSample,
  readValue,
} from './record-sample.ts';
import type { SearchPlan } from './search.ts';

export interface Survey {
  /** Records that match, about; before and after the position from which the search goes on. */
  readonly matches: number;
  /** Hardly ever do more of them match. */
  readonly matchesMost: number;
  /** Records that match, but for what the index does not tell of their dates and names. */
  readonly gathered: number;
  /** Records with the parts of names that the trigram index is asked for; all records where it is asked for none. */
  readonly named: number;
  /** Records within the bounds of change times in another order than theirs; null where there are none. */
  readonly recent: number | null;
  /** Hardly ever do more records bear the names that are pinned; all records where none is. */
  readonly pinnedMost: number;
  /** Where the page is; null where the sample has too few matches to tell. */
  readonly page: Reached | null;
}

export interface Reached {
  /** Records to walk, about, until the page is full or the order has ended. */
  readonly rows: number;
  /** The same if the matches that are still to come were spread evenly. */
  readonly rowsIfEven: number;
  /** Whether matches begin where the order does, so that the first of them may stand anywhere before the date. */
  readonly isNear: boolean;
  /**
   * Dates with which the page should be full, the first by what is expected, each next one if fewer were found; none
   * where it takes all dates, or in the order of changes.
   */
  readonly dates: readonly DateText[];
  /** Records on the way that have a date up to the first of those, or any; and how many of them match. */
  readonly dateRows: number;
  readonly dateMatches: number;
}

type Surveyed = Pick<
  SearchPlan,
  'conditions' | 'walked' | 'lanes' | 'walkedInterval' | 'sort' | 'order' | 'after' | 'limit'
>;

/** Fewer hits say hardly more than that few records match. */
const HITS_MIN = 4;
/** Hits beyond the page by which its density is told. */
const HITS_BEYOND = 7;
/** Where so many standard deviations more than the page's share of hits were seen, it should be full. */
const DEVIATIONS_FULL = 1.5;
/** And where it is not, so many hits farther: one that stands apart from the others says little. */
const HITS_FURTHER = [1, 3, 7];
/** So many standard deviations, and hits, above what was seen. */
const DEVIATIONS_MOST = 2;
const HITS_MOST = 3;
/** Where so many would stand before the first hit if all were spread evenly, they begin there: one chance in 150. */
const HITS_BEFORE_MAX = 5;

/** Null where the sample knows nothing of a condition: a number, or where the words of a name begin. */
export function surveySearch(plan: Surveyed, sample: RecordSample): Survey | null {
  const { conditions, walked, lanes } = plan;
  const { allOf, anyOf, texts, pinned, intervals } = conditions;
  const sets = [...allOf.map((term) => [term]), ...anyOf];
  if (sample.size === 0 || !sets.every((terms) => terms.every(isSampledTerm))) return null;
  const { weight, everybody } = sample;
  const named = keepNamed(everybody, texts.filter(isIndexed), sample);
  const untold = texts.filter((text) => !isIndexed(text));
  const found = intersectLists(findCarriers(sets, sample), named);
  const covered = intervals.filter((interval) => isCovered(interval, walked));
  const gathered = keepWithin(found, covered, sample, (interval) =>
    widen(boundsOf(interval), isCoveredByMonths(interval)),
  );
  const hits = keepNamed(keepWithin(gathered, intervals, sample), untold, sample);
  const registers = lanes.map((code) => codeTerm('jurisdiction', code)).filter((term) => term !== null);
  const passed = lanes.length === 0 ? null : findCarriers([registers], sample);
  const bearers = findCarriers(
    pinned.map((term) => [term]),
    sample,
  );
  const changes = findChangeBounds(plan);
  return {
    matches: hits.length * weight,
    matchesMost: mostOf(hits.length) * weight,
    gathered: gathered.length * weight,
    named: named.length * weight,
    recent: changes === null ? null : keepWithin(everybody, [changes], sample).length * weight,
    pinnedMost: mostOf(bearers.length) * weight,
    page: hits.length < HITS_MIN ? null : findPage(plan, hits, passed, sample),
  };
}

/** Those whose names contain all the texts, as far as they are texts of names. */
function keepNamed(records: Uint16Array, texts: readonly TextCondition[], sample: RecordSample): Uint16Array {
  return texts.reduce(
    (kept, { column, text }) =>
      column === 'number_keys' || kept.length === 0 ? kept : intersectLists(kept, findNamed(column, text, sample)),
    records,
  );
}

function mostOf(hits: number): number {
  return hits + DEVIATIONS_MOST * Math.sqrt(hits) + HITS_MOST;
}

const YEAR_UNIT = 10_000;
const MONTH_UNIT = 100;
/** Dates before the end of the first coded year, and since the last one begins, are not told apart by years. */
const FIRST_YEAR_END = (CODED_YEAR_MIN + 1) * YEAR_UNIT;
const LAST_YEAR_START = CODED_YEAR_MAX * YEAR_UNIT;

/** To whole months or years as they are coded, of dates as numbers. */
function widen([from, to]: Bounds, isByMonths: boolean): Bounds {
  const unit = isByMonths ? MONTH_UNIT : YEAR_UNIT;
  const least = Math.min(LAST_YEAR_START, Math.floor(from / unit) * unit);
  const most = Math.max(FIRST_YEAR_END, (Math.floor(to / unit) + 1) * unit);
  return [
    least < FIRST_YEAR_END ? Number.NEGATIVE_INFINITY : least,
    most > LAST_YEAR_START ? Number.POSITIVE_INFINITY : most,
  ];
}

function writeDate(value: number): DateText {
  const digits = String(value).padStart(8, '0');
  return `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`;
}

/** Along the order from the plan's position on, past all records, or past these. */
function findPage(plan: Surveyed, hits: Uint16Array, passed: Uint16Array | null, sample: RecordSample): Reached | null {
  const { sort, order, after, limit, walkedInterval } = plan;
  // Without sort values records come by their identities, of which the sample knows nothing.
  if (after !== null && after.value === null) return null;
  const { weight, size } = sample;
  const { positions, ranks } = sample.orders[sort];
  const wanted = (limit + 1) / weight;
  const full = Math.max(1, Math.ceil(wanted + DEVIATIONS_FULL * Math.sqrt(wanted)));
  const stretch = findStretch(plan, sample);
  const [first, end] = stretch;
  const ordered = listSteps(hits, ranks, stretch, order);
  const steps = takeLeast(ordered, full + HITS_BEYOND);
  const ahead = passed === null ? null : listSteps(passed, ranks, stretch, order);
  if (steps.length >= Math.max(HITS_MIN, wanted)) {
    const rows = ahead === null ? steps : countPassed(steps, ahead);
    const apart = (ahead === null ? end - first : ahead.length) / ordered.length;
    const last = Math.min(steps.length, full) - 1;
    const dateAt = (step: number): DateText =>
      writeDate(sample.values[sort][positions[order === 'asc' ? first + step : end - 1 - step]!]!);
    const further = HITS_FURTHER.map((hits) => steps[last + hits]).filter((step) => step !== undefined);
    return {
      ...reckonRows(rows, wanted, weight, apart),
      rowsIfEven: weight * wanted * apart,
      dates: sort === 'updated_at' ? [] : [steps[last]!, ...further].map(dateAt),
      dateRows: weight * (rows[last]! + 1),
      dateMatches: weight * (last + 1),
    };
  }
  // What has a value is not enough: the order ends there, or the rest of the page comes from those without one.
  const dateRows = weight * (ahead === null ? end - first : ahead.length);
  const dated = { isNear: false, dates: [], dateRows, dateMatches: weight * steps.length };
  if (sort === 'updated_at' || walkedInterval !== null) return { ...dated, rows: dateRows, rowsIfEven: dateRows };
  const valueless = passed === null ? size - positions.length : countValueless(passed, ranks);
  const valuelessHits = countValueless(hits, ranks);
  const missing = Math.max(0, wanted - steps.length);
  const further = valuelessHits === 0 ? valueless : Math.min(valueless, (missing * valueless) / valuelessHits);
  const rows = dateRows + weight * further;
  return { ...dated, rows, rowsIfEven: rows };
}

/** The places of an order that are still to come, the second exclusive. */
function findStretch({ sort, order, after, walkedInterval }: Surveyed, { orders, values }: RecordSample): Bounds {
  const { positions } = orders[sort];
  const [from, to] = boundsOf(walkedInterval ?? { column: sort, from: null, to: null });
  const value = after === null || after.value === null ? null : readValue(sort, after.value);
  const least = value !== null && order === 'asc' ? Math.max(from, value) : from;
  const most = value !== null && order === 'desc' ? Math.min(to, value) : to;
  return [
    countBelow(positions, values[sort], (found) => found < least),
    countBelow(positions, values[sort], (found) => found <= most),
  ];
}

/** How many at the beginning of an order have such a value. */
function countBelow(positions: Uint16Array, values: Float64Array, isBelow: (value: number) => boolean): number {
  let [from, to] = [0, positions.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (isBelow(values[positions[middle]!]!)) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** How far each record of the stretch stands from its beginning, as the order goes. */
function listSteps(positions: Uint16Array, ranks: Uint16Array, [first, end]: Bounds, order: Order): Uint16Array {
  const steps = new Uint16Array(positions.length);
  const isAscending = order === 'asc';
  let count = 0;
  for (let at = 0; at < positions.length; at += 1) {
    const rank = ranks[positions[at]!]!;
    if (rank >= first && rank < end) steps[count++] = isAscending ? rank - first : end - 1 - rank;
  }
  return steps.subarray(0, count);
}

/** The least so many, in ascending order. */
function takeLeast(steps: Uint16Array, count: number): number[] {
  const least: number[] = [];
  for (let index = 0; index < steps.length; index += 1) {
    const step = steps[index]!;
    if (least.length === count && step >= least[count - 1]!) continue;
    let at = least.length === count ? count - 1 : least.length;
    for (; at > 0 && least[at - 1]! > step; at -= 1) least[at] = least[at - 1]!;
    least[at] = step;
  }
  return least;
}

/** Before each of these steps, which ascend, how many of the records ahead stand. */
function countPassed(steps: readonly number[], ahead: Uint16Array): number[] {
  const counts = new Uint16Array(steps.length + 1);
  for (let at = 0; at < ahead.length; at += 1) {
    let next = 0;
    while (next < steps.length && steps[next]! <= ahead[at]!) next += 1;
    counts[next]! += 1;
  }
  let passed = 0;
  return steps.map((_, index) => (passed += counts[index]!));
}

function countValueless(positions: Uint16Array, ranks: Uint16Array): number {
  let count = 0;
  for (let at = 0; at < positions.length; at += 1) if (ranks[positions[at]!] === NO_RANK) count += 1;
  return count;
}

/** Records until so many of the hits, which may be less than one. All hits ahead are so far apart on average. */
function reckonRows(
  ranks: readonly number[],
  wanted: number,
  weight: number,
  apartOnAverage: number,
): Pick<Reached, 'rows' | 'isNear'> {
  const first = ranks[0]!;
  const last = ranks.at(-1)!;
  if (first <= HITS_BEFORE_MAX * apartOnAverage) {
    return { rows: (weight * wanted * (last + 1)) / ranks.length, isNear: true };
  }
  const apart = Math.max(1, (last - first) / (ranks.length - 1));
  return { rows: weight * (first - apart + wanted * apart), isNear: false };
}
