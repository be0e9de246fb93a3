/**
 * The dates that lie ahead among the records that a customer watches, stated and computed. Records that a watch lists
 * are read themselves; those of searches and owners are found by a stated date, and a bounded number of them is read
 * for computed ones. It knows neither how matches are found nor who sees the dates. Bounded everywhere; the result says
 * what bounds or a time limit left out. Results are kept for some minutes, because people come back. A reminder is of
 * dates that came as near as 90, 30 or 7 days since the last one.
 */
import type { DateText, TrademarkDetail } from '@tmds/contract/record';
import { LRUCache } from 'lru-cache';
import { type Clock, DAY_MS, utcDay } from '../base/clock.ts';
import type { Queryable } from '../database/driver/db.ts';
import { addTerm, dayNumber } from '../dates/calendar.ts';
import { RULES } from '../dates/rules/all.ts';
import { type DateSpan, pickDateFacts, readDateFacts } from '../store/records/date-facts.ts';
import {
  findSubject,
  listLatestWatches,
  listWatchedRecords,
  type StoredWatch,
  type WatchedRecord,
  type WatchSubject,
} from '../store/watches/watches.ts';
import { type DueDate, listDueDates, sortDueDates } from './next-dates.ts';

/** At most this many of the newest watches count, and this many records of all lists together. */
const WATCHES_READ = 20;
const LISTS_READ = 100;
const LISTED_READ = 10_000;
/** The soonest dates of lists and matches together. */
const DATES_MAX = 500;
const KEPT_MS = 5 * 60_000;
const KEPT_MAX = 100;
/** Registers of which dates can be computed. */
const RULED: readonly string[] = [...new Set(RULES.map(({ jurisdiction }) => jurisdiction))];

/** What is read of the matches of a search or of owners. */
interface MatchBounds {
  /** Records of each stated date. */
  readonly dated: number;
  /** Records of registers with rules. */
  readonly ruled: number;
}

const OF_ALL: MatchBounds = { dated: 50, ruled: 100 };

interface Matches {
  readonly records: readonly TrademarkDetail[];
  /** Whether more records match than these. */
  readonly hasMore: boolean;
}

/** Finds records that watches match now, within a time limit; null for those that would take too long. */
export interface MatchReader {
  /** Those that state an end of opposition or an expiry within the span, at most `limit` of each. */
  readonly findDated: (
    customerId: string,
    watches: readonly (() => Promise<WatchSubject>)[],
    within: { readonly span: DateSpan; readonly limit: number },
  ) => Promise<readonly (Matches | null)[]>;
  /** Those of these registers, at most `limit`. */
  readonly findOfRegisters: (
    customerId: string,
    watches: readonly (() => Promise<WatchSubject>)[],
    among: { readonly registers: readonly string[]; readonly limit: number },
  ) => Promise<readonly (Matches | null)[]>;
}

interface DueSources {
  readonly database: Queryable;
  readonly clock: Clock;
  readonly matches: MatchReader;
}

/** What was left out. */
export interface Omissions {
  /** More is watched than is read. */
  readonly isPartial: boolean;
  /** Computed dates of searches and owners with many matches. */
  readonly lacksComputed: boolean;
  /** Watches that could not be read in time. */
  readonly isInterrupted: boolean;
}

export interface DatesAhead extends Omissions {
  /** The soonest first. */
  readonly dates: readonly DueDate[];
  readonly today: DateText;
}

/** In UTC. */
export function dayAfter(clock: Clock, days: number): DateText {
  return utcDay(clock.nowMs() + days * DAY_MS);
}

/** Among all live watches of a customer. */
export type DatesReader = (customerId: string, span: DateSpan) => Promise<DatesAhead>;

export function buildDatesReader(sources: DueSources): DatesReader {
  const { database, clock } = sources;
  const kept = new LRUCache<string, DatesAhead>({
    max: KEPT_MAX,
    ttl: KEPT_MS,
    perf: { now: () => clock.monotonicMs() },
  });
  return async (customerId, span) => {
    const watches = await listLatestWatches(database, customerId, { live: true, before: null, limit: LISTS_READ });
    const today = dayAfter(clock, 0);
    const revisions = watches.map(({ watch_id, revision }) => [watch_id, revision]);
    const name = JSON.stringify([customerId, today, span, revisions]);
    const known = kept.get(name);
    if (known !== undefined) return known;
    const searched = watches.filter(({ kind }) => kind !== 'records');
    const read = searched.slice(0, WATCHES_READ);
    const [matched, listed] = await Promise.all([
      readMatches(sources, { customerId, watches: read, span, bounds: OF_ALL }),
      listWatchedRecords(database, customerId, { watchesMax: LISTS_READ, recordsMax: LISTED_READ }),
    ]);
    const found = [...matched.dates, ...(await readListed(sources, listed, span))];
    const isPartial =
      matched.isPartial ||
      searched.length > read.length ||
      watches.length === LISTS_READ ||
      listed.length === LISTED_READ;
    const ahead = { ...cutDates(found, DATES_MAX, { ...matched, isPartial }), today };
    if (!ahead.isInterrupted) kept.set(name, ahead);
    return ahead;
  };
}

