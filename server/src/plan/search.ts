/**
 * Turns a `SearchRequest` into a `SearchPlan`: the conditions on a record, and which of the matching records are on the
 * page; or refuses it as too broad. Pure: the same request always gives the same plan. A plan does not say how its
 * records are found.
 */
import type { FilterDate, Order, Sort } from '@tmds/contract/enums';
import type { HeldAs } from '@tmds/contract/likeness';
import { CONTAINS_SCOPE_MAX, JURISDICTIONS_MAX, MATCHED_COUNT_MAX, NAME_FRAGMENT_MIN } from '@tmds/contract/limits';
import { listSpellings, type SpelledNumber } from '@tmds/contract/numbers';
import { FILTERS, type FilterName, type NameFamily, type NumberField, type TermField } from '@tmds/contract/parameters';
import type { DateText, Instant } from '@tmds/contract/record';
import { apiError } from '../base/errors.ts';
import type { CursorBinding, CursorKey } from '../parse/cursor.ts';
import type { SearchFilters, SearchRequest } from '../parse/search.ts';
import { splitAliases } from '../record/aliases.ts';
import { viennaTerm } from '../record/terms.ts';

export type { CursorKey } from '../parse/cursor.ts';

/** The request to the index: plain data, which can be sent to another thread. */
export interface SearchQuery {
  readonly conditions: readonly Condition[];
  readonly sort: Sort;
  readonly order: Order;
  /** The page begins after this record; null for the first page. */
  readonly after: CursorKey | null;
  /** Records per page. */
  readonly limit: number;
  /** Matches are counted up to this number; 0 = not counted. */
  readonly countMax: number;
}

export interface SearchPlan extends SearchQuery {
  /** The register of the path; null for a global search. It may not exist. */
  readonly register: string | null;
  readonly expandPayload: boolean;
  readonly binding: CursorBinding;
}

/** @throws ApiError `query_too_broad` (rule I-13), unless a page of the portal asks. */
export function planSearch(request: SearchRequest): SearchPlan {
  if (request.breadth === 'call') checkBreadth(request);
  return {
    register: request.register,
    conditions: planConditions(request.filters, request.register),
    sort: request.sort,
    order: request.order,
    after: request.after,
    limit: request.limit,
    // Counting one more than the bound shows whether it was exceeded (rule I-18).
    countMax: request.countMatches ? MATCHED_COUNT_MAX + 1 : 0,
    expandPayload: request.expandPayload,
    binding: request.binding,
  };
}

const CONTAINS = ['mark_name_contains', 'owner_name_contains', 'representative_name_contains'] as const;
const STARTSWITH = ['mark_name_startswith', 'owner_name_startswith', 'representative_name_startswith'] as const;
const VIENNA_COMPANIONS = ['jurisdiction', 'nice_class', 'nice_class_all', 'owner_country'] as const;

/**
 * Some filters are only allowed together with others (rule I-13). Every refusal says exactly what to add or shorten.
 *
 * @throws ApiError `query_too_broad` with the name of the filter in `param`.
 */
export function checkBreadth(request: Pick<SearchRequest, 'register' | 'filters'>): void {
  const { register, filters } = request;
  const scope = register === null ? (filters.jurisdiction?.length ?? 0) : 1;
  for (const name of CONTAINS) {
    if (filters[name] === undefined) continue;
    if (scope === 0)
      throw tooBroad(name, `needs a register scope: add jurisdiction with 1 to ${CONTAINS_SCOPE_MAX} codes`);
    if (scope > CONTAINS_SCOPE_MAX) {
      throw tooBroad(name, `spans at most ${CONTAINS_SCOPE_MAX} registers: shorten jurisdiction from ${scope} codes`);
    }
  }
  for (const name of STARTSWITH) {
    if (filters[name] !== undefined && scope === 0) {
      throw tooBroad(name, `needs a register scope: add jurisdiction with 1 to ${JURISDICTIONS_MAX} codes`);
    }
  }
  const [category] = filters.vienna_code?.find((numbers) => numbers.length === 1) ?? [];
  const hasCompanion = scope > 0 || VIENNA_COMPANIONS.some((name) => filters[name] !== undefined);
  if (category !== undefined && !hasCompanion) {
    throw tooBroad(
      'vienna_code',
      `of one segment (${category}) needs company: add jurisdiction, nice_class, nice_class_all or owner_country, or ` +
        `lengthen it to at least two segments such as ${category}.1`,
    );
  }
}

function tooBroad(param: FilterName, reason: string): Error {
  return apiError('query_too_broad', `${param} ${reason}.`, { param });
}

