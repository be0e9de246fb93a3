/**
 * Turns declared texts into a `SearchRequest`: what each filter, the page size and the cursor mean (specification 4.3).
 * An export is a search with a form and fields. It does not know how records are found or whether a query is too broad;
 * the plan does.
 *
 * The first failure is answered, in this order: malformed values in the order of the table of parameters; an exact date
 * together with a range of the same date; `limit` beyond the lower maximum; no filter at all; the cursor, which can
 * only be checked against a whole query.
 * Invariant: equal queries, however written, give equal filters, hence one canonical text and one cursor (rule I-17).
 */
import { FILTER_DATES, type Order, type Sort } from '@tmds/contract/enums';
import { EXPORT_FIELDS, type ExportField, type ExportFormat } from '@tmds/contract/export';
import { EXPORT_CONTROLS } from '@tmds/contract/extras';
import { SEARCH_PAGE_MAX } from '@tmds/contract/limits';
import { FILTERS, type FilterName, type ParameterForm, SEARCH_CONTROLS } from '@tmds/contract/parameters';
import type { DateText, Instant } from '@tmds/contract/record';
import { apiError } from '../base/errors.ts';
import { viennaTerm } from '../record/terms.ts';
import { CURSORS, type CursorBinding, type CursorKey, decodeCursor } from './cursor.ts';
import { checkDeclared, type DeclaredValues, type SearchValues, splitQuery } from './query.ts';
import {
  parseCodes,
  parseDate,
  parseEnums,
  parseInstant,
  parseLimit,
  parseMadridNumber,
  parseName,
  parseNameFragment,
  parseNiceClasses,
  parseNumber,
  parseRegister,
  parseViennaCodes,
} from './values.ts';

/** The forms of filter values. */
type FilterForm = Exclude<
  ParameterForm['form'],
  'choice' | 'integer' | 'cursor' | 'numbers' | 'text' | 'register_texts'
>;

/** The type that each form is parsed into; lists are sorted and free of repeats. */
interface FormValues {
  codes: string[];
  enums: string[];
  nice_classes: number[];
  /** Each code as its 1 to 3 numbers. */
  vienna_codes: number[][];
  number: string;
  name: string;
  name_fragment: string;
  date: DateText;
  instant: Instant;
}

type FilterValues = {
  [Name in FilterName]: FormValues[(typeof FILTERS)[Name]['value']['form']];
};
export type SearchFilters = Readonly<Partial<FilterValues>>;

/**
 * The most registers that a call of the API may span, and the fewest characters of a part of a name (rules I-12, I-13).
 * A page of the portal, which a person uses, may ask for more: its own time limit bounds it.
 */
export type Breadth = 'call' | 'page';

export interface SearchRequest {
  /** The register in the path, in upper case; null for a global search. It may not exist. */
  readonly register: string | null;
  readonly filters: SearchFilters;
  readonly sort: Sort;
  readonly order: Order;
  /** The page begins after this record; null for the first page. */
  readonly after: CursorKey | null;
  /** 1 to 500; at most 50 with payloads. */
  readonly limit: number;
  readonly expandPayload: boolean;
  readonly countMatches: boolean;
  readonly breadth: Breadth;
  /** What the cursors of this query are bound to. */
  readonly binding: CursorBinding;
}

type FormOf<Form extends FilterForm> = Extract<ParameterForm, { readonly form: Form }>;

const READERS: {
  readonly [Form in FilterForm]: (
    param: string,
    text: string,
    form: FormOf<Form>,
    breadth: Breadth,
  ) => FormValues[Form];
} = {
  codes: (param, text, { max }, breadth) => parseCodes(param, text, breadth === 'call' ? max : undefined),
  enums: (param, text, { values }) => parseEnums(param, text, values),
  nice_classes: parseNiceClasses,
  vienna_codes: parseViennaCodes,
  number: (param, text, { isMadrid }) => (isMadrid ? parseMadridNumber : parseNumber)(param, text),
  name: parseName,
  name_fragment: (param, text, { min }, breadth) => parseNameFragment(param, text, breadth === 'call' ? min : 1),
  date: parseDate,
  instant: parseInstant,
};

/** Blanks around a value do not count (rule I-44). */
function readFilter(name: FilterName, text: string, breadth: Breadth): unknown {
  const form: ParameterForm = FILTERS[name].value;
  const read = READERS[form.form as FilterForm] as (
    param: string,
    text: string,
    form: ParameterForm,
    breadth: Breadth,
  ) => unknown;
  return read(name, text.trim(), form, breadth);
}

