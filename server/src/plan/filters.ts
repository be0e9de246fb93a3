/**
 * Turns each filter into conditions on a record (specification 4.3). They follow from the form of its value, so a new
 * filter of a known form needs no change here. It knows nothing about paging, order, or how records are found.
 */
import type { FilterDate } from '@tmds/contract/enums';
import type { HeldAs } from '@tmds/contract/likeness';
import { NAME_FRAGMENT_MIN } from '@tmds/contract/limits';
import { listSpellings, type SpelledNumber } from '@tmds/contract/numbers';
import { FILTERS, type FilterName, type NameFamily, type NumberField, type TermField } from '@tmds/contract/parameters';
import type { DateText, Instant } from '@tmds/contract/record';
import type { SearchFilters } from '../parse/search.ts';
import { splitAliases } from '../record/aliases.ts';
import { viennaTerm } from '../record/terms.ts';

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

/** The conditions of all filters. `register`, from the path, filters like `jurisdiction`. */
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
