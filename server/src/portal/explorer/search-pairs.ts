/** A search as names and values, read from the address of a page and sent to the API, and the place of a page in it. */

import { SEARCH_PAGE_EXPANDED_MAX } from '@tmds/contract/limits';
import {
  FILTERS,
  isListForm,
  type ParameterDefinition,
  type ParameterForm,
  SEARCH_CONTROLS,
} from '@tmds/contract/parameters';
import type { SearchPage } from '@tmds/contract/record';
import { needsPayload, readColumns } from './record-table.ts';

/** As the API takes them: the values of a list are joined by commas. */
export type SearchPairs = readonly (readonly [name: string, value: string])[];

/** Empty if the search does not have it. */
export function findValue(pairs: SearchPairs, name: string): string {
  return pairs.find(([known]) => known === name)?.[1] ?? '';
}

/** The values of a list, as typed but for blanks. */
export function listValues(pairs: SearchPairs, name: string): string[] {
  const values = findValue(pairs, name).split(',');
  return values.map((value) => value.trim()).filter((value) => value !== '');
}

/** Parameters to set in the address of a page; null removes one. */
export type Changes = Readonly<Record<string, string | null>>;
export type LinkWith = (changes: Changes) => string;

const DEFINITIONS: Readonly<Record<string, ParameterDefinition | undefined>> = { ...FILTERS, ...SEARCH_CONTROLS };

function formOf(name: string): ParameterForm | null {
  return DEFINITIONS[name]?.value ?? null;
}

/** The search in the query of a page, without empty values and without the page's own fields. */
export function readPairs(query: URLSearchParams, own: readonly string[]): SearchPairs {
  const names = [...new Set(query.keys())].filter((name) => !own.includes(name));
  return names.flatMap((name): (readonly [string, string])[] => {
    const values = query.getAll(name).filter((value) => value !== '');
    if (values.length === 0) return [];
    const form = formOf(name);
    return form !== null && isListForm(form)
      ? [[name, values.join(',')]]
      : values.map((value) => [name, value] as const);
  });
}

/** The same search for whole records, of which a page holds fewer. */
function expandPairs(pairs: SearchPairs): SearchPairs {
  const limit = findValue(pairs, 'limit');
  const isTooMany = /^\d{1,9}$/.test(limit) && Number(limit) > SEARCH_PAGE_EXPANDED_MAX;
  const kept = pairs.filter(([name]) => name !== 'expand' && !(isTooMany && name === 'limit'));
  return [...kept, ['expand', 'payload'], ...(isTooMany ? [['limit', String(SEARCH_PAGE_EXPANDED_MAX)] as const] : [])];
}

/** `?…`, or empty without any pair. */
export function encodePairs(pairs: SearchPairs): string {
  const query = new URLSearchParams(pairs.map(([name, value]) => [name, value])).toString();
  return query === '' ? '' : `?${query}`;
}

/** Fields of the address that belong to the page and not to the search. */
const OWN_FIELDS = ['key', 'done', 'go', 'asked', 'from', 'q', 'row', 'columns', 'view', 'watch'];

export interface SearchTarget {
  readonly pairs: SearchPairs;
  /** `/v1/…` with its query: with the payload where a column needs it. */
  readonly target: string;
}

export function isGrid(query: URLSearchParams): boolean {
  return query.get('view') === 'grid';
}

export function readSearch(query: URLSearchParams): SearchTarget {
  const pairs = readPairs(query, OWN_FIELDS);
  const isExpanded = isGrid(query) || needsPayload(readColumns(query.get('columns')));
  const asked = isExpanded ? expandPairs(pairs) : pairs;
  return { pairs, target: `/v1/trademarks${encodePairs(asked)}` };
}

/** The page after the one that this query of an address shows; null after the last. */
export function nextPagePath(
  query: URLSearchParams,
  { items, next_cursor: cursor }: SearchPage,
  keyId: string,
): string | null {
  if (cursor === null) return null;
  const before = readRowsBefore(query);
  const next = new URLSearchParams(query);
  for (const name of ['cursor', 'row', 'asked', 'go', 'done']) next.delete(name);
  next.set('key', keyId);
  next.set('cursor', cursor);
  if (before !== null) next.set('row', String(before + items.length));
  return `/portal/explorer?${next.toString()}`;
}

/**
 * How many matches come before this page, as counted by the link that led here. The number is only shown, so that a
 * false one in an address harms nobody. Null when unknown.
 */
export function readRowsBefore(query: URLSearchParams): number | null {
  if (!query.has('cursor')) return 0;
  const row = query.get('row') ?? '';
  return /^\d{1,10}$/.test(row) ? Number(row) : null;
}
