/**
 * From a `ChangesRequest` to the range of the change order that a page is cut from: one starting position, exclusive,
 * whether the request came with a cursor or without. Pure; it knows no clock, so the end of the range, the horizon, is
 * not its business.
 */

import { bindChangesCursor, type ChangePosition, type ChangesRequest } from '../parse/changes.ts';
import { type CursorBinding, encodeCursor } from '../parse/cursor.ts';

export interface ChangesPlan {
  /** The register to walk; null walks the order of all. */
  readonly register: string | null;
  /** The page starts after this position. */
  readonly after: ChangePosition;
  readonly limit: number;
  readonly expandPayload: boolean;
  /** What the cursor of the page's end is bound to. */
  readonly binding: CursorBinding;
}

/**
 * `since` itself is the position before every record of that instant, because no register code is empty. A cursor that
 * claims a position before `since` is no reason to deliver what `since` excludes.
 */
export function planChanges(request: ChangesRequest): ChangesPlan {
  const start: ChangePosition = { updated_at: request.since, jurisdiction_code: '', uid: '' };
  // Instants of one fixed form compare as text.
  const after = request.after !== null && request.after.updated_at >= request.since ? request.after : start;
  return {
    register: request.register,
    after,
    limit: request.limit,
    expandPayload: request.expandPayload,
    binding: bindChangesCursor(request),
  };
}

/** The cursor of the position where a page of this plan ends. */
export function encodePosition(plan: ChangesPlan, position: ChangePosition): string {
  const { updated_at, jurisdiction_code, uid } = position;
  return encodeCursor(plan.binding, { value: updated_at, jurisdiction_code, uid });
}

export type { ChangePosition };