/** A search of all registers, written as its query string. Throws as `checkDeclared` and `parseSearch`. */
export function parseSearchText(query: string, breadth: Breadth = 'call'): SearchRequest {
  return parseSearch(checkDeclared('search', splitQuery(query)), null, breadth);
}

/**
 * @param pathRegister the decoded path segment of a scoped search, null for the global one.
 * @param bind what the cursors are bound to; default: a search.
 * @throws ApiError `invalid_parameter` (rules I-5, I-8, I-11 to I-15), `missing_filter` (rule I-10), `cursor_invalid`,
 *   `cursor_query_mismatch` (rule I-17).
 */
export function parseSearch(
  values: SearchValues,
  pathRegister: string | null,
  breadth: Breadth = 'call',
  bind: typeof CURSORS.search = CURSORS.search,
): SearchRequest {
  const register = pathRegister === null ? null : parseRegister(pathRegister);
  const filters = parseFilters(values, breadth);
  const expandPayload = values.expand === 'payload';
  const limit = parseLimit(values.limit, expandPayload, SEARCH_CONTROLS.limit.value);
  if (register === null && Object.keys(filters).length === 0) {
    throw apiError('missing_filter', 'A search needs at least one filter, for example jurisdiction or owner_name.');
  }
  const sort = (values.sort ?? SEARCH_CONTROLS.sort.value.default) as Sort;
  const order = (values.order ?? SEARCH_CONTROLS.order.value.default) as Order;
  const binding = bind({ register, sort, order, filters });
  return {
    register,
    filters,
    sort,
    order,
    after: values.cursor === undefined ? null : decodeCursor(binding, values.cursor),
    limit,
    expandPayload,
    countMatches: values.count === 'capped',
    breadth,
    binding,
  };
}

/**
 * Follows the order of the table, not of the query string, so that equal queries give equal filters.
 *
 * @throws ApiError `invalid_parameter`.
 */
export function parseFilters(
  values: Readonly<Partial<Record<FilterName, string>>>,
  breadth: Breadth = 'call',
): SearchFilters {
  const filters: Record<string, unknown> = {};
  for (const name of Object.keys(FILTERS) as FilterName[]) {
    const text = values[name];
    if (text !== undefined) filters[name] = readFilter(name, text, breadth);
  }
  checkDateForms(filters);
  return filters;
}

function checkDateForms(filters: SearchFilters): void {
  for (const field of FILTER_DATES) {
    const range = ([`${field}_from`, `${field}_to`] as const).filter((name) => filters[name] !== undefined);
    if (filters[field] !== undefined && range.length > 0) {
      throw apiError('invalid_parameter', `${field} is an exact date and excludes ${range.join(' and ')}; drop one.`, {
        param: field,
      });
    }
  }
}

/**
 * Filters as text that can be kept, a query string without `?`: in the order of their table, each value in its
 * canonical form. Read again, the text gives the same filters, so equal searches have equal texts.
 */
export function writeSearch(filters: SearchFilters): string {
  const pairs = (Object.keys(FILTERS) as FilterName[]).flatMap((name) => {
    const value = filters[name];
    return value === undefined ? [] : [[name, writeValue(name, value)] as [string, string]];
  });
  return new URLSearchParams(pairs).toString();
}

function writeValue(name: FilterName, value: NonNullable<SearchFilters[FilterName]>): string {
  if (!Array.isArray(value)) return value as string;
  if (FILTERS[name].value.form === 'vienna_codes') return (value as number[][]).map(viennaTerm).join(',');
  return value.join(',');
}

export interface ExportRequest {
  /** Its pages are as long as pages of a search may be. */
  readonly search: SearchRequest;
  readonly format: ExportFormat;
  /** In the order of a record; null for all. */
  readonly fields: readonly ExportField[] | null;
}

/** @throws ApiError `invalid_parameter`, `missing_filter`, `cursor_invalid`, `cursor_query_mismatch` */
export function parseExport({ format, fields, ...values }: DeclaredValues<'export'>): ExportRequest {
  const chosen = fields === undefined ? null : parseEnums('fields', fields, EXPORT_FIELDS);
  return {
    search: parseSearch({ ...values, limit: String(SEARCH_PAGE_MAX) }, null, 'call', CURSORS.export),
    format: (format ?? EXPORT_CONTROLS.format.value.default) as ExportFormat,
    fields: chosen,
  };
}
