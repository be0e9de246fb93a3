/**
 * The effect of a click on a counted value on the filters of a search. A value that is already a filter is removed; any
 * other narrows the search to exactly the matches that were counted for it.
 */
import { FILTERS } from '@tmds/contract/parameters';
import type { FacetField } from './facet-fields.ts';
import type { Changes, SearchPairs } from './search-pairs.ts';

export interface Toggle {
  readonly isAsked: boolean;
  /** Null: no filter narrows the search to these matches. */
  readonly changes: Changes | null;
}

export function planToggle(field: FacetField, value: string, pairs: SearchPairs): Toggle {
  return field === 'application_year' ? toggleYear(value, pairs) : toggleValue(field, value, pairs);
}

function toggleValue(field: Exclude<FacetField, 'application_year'>, value: string, pairs: SearchPairs): Toggle {
  const all = `${field}_all`;
  for (const name of [field, all]) {
    const values = listValues(name, pairs);
    // The API takes statuses, kinds and codes in any letter case.
    const left = values.filter((other) => other.toUpperCase() !== value.toUpperCase());
    if (left.length === values.length) continue;
    return { isAsked: true, changes: { [name]: left.length === 0 ? null : left.join(',') } };
  }
  if (listValues(field, pairs).length === 0) return { isAsked: false, changes: { [field]: value } };
  // One more value in an "any of" filter would widen the search.
  const narrowed = all in FILTERS ? { [all]: [...listValues(all, pairs), value].join(',') } : null;
  return { isAsked: false, changes: narrowed };
}

function listValues(name: string, pairs: SearchPairs): string[] {
  const text = findValue(name, pairs) ?? '';
  return text
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');
}

function findValue(name: string, pairs: SearchPairs): string | null {
  return pairs.find(([known]) => known === name)?.[1] ?? null;
}

const YEAR_FROM = 'application_date_from';
const YEAR_TO = 'application_date_to';

function toggleYear(year: string, pairs: SearchPairs): Toggle {
  const [first, last] = [`${year}-01-01`, `${year}-12-31`];
  const [from, to] = [findValue(YEAR_FROM, pairs), findValue(YEAR_TO, pairs)];
  if (from !== null && to !== null && from >= first && to <= last) {
    return { isAsked: true, changes: { [YEAR_FROM]: null, [YEAR_TO]: null } };
  }
  if (findValue('application_date', pairs) !== null) return { isAsked: false, changes: null };
  const changes = {
    [YEAR_FROM]: from !== null && from > first ? from : first,
    [YEAR_TO]: to !== null && to < last ? to : last,
  };
  return { isAsked: false, changes };
}
