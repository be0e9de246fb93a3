/**
 * The table of query parameters (specification 4.3, 4.5, 4.6): which endpoint takes which parameter, the form of its
 * value, and its description. Validation, the interface description and the client's types derive from it; a parameter
 * that is not in it does not exist.
 */
import { FILTER_DATES, type FilterDate, KINDS_OF_MARK, MARK_FEATURES, ORDERS, SORTS, STATUSES } from './enums.ts';
import {
  CHANGES_PAGE_DEFAULT,
  CHANGES_PAGE_EXPANDED_MAX,
  CHANGES_PAGE_MAX,
  JURISDICTIONS_MAX,
  NAME_FRAGMENT_MIN,
  SEARCH_PAGE_DEFAULT,
  SEARCH_PAGE_EXPANDED_MAX,
  SEARCH_PAGE_MAX,
} from './limits.ts';

/**
 * The form of a value. Bad values of `choice` and `integer`, which the interface description declares, are refused with
 * 422; all other forms are plain strings there and are refused with 400 (rule I-6).
 */
export type ParameterForm =
  | { readonly form: 'choice'; readonly values: readonly string[]; readonly default?: string }
  | {
      readonly form: 'integer';
      readonly min: number;
      readonly max: number;
      readonly default: number;
      readonly expandedMax: number;
    }
  | { readonly form: 'codes'; readonly max?: number }
  | { readonly form: 'enums'; readonly values: readonly string[] }
  | { readonly form: 'nice_classes' }
  | { readonly form: 'vienna_codes' }
  /** `isMadrid`: an international registration number, compared without its `W` and leading zeros (rule I-33). */
  | { readonly form: 'number'; readonly isMadrid?: boolean }
  /** Numbers separated by commas, in any usual form, as application, registration or Madrid numbers. */
  | { readonly form: 'numbers'; readonly max: number }
  /** Numbers or uids separated by commas, each after the code of its register, as `US:97123456`. */
  | { readonly form: 'register_texts'; readonly max: number }
  | { readonly form: 'name' }
  | { readonly form: 'name_fragment'; readonly min: number }
  | { readonly form: 'date' }
  | { readonly form: 'instant' }
  | { readonly form: 'cursor' }
  /** One text, compared as it is. */
  | { readonly form: 'text' };

const LIST_FORMS: ReadonlySet<ParameterForm['form']> = new Set([
  'codes',
  'enums',
  'nice_classes',
  'vienna_codes',
  'numbers',
  'register_texts',
]);

/** Whether one parameter takes several values, separated by commas. */
export function isListForm({ form }: ParameterForm): boolean {
  return LIST_FORMS.has(form);
}

export interface ParameterDefinition {
  readonly value: ParameterForm;
  /** True if the parameter counts as a filter for `missing_filter` (rule I-10). */
  readonly filter: boolean;
  readonly description: string;
  readonly example: string;
}

const name = { form: 'name' } as const;
const nameFragment = { form: 'name_fragment', min: NAME_FRAGMENT_MIN } as const;
const number = { form: 'number' } as const;
const codes = { form: 'codes' } as const;

type DateFilterName = FilterDate | `${FilterDate}_from` | `${FilterDate}_to`;

type DateFilter = ParameterDefinition & { readonly value: { readonly form: 'date' } };

function buildDateFilters(): Record<DateFilterName, DateFilter> {
  const filters = {} as Record<DateFilterName, DateFilter>;
  for (const field of FILTER_DATES) {
    const words = field.replaceAll('_', ' ');
    const declare = (description: string, example: string): DateFilter => ({
      value: { form: 'date' },
      filter: true,
      description,
      example,
    });
    filters[field] = declare(`Exact ${words}, YYYY-MM-DD; excludes the _from and _to forms.`, '2024-03-15');
    filters[`${field}_from`] = declare(`Earliest ${words}, inclusive, YYYY-MM-DD.`, '2024-01-01');
    filters[`${field}_to`] = declare(`Latest ${words}, inclusive, YYYY-MM-DD.`, '2024-12-31');
  }
  return filters;
}

