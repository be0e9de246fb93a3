/**
 * The parameters of a call and how they are written. The types derive from the contract's tables, so a parameter that
 * the service does not define does not compile. Values are not checked here: the service is the one judge of them.
 */
import type { FilterDate } from '@tmds/contract/enums';
import type { CHANGES_PARAMETERS, FILTERS, FilterName, SEARCH_CONTROLS } from '@tmds/contract/parameters';
import type { DateText } from '@tmds/contract/record';

type DateFilterName = FilterDate | `${FilterDate}_from` | `${FilterDate}_to`;

/** `Known` offers the contract's values to the editor; any other text compiles too (letter case is free, rule I-11). */
type AnyOf<Known> = Known | readonly Known[];
type Open<Known extends string> = Known | (string & {});

type ValueOf<Definition> = Definition extends { value: { form: 'choice'; values: readonly (infer Value)[] } }
  ? Value
  : Definition extends { value: { form: 'enums'; values: readonly (infer Value extends string)[] } }
    ? AnyOf<Open<Value>>
    : Definition extends { value: { form: 'integer' } }
      ? number
      : Definition extends { value: { form: 'nice_classes' } }
        ? AnyOf<number> | string
        : Definition extends { value: { form: 'codes' | 'vienna_codes' } }
          ? AnyOf<string>
          : string;

type Values<Table> = { [Name in keyof Table]?: ValueOf<Table[Name]> | undefined };

/** The filters of a search (specification 4.3). A list, as an array or comma-separated text, is any-of. */
export type SearchFilters = Values<Omit<typeof FILTERS, DateFilterName>> & {
  [Name in FilterName & DateFilterName]?: DateText | undefined;
};

/**
 * A search. `jurisdiction_code` asks the register's own endpoint (then leave out `jurisdiction`); without it the
 * search is global.
 */
export type SearchParameters = SearchFilters &
  Values<typeof SEARCH_CONTROLS> & { jurisdiction_code?: string | undefined };

/** One page of the change feed; of one register with `jurisdiction_code`, of all without. `since` is required. */
export type ChangesParameters = Values<Omit<typeof CHANGES_PARAMETERS, 'since'>> & {
  since: string;
  jurisdiction_code?: string | undefined;
};

export interface GetParameters {
  expand?: 'payload' | undefined;
}

/** `/v1/trademarks` or `/v1/US/trademarks`: the path of a resource, global or of one register. */
export function buildPath(jurisdictionCode: string | undefined, ...segments: string[]): string {
  const all = jurisdictionCode === undefined ? segments : [jurisdictionCode, ...segments];
  return `/v1/${all.map(encodeSegment).join('/')}`;
}

function encodeSegment(segment: string): string {
  if (segment === '') throw new TypeError('a register code or uid must not be empty');
  if (segment === '.' || segment === '..') {
    throw new TypeError(`"${segment}" cannot be sent as a path segment: URL rules would fold it away`);
  }
  return encodeURIComponent(segment);
}

/** `?a=1&b=2,3`, or nothing. `undefined` is left out; a list is joined by commas; `null` is an error of the caller. */
export function encodeQuery(parameters: Readonly<Record<string, unknown>>): string {
  const pairs: string[] = [];
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue;
    pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(writeValue(name, value))}`);
  }
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function writeValue(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((element) => writeValue(name, element)).join(',');
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  throw new TypeError(`${name} must be text, a number or a list of them; leave it out to not send it`);
}
