/** Counts how many matches of a search have each value of a field. Counts are exact, however many matches there are. */
import type { Condition } from '../plan/search.ts';
import { TERM_FIELD_NAMES, type TermField } from '../record/terms.ts';
import type { Interruption } from './interruption.ts';
import { SegmentMatches } from './match.ts';
import type { SearchTools } from './matchers.ts';
import { fillBits } from './page.ts';
import { ARRAY_MAX, CHUNK_WORDS, countCommonBits, hasBit } from './postings.ts';
import type { Scratch } from './scratch.ts';
import type { Segment } from './segment.ts';
import type { View } from './view.ts';
import { addYears } from './years.ts';

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