const declaredFilters = {
  jurisdiction: {
    value: { form: 'codes', max: JURISDICTIONS_MAX },
    filter: true,
    description: `Register codes, any of, up to ${JURISDICTIONS_MAX}. Left out: every register.`,
    example: 'US,EM',
  },
  office: { value: codes, filter: true, description: 'Registering-office codes, any of.', example: 'WO' },
  application_number: {
    value: number,
    filter: true,
    description: 'Exact application number, in any spelling that its register has for it.',
    example: '97123456',
  },
  registration_number: {
    value: number,
    filter: true,
    description: 'Exact registration number, in any spelling that its register has for it.',
    example: '7123456',
  },
  status: {
    value: { form: 'enums', values: STATUSES },
    filter: true,
    description: 'Statuses, any of, case-insensitive.',
    example: 'Registered,Pending',
  },
  kind_of_mark: {
    value: { form: 'enums', values: KINDS_OF_MARK },
    filter: true,
    description: 'Kinds of mark, any of, case-insensitive.',
    example: 'Collective',
  },
  mark_feature: {
    value: { form: 'enums', values: MARK_FEATURES },
    filter: true,
    description: 'Mark features, any of, case-insensitive.',
    example: 'Word',
  },
  nice_class: { value: { form: 'nice_classes' }, filter: true, description: 'Nice classes, any of.', example: '9,42' },
  nice_class_all: {
    value: { form: 'nice_classes' },
    filter: true,
    description: 'Nice classes, all of.',
    example: '9,42',
  },
  vienna_code: {
    value: { form: 'vienna_codes' },
    filter: true,
    description: 'Vienna codes or dotted prefixes, any of; a single segment needs a companion filter.',
    example: '26.03',
  },
  mark_name: { value: name, filter: true, description: 'Exact mark text or held variant.', example: 'acme' },
  mark_name_contains: { value: nameFragment, filter: true, description: 'Part of the mark text.', example: 'cme' },
  mark_name_startswith: { value: nameFragment, filter: true, description: 'Start of the mark text.', example: 'acm' },
  owner_name: { value: name, filter: true, description: 'Exact owner name.', example: 'acme inc.' },
  owner_name_contains: { value: nameFragment, filter: true, description: 'Part of an owner name.', example: 'acme' },
  owner_name_startswith: { value: nameFragment, filter: true, description: 'Start of an owner name.', example: 'acm' },
  representative_name: { value: name, filter: true, description: 'Exact representative name.', example: 'jane doe' },
  representative_name_contains: {
    value: nameFragment,
    filter: true,
    description: 'Part of a representative name.',
    example: 'doe',
  },
  representative_name_startswith: {
    value: nameFragment,
    filter: true,
    description: 'Start of a representative name.',
    example: 'jane',
  },
  owner_country: {
    value: codes,
    filter: true,
    description: "Codes of the proprietor's country, any of.",
    example: 'JP',
  },
  international_registration_number: {
    value: { form: 'number', isMadrid: true },
    filter: true,
    description: 'Exact Madrid registration number.',
    example: '1234567',
  },
  priority_number: { value: number, filter: true, description: 'Exact priority claim number.', example: '2023-104522' },
  designated_country: { value: codes, filter: true, description: 'Designated countries, any of.', example: 'FR,DE' },
  updated_since: {
    value: { form: 'instant' },
    filter: true,
    description: 'Content changed at or after this instant.',
    example: '2026-01-01T00:00:00Z',
  },
  updated_before: {
    value: { form: 'instant' },
    filter: true,
    description: 'Content changed before this instant.',
    example: '2026-02-01T00:00:00Z',
  },
} as const satisfies Record<string, ParameterDefinition>;

/** All filters of a search, in the order of the documentation. */
export const FILTERS = { ...declaredFilters, ...buildDateFilters() };
export type FilterName = keyof typeof FILTERS;

/** The filters whose values have one of these forms. */
export type FilterOfForm<Form extends ParameterForm['form']> = {
  [Name in FilterName]: (typeof FILTERS)[Name]['value'] extends { readonly form: Form } ? Name : never;
}[FilterName];

/** The forms of membership filters: a record is filed under values, and the filter asks for any or all of some. */
export type MembershipForm = 'codes' | 'enums' | 'nice_classes' | 'vienna_codes';

/** The fields under which records are filed; `nice_class_all` uses the same field as `nice_class`. */
export type TermField = Exclude<FilterOfForm<MembershipForm>, `${string}_all`>;
/** The fields of names, each with three filters: the whole name, a part, and the beginning. */
export type NameFamily = FilterOfForm<'name'>;
export type NumberField = FilterOfForm<'number'>;

