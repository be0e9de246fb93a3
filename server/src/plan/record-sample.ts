/**
 * Some of the stored records, drawn at random, arranged so that those that carry, lie within or contain something are
 * found in microseconds. It knows no search; what a search makes of it is told in `survey.ts`.
 * Lists of records are of their positions in the sample, ascending.
 */
import { SORTS, type Sort } from '@tmds/contract/enums';
import { INTERVAL_COLUMNS, type Interval, type IntervalColumn, NAME_COLUMNS, type NameColumn } from './filters.ts';

/** What is read of the records of a sample. */
export interface DrawnRecords {
  readonly size: number;
  /** Of each record: a date as the number YYYYMMDD, a change time in milliseconds since 1970; NaN = none. */
  readonly values: Readonly<Record<IntervalColumn, Float64Array>>;
  /** Of one record after the other, how many of its terms are sampled (`isSampledTerm`), and those. */
  readonly terms: Int32Array;
  /** A line of each record, as its names are stored; empty for none. Normalized names have no line breaks. */
  readonly names: Readonly<Record<NameColumn, string>>;
}

export interface RecordSample {
  /** Records of the sample, about `SAMPLE_SIZE` at most. */
  readonly size: number;
  /** How many stored records each of them stands for, at least 1. */
  readonly weight: number;
  /** All positions. */
  readonly everybody: Uint16Array;
  /** By term, the positions of the records that carry it. */
  readonly carriers: ReadonlyMap<number, Uint16Array>;
  /** By position; NaN for none. */
  readonly values: Readonly<Record<IntervalColumn, Float64Array>>;
  readonly orders: Readonly<Record<Sort, SampleOrder>>;
  readonly names: Readonly<Record<NameColumn, SampleLines>>;
}

/** The records that have a value, in ascending order of it. */
interface SampleOrder {
  readonly positions: Uint16Array;
  /** By position, the place in that order; `NO_RANK` for who has no value. */
  readonly ranks: Uint16Array;
}

/** One text to look through: thousands of small ones, all over the memory, take ten times as long. */
interface SampleLines {
  readonly text: string;
  /** By position, where its line begins; and behind them, where one more would. */
  readonly starts: Uint32Array;
}

export const NO_RANK = 0xffff;

/** So many take some five megabytes and a search some 100 microseconds; their positions have room in 16 bits. */
export const SAMPLE_SIZE = 16_384;

/** Of records drawn at random from so many stored ones. Throws where names have more or fewer lines than records. */
export function buildSample({ size, values, terms, names }: DrawnRecords, stored: number): RecordSample {
  return {
    size,
    weight: Math.max(1, stored / size),
    everybody: Uint16Array.from({ length: size }, (_, position) => position),
    carriers: invertTerms(terms),
    values,
    orders: mapEach(SORTS, (sort) => orderBy(values[sort])),
    names: mapEach(NAME_COLUMNS, (column) => splitLines(names[column], size)),
  };
}

export const NO_SAMPLE: RecordSample = buildSample(
  {
    size: 0,
    values: mapEach(INTERVAL_COLUMNS, () => new Float64Array()),
    terms: new Int32Array(),
    names: mapEach(NAME_COLUMNS, () => ''),
  },
  0,
);

function mapEach<Key extends string, Value>(keys: readonly Key[], map: (key: Key) => Value): Record<Key, Value> {
  return Object.fromEntries(keys.map((key) => [key, map(key)])) as Record<Key, Value>;
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

function orderBy(values: Float64Array): SampleOrder {
  const valued = new Uint16Array(values.keys()).filter((position) => !Number.isNaN(values[position]!));
  const positions = valued.sort((one, other) => values[one]! - values[other]!);
  const ranks = new Uint16Array(values.length).fill(NO_RANK);
  for (const [rank, position] of positions.entries()) ranks[position] = rank;
  return { positions, ranks };
}

function splitLines(text: string, size: number): SampleLines {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  if (size > 0 && starts.length !== size) throw new Error(`${starts.length} lines of names for ${size} records`);
  return { text, starts: Uint32Array.from([...starts, text.length + 1]) };
}

/** The records that carry a term of every set. */
export function findCarriers(
  sets: readonly (readonly number[])[],
  { carriers, everybody, size }: RecordSample,
): Uint16Array {
  const lists = sets.map((terms) =>
    uniteLists(
      terms.map((term) => carriers.get(term) ?? NOBODY),
      size,
    ),
  );
  const [shortest = everybody, ...others] = lists.sort((one, other) => one.length - other.length);
  return others.reduce(intersectLists, shortest);
}

const NOBODY = new Uint16Array();

function uniteLists(lists: readonly Uint16Array[], size: number): Uint16Array {
  if (lists.length === 1) return lists[0]!;
  const isIn = new Uint8Array(size);
  for (const list of lists) for (let at = 0; at < list.length; at += 1) isIn[list[at]!] = 1;
  const united = new Uint16Array(size);
  let count = 0;
  for (let position = 0; position < size; position += 1) if (isIn[position] === 1) united[count++] = position;
  return united.subarray(0, count);
}

/** The records that are in both lists. */
export function intersectLists(one: Uint16Array, other: Uint16Array): Uint16Array {
  const common = new Uint16Array(Math.min(one.length, other.length));
  let count = 0;
  for (let at = 0, beside = 0; at < one.length; at += 1) {
    const position = one[at]!;
    while (beside < other.length && other[beside]! < position) beside += 1;
    if (other[beside] === position) common[count++] = position;
  }
  return common.subarray(0, count);
}

/** The records whose line contains a part. */
export function findNamed(column: NameColumn, part: string, { names, size }: RecordSample): Uint16Array {
  const { text, starts } = names[column];
  const found = new Uint16Array(size);
  let count = 0;
  let at = text.indexOf(part);
  for (let position = 0; at !== -1 && position < size; at = text.indexOf(part, starts[position])) {
    while (starts[position + 1]! <= at) position += 1;
    found[count++] = position;
    position += 1;
  }
  return found.subarray(0, count);
}

/** Both inclusive, in the numbers of `DrawnRecords`; infinite where open. */
export type Bounds = readonly [from: number, to: number];

/** Those of the records that have a value within every interval, whose bounds are read so. */
export function keepWithin(
  records: Uint16Array,
  intervals: readonly Interval[],
  { values }: RecordSample,
  readBounds: (interval: Interval) => Bounds = boundsOf,
): Uint16Array {
  return intervals.reduce(
    (kept, interval) => keepBetween(kept, values[interval.column], readBounds(interval)),
    records,
  );
}

/** Without those that have no value. A loop: a filter with a function takes ten times as long. */
function keepBetween(records: Uint16Array, values: Float64Array, [from, to]: Bounds): Uint16Array {
  const kept = new Uint16Array(records.length);
  let count = 0;
  for (let at = 0; at < records.length; at += 1) {
    const value = values[records[at]!]!;
    if (value >= from && value <= to) kept[count++] = records[at]!;
  }
  return kept.subarray(0, count);
}

/** What ends between two milliseconds or at one makes no difference to a sample. */
export function boundsOf({ column, from, to }: Interval): Bounds {
  return [
    from === null ? Number.NEGATIVE_INFINITY : readValue(column, from),
    to === null ? Number.POSITIVE_INFINITY : readValue(column, to),
  ];
}

/** A value of a column as a number of `DrawnRecords`. */
export function readValue(column: IntervalColumn, text: string): number {
  return column === 'updated_at' ? Date.parse(text) : Number(text.replaceAll('-', ''));
}
