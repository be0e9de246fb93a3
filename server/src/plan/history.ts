/**
 * Turns a `HistoryRequest` into the position after which a page begins and what its events must satisfy. Pure, and
 * without a clock: the store determines where the history ends (the horizon).
 */
import { type CursorBinding, encodePosition, type StampedPosition } from '../parse/cursor.ts';
import type { EventFilters, HistoryRequest, RecordHistoryRequest, VersionRequest } from '../parse/history.ts';
import { type Condition, checkBreadth, planConditions } from './search.ts';

export type { EventFilters, RecordHistoryRequest, StampedPosition, VersionRequest };
export { encodePosition };

export interface HistoryPlan {
  /** The register of the path; null = all. */
  readonly register: string | null;
  readonly events: EventFilters;
  /** Any of these; null = all of the range. */
  readonly registers: readonly string[] | null;
  /** An event passes if its version, or the one before, satisfies all of them. Empty = every event passes. */
  readonly conditions: readonly Condition[];
  /** The page begins after this position. */
  readonly after: StampedPosition;
  readonly limit: number;
  readonly binding: CursorBinding;
}

/**
 * A forged cursor before `since` is ignored, as in the change feed. The register of the path is a range of the history
 * and no condition.
 *
 * @throws ApiError `query_too_broad` for filters that a search would refuse (rule I-13).
 */
export function planHistory(request: HistoryRequest): HistoryPlan {
  checkBreadth(request);
  const start: StampedPosition = { updated_at: request.since, jurisdiction_code: '', uid: '' };
  const after = request.after !== null && request.after.updated_at >= request.since ? request.after : start;
  return {
    register: request.register,
    events: request.events,
    registers: request.filters.jurisdiction ?? null,
    conditions: planConditions(request.filters, null),
    after,
    limit: request.limit,
    binding: request.binding,
  };
}
