/**
 * What each filter asks of a record (specification 4.3), told by the form of its value alone: a new filter of a known
 * form needs no line here. It knows nothing of paging, order, or how records are found.
 */
import type { FilterDate } from '@tmds/contract/enums';
import { FILTERS, type FilterName, type NameFamily, type NumberField, type TermField } from '@tmds/contract/parameters';
import type { DateText, Instant } from '@tmds/contract/record';
import type { SearchFilters } from '../parse/search.ts';
import { viennaTerm } from '../record/terms.ts';

/** A record satisfies a search when it satisfies every one of its conditions. */
export type Condition =
  /** It is filed under any of the values. */
  | { readonly kind: 'terms'; readonly field: TermField; readonly values: readonly string[] }
  /** It carries the number, in the form of `normalizeNumber`. */
  | { readonly kind: 'number'; readonly field: NumberField; readonly number: string }
  /** One of its names is the text, begins with it, or holds it; in the form of `foldName`. */
  | {
      readonly kind: 'name';
      readonly family: NameFamily;
      readonly match: 'whole' | 'beginning' | 'part';
      readonly text: string;
    }
  /** Its date lies between both, inclusive; null = open. A record without the date does not satisfy it. */
  | {
      readonly kind: 'dates';
      readonly field: FilterDate;
      readonly from: DateText | null;
      readonly to: DateText | null;
    }
  /** Its content last changed at `from` or later, and before `to`; null = open. */
  | { readonly kind: 'changes'; readonly from: Instant | null; readonly to: Instant | null };

/** The conditions of all filters; `register` is the path's, which filters like `jurisdiction`. */
export function planConditions(filters: SearchFilters, register: string | null): Condition[] {
  const conditions = (Object.keys(filters) as FilterName[]).flatMap((name) => planFilter(name, filters[name]));
  if (register !== null) conditions.push({ kind: 'terms', field: 'jurisdiction', values: [register] });
  return conditions;
}

function planFilter(name: FilterName, value: unknown): Condition[] {
  switch (FILTERS[name].value.form) {
    case 'codes':
    case 'enums':
      return planTerms(name, value as readonly string[]);
    case 'nice_classes':
      return planTerms(name, (value as readonly number[]).map(String));
    case 'vienna_codes':
      return planTerms(name, (value as readonly number[][]).map(viennaTerm));
    case 'number':
      return [{ kind: 'number', field: name as NumberField, number: value as string }];
    case 'name':
      return [{ kind: 'name', family: name as NameFamily, match: 'whole', text: value as string }];
    case 'name_fragment':
      return [planFragment(name, value as string)];
    case 'date':
      return [planDates(name, value as DateText)];
    case 'instant':
      return [
        name === 'updated_since'
          ? { kind: 'changes', from: value as Instant, to: null }
          : { kind: 'changes', from: null, to: value as Instant },
      ];
  }
}

/** `…_all` asks for each value. */
function planTerms(name: FilterName, values: readonly string[]): Condition[] {
  if (!name.endsWith('_all')) return [{ kind: 'terms', field: name as TermField, values }];
  const field = name.slice(0, -'_all'.length) as TermField;
  return values.map((value) => ({ kind: 'terms', field, values: [value] }));
}

function planFragment(name: FilterName, text: string): Condition {
  const isPart = name.endsWith('_contains');
  const family = name.replace(/_(contains|startswith)$/, '') as NameFamily;
  return { kind: 'name', family, match: isPart ? 'part' : 'beginning', text };
}

function planDates(name: FilterName, date: DateText): Condition {
  const field = name.replace(/_(from|to)$/, '') as FilterDate;
  return {
    kind: 'dates',
    field,
    from: name.endsWith('_to') ? null : date,
    to: name.endsWith('_from') ? null : date,
  };
}
