/** Which calls the log shows, as its address says it; and a logged call as one of the console. */

import { parseTarget } from '../../render/description/endpoints.ts';
import type { CallFilter, CallPosition } from '../../store/accounts/portal-calls.ts';
import { consolePath } from '../request/request-view.ts';

/** The names of the page's own fields, in the order of the form. */
const FILTER_FIELDS = ['key', 'hours', 'outcome', 'path', 'status', 'code', 'param', 'units', 'ms', 'request'] as const;
export type FilterField = (typeof FILTER_FIELDS)[number];

export const WINDOWS = [
  { hours: 1, label: 'Last hour' },
  { hours: 24, label: 'Last 24 hours' },
  { hours: 168, label: 'Last 7 days' },
  { hours: 720, label: 'Last 30 days' },
] as const;
const HOURS_DEFAULT = 24;

export const OUTCOMES = [
  { outcome: 'served', label: 'Answered without an error' },
  { outcome: 'failed', label: 'Answered with an error' },
  { outcome: 'refused', label: 'Refused' },
] as const;

const TEXT_CHARACTERS_MAX = 200;
const REQUEST_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function parseFilter(query: URLSearchParams, customerId: string, keyIds: readonly string[]): CallFilter {
  const text = (name: FilterField): string | null => {
    const value = (query.get(name) ?? '').trim().slice(0, TEXT_CHARACTERS_MAX).toWellFormed();
    return value === '' ? null : value;
  };
  const number = (name: FilterField, pattern: RegExp): number | null => {
    const value = text(name);
    return value !== null && pattern.test(value) ? Number(value) : null;
  };
  const requestId = text('request')?.toLowerCase() ?? null;
  return {
    customerId,
    keyId: keyIds.find((id) => id === text('key')) ?? null,
    hours: WINDOWS.find(({ hours }) => String(hours) === text('hours'))?.hours ?? HOURS_DEFAULT,
    outcome: OUTCOMES.find(({ outcome }) => outcome === text('outcome'))?.outcome ?? null,
    path: text('path'),
    status: number('status', /^[1-5]\d\d$/),
    code: text('code'),
    param: text('param'),
    units: number('units', /^[01]$/),
    durationMsMin: number('ms', /^\d{1,6}$/),
    requestId: requestId !== null && REQUEST_ID.test(requestId) ? requestId : null,
  };
}

export function fieldsOf(filter: CallFilter): Readonly<Record<FilterField, string>> {
  const { keyId, hours, outcome, path, status, code, param, units, durationMsMin, requestId } = filter;
  const text = (value: string | number | null): string => (value === null ? '' : String(value));
  return {
    key: text(keyId),
    hours: text(hours),
    outcome: text(outcome),
    path: text(path),
    status: text(status),
    code: text(code),
    param: text(param),
    units: text(units),
    ms: text(durationMsMin),
    request: text(requestId),
  };
}

/** The page of the log with this filter and these `changes`; empty values are left out. */
export function linkLog(filter: CallFilter, changes: Readonly<Record<string, string>> = {}): string {
  const fields = { ...fieldsOf(filter), ...changes };
  const query = new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== ''));
  return `/portal/log?${query.toString()}`;
}

/** The last call of the previous page; null for the first page. */
export function parsePosition(text: string | null): CallPosition | null {
  const [at = '', id = ''] = (text ?? '').split('_');
  const isInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(at) && !Number.isNaN(Date.parse(at));
  if (!isInstant || new Date(at).toISOString().slice(0, 19) !== at.slice(0, 19)) return null;
  return REQUEST_ID.test(id) ? { at, request_id: id } : null;
}

const MASKED = '***';
/** What the journal appends to an address that it cut. */
const CUT = '…';

/** The page of the console, filled in and not sent; null if the call is not of an endpoint. */
export function findReplay({ key_id, path }: { key_id: string; path: string }, recordPrefix: string): string | null {
  if (path.endsWith(CUT)) return null;
  const inside = path.startsWith(`/${recordPrefix}/`) ? path.slice(recordPrefix.length + 1) : path;
  const request = parseTarget(inside);
  if (request === null) return null;
  const values = new Map([...request.values].filter(([name, value]) => name !== 'cursor' || value !== MASKED));
  if ([...values.values(), request.more].some((text) => text.includes(MASKED))) return null;
  return consolePath({ ...request, values }, { keyId: key_id });
}
