/**
 * Why a record did or did not hit a watch: its latest changes are matched again, by the code that matches all events,
 * as a whole and criterion by criterion. It does not word what it finds.
 * Invariant: of the changes that the watch has checked as it is, it says hit for exactly those that hit.
 */

import { DIAGNOSIS_EVENTS_MAX, type DiagnosisCriterion, type DiagnosisWindow } from '@tmds/contract/diagnosis';
import { HELD_AS_NAMES } from '@tmds/contract/likeness';
import type { Instant } from '@tmds/contract/record';
import type { HitEvent, HitLikeness } from '@tmds/contract/watches';
import { microsOf } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { type Database, withLimits } from '../database/driver/db.ts';
import { WatchedMarks } from '../likeness/watched-marks.ts';
import { parseWatchedSimilar } from '../parse/likeness.ts';
import { parseSearchText, type SearchFilters, writeSearch } from '../parse/search.ts';
import { type Condition, planEach } from '../plan/search.ts';
import { planMark, planOwners } from '../plan/watches.ts';
import { type HitHandling, listHandling, nameHit } from '../store/watches/hit-handling.ts';
import { listHitEvents } from '../store/watches/hits.ts';
import { findProgress, type MatchProgress } from '../store/watches/matching.ts';
import { type EventLimits, readRecordEvents, type VersionEvent } from '../store/watches/version-events.ts';
import {
  findSubject,
  findWatch,
  type StoredWatch,
  type WatchedRecord,
  type WatchSubject,
} from '../store/watches/watches.ts';
import { findHits, SiftedEvents, WatchedSearches } from './match-events.ts';

/** Matched in the thread of the call, which it holds for some milliseconds. */
const READ_LIMITS: EventLimits = { events: DIAGNOSIS_EVENTS_MAX, bytes: 1024 * 1024 };

export interface DiagnosedEvent {
  readonly version: Instant;
  readonly window: DiagnosisWindow;
  readonly matches: HitEvent | null;
  readonly hit: HitEvent | null;
  /** Null if nobody took it up. */
  readonly handling: HitHandling | null;
}

export interface Diagnosis {
  readonly watch: StoredWatch;
  readonly record: WatchedRecord;
  /** False if the search of the watch is not understood any more, and so is not matched. */
  readonly isUnderstood: boolean;
  readonly completeThrough: Instant;
  readonly criteria: readonly DiagnosisCriterion[];
  /** Newest first. */
  readonly events: readonly DiagnosedEvent[];
  readonly hasMore: boolean;
}

/** A watch of a customer, as the customer names it, and the record that is asked about. */
export interface DiagnosisOrder {
  readonly customerId: string;
  readonly id: string;
  readonly record: WatchedRecord;
}

interface Diagnosed {
  readonly watch: StoredWatch;
  readonly subject: WatchSubject;
  readonly record: WatchedRecord;
}

/** Null if the customer has no watch with this id. */
export async function diagnose(
  db: Database,
  { customerId, id, record }: DiagnosisOrder,
  signal: AbortSignal,
): Promise<Diagnosis | null> {
  // One snapshot: what is checked in it, by the watch as it is there, has its hits there.
  const read = await db.transaction(
    async (transaction) => {
      const tx = withLimits(transaction, { signal });
      const watch = await findWatch(tx, customerId, id);
      if (watch === null) return null;
      const subject = await findSubject(tx, watch);
      const progress = await findProgress(tx);
      const { events, hasMore } = await readRecordEvents(tx, record, READ_LIMITS);
      const stamps = events.map(({ stamp }) => stamp);
      const hits = await listHitEvents(tx, watch.watch_id, record, stamps);
      const handling = await listHandling(tx, watch.watch_id, events);
      return { watch, subject, progress, events, hasMore, hits, handling };
    },
    { isolation: 'repeatable read', readOnly: true, signal },
  );
  if (read === null) return null;
  const { watch, subject, progress, events, hasMore, hits, handling } = read;
  const sifted = new SiftedEvents(events);
  const matched = matchOne(sifted, { watch, subject, record });
  const isUnderstood = matched !== null;
  return {
    watch,
    record,
    isUnderstood,
    completeThrough: progress.complete_through,
    hasMore,
    criteria: isUnderstood ? listCriteria(sifted, { watch, subject, record }, hasMore) : [],
    events: events.map((event, number) => {
      const [matches, hit] = [matched?.get(number) ?? null, hits.get(event.stamp) ?? null];
      const window = windowOf(event, watch, progress, matches === hit);
      return { version: event.stamp, window, matches, hit, handling: handling.get(nameHit(event)) ?? null };
    }),
  };
}

/** `isAsMatched`: whether the watch as it is gives the same as was found. */
function windowOf(
  event: VersionEvent,
  watch: StoredWatch,
  progress: MatchProgress,
  isAsMatched: boolean,
): DiagnosisWindow {
  const { stamp } = event;
  if (stamp <= watch.holds_from) return 'before_watch';
  if (watch.ended_at !== null && stamp > watch.ended_at) return 'ended';
  if (!isMatched(event, progress)) return 'waiting';
  // Of a publish that was half matched when the watch changed, the first half was matched by the watch as it was.
  const isHalved = microsOf(stamp) === microsOf(watch.holds_from) + 1;
  return isHalved && !isAsMatched ? 'before_watch' : 'checked';
}

