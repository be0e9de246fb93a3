/**
 * What a sample of the stored records shows of a search: how many match, and how far along its order the page is. Unlike
 * the shares of single terms, it knows which filters go together, and which dates. It decides nothing and is only
 * believed as far as its hits allow (docs/decisions/0027); an old sample costs time and changes no answer.
 */
import { FILTER_DATES, SORTS, type Sort } from '@tmds/contract/enums';
import type { DateText } from '@tmds/contract/record';
import { codeTerm, isSampledTerm } from '../record/terms.ts';
import { isCovered, isCoveredByMonths } from './cover.ts';
import { hasPart, type Interval, type IntervalColumn } from './filters.ts';
import type { SearchPlan } from './search.ts';

/** What is read of the records of a sample. */
export interface DrawnRecords {
  readonly size: number;
  /** Of each record: a date as the number YYYYMMDD, a change time in milliseconds since 1970; NaN = none. */
  readonly values: Readonly<Record<IntervalColumn, Float64Array>>;
  /** Of one record after the other, how many of its terms are sampled (`isSampledTerm`), and those. */
  readonly terms: Int32Array;
}

export interface RecordSample {
  /** Records of the sample, about `SAMPLE_SIZE` at most. */
  readonly size: number;
  /** How many stored records each of them stands for, at least 1. */
  readonly weight: number;
  /** By term, the positions of the records that carry it. */
  readonly carriers: ReadonlyMap<number, Uint16Array>;
  /** By position; NaN for none. */
  readonly values: Readonly<Record<IntervalColumn, Float64Array>>;
  /** The positions of the records that have the value, in ascending order of it. */
  readonly orders: Readonly<Record<Sort, Uint16Array>>;
}

/** So many records take two megabytes and a search some 100 microseconds; four times as many have positions of 16 bits. */
export const SAMPLE_SIZE = 16_384;

/** Of records drawn at random from so many stored ones. */
export function buildSample({ size, values, terms }: DrawnRecords, stored: number): RecordSample {
  const orders = Object.fromEntries(SORTS.map((sort) => [sort, orderBy(values[sort])])) as Record<Sort, Uint16Array>;
  return { size, weight: Math.max(1, stored / size), carriers: invertTerms(terms), values, orders };
}

function invertTerms(terms: Int32Array): Map<number, Uint16Array> {
  const positions = new Map<number, number[]>();
  let position = 0;
  for (let at = 0; at < terms.length; position += 1) {
    const last = at + terms[at]!;
    for (at += 1; at <= last; at += 1) {
      const known = positions.get(terms[at]!);
      if (known === undefined) positions.set(terms[at]!, [position]);
      else known.push(position);
    }
  }
  return new Map([...positions].map(([term, carriers]) => [term, Uint16Array.from(carriers)]));
}

function orderBy(values: Float64Array): Uint16Array {
  const valued = new Uint16Array(values.keys()).filter((position) => !Number.isNaN(values[position]!));
  return valued.sort((one, other) => values[one]! - values[other]!);
}

const NO_VALUES = new Float64Array();
export const NO_SAMPLE: RecordSample = buildSample(
  {
    size: 0,
    values: Object.fromEntries(
      [...FILTER_DATES, 'updated_at'].map((column) => [column, NO_VALUES]),
    ) as DrawnRecords['values'],
    terms: new Int32Array(),
  },
  0,
);

export interface Survey {
  /** Records that match, about; before and after the position from which the search goes on. */
  readonly matches: number;
  /** Hardly ever do more of them match. */
  readonly matchesMost: number;
  /** Records that match, but for what an index of years and months does not tell of their dates. */
  readonly gathered: number;
  /** Hardly ever do more records bear the names that are pinned; all records where none is. */
  readonly pinnedMost: number;
  /** Where the page is; null where the sample has too few matches to tell. */
  readonly page: Reached | null;
}

