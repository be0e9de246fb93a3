/** Previews a watch: how many records match now, and how many hits it would have had in each month of the last year. */
import type { Instant } from '@tmds/contract/record';
import type { WatchDetail, WatchMonth } from '@tmds/contract/watches';
import { microsOf } from '../base/clock.ts';
import type { Queryable } from '../database/driver/db.ts';
import { findPublishState } from '../database/readers/publish-state.ts';
import type { SearchIndex } from '../follow/live-index.ts';
import type { SearchLimits } from '../follow/search-pool.ts';
import type { Condition } from '../plan/search.ts';
import type { WatchPlan } from '../plan/watches.ts';
import { countHits, countListedEvents, countListedRecords, type MonthCounts } from '../store/watches/counts.ts';
import type { WatchedRecord } from '../store/watches/watches.ts';
import { countPastEvents, type PastCounts, type PastLimits, type WatchSources } from './past-events.ts';
import { findConditions, type MatchedSubject, planPast } from './watched-matches.ts';

export type WatchPreview = Pick<WatchDetail, 'matches_now' | 'months' | 'counted_from'>;

const MONTHS = 12;

interface CountedMonths {
  readonly past: PastCounts;
  readonly lastChanged: MonthCounts;
  readonly hits: MonthCounts;
}

/**
 * `watchId`: null for a watch that does not exist yet, and so has had no hits.
 * @throws ApiError `query_timeout`, `unavailable`.
 */
export async function previewWatch(
  sources: WatchSources,
  subject: WatchPlan['subject'],
  watchId: string | null,
  limits: SearchLimits,
): Promise<WatchPreview> {
  if (subject.kind === 'records') return await previewRecords(sources, subject.records, watchId);
  return await previewSearch(sources, subject, watchId, limits);
}

export async function previewRecords(
  { database, clock }: Omit<WatchSources, 'index'>,
  records: readonly WatchedRecord[],
  watchId: string | null,
): Promise<WatchPreview> {
  const months = listMonths(clock.nowMs());
  const from = startOf(months.at(-1)!);
  const hits = await countOwnHits(database, watchId, from);
  const lastChanged = await countListedRecords(database, records);
  const past = { counts: await countListedEvents(database, records, from), countedFrom: from };
  const matches_now = [...lastChanged.values()].reduce((sum, count) => sum + count, 0);
  return joinPreview(matches_now, months, { past, lastChanged, hits });
}

/** `look`: how much of the history is read. */
export async function previewSearch(
  { index, database, clock }: WatchSources,
  subject: MatchedSubject,
  watchId: string | null,
  limits: SearchLimits,
  look?: PastLimits,
): Promise<WatchPreview> {
  const months = listMonths(clock.nowMs());
  const from = startOf(months.at(-1)!);
  const hits = await countOwnHits(database, watchId, from);
  // Everything committed before the call is counted.
  const { lastStamp } = await findPublishState(database);
  await index.waitFor(microsOf(lastStamp), limits);
  const conditions = await findConditions(index, subject, limits);
  const count = (more: readonly Condition[]) => countMatches(index, [...conditions, ...more], limits);
  const matches_now = await count([]);
  const lastChanged = new Map<string, number>();
  for (const [at, month] of months.entries()) {
    const to = at === 0 ? null : startOf(months[at - 1]!);
    lastChanged.set(month, await count([{ kind: 'changes', from: startOf(month), to }]));
  }
  const span = { from, through: lastStamp };
  const past = await countPastEvents({ index, database, clock }, planPast(subject), span, limits, look);
  return joinPreview(matches_now, months, { past, lastChanged, hits });
}

async function countOwnHits(database: Queryable, watchId: string | null, from: Instant): Promise<MonthCounts> {
  return watchId === null ? new Map() : await countHits(database, watchId, from);
}

/**
 * How many records match now.
 * @throws ApiError `query_timeout`, `unavailable`.
 */
export async function countWatched(
  { index, database }: Pick<WatchSources, 'index' | 'database'>,
  subject: WatchPlan['subject'],
  limits: SearchLimits,
): Promise<number> {
  if (subject.kind === 'records') {
    const counts = await countListedRecords(database, subject.records);
    return [...counts.values()].reduce((sum, count) => sum + count, 0);
  }
  return countMatches(index, await findConditions(index, subject, limits), limits);
}

async function countMatches(
  index: SearchIndex,
  conditions: readonly Condition[],
  limits: SearchLimits,
): Promise<number> {
  const all = { sort: 'updated_at', order: 'desc', after: null, limit: 1, countMax: Number.MAX_SAFE_INTEGER } as const;
  const { count } = await index.search({ ...all, conditions }, limits);
  return count;
}

/** `YYYY-MM`, the running month first. */
function listMonths(nowMs: number): string[] {
  const now = new Date(nowMs);
  return Array.from({ length: MONTHS }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7),
  );
}

function startOf(month: string): Instant {
  return `${month}-01T00:00:00.000000Z`;
}

function joinPreview(
  matches_now: number,
  months: readonly string[],
  { past, lastChanged, hits }: CountedMonths,
): WatchPreview {
  const counted = months.map((month, at): WatchMonth => {
    const isBefore = at > 0 && startOf(months[at - 1]!) <= past.countedFrom;
    return {
      month,
      events: isBefore ? null : (past.counts.get(month) ?? 0),
      last_changed: lastChanged.get(month) ?? 0,
      hits: hits.get(month) ?? 0,
    };
  });
  return { matches_now, months: counted, counted_from: past.countedFrom };
}