/** In the order of the database, which is that of bytes. */
function isMatched({ stamp, jurisdiction_code, uid }: VersionEvent, progress: MatchProgress): boolean {
  if (stamp !== progress.stamp) return stamp < progress.stamp;
  const place = (code: string, id: string): Buffer => Buffer.from(`${code}\0${id}`);
  return Buffer.compare(place(jurisdiction_code, uid), place(progress.jurisdiction_code, progress.uid)) <= 0;
}

/** Wrong searches are reported by the answer, not to the log. */
const UNHEARD: Pick<Log, 'error'> = { error: () => undefined };

/** The events that hit a watch like this, by their numbers; null if its search is not understood. */
function matchOne(sifted: SiftedEvents, { watch, subject, record }: Diagnosed): ReadonlyMap<number, HitEvent> | null {
  const { watch_id, id, kind } = watch;
  const searches = new WatchedSearches(UNHEARD);
  if ('search' in subject) {
    searches.take({ watch_id, id, kind, search: subject.search, is_live: true });
    if (!searches.has(watch_id)) return null;
  }
  const isListed = subject.kind === 'records' && lists(subject.records, record);
  const named = new Set(sifted.listOwners());
  const owners = subject.kind === 'owners' ? subject.owners.filter((name) => named.has(name)) : [];
  const watching = {
    listed: isListed ? [{ watch_id, numbers: [...sifted.events.keys()] }] : [],
    owned: owners.length > 0 ? [{ watch_id, names: owners }] : [],
    searches,
  };
  const hits = [...findHits(sifted, watching, [])].flatMap((each) => each.hits);
  return new Map(hits.map(({ number, event }) => [number, event]));
}

function lists(records: readonly WatchedRecord[], { jurisdiction_code, uid }: WatchedRecord): boolean {
  return records.some((each) => each.jurisdiction_code === jurisdiction_code && each.uid === uid);
}

type Versions = Iterable<number>;

function listCriteria(sifted: SiftedEvents, diagnosed: Diagnosed, hasMore: boolean): DiagnosisCriterion[] {
  const { watch, subject, record } = diagnosed;
  const judge = (name: string, asks: string, versions: Versions): DiagnosisCriterion => ({
    criterion: name,
    asks,
    ...findRun(sifted, versions, hasMore),
    likeness: null,
  });
  switch (subject.kind) {
    case 'records': {
      const holds = lists(subject.records, record);
      const asks = `${subject.records.length} records`;
      return [{ criterion: 'records', asks, holds, since: watch.holds_from, likeness: null }];
    }
    case 'owners':
      return [judge('owners', `${subject.owners.length} owners`, sifted.find(planOwners(subject.owners)))];
    case 'search': {
      const { filters } = parseSearchText(subject.search);
      return judgeFilters(sifted, filters, judge);
    }
    case 'similar': {
      const { filters, mark, strategies, heldAs } = parseWatchedSimilar(subject.search);
      const alike = findAlike(sifted, subject.search);
      const chosen = heldAs.length === HELD_AS_NAMES.length ? strategies : [...strategies, ...heldAs];
      const asks = new URLSearchParams({ mark, strategies: chosen.join(',') }).toString();
      return [
        { ...judge('similar', asks, alike.keys()), likeness: alike.get(0) ?? null },
        ...judgeFilters(sifted, filters, judge),
      ];
    }
  }
}

/** The versions with a name like the mark, whatever else is asked of them; the newest is the first. */
function findAlike(sifted: SiftedEvents, search: string): ReadonlyMap<number, HitLikeness> {
  const { mark, strategies, heldAs, classes } = planMark(search);
  const marks = new WatchedMarks();
  marks.put(mark, mark, strategies);
  const texts = marks.match(sifted.listMarks()).get(mark) ?? [];
  return sifted.findAlike({ watchId: mark, conditions: [], classes, heldAs, texts });
}

function judgeFilters(
  sifted: SiftedEvents,
  filters: SearchFilters,
  judge: (name: string, asks: string, versions: Versions) => DiagnosisCriterion,
): DiagnosisCriterion[] {
  return planEach(filters).map(({ names, conditions }) => {
    const own = Object.fromEntries(names.map((name) => [name, filters[name]])) as SearchFilters;
    return judge(names[0]!, writeSearch(own), sifted.find(conditions as Condition[]));
  });
}

/** Whether the newest version is among some, and from which version on that has been so. */
function findRun(
  sifted: SiftedEvents,
  versions: Versions,
  hasMore: boolean,
): Pick<DiagnosisCriterion, 'holds' | 'since'> {
  const { events } = sifted;
  if (events.length === 0) return { holds: null, since: null };
  const found = sifted.tell(Uint32Array.from(versions).sort());
  const holding = new Set(found.filter(({ event }) => event !== 'stops').map(({ number }) => number));
  const holds = holding.has(0);
  let last = 0;
  while (last + 1 < events.length && holding.has(last + 1) === holds) last += 1;
  const isWhole = last + 1 < events.length || !hasMore;
  return { holds, since: isWhole ? events[last]!.stamp : null };
}