export interface Reached {
  /** Records to walk, about, until the page is full or the order has ended. */
  readonly rows: number;
  /** A date with which the page should be full, generously; null where it takes all dates, or in the order of changes. */
  readonly date: DateText | null;
  /** Records on the way that have a date up to that one, or any; and how many of them match. */
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
/** So many hits beyond the page's share of them, it should be full. */
const HITS_GENEROUS = 3;
/** So many standard deviations, and hits, above what was seen. */
const DEVIATIONS_MOST = 2;
const HITS_MOST = 3;
/** A first hit so many times farther than hits are apart from each other shows that they begin there. */
const BEGIN_FACTOR = 5;

/** Null where the sample knows nothing of a condition: a number, a part of a name. */
export function surveySearch(plan: Surveyed, sample: RecordSample): Survey | null {
  const { conditions } = plan;
  const { allOf, anyOf, pinned } = conditions;
  const sets = [...allOf.map((term) => [term]), ...anyOf];
  if (sample.size === 0 || hasPart(conditions) || !sets.every((terms) => terms.every(isSampledTerm))) return null;
  const { weight } = sample;
  const marks = markMatches(plan, sets, sample);
  const hits = countMarks(marks.isHit);
  return {
    matches: hits * weight,
    matchesMost: mostOf(hits) * weight,
    gathered: countMarks(marks.isGathered) * weight,
    pinnedMost:
      mostOf(
        countMarks(
          markCarriers(
            pinned.map((term) => [term]),
            sample.carriers,
            sample.size,
          ),
        ),
      ) * weight,
    page: hits < HITS_MIN ? null : findPage(plan, marks, sample),
  };
}

function mostOf(hits: number): number {
  return hits + DEVIATIONS_MOST * Math.sqrt(hits) + HITS_MOST;
}

type Bounds = readonly [from: number, to: number];

interface Marks {
  /** 1 for what lies on the way of the walk. */
  readonly isPassed: Uint8Array;
  /** 1 for what matches. */
  readonly isHit: Uint8Array;
  /** 1 for what a gathering fetches. */
  readonly isGathered: Uint8Array;
}

type Walked = Pick<Marks, 'isPassed' | 'isHit'>;

function countMarks(marks: Uint8Array): number {
  let count = 0;
  for (const mark of marks) count += mark;
  return count;
}

function markMatches(
  { conditions, walked, lanes }: Surveyed,
  sets: readonly (readonly number[])[],
  sample: RecordSample,
): Marks {
  const { carriers, values, size } = sample;
  const registers = lanes.map((code) => codeTerm('jurisdiction', code)).filter((term) => term !== null);
  const passed = lanes.length === 0 ? [] : [registers];
  const isPassed = markCarriers(passed, carriers, size);
  const isHit = markCarriers([...passed, ...sets], carriers, size);
  const isGathered = isHit.slice();
  for (const interval of conditions.intervals) {
    unmarkOutside(isHit, values[interval.column], boundsOf(interval));
    if (isCovered(interval, walked)) {
      unmarkOutside(isGathered, values[interval.column], widen(boundsOf(interval), isCoveredByMonths(interval)));
    }
  }
  return { isPassed, isHit, isGathered };
}

function unmarkOutside(marks: Uint8Array, values: Float64Array, [from, to]: Bounds): void {
  // No comparison holds of NaN.
  for (let at = 0; at < marks.length; at += 1) if (!(values[at]! >= from && values[at]! <= to)) marks[at] = 0;
}

/** To whole months or years, of dates as numbers. */
function widen([from, to]: Bounds, isByMonths: boolean): Bounds {
  const unit = isByMonths ? 100 : 10_000;
  return [Math.floor(from / unit) * unit, (Math.floor(to / unit) + 1) * unit];
}

/** 1 for the records that carry a term of every set. */
function markCarriers(
  sets: readonly (readonly number[])[],
  carriers: RecordSample['carriers'],
  size: number,
): Uint8Array {
  // How many sets a record has satisfied so far, none left out.
  const satisfied = new Uint8Array(size);
  for (const [count, terms] of sets.entries()) {
    for (const term of terms) {
      for (const position of carriers.get(term) ?? [])
        if (satisfied[position] === count) satisfied[position] = count + 1;
    }
  }
  return satisfied.map((count) => (count === sets.length ? 1 : 0));
}

/** Both inclusive: what ends between two milliseconds or at one makes no difference to a sample. */
function boundsOf({ column, from, to }: Interval): Bounds {
  return [
    from === null ? Number.NEGATIVE_INFINITY : readValue(column, from),
    to === null ? Number.POSITIVE_INFINITY : readValue(column, to),
  ];
}

function readValue(column: IntervalColumn, text: string): number {
  return column === 'updated_at' ? Date.parse(text) : Number(text.replaceAll('-', ''));
}

function writeDate(value: number): DateText {
  const digits = String(value).padStart(8, '0');
  return `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`;
}

/** Along the order from the plan's position on. */
function findPage(plan: Surveyed, { isPassed, isHit }: Walked, sample: RecordSample): Reached | null {
  const { sort, order, after, limit, walkedInterval } = plan;
  // Without sort values records come by their identities, of which the sample knows nothing.
  if (after !== null && after.value === null) return null;
  const { weight } = sample;
  const wanted = (limit + 1) / weight;
  const values = sample.values[sort];
  const [from, to] = stretchOf(plan);
  const ranks: number[] = [];
  const hitValues: number[] = [];
  let rank = 0;
  const valued = sample.orders[sort];
  for (let index = 0; index < valued.length && ranks.length < Math.ceil(wanted) + HITS_BEYOND; index += 1) {
    const position = valued[order === 'asc' ? index : valued.length - 1 - index]!;
    if (isPassed[position] === 0 || !(values[position]! >= from && values[position]! <= to)) continue;
    if (isHit[position] === 1) {
      ranks.push(rank);
      hitValues.push(values[position]!);
    }
    rank += 1;
  }
  if (ranks.length >= Math.max(HITS_MIN, wanted)) {
    const last = Math.min(ranks.length, Math.ceil(wanted) + HITS_GENEROUS) - 1;
    return {
      rows: weight * rowsUntil(ranks, wanted),
      date: sort === 'updated_at' ? null : writeDate(hitValues[last]!),
      dateRows: weight * (ranks[last]! + 1),
      dateMatches: weight * (last + 1),
    };
  }
  // What has a value is not enough: the order ends there, or the rest of the page comes from those without one.
  const dated = { date: null, dateRows: weight * rank, dateMatches: weight * ranks.length };
  if (sort === 'updated_at' || walkedInterval !== null) return { ...dated, rows: dated.dateRows };
  const [valueless, hits] = countValueless({ isPassed, isHit }, values);
  const missing = Math.max(0, wanted - ranks.length);
  const further = hits === 0 ? valueless : Math.min(valueless, (missing * valueless) / hits);
  return { ...dated, rows: dated.dateRows + weight * further };
}

/** What of the order is still to come, by the values of the sort. */
function stretchOf({ sort, order, after, walkedInterval }: Surveyed): Bounds {
  const [from, to] = boundsOf(walkedInterval ?? { column: sort, from: null, to: null });
  if (after === null || after.value === null) return [from, to];
  const value = readValue(sort, after.value);
  return order === 'asc' ? [Math.max(from, value), to] : [from, Math.min(to, value)];
}

/** Records of the sample until so many of the hits, which may be less than one of them. */
function rowsUntil(ranks: readonly number[], wanted: number): number {
  const first = ranks[0]!;
  const apart = Math.max(1, (ranks.at(-1)! - first) / (ranks.length - 1));
  const begin = first > BEGIN_FACTOR * apart ? first - apart : 0;
  return begin + wanted * apart;
}

function countValueless({ isPassed, isHit }: Walked, values: Float64Array): [passed: number, hits: number] {
  let passed = 0;
  let hits = 0;
  for (let at = 0; at < values.length; at += 1) {
    if (!Number.isNaN(values[at]!) || isPassed[at] === 0) continue;
    passed += 1;
    hits += isHit[at]!;
  }
  return [passed, hits];
}
