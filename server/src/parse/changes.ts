/**
 * Turns declared texts into a `ChangesRequest`: what `since`, the cursor, the page size and the register in the path
 * mean (specification 4.6). It decides what a feed cursor is bound to, but not how a page is found.
 * Invariant: the text of a binding never changes, because customers' cursors outlive every version of this code.
 */
import { CHANGES_PARAMETERS } from '@tmds/contract/parameters';
import type { Instant } from '@tmds/contract/record';
import { type CursorBinding, cursorInvalid, decodeCursor } from './cursor.ts';
import type { ChangesValues } from './query.ts';
import { parseInstant, parseLimit, parseRegister } from './values.ts';

/** A position in the order of changes: after the record with this stamp and identity. */
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
  /** Where the previous page ended; null for the first page. */
  readonly after: ChangePosition | null;
  /** 1 to 5,000; at most 200 with payloads. */
  readonly limit: number;
  readonly expandPayload: boolean;
}

/** `limit` and `expand` are not bound: they may change from page to page (rule I-19). */
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
  if (value === null || (scope.register !== null && jurisdiction_code !== scope.register)) throw cursorInvalid();
  return { updated_at: value, jurisdiction_code, uid };
}
