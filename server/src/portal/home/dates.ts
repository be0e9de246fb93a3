/**
 * Dates that lie ahead among the records that a customer watches, as the registers state them: ends of opposition,
 * expiry and renewal. Nothing is computed. Bounded: so many listed records, and so many matches of so many watches,
 * within a time limit; the page says if something was left out. The result is kept for some minutes, because people
 * come back to the page.
 */
import type { DateText, TrademarkDetail } from '@tmds/contract/record';
import { LRUCache } from 'lru-cache';
import { type Clock, isoInstant } from '../../base/clock.ts';
import { type DateSpan, listDatedRecords } from '../../store/records/stated-dates.ts';
import { findSubject, listLatestWatches, listWatchedRecords } from '../../store/watches/watches.ts';
import type { PortalServices } from '../services.ts';

/** Days ahead, in two groups. */
export const NEAR_DAYS = 30;
export const FAR_DAYS = 90;
/** The newest watches count, and of each list or kind of match at most so many records. */
const WATCHES_READ = 20;
const LISTS_READ = 100;
const LISTED_READ = 10_000;
const LISTED_FOUND = 200;
const MATCHES_READ = 50;
const KEPT_MS = 5 * 60_000;
const KEPT_MAX = 200;
const DAY_MS = 86_400_000;

export type DateKind = 'opposition' | 'expiry' | 'renewal';

const KINDS: readonly (readonly [DateKind, 'opposition_period_end' | 'expiry_date' | 'renewal_date'])[] = [
  ['opposition', 'opposition_period_end'],
  ['expiry', 'expiry_date'],
  ['renewal', 'renewal_date'],
];

export interface DateAhead {
  readonly date: DateText;
  readonly kind: DateKind;
  readonly record: Pick<TrademarkDetail, 'jurisdiction_code' | 'uid' | 'mark_name' | 'mark_feature' | 'status'>;
}

export interface DatesAhead {
  /** The soonest first. */
  readonly dates: readonly DateAhead[];
  /** Today, and the last day of the first group. */
  readonly today: DateText;
  readonly near: DateText;
  /** Whether bounds or the time limit left something out. */
  readonly isPartial: boolean;
}

export type DatesReader = (customerId: string) => Promise<DatesAhead>;

export function buildDatesReader(services: PortalServices): DatesReader {
  const { clock } = services;
  const kept = new LRUCache<string, DatesAhead>({
    max: KEPT_MAX,
    ttl: KEPT_MS,
    perf: { now: () => clock.monotonicMs() },
  });
  return async (customerId) => {
    const { database } = services;
    const watches = await listLatestWatches(database, customerId, { live: true, before: null, limit: LISTS_READ });
    const span = spanOf(clock);
    const name = JSON.stringify([customerId, span.from, watches.map(({ watch_id, revision }) => [watch_id, revision])]);
    const known = kept.get(name);
    if (known !== undefined) return known;
    const searched = watches.filter(({ kind }) => kind !== 'records');
    const read = searched.slice(0, WATCHES_READ);
    const bounds = { watchesMax: LISTS_READ, recordsMax: LISTED_READ };
    const [matches, listed] = await Promise.all([
      services.watches.findDated(
        customerId,
        read.map((watch) => () => findSubject(database, watch)),
        { span, limit: MATCHES_READ },
      ),
      listWatchedRecords(database, customerId, bounds),
    ]);
    const ofLists = await listDatedRecords(database, listed, span, LISTED_FOUND + 1);
    const isPartial =
      searched.length > read.length ||
      watches.length === LISTS_READ ||
      listed.length === LISTED_READ ||
      ofLists.length > LISTED_FOUND ||
      matches.some((found) => found === null || found.hasMore);
    const records = [...ofLists, ...matches.flatMap((found) => found?.records ?? [])];
    const dates = { dates: listDates(records, span), today: span.from, near: dayAfter(clock, NEAR_DAYS), isPartial };
    kept.set(name, dates);
    return dates;
  };
}

function spanOf(clock: Clock): DateSpan {
  return { from: dayAfter(clock, 0), to: dayAfter(clock, FAR_DAYS) };
}

/** In UTC. */
function dayAfter(clock: Clock, days: number): DateText {
  return isoInstant(clock.nowMs() + days * DAY_MS).slice(0, 10) as DateText;
}

function listDates(records: readonly TrademarkDetail[], { from, to }: DateSpan): DateAhead[] {
  const dates = new Map<string, DateAhead>();
  for (const record of records) {
    for (const [kind, field] of KINDS) {
      const date = record[field];
      if (date === null || date < from || date > to) continue;
      const { jurisdiction_code, uid, mark_name, mark_feature, status } = record;
      const name = [date, jurisdiction_code, uid, kind].join(' ');
      dates.set(name, { date, kind, record: { jurisdiction_code, uid, mark_name, mark_feature, status } });
    }
  }
  return [...dates].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, ahead]) => ahead);
}
