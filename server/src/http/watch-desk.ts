/**
 * What the pages of watches need in addition to the database: the meaning of a definition, and how many records it
 * matches.
 */
import type { WatchDiagnosis } from '@tmds/contract/diagnosis';
import type { WatchInput } from '@tmds/contract/watches';
import type { Database } from '../database/driver/db.ts';
import type { SearchLimits } from '../follow/search-pool.ts';
import { parseWatchBody } from '../parse/watches.ts';
import { planWatch, type WatchPlan } from '../plan/watches.ts';
import { describeDiagnosis } from '../render/watches.ts';
import { type DiagnosisOrder, diagnose } from '../watches/diagnose.ts';
import { orNull } from './page-reads.ts';
import type { WatchSources } from './past-events.ts';
import { countWatched, previewWatch, type WatchPreview } from './preview-watch.ts';

/**
 * A watch as the API would take it.
 * @throws ApiError as `PUT /v1/watches/{watch}` would refuse it.
 */
export function defineWatch(input: WatchInput): WatchPlan {
  return planWatch(parseWatchBody(Buffer.from(JSON.stringify(input)), 'application/json'));
}

/** Null if it cannot be counted within the limits. `watchId`: null for a watch that does not exist yet. */
export function previewWithin(
  sources: WatchSources,
  subject: WatchPlan['subject'],
  watchId: string | null,
  limits: SearchLimits,
): Promise<WatchPreview | null> {
  return orNull(() => previewWatch(sources, subject, watchId, limits));
}

/** One after the other, in their order; null for those that cannot be counted within the limits. */
export async function countAllWithin(
  sources: WatchSources,
  subjects: readonly (() => Promise<WatchPlan['subject']>)[],
  limits: SearchLimits,
): Promise<(number | null)[]> {
  const counts: (number | null)[] = [];
  for (const read of subjects) {
    const isLate = sources.clock.monotonicMs() >= limits.deadlineMs;
    counts.push(isLate ? null : await orNull(async () => countWatched(sources, await read(), limits)));
  }
  return counts;
}

/** Null if the customer has no watch with this id. */
export async function diagnoseWatch(
  database: Database,
  order: DiagnosisOrder,
  millisMax: number,
): Promise<WatchDiagnosis | null> {
  const diagnosis = await diagnose(database, order, AbortSignal.timeout(millisMax));
  return diagnosis === null ? null : describeDiagnosis(diagnosis);
}