/** At most `datesMax` dates of one watch. */
export async function readDatesOfWatch(
  sources: DueSources,
  watch: StoredWatch,
  { span, bounds, datesMax }: { span: DateSpan; bounds: MatchBounds; datesMax: number },
): Promise<DatesAhead> {
  const subject = await findSubject(sources.database, watch);
  if (subject.kind === 'records') return readDatesOfRecords(sources, subject.records, { span, datesMax });
  const { customer_id: customerId } = watch;
  const matched = await readMatches(sources, { customerId, watches: [watch], span, bounds });
  return { ...cutDates(matched.dates, datesMax, matched), today: dayAfter(sources.clock, 0) };
}

export async function readDatesOfRecords(
  sources: Omit<DueSources, 'matches'>,
  records: readonly WatchedRecord[],
  { span, datesMax }: { span: DateSpan; datesMax: number },
): Promise<DatesAhead> {
  const read = records.slice(0, LISTED_READ);
  const nothing = { isPartial: records.length > read.length, lacksComputed: false, isInterrupted: false };
  const dates = await readListed(sources, read, span);
  return { ...cutDates(dates, datesMax, nothing), today: dayAfter(sources.clock, 0) };
}

function cutDates(dates: readonly DueDate[], max: number, { isPartial, ...left }: Omissions) {
  const sorted = sortDueDates(dates);
  return { ...left, dates: sorted.slice(0, max), isPartial: isPartial || sorted.length > max };
}

async function readListed(
  { database, clock }: Omit<DueSources, 'matches'>,
  records: readonly WatchedRecord[],
  span: DateSpan,
): Promise<DueDate[]> {
  const today = dayAfter(clock, 0);
  const dates: DueDate[] = [];
  for await (const facts of readDateFacts(database, records)) {
    for (const record of facts) dates.push(...listDueDates(record, span, today));
  }
  return dates;
}

interface MatchesAsked {
  readonly customerId: string;
  readonly watches: readonly StoredWatch[];
  readonly span: DateSpan;
  readonly bounds: MatchBounds;
}

async function readMatches(
  { database, clock, matches }: DueSources,
  { customerId, watches, span, bounds }: MatchesAsked,
): Promise<Omissions & { readonly dates: readonly DueDate[] }> {
  const today = dayAfter(clock, 0);
  const subjects = watches.map((watch) => () => findSubject(database, watch));
  const [dated, ruled] = await Promise.all([
    matches.findDated(customerId, subjects, { span, limit: bounds.dated }),
    matches.findOfRegisters(customerId, subjects, { registers: RULED, limit: bounds.ruled }),
  ]);
  const records = [...dated, ...ruled].flatMap((found) => found?.records ?? []);
  return {
    dates: records.flatMap((record) => listDueDates(pickDateFacts(record), span, today)),
    isPartial: dated.some((found) => found?.hasMore),
    lacksComputed: ruled.some((found) => found?.hasMore),
    isInterrupted: [...dated, ...ruled].some((found) => found === null),
  };
}

/** Days ahead. */
export const REMINDED_DAYS = [90, 30, 7] as const;

/** The days after `after`, through `through`, that a reminder is of. */
interface RemindedDays {
  readonly after: DateText;
  readonly through: DateText;
}

/** The dates that reached a distance on one of these days: one span for each distance. */
export function listRemindedSpans({ after, through }: RemindedDays): DateSpan[] {
  return REMINDED_DAYS.map((days) => ({
    from: addTerm(after, { days: days + 1 }),
    to: addTerm(through, { days }),
  }));
}

/** Among all live watches of a customer, the soonest first. */
export async function readReminded(
  readDates: DatesReader,
  customerId: string,
  days: RemindedDays,
): Promise<Omit<DatesAhead, 'today'>> {
  const found: DatesAhead[] = [];
  for (const span of listRemindedSpans(days)) found.push(await readDates(customerId, span));
  return {
    dates: sortDueDates(found.flatMap(({ dates }) => dates)),
    isPartial: found.some(({ isPartial }) => isPartial),
    lacksComputed: found.some(({ lacksComputed }) => lacksComputed),
    isInterrupted: found.some(({ isInterrupted }) => isInterrupted),
  };
}

/** Whole days from one day to a later one. */
export function daysUntil(from: DateText, to: DateText): number {
  return dayNumber(to) - dayNumber(from);
}
