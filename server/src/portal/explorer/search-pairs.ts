/** A search as names and values, read from the address of a page and sent to the API. */
import { FILTERS, type ParameterDefinition, type ParameterForm, SEARCH_CONTROLS } from '@tmds/contract/parameters';

/** As the API takes them: the values of a list are joined by commas. */
export type SearchPairs = readonly (readonly [name: string, value: string])[];

const LISTS: ReadonlySet<ParameterForm['form']> = new Set(['codes', 'enums', 'nice_classes', 'vienna_codes']);
const DEFINITIONS: Readonly<Record<string, ParameterDefinition | undefined>> = { ...FILTERS, ...SEARCH_CONTROLS };

export function formOf(name: string): ParameterForm | null {
  return DEFINITIONS[name]?.value ?? null;
}

/** The search in the query of a page, without empty values and without the page's own fields. */
export function readPairs(query: URLSearchParams, own: readonly string[]): SearchPairs {
  const names = [...new Set(query.keys())].filter((name) => !own.includes(name));
  return names.flatMap((name): (readonly [string, string])[] => {
    const values = query.getAll(name).filter((value) => value !== '');
    if (values.length === 0) return [];
    const form = formOf(name);
    return form !== null && LISTS.has(form.form)
      ? [[name, values.join(',')]]
      : values.map((value) => [name, value] as const);
  });
}

/** `?…`, or empty without any pair. */
export function encodePairs(pairs: SearchPairs): string {
  const query = new URLSearchParams(pairs.map(([name, value]) => [name, value])).toString();
  return query === '' ? '' : `?${query}`;
}