/** A record satisfies a search when it satisfies every one of its conditions. */
export type Condition =
  /** It is filed under any of the values. */
  | { readonly kind: 'terms'; readonly field: TermField; readonly values: readonly string[] }
  /**
   * It has the number, in the form of `normalizeNumber`. `spelled`: or it is of one of these registers, and has the
   * number in the spelling of that register (rule I-50).
   */
  | {
      readonly kind: 'number';
      readonly field: NumberField;
      readonly number: string;
      readonly spelled?: readonly SpelledNumber[];
    }
  /** Any of its numbers of these kinds is one of the texts, in the form of `normalizeNumber`. */
  | { readonly kind: 'numbers'; readonly fields: readonly NumberField[]; readonly numbers: readonly string[] }
  /** One of its names equals the text, begins with it, or contains it; in the form of `foldName`. */
  | {
      readonly kind: 'name';
      readonly family: NameFamily;
      readonly match: 'whole' | 'beginning' | 'part';
      readonly text: string;
    }
  /** One of its names equals any of the texts, in the form of `foldName`; of a name with an alias it has every part. */
  | { readonly kind: 'names'; readonly family: NameFamily; readonly texts: readonly string[] }
  /** One of the texts is held of its mark in one of these ways, in the form of `foldName`. */
  | { readonly kind: 'held'; readonly heldAs: readonly HeldAs[]; readonly texts: readonly string[] }
  /** Its date is in [from, to]; null = open. A record without the date does not satisfy the condition. */
  | {
      readonly kind: 'dates';
      readonly field: FilterDate;
      readonly from: DateText | null;
      readonly to: DateText | null;
    }
  /** Its content last changed in [from, to); null = open. */
  | { readonly kind: 'changes'; readonly from: Instant | null; readonly to: Instant | null };

/**
 * The conditions of all filters (specification 4.3). They follow from the form of a value, so a new filter of a known
 * form needs no change here. `register`, from the path, filters like `jurisdiction`.
 */
export function planConditions(filters: SearchFilters, register: string | null): Condition[] {
  const conditions = planEach(filters).flatMap((each) => each.conditions);
  if (register !== null) conditions.push({ kind: 'terms', field: 'jurisdiction', values: [register] });
  return conditions;
}

/** The conditions of each filter; both ends of an interval are one. */
export function planEach(
  filters: SearchFilters,
): readonly { readonly names: readonly FilterName[]; readonly conditions: readonly Condition[] }[] {
  const names = Object.keys(filters) as FilterName[];
  return names.flatMap((name) => {
    const conditions = planFilter(name, filters);
    if (conditions.length === 0) return [];
    const end = name.replace(/_from$/, '_to') as FilterName;
    return [{ names: end !== name && names.includes(end) ? [name, end] : [name], conditions }];
  });
}

/** The registers whose records can satisfy the conditions; null = all. */
export function listRegisters(conditions: readonly Condition[]): readonly string[] | null {
  const named = conditions.find((each) => each.kind === 'terms' && each.field === 'jurisdiction');
  return named?.kind === 'terms' ? named.values : null;
}

function planFilter(name: FilterName, filters: SearchFilters): Condition[] {
  const value: unknown = filters[name];
  switch (FILTERS[name].value.form) {
    case 'codes':
    case 'enums':
      return planTerms(name, value as readonly string[]);
    case 'nice_classes':
      return planTerms(name, (value as readonly number[]).map(String));
    case 'vienna_codes':
      return planTerms(name, (value as readonly number[][]).map(viennaTerm));
    case 'number':
      return [planNumber(name as NumberField, value as string)];
    case 'name':
      return planName(name as NameFamily, value as string);
    case 'name_fragment':
      return planFragment(name, value as string);
    case 'date':
      return planDates(name, filters);
    case 'instant':
      return [
        name === 'updated_since'
          ? { kind: 'changes', from: value as Instant, to: null }
          : { kind: 'changes', from: null, to: value as Instant },
      ];
  }
}

function planNumber(field: NumberField, number: string): Condition {
  const isOwn = field === 'application_number' || field === 'registration_number';
  const spelled = isOwn ? listSpellings(field, number) : [];
  return { kind: 'number', field, number, ...(spelled.length === 0 ? {} : { spelled }) };
}

/** One condition for any of the values; for a filter `…_all`, one condition per value. */
function planTerms(name: FilterName, values: readonly string[]): Condition[] {
  if (!name.endsWith('_all')) return [{ kind: 'terms', field: name as TermField, values }];
  const field = name.slice(0, -'_all'.length) as TermField;
  return values.map((value) => ({ kind: 'terms', field, values: [value] }));
}

/** A name with an alias asks for a record that has all of its parts (rule I-49). */
function planName(family: NameFamily, text: string): Condition[] {
  return listParts(family, text).map((part) => ({ kind: 'name', family, match: 'whole', text: part }));
}

/** The parts of a name with an alias are whole names, but for the outer ends of the text. */
function planFragment(name: FilterName, text: string): Condition[] {
  const isPart = name.endsWith('_contains');
  const family = name.replace(/_(contains|startswith)$/, '') as NameFamily;
  const parts = listParts(family, text);
  const isShort = isPart && [...(parts[0] ?? '')].length < NAME_FRAGMENT_MIN;
  if (parts.length === 1 || isShort) return [{ kind: 'name', family, match: isPart ? 'part' : 'beginning', text }];
  return parts.map((part, at) => {
    const match = at === 0 && isPart ? 'part' : at === parts.length - 1 ? 'beginning' : 'whole';
    return { kind: 'name', family, match, text: part };
  });
}

function listParts(family: NameFamily, text: string): string[] {
  return family === 'mark_name' ? [text] : splitAliases(text);
}

/** Both ends of an interval are one condition: as two, each would match about half of all records. */
function planDates(name: FilterName, filters: SearchFilters): Condition[] {
  const field = name.replace(/_(from|to)$/, '') as FilterDate;
  const {
    [field]: exact = null,
    [`${field}_from` as const]: from = exact,
    [`${field}_to` as const]: to = exact,
  } = filters;
  if (name.endsWith('_to') && from !== null) return [];
  return [{ kind: 'dates', field, from, to }];
}
