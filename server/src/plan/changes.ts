/**
 * Turns a `ChangesRequest` into the exclusive position after which a page of the feed begins, with or without a cursor.
 * Pure, and without a clock: the store determines where the feed ends (the horizon).
 */
import type { Instant } from '@tmds/contract/record';
import type { ChangesRequest } from '../parse/changes.ts';
import { CURSORS, type CursorBinding, encodePosition, type StampedPosition } from '../parse/cursor.ts';

export interface ChangesPlan {
  /** The register whose changes are listed; null = all. */
  readonly register: string | null;
  /** The page begins after this position. */
  readonly after: StampedPosition;
  readonly limit: number;
  readonly expandPayload: boolean;
  /** What the cursor of the page is bound to. */
  readonly binding: CursorBinding;
}

/**
 * The position of `since` comes before every record of that instant, because no register code is empty. A forged cursor
 * before `since` is ignored, so that nothing is delivered that `since` excludes.
 */
export function planChanges(request: ChangesRequest): ChangesPlan {
  const start: StampedPosition = { updated_at: request.since, jurisdiction_code: '', uid: '' };
  // Instants of one fixed form compare as text.
  const after = request.after !== null && request.after.updated_at >= request.since ? request.after : start;
  return {
    register: request.register,
    after,
    limit: request.limit,
    expandPayload: request.expandPayload,
    binding: request.binding,
  };
}

/** The cursor with which a feed read from `since` continues after `position`. */
export function encodeFeedCursor(since: Instant, register: string | null, position: StampedPosition): string {
  return encodePosition({ binding: CURSORS.changes({ since, register }) }, position);
}

export { encodePosition, type StampedPosition };
