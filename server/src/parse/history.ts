/**
 * Turns declared texts into requests for the history: a page of the feed of events, a page of one record's events, or
 * one version. It does not decide how anything is found.
 */
import { EVENT_FILTERS, HISTORY_CONTROLS, RECORD_HISTORY_PARAMETERS } from '@tmds/contract/extras';
import type { ChangedField, HistoryCause } from '@tmds/contract/history';
import type { Instant } from '@tmds/contract/record';
import { CURSORS, type CursorBinding, cursorInvalid, decodePosition, type StampedPosition } from './cursor.ts';
import type { DeclaredValues } from './query.ts';
import { parseFilters, type SearchFilters } from './search.ts';
import { parseEnums, parseInstant, parseLimit, parseRegister } from './values.ts';

/** Which events are wanted, by their content. */
export interface EventFilters {
  /** At least one of these fields changed; null = any change. */
  readonly fields: readonly ChangedField[] | null;
  /** Null = any. */
  readonly causes: readonly HistoryCause[] | null;
}

export interface HistoryRequest {
  /** Inclusive. */
  readonly since: Instant;
  /** The register in the path, upper case; null for the history of all registers. It may not exist. */
  readonly register: string | null;
  readonly events: EventFilters;
  /** The conditions that the version of an event, or the one before it, must satisfy. */
  readonly filters: SearchFilters;
  /** Where the previous page ended; null for the first page. */
  readonly after: StampedPosition | null;
  /** 1 to 500. */
  readonly limit: number;
  readonly binding: CursorBinding;
}

export interface RecordHistoryRequest {
  /** As `parseRegister` returns it. */
  readonly register: string;
  readonly uid: string;
  readonly events: EventFilters;
  /** The stamp of the version at which the previous page ended; null for the first page. */
  readonly before: Instant | null;
  /** 1 to 100. */
  readonly limit: number;
  readonly binding: CursorBinding;
}

export interface VersionRequest {
  /** As `parseRegister` returns it. */
  readonly register: string;
  readonly uid: string;
  /** The stamp of the version. */
  readonly version: Instant;
  readonly expandPayload: boolean;
}

/**
 * @param pathRegister the decoded path segment of a scoped history, null for the global one.
 * @throws ApiError `invalid_parameter`, `cursor_invalid`, `cursor_query_mismatch`.
 */
export function parseHistory(values: DeclaredValues<'history'>, pathRegister: string | null): HistoryRequest {
  const since = parseInstant('since', values.since ?? '');
  const register = pathRegister === null ? null : parseRegister(pathRegister);
  const events = parseEventFilters(values);
  const filters = parseFilters(values);
  const limit = parseLimit(values.limit, false, HISTORY_CONTROLS.limit.value);
  const binding = CURSORS.history({ since, register, events, filters });
  const after = decodePosition(binding, values.cursor, register);
  return { since, register, events, filters, after, limit, binding };
}

/** @throws ApiError `invalid_parameter`, `cursor_invalid`, `cursor_query_mismatch`. */
export function parseRecordHistory(
  values: DeclaredValues<'record_history'>,
  identity: { readonly register: string; readonly uid: string },
): RecordHistoryRequest {
  const { uid } = identity;
  const register = parseRegister(identity.register);
  const events = parseEventFilters(values);
  const limit = parseLimit(values.limit, false, RECORD_HISTORY_PARAMETERS.limit.value);
  const binding = CURSORS.recordHistory({ register, uid, events });
  const before = decodePosition(binding, values.cursor, register);
  if (before !== null && before.uid !== uid) throw cursorInvalid();
  return { register, uid, events, before: before?.updated_at ?? null, limit, binding };
}

/** @throws ApiError `invalid_parameter` if the version is not an instant. */
export function parseVersion(
  values: DeclaredValues<'record_version'>,
  place: { readonly register: string; readonly uid: string; readonly version: string },
): VersionRequest {
  return {
    register: parseRegister(place.register),
    uid: place.uid,
    version: parseInstant('version', place.version),
    expandPayload: values.expand === 'payload',
  };
}

function parseEventFilters(values: DeclaredValues<'record_history'>): EventFilters {
  const { field, cause } = values;
  return {
    fields: field === undefined ? null : parseEnums('field', field, EVENT_FILTERS.field.value.values),
    causes: cause === undefined ? null : parseEnums('cause', cause, EVENT_FILTERS.cause.value.values),
  };
}
