/**
 * What a watch matches now, found in the index: its conditions, the records of some registers, and the records that
 * state a date within a span. Watches that list their records need no index, and are read elsewhere.
 */
import { MATCHED_COUNT_MAX } from '@tmds/contract/limits';
import type { TrademarkDetail } from '@tmds/contract/record';
import type { Clock } from '../base/clock.ts';
import type { SearchIndex } from '../follow/live-index.ts';
import type { SearchLimits } from '../follow/search-pool.ts';
import { WatchedMarks } from '../likeness/watched-marks.ts';
import { parseSearchText } from '../parse/search.ts';
import { type Condition, planSearch, type SearchPlan } from '../plan/search.ts';
import { planMark, planNames, planOwners, type WatchedMark, type WatchPlan } from '../plan/watches.ts';
import type { DateSpan } from '../store/records/date-facts.ts';
import { Timing } from './call.ts';
import { orNull } from './page-reads.ts';
import { findPage, type PageSources, readItems } from './search.ts';

type Subject = WatchPlan['subject'];
type Read = readonly (() => Promise<Subject>)[];

interface MatchSources extends PageSources {
  readonly clock: Clock;
}

/** Both readings, each in a turn of the customer of this id. */
export function buildMatchReader(sources: MatchSources, limit: (customerId: string) => SearchLimits) {
  return {
    findDated: (customerId: string, watches: Read, within: { span: DateSpan; limit: number }) =>
      findAllDated(sources, watches, within, limit(customerId)),
    findOfRegisters: (customerId: string, watches: Read, among: { registers: readonly string[]; limit: number }) =>
      findAllOfRegisters(sources, watches, among, limit(customerId)),
  };
}

/** One after the other, in their order; null for those that cannot be read within the limits. */
async function findAllOfRegisters(
  sources: MatchSources,
  subjects: Read,
  among: { registers: readonly string[]; limit: number },
  limits: SearchLimits,
): Promise<(DatedMatches | null)[]> {
  const found: (DatedMatches | null)[] = [];
  for (const read of subjects) {
    if (sources.clock.monotonicMs() >= limits.deadlineMs) found.push(null);
    else found.push(await findOfRegisters(sources, await read(), among, limits));
  }
  return found;
}

async function findOfRegisters(
  sources: MatchSources,
  subject: Subject,
  { registers, limit }: { registers: readonly string[]; limit: number },
  limits: SearchLimits,
): Promise<DatedMatches | null> {
  if (subject.kind === 'records') return { records: [], hasMore: false };
  return await orNull(async () => {
    const watched = await findConditions(sources.index, subject, limits);
    const plan = planOfRegisters(watched, registers, limit);
    const page = await findPage(plan, sources, limits, new Timing(sources.clock));
    const records = readItems(page);
    return { records, hasMore: (page.matched?.count ?? 0) > records.length };
  });
}

function planOfRegisters(watched: readonly Condition[], registers: readonly string[], limit: number): SearchPlan {
  // What has ended has no date ahead.
  const query = `jurisdiction=${registers.join(',')}&status=Registered,Pending,Unknown`;
  const open = planSearch(parseSearchText(query));
  return { ...open, conditions: [...watched, ...open.conditions], limit, countMax: MATCHED_COUNT_MAX + 1 };
}

/**
 * The conditions are what a record satisfies that the watch matches. The names that are like a mark are found by the
 * search for likeness and become a condition; it lists at most the nearest names of each strategy.
 */
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
  return planSearch(parseSearchText(search)).conditions;
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

interface Sources extends PageSources {
  readonly clock: Clock;
}

/** The dates by which the index finds records. */
const FIELDS = ['opposition_period_end', 'expiry_date'] as const;

export interface DatedMatches {
  /** At most the requested number for each date; a record may be there twice. */
  readonly records: readonly TrademarkDetail[];
  /** Whether more records match than these. */
  readonly hasMore: boolean;
}

/** One after the other, in their order; null for those that cannot be read within the limits. */
async function findAllDated(
  sources: Sources,
  subjects: readonly (() => Promise<WatchPlan['subject']>)[],
  { span, limit }: { span: DateSpan; limit: number },
  limits: SearchLimits,
): Promise<(DatedMatches | null)[]> {
  const found: (DatedMatches | null)[] = [];
  for (const read of subjects) {
    if (sources.clock.monotonicMs() >= limits.deadlineMs) found.push(null);
    else found.push(await findDated(sources, await read(), { span, limit }, limits));
  }
  return found;
}

async function findDated(
  sources: Sources,
  subject: WatchPlan['subject'],
  { span, limit }: { span: DateSpan; limit: number },
  limits: SearchLimits,
): Promise<DatedMatches | null> {
  if (subject.kind === 'records') return { records: [], hasMore: false };
  return await orNull(async () => {
    const watched = await findConditions(sources.index, subject, limits);
    const records: TrademarkDetail[] = [];
    let hasMore = false;
    for (const field of FIELDS) {
      const plan = planDated(watched, field, span, limit);
      const page = await findPage(plan, sources, limits, new Timing(sources.clock));
      const found = readItems(page);
      records.push(...found);
      hasMore ||= (page.matched?.count ?? 0) > found.length;
    }
    return { records, hasMore };
  });
}

function planDated(
  watched: readonly Condition[],
  field: (typeof FIELDS)[number],
  { from, to }: DateSpan,
  limit: number,
): SearchPlan {
  // The plan of a search with the date alone, whose conditions those of the watch join.
  const dated = planSearch(parseSearchText(`${field}_from=${from}&${field}_to=${to}`));
  const conditions = [...watched, ...dated.conditions];
  return { ...dated, conditions, limit, countMax: MATCHED_COUNT_MAX + 1 };
}