const expand = {
  value: { form: 'choice', values: ['payload'] },
  filter: false,
  description: 'Adds the full normalized document to every record.',
  example: 'payload',
} as const satisfies ParameterDefinition;

export const cursor = {
  value: { form: 'cursor' },
  filter: false,
  description: "The previous page's next_cursor, verbatim.",
  example: '',
} as const satisfies ParameterDefinition;

/** The size of a page that has no other size with documents. */
export function pageSize<Max extends number, Default extends number>(max: Max, byDefault: Default) {
  return {
    value: { form: 'integer', min: 1, max, default: byDefault, expandedMax: max },
    filter: false,
    description: `Page size, 1 to ${max}; default ${byDefault}.`,
    example: String(byDefault),
  } as const satisfies ParameterDefinition;
}

/** Parameters that shape a search page without selecting records. */
export const SEARCH_CONTROLS = {
  count: {
    value: { form: 'choice', values: ['capped'] },
    filter: false,
    description: 'Adds matched_count, bounded at 10,000.',
    example: 'capped',
  },
  expand,
  sort: {
    value: { form: 'choice', values: SORTS, default: 'updated_at' },
    filter: false,
    description: 'Sort key, updated_at unless given; records without it come last.',
    example: 'application_date',
  },
  order: {
    value: { form: 'choice', values: ORDERS, default: 'desc' },
    filter: false,
    description: 'Order of the sort key, desc (latest first) unless given.',
    example: 'asc',
  },
  cursor,
  limit: {
    value: {
      form: 'integer',
      min: 1,
      max: SEARCH_PAGE_MAX,
      default: SEARCH_PAGE_DEFAULT,
      expandedMax: SEARCH_PAGE_EXPANDED_MAX,
    },
    filter: false,
    description: `Page size; at most ${SEARCH_PAGE_EXPANDED_MAX} with expand=payload.`,
    example: '100',
  },
} as const satisfies Record<string, ParameterDefinition>;

export const CHANGES_PARAMETERS = {
  since: {
    value: { form: 'instant' },
    filter: false,
    description: 'Required. Records whose content changed at or after this instant.',
    example: '2026-01-01',
  },
  cursor,
  limit: {
    value: {
      form: 'integer',
      min: 1,
      max: CHANGES_PAGE_MAX,
      default: CHANGES_PAGE_DEFAULT,
      expandedMax: CHANGES_PAGE_EXPANDED_MAX,
    },
    filter: false,
    description: `Page size; at most ${CHANGES_PAGE_EXPANDED_MAX} with expand=payload.`,
    example: '1000',
  },
  expand,
} as const satisfies Record<string, ParameterDefinition>;

const LOOKUP_PARAMETERS = { expand } as const satisfies Record<string, ParameterDefinition>;

/** Reserved for a future query language on every endpoint (specification section 1). */
export const RESERVED_PARAMETER = 'q';

const { jurisdiction: _pinnedByPath, ...scopedFilters } = FILTERS;

/** The eight endpoints and their parameters (specification section 4). */
export const ENDPOINTS = {
  health: { path: '/v1/health', parameters: {}, required: [], metered: false },
  usage: { path: '/v1/usage', parameters: {}, required: [], metered: true },
  jurisdictions: { path: '/v1/jurisdictions', parameters: {}, required: [], metered: true },
  search: { path: '/v1/trademarks', parameters: { ...FILTERS, ...SEARCH_CONTROLS }, required: [], metered: true },
  scoped_search: {
    path: '/v1/{jurisdiction_code}/trademarks',
    parameters: { ...scopedFilters, ...SEARCH_CONTROLS },
    required: [],
    metered: true,
  },
  lookup: {
    path: '/v1/{jurisdiction_code}/trademarks/{uid}',
    parameters: LOOKUP_PARAMETERS,
    required: [],
    metered: true,
  },
  changes: { path: '/v1/changes', parameters: CHANGES_PARAMETERS, required: ['since'], metered: true },
  scoped_changes: {
    path: '/v1/{jurisdiction_code}/changes',
    parameters: CHANGES_PARAMETERS,
    required: ['since'],
    metered: true,
  },
} as const satisfies Record<
  string,
  {
    path: string;
    parameters: Readonly<Record<string, ParameterDefinition>>;
    required: readonly string[];
    metered: boolean;
  }
>;
