/**
 * From declared texts to a `ChangesRequest`: what `since`, the cursor, the page size and the path's register mean
 * (specification 4.6). It decides what a cursor of the feed is bound to and refuses to know how a page is found.
 * Invariant: the canonical text of a binding is frozen, because cursors of customers outlive every version of this
 * code.
 */
import { CHANGES_PARAMETERS } from '@tmds/contract/parameters';
import type { Instant } from '@tmds/contract/record';
import { apiError } from '../base/errors.ts';
import { type CursorBinding, decodeCursor } from './cursor.ts';
import type { ChangesValues } from './query.ts';
import { parseInstant, parseLimit, parseRegister } from './values.ts';

/** A place in the order of changes: after the record with this stamp and identity. */
export interface ChangePosition {
  readonly updated_at: Instant;
  readonly jurisdiction_code: string;
  readonly uid: string;
}

export interface ChangesRequest {
  /** Inclusive. */
  readonly since: Instant;
  /** The register of a scoped feed, upper case; null for the feed of all registers. It may not exist. */
  readonly register: string | null;
  /** Where an earlier page ended; null for the beginning. */
  readonly after: ChangePosition | null;
  /** 1 to 5,000; at most 200 with payloads. */
  readonly limit: number;
  readonly expandPayload: boolean;
}

/** `limit` and `expand` are not part of it: they may change from page to page (rule I-19). */
export function bindChangesCursor(request: Pick<ChangesRequest, 'since' | 'register'>): CursorBinding {
  return { kind: 'changes', query: `changes since ${request.since} in ${request.register ?? '*'}` };
}

/**
 * @param pathRegister the decoded path segment of a scoped feed, null for the global one.
 * @throws ApiError `invalid_parameter` (rules I-8 and I-15), `cursor_invalid`, `cursor_query_mismatch` (rule I-17).
 */
export function parseChanges(values: ChangesValues, pathRegister: string | null): ChangesRequest {
  const since = parseInstant('since', values.since ?? '');
  const register = pathRegister === null ? null : parseRegister(pathRegister);
  const expandPayload = values.expand === 'payload';
  const limit = parseLimit(values.limit, expandPayload, CHANGES_PARAMETERS.limit.value);
  return {
    since,
    register,
    after: values.cursor === undefined ? null : parsePosition({ since, register }, values.cursor),
    limit,
    expandPayload,
  };
}

function parsePosition(scope: Pick<ChangesRequest, 'since' | 'register'>, text: string): ChangePosition {
  const { value, jurisdiction_code, uid } = decodeCursor(bindChangesCursor(scope), 'instant', text);
  const outside = value === null || (scope.register !== null && jurisdiction_code !== scope.register);
  if (outside) {
    throw apiError('cursor_invalid', 'cursor is not one of ours; send next_cursor back exactly as it was received.', {
      param: 'cursor',
    });
  }
  return { updated_at: value, jurisdiction_code, uid };
}
