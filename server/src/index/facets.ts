/**
 * Counts of a view: how many matches of a search have each value of a field, or a year of application, and what each
 * register holds, for comparison with the database. Counts are exact, however many matches there are.
 */
import type { Condition } from '../plan/search.ts';
import { TERM_FIELD_NAMES, type TermField } from '../record/terms.ts';
import { dayAt, NO_DAY } from './dates.ts';
import { AS_BITS, SegmentMatches } from './match.ts';
import type { Interruption, Scratch, SearchTools } from './matchers.ts';
import { fillBits } from './page.ts';
import { ARRAY_MAX, CHUNK_SIZE, CHUNK_WORDS, countCommonBits, hasBit, listBits } from './postings.ts';
import type { Segment, View } from './segment.ts';

export interface FacetValue {
  readonly value: string;
  readonly count: number;
}

/** The year of the application date, or the values of a membership filter. */
export type CountedField = TermField | 'application_year';
export const COUNTED_FIELDS: readonly CountedField[] = [...TERM_FIELD_NAMES, 'application_year'];

export type Facets = Readonly<Partial<Record<CountedField, readonly FacetValue[]>>>;

/** Most frequent values first, equally frequent ones in alphabetical order; values without a match are left out. */
export function countFacets(
  view: View,
  conditions: readonly Condition[],
  fields: readonly CountedField[],
  scratch: Scratch,
  interruption: Interruption,
): Facets {
  const tools = { scratch, interruption };
  const counts = new Map(COUNTED_FIELDS.filter((field) => fields.includes(field)).map((field) => [field, new Map()]));
  for (const part of view.parts) {
    scratch.takeBack();
    const matches = SegmentMatches.open(part, conditions, tools);
    if (matches !== null) addSegment(matches, counts, tools);
  }
  return Object.fromEntries([...counts].map(([field, values]) => [field, sortValues(values)]));
}

function addSegment(
  matches: SegmentMatches,
  counts: ReadonlyMap<CountedField, Map<string, number>>,
  tools: SearchTools,
): void {
  const { segment } = matches.part;
  const set = tools.scratch.lendBits(segment.chunks);
  const size = fillBits(matches, set.words, set.counts, tools);
  if (size === 0) return;
  for (const [field, values] of counts) {
    if (field === 'application_year') {
      addYears(segment, { ...set, size }, values, tools);
      continue;
    }
    for (const [value, term] of segment.listTerms(field)) {
      tools.interruption.check();
      const count = countCarriers(segment, term, set.words, set.counts);
      if (count > 0) values.set(value, (values.get(value) ?? 0) + count);
    }
  }
}

/** How many records of the set have a term. */
function countCarriers(segment: Segment, term: number, words: Uint32Array, setCounts: Uint32Array): number {
  const { counts, starts, members } = segment.postings;
  let sum = 0;
  for (let chunk = 0; chunk < segment.chunks; chunk += 1) {
    const count = counts[term * segment.chunks + chunk]!;
    if (count === 0 || setCounts[chunk] === 0) continue;
    const start = starts[term * segment.chunks + chunk]!;
    const base = chunk * CHUNK_WORDS;
    if (count > ARRAY_MAX) sum += countCommonBits(words, base, segment.memberWords, start >> 1);
    else for (let at = start; at < start + count; at += 1) if (hasBit(words, base, members[at]!)) sum += 1;
  }
  return sum;
}

function sortValues(counts: ReadonlyMap<string, number>): FacetValue[] {
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1));
}

/** Looking up a record in the order costs about as much as this many steps of a walk. */
const LOOKUP_STEPS = 64;

interface RecordSet {
  /** A bit for each ordinal. */
  readonly words: Uint32Array;
  /** The records of each chunk. */
  readonly counts: Uint32Array;
  readonly size: number;
}

/**
 * Counts a set by the year of the application date: many records by walking the order by that date, few by looking each
 * one up in it. Records without the date are in no year. Adds to the counts of `years`, which are named like `2024`.
 */
export function addYears(segment: Segment, set: RecordSet, years: Map<string, number>, tools: SearchTools): void {
  const add = (day: number, count: number): void => {
    const year = String(Math.floor(day / 10_000)).padStart(4, '0');
    if (count > 0) years.set(year, (years.get(year) ?? 0) + count);
  };
  if (set.size * LOOKUP_STEPS < segment.records) lookUpRecords(segment, set, add, tools);
  else walkDays(segment, set, add, tools);
}

type Add = (day: number, count: number) => void;

function walkDays({ orders }: Segment, { words }: RecordSet, add: Add, { interruption }: SearchTools): void {
  const { days, starts, sorted } = orders.application_date;
  for (let at = 0; at < days.length; at += 1) {
    interruption.check();
    const end = starts[at + 2]!;
    let count = 0;
    for (let place = starts[at + 1]!; place < end; place += 1) if (hasBit(words, 0, sorted[place]!)) count += 1;
    add(days[at]!, count);
  }
}

function lookUpRecords(segment: Segment, { words, counts }: RecordSet, add: Add, tools: SearchTools): void {
  const order = segment.orders.application_date;
  const { list } = tools.scratch;
  for (let chunk = 0; chunk < segment.chunks; chunk += 1) {
    if (counts[chunk] === 0) continue;
    tools.interruption.check();
    const size = listBits(words, chunk * CHUNK_WORDS, list);
    for (let at = 0; at < size; at += 1) {
      const day = dayAt(order, order.places[chunk * CHUNK_SIZE + list[at]!]!);
      if (day !== NO_DAY) add(day, 1);
    }
  }
}

export interface RegisterSummary {
  readonly jurisdiction_code: string;
  readonly record_count: number;
  /** The exclusive or of the records' digests, as 16 hexadecimal digits. */
  readonly digest: string;
}

/** Sorted by code; registers without records are left out. */
export function summarizeRegisters(view: View, tools: SearchTools): RegisterSummary[] {
  const codes = new Set(view.parts.flatMap(({ segment }) => segment.parts.terms.jurisdiction));
  return [...codes].sort().flatMap((code) => {
    const summary = summarizeRegister(view, code, tools);
    return summary.record_count === 0 ? [] : [summary];
  });
}

function summarizeRegister(view: View, code: string, tools: SearchTools): RegisterSummary {
  const { scratch } = tools;
  let [count, upper, lower] = [0, 0, 0];
  for (const part of view.parts) {
    const matches = SegmentMatches.open(part, [{ kind: 'terms', field: 'jurisdiction', values: [code] }], tools);
    if (matches === null) continue;
    const { digests } = part.segment;
    for (let chunk = matches.chunks.from; chunk < matches.chunks.to; chunk += 1) {
      const found = matches.evaluate(chunk, scratch.bits, 0);
      const size = found === AS_BITS ? listBits(scratch.bits, 0, scratch.list) : found;
      count += size;
      for (let at = 0; at < size; at += 1) {
        const ordinal = chunk * CHUNK_SIZE + scratch.list[at]!;
        upper ^= digests[ordinal * 2]!;
        lower ^= digests[ordinal * 2 + 1]!;
      }
    }
  }
  const digest = [upper, lower].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
  return { jurisdiction_code: code, record_count: count, digest };
}
