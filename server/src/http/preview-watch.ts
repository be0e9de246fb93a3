/** What a watch would tell: how many records match now, and how many of them last changed in each month of a year. */
import type { Instant } from '@tmds/contract/record';
import type { WatchMonth } from '@tmds/contract/watches';
import type { Clock } from '../base/clock.ts';
import type { SearchIndex } from '../follow/live-index.ts';
import type { SearchLimits } from '../follow/search-pool.ts';
import { microsOf } from '../index/instants.ts';
import { checkDeclared, splitQuery } from '../parse/query.ts';
import { parseSearch } from '../parse/search.ts';
import { type Condition, planSearch } from '../plan/search.ts';
import { planOwners, type WatchPlan } from '../plan/watches.ts';
import type { Queryable } from '../store/driver/db.ts';
import { findPublishState } from '../store/publish/publishes.ts';
import { countHits, countListedRecords, type MonthCounts } from '../store/watches/counts.ts';

export interface WatchPreview {
  readonly matches_now: number;
  /** The last twelve months, the running one first. */
  readonly months: readonly WatchMonth[];
}

export interface WatchSources {
  readonly index: SearchIndex;
  readonly database: Queryable;
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
}

const MONTHS = 12;

/**
 * `watchId`: null for a watch that is not made yet, which has had no hits.
 * @throws ApiError `query_timeout`, `unavailable`.
 */
export async function previewWatch(
  { index, database, clock }: WatchSources,
  subject: WatchPlan['subject'],
  watchId: string | null,
  limits: SearchLimits,
): Promise<WatchPreview> {
  const months = listMonths(clock.nowMs());
  const hits: MonthCounts = watchId === null ? new Map() : await countHits(database, watchId, startOf(months.at(-1)!));
  if (subject.kind === 'records') {
    const changed = await countListedRecords(database, subject.records);
    const matches_now = [...changed.values()].reduce((sum, count) => sum + count, 0);
    return { matches_now, months: joinCounts(months, changed, hits) };
  }
  // What was committed before the call is counted.
  const { lastStamp } = await findPublishState(database);
  await index.waitFor(microsOf(lastStamp), limits);
  const conditions = subject.kind === 'owners' ? planOwners(subject.owners) : readConditions(subject.search);
  const count = (more: readonly Condition[]) => countMatches(index, [...conditions, ...more], limits);
  const changed = new Map<string, number>();
  for (const [at, month] of months.entries()) {
    const to = at === 0 ? null : startOf(months[at - 1]!);
    changed.set(month, await count([{ kind: 'changes', from: startOf(month), to }]));
  }
  return { matches_now: await count([]), months: joinCounts(months, changed, hits) };
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
  return countMatches(
    index,
    subject.kind === 'owners' ? planOwners(subject.owners) : readConditions(subject.search),
    limits,
  );
}

function readConditions(search: string): readonly Condition[] {
  return planSearch(parseSearch(checkDeclared('search', splitQuery(search)), null)).conditions;
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

function joinCounts(months: readonly string[], changed: MonthCounts, hits: MonthCounts): WatchMonth[] {
  return months.map((month) => ({ month, last_changed: changed.get(month) ?? 0, hits: hits.get(month) ?? 0 }));
}
