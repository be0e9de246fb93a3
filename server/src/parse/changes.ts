/**
 * Turns declared texts into a `ChangesRequest`: what `since`, the cursor, the page size and the register in the path
 * mean (specification 4.6). It does not decide how a page is found.
 */
import { CHANGES_PARAMETERS } from '@tmds/contract/parameters';
import type { Instant } from '@tmds/contract/record';
import { CURSORS, type CursorBinding, decodePosition, type StampedPosition } from './cursor.ts';
import type { ChangesValues } from './query.ts';
import { parseInstant, parseLimit, parseRegister } from './values.ts';

export interface ChangesRequest {
  /** Inclusive. */
  readonly since: Instant;
  /** The register of a scoped feed, upper case; null for the feed of all registers. It may not exist. */
  readonly register: string | null;
  /** Where the previous page ended; null for the first page. */
  readonly after: StampedPosition | null;
  /** 1 to 5,000; at most 200 with payloads. */
  readonly limit: number;
  readonly expandPayload: boolean;
  /** What the cursors of this feed are bound to. */
  readonly binding: CursorBinding;
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
  const binding = CURSORS.changes({ since, register });
  return {
    since,
    register,
    after: decodePosition(binding, values.cursor, register),
    limit,
    expandPayload,
    binding,
  };
}
