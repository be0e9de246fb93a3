/** Why a search was refused, in the words of the search page, with the clicks that mend it. */
import { CONTAINS_SCOPE_MAX } from '@tmds/contract/limits';
import { FILTERS, type FilterName, isListForm, type ParameterForm } from '@tmds/contract/parameters';
import { html } from 'htm/preact';
import type { Refusal } from './ask.ts';
import { labelOf, messageOf } from './labels.ts';
import { type Explained, explainRefusal, type Repair } from './outcome-view.ts';
import type { LinkWith, SearchPairs } from './search-pairs.ts';

interface RefusedSearch {
  readonly pairs: SearchPairs;
  /** The codes of the registers, those with most records first. */
  readonly registers: readonly string[];
  readonly linkWith: LinkWith;
  /** The address that asks once more. */
  readonly again: string;
}

const PARTS = { mark: 'a mark', owner: 'an owner’s name', representative: 'a representative’s name' } as const;
const NAME_PART = /^(?<name>mark|owner|representative)_name_(?:contains|startswith)$/;

export function explainSearch(refusal: Refusal, search: RefusedSearch): Explained {
  const { code, param = '' } = refusal;
  const { pairs, linkWith, again } = search;
  if (param === 'cursor') {
    return {
      message: 'This page of the results is no longer available.',
      repairs: [{ title: 'Show the first page', href: linkWith({ cursor: null }) }],
    };
  }
  if (code === 'query_too_broad') return explainBroad(param, search);
  if (code === 'query_timeout') {
    const isNarrow = pairs.some(([name]) => name === 'jurisdiction');
    const { message, repairs } = explainRefusal(refusal, again);
    return { message, repairs: isNarrow ? repairs : [...narrow(search), ...repairs] };
  }
  if (code === 'unknown_parameter' || code === 'reserved_parameter') {
    return {
      message: html`This page has no field “<bdi>${param}</bdi>”.`,
      repairs: [{ title: 'Search without it', href: linkWith({ [param]: null }) }],
    };
  }
  const stated = pairs.filter(([name]) => name === param).map(([, value]) => value);
  if (stated.length === 0) return explainRefusal(refusal, again);
  const wrong = stated.length === 1 ? listWrong(param, stated[0] ?? '') : [];
  const message =
    wrong.length === 0 ? messageOf(refusal) : `${quoteAll(wrong)} cannot be searched for as “${labelOf(param)}”.`;
  return { message: html`<bdi>${message}</bdi>`, repairs: listRepairs(param, stated, search) };
}

function explainBroad(param: string, search: RefusedSearch): Explained {
  const name = NAME_PART.exec(param)?.groups?.name as keyof typeof PARTS | undefined;
  const message =
    name === undefined
      ? 'This search covers too much. Choose registers or a class.'
      : `Choose up to ${CONTAINS_SCOPE_MAX} registers to search part of ${PARTS[name]}.`;
  return { message, repairs: narrow(search) };
}

/** The same search in the largest registers. */
function narrow({ registers, linkWith }: RefusedSearch): Repair[] {
  const largest = registers.slice(0, CONTAINS_SCOPE_MAX);
  if (largest.length < 2) return [];
  const title = `Search the ${largest.length} largest registers`;
  return [{ title, href: linkWith({ jurisdiction: largest.join(','), cursor: null }) }];
}

function listRepairs(param: string, stated: readonly string[], { linkWith }: RefusedSearch): Repair[] {
  const without = { title: `Search without “${labelOf(param)}”`, href: linkWith({ [param]: null, cursor: null }) };
  const [first = '', ...others] = stated;
  if (others.length > 0) {
    return [{ title: `Keep only “${first}”`, href: linkWith({ [param]: first, cursor: null }) }, without];
  }
  return [...dropWrong(param, first, linkWith), without];
}

function quoteAll(values: readonly string[]): string {
  return `“${values.join('”, “')}”`;
}

/** The values of a list that cannot be read. */
function listWrong(param: string, value: string): string[] {
  const form = FILTERS[param as FilterName]?.value as ParameterForm | undefined;
  if (form === undefined || !isListForm(form)) return [];
  const values = value.split(',').map((each) => each.trim());
  return values.filter((each) => each !== '' && !canBeRead(form, each));
}

/** Keeps those of several values that can be read. */
function dropWrong(param: string, value: string, linkWith: LinkWith): Repair[] {
  const wrong = listWrong(param, value);
  const values = value.split(',').map((each) => each.trim());
  const right = values.filter((each) => each !== '' && !wrong.includes(each));
  if (right.length === 0 || right.length === values.length) return [];
  const title = wrong.length === 0 ? 'Search without the empty value' : `Search without ${quoteAll(wrong)}`;
  return [{ title, href: linkWith({ [param]: right.join(','), cursor: null }) }];
}

function canBeRead(form: ParameterForm, value: string): boolean {
  if (form.form === 'enums') return form.values.some((known) => known.toLowerCase() === value.toLowerCase());
  if (form.form === 'nice_classes') return /^\d{1,2}$/.test(value) && Number(value) >= 1 && Number(value) <= 45;
  return form.form === 'codes' ? /^[A-Za-z0-9]{1,5}$/.test(value) : true;
}
