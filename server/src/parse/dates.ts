/** Turns declared texts into a request for the dates of many records. It does not know how dates are computed. */

import { DATE_EVENTS, DATES_PAGE_DEFAULT, DATES_SPAN_DAYS, type DateEvent } from '@tmds/contract/dates';
import type { DateText } from '@tmds/contract/record';
import { DAY_MS } from '../base/clock.ts';
import { apiError } from '../base/errors.ts';
import { CURSORS, type CursorBinding, type CursorKey, decodeCursor } from './cursor.ts';
import type { DeclaredValues } from './query.ts';
import { parseSearch, type SearchRequest } from './search.ts';
import { parseDate, parseEnums } from './values.ts';

export interface DueRequest {
  /** Both included. */
  readonly from: DateText;
  readonly to: DateText;
  readonly events: readonly DateEvent[];
  /** The records whose dates are asked for. */
  readonly search: SearchRequest;
  /** The day and record at which the previous page ended; null for the first page. */
  readonly after: CursorKey | null;
  /** 1 to 500. */
  readonly limit: number;
  readonly binding: CursorBinding;
}

/** @throws ApiError `invalid_parameter`, `missing_filter`, `cursor_invalid`, `cursor_query_mismatch`. */
export function parseDue(values: DeclaredValues<'due_dates'>): DueRequest {
  const { from: first, to: last, event, cursor, limit, ...filters } = values;
  const from = parseDate('from', first ?? '');
  const to = parseDate('to', last ?? '');
  if ((Date.parse(to) - Date.parse(from)) / DAY_MS >= DATES_SPAN_DAYS) {
    throw apiError('invalid_parameter', `from and to are at most ${DATES_SPAN_DAYS} days apart; ask for less.`, {
      param: 'to',
    });
  }
  const events = event === undefined ? DATE_EVENTS : (parseEnums('event', event, DATE_EVENTS) as DateEvent[]);
  const search = parseSearch(filters, null);
  const binding = CURSORS.dates({ from, to, events, filters: search.filters });
  const after = cursor === undefined ? null : decodeCursor(binding, cursor);
  return { from, to, events, search, after, limit: limit === undefined ? DATES_PAGE_DEFAULT : Number(limit), binding };
}
