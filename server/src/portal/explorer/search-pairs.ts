/** A search as names and values, read from the address of a page and sent to the API. */
import { SEARCH_PAGE_EXPANDED_MAX } from '@tmds/contract/limits';
import {
  FILTERS,
  isListForm,
  type ParameterDefinition,
  type ParameterForm,
  SEARCH_CONTROLS,
} from '@tmds/contract/parameters';

/** As the API takes them: the values of a list are joined by commas. */
export type SearchPairs = readonly (readonly [name: string, value: string])[];

/** Parameters to set in the address of a page; null removes one. */
export type Changes = Readonly<Record<string, string | null>>;
/** The address of this search with some changes. */
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
export function expandPairs(pairs: SearchPairs): SearchPairs {
  const limit = pairs.find(([name]) => name === 'limit')?.[1] ?? '';
  const isTooMany = /^\d{1,9}$/.test(limit) && Number(limit) > SEARCH_PAGE_EXPANDED_MAX;
  const kept = pairs.filter(([name]) => name !== 'expand' && !(isTooMany && name === 'limit'));
  return [...kept, ['expand', 'payload'], ...(isTooMany ? [['limit', String(SEARCH_PAGE_EXPANDED_MAX)] as const] : [])];
}

/** `?…`, or empty without any pair. */
export function encodePairs(pairs: SearchPairs): string {
  const query = new URLSearchParams(pairs.map(([name, value]) => [name, value])).toString();
  return query === '' ? '' : `?${query}`;
}
