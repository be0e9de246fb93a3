/**
 * Fields of the search form that the API does not know: a text with its operator, and a date with a span such as the
 * last 30 days. Both become filters of the API before anything is requested, so that addresses, links and the request
 * shown for programs are the API's. Nothing that was typed is dropped: the API refuses what makes no sense.
 */

import { FILTER_DATES, type FilterDate } from '@tmds/contract/enums';
import { FILTERS, type FilterName, type NameFamily } from '@tmds/contract/parameters';
import type { DateText } from '@tmds/contract/record';
import { html } from 'htm/preact';
import { DAY_MS } from '../../base/clock.ts';
import { renderChips, renderFieldset, renderNotes, renderOperated, renderOptions } from '../frame/fields.ts';
import { findValue, type SearchPairs } from './search-pairs.ts';
import { labelOf, messageOf } from './search-words.ts';

/** The names that have three filters: the whole name, a part, the beginning. */
export const NAME_FAMILIES = (Object.keys(FILTERS) as FilterName[]).filter(
  (name) => FILTERS[name].value.form === 'name',
) as readonly NameFamily[];

/** The operators of a name in the order of the form, each with the ending of its filter. */
const OPERATORS = [
  { how: 'contains', title: 'contains', ending: '_contains' },
  { how: 'startswith', title: 'starts with', ending: '_startswith' },
  { how: 'is', title: 'is exactly', ending: '' },
] as const;

interface Span {
  readonly from: DateText;
  readonly to: DateText;
}

interface Preset {
  readonly title: string;
  readonly span: (today: DateText) => Span;
  /** True for days to come, which only deadlines have. */
  readonly isAhead?: boolean;
}

function addDays(date: DateText, days: number): DateText {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10) as DateText;
}

/** This many days, with today as the last. */
const past = (days: number): Preset => ({
  title: `last ${days} days`,
  span: (today) => ({ from: addDays(today, 1 - days), to: today }),
});
/** This many days, with today as the first. */
const ahead = (days: number): Preset => ({
  title: `next ${days} days`,
  span: (today) => ({ from: today, to: addDays(today, days - 1) }),
  isAhead: true,
});
const year = (title: string, offset: number): Preset => ({
  title,
  span: (today) => {
    const name = String(Number(today.slice(0, 4)) + offset);
    return { from: `${name}-01-01` as DateText, to: `${name}-12-31` as DateText };
  },
});

const PRESETS: Readonly<Record<string, Preset>> = {
  last_7: past(7),
  last_30: past(30),
  last_90: past(90),
  this_year: year('this year', 0),
  last_year: year('last year', -1),
  next_30: ahead(30),
  next_90: ahead(90),
};

/** Dates in the future, for which action is still possible. */
const DEADLINES: ReadonlySet<FilterDate> = new Set(['expiry_date', 'opposition_period_end']);

/** `today`: in UTC. Null if the query has no field of the form. */
export function translateForm(query: URLSearchParams, today: DateText): URLSearchParams | null {
  const fields = [
    ...NAME_FAMILIES.flatMap((name) => [`${name}_text`, `${name}_how`]),
    ...FILTER_DATES.map((date) => `${date}_when`),
  ];
  if (!fields.some((field) => query.has(field))) return null;
  const translated = new URLSearchParams(query);
  for (const name of NAME_FAMILIES) translateName(name, translated);
  for (const date of FILTER_DATES) translateDate(date, translated, today);
  return new URLSearchParams([...translated].filter(([, value]) => value !== ''));
}

function translateName(name: NameFamily, query: URLSearchParams): void {
  const text = query.get(`${name}_text`) ?? '';
  const how = query.get(`${name}_how`) ?? 'is';
  query.delete(`${name}_text`);
  query.delete(`${name}_how`);
  const operator = OPERATORS.find((known) => known.how === how);
  if (text !== '') query.append(`${name}${operator?.ending ?? `_${how}`}`, text);
}

function translateDate(date: FilterDate, query: URLSearchParams, today: DateText): void {
  const when = query.get(`${date}_when`) ?? '';
  query.delete(`${date}_when`);
  // Empty: the days as typed.
  if (when === '') return;
  if (when === 'on') {
    const [day = '', ...others] = query.getAll(`${date}_from`);
    query.delete(`${date}_from`);
    query.append(date, day);
    for (const other of others) query.append(`${date}_from`, other);
    return;
  }
  const span = PRESETS[when]?.span(today) ?? null;
  for (const ending of ['', '_from', '_to']) query.delete(`${date}${ending}`);
  if (span === null) return;
  query.append(`${date}_from`, span.from);
  query.append(`${date}_to`, span.to);
}

export interface FormState {
  readonly pairs: SearchPairs;
  readonly registers: readonly string[];
  readonly refusal: { readonly param: string | undefined; readonly message: string } | null;
}

export function filledIn(state: FormState, name: string): string {
  return findValue(state.pairs, name);
}

function renderRefusal(name: string, { refusal }: FormState): unknown {
  return refusal?.param === name ? renderNotes(name, { refusal: messageOf(refusal) }) : null;
}

/** Filters that are set in addition to the one that a field shows: kept, unless the person unticks them. */
function renderKept(filters: readonly string[], state: FormState): unknown {
  if (filters.length === 0) return null;
  return filters.map((name) => {
    const value = filledIn(state, name);
    return renderChips({
      name,
      choices: [{ value, label: html`${labelOf(name)}: <bdi>${value}</bdi>` }],
      chosen: [value],
    });
  });
}

const DEFAULT_OPERATOR = OPERATORS[0];

export function renderName(name: NameFamily, state: FormState): unknown {
  const filterOf = (ending: string): FilterName => `${name}${ending}` as FilterName;
  const isSet = (filter: FilterName): boolean => filledIn(state, filter) !== '';
  const refused = OPERATORS.find(({ ending }) => filterOf(ending) === state.refusal?.param);
  const set = OPERATORS.filter(({ ending }) => isSet(filterOf(ending)));
  const shown = refused ?? set[0] ?? DEFAULT_OPERATOR;
  const filter = filterOf(shown.ending);
  const title = labelOf(name).replace(', exact', '');
  const kept = set.filter((other) => other !== shown).map(({ ending }) => filterOf(ending));
  return renderOperated({
    legend: title,
    operator: {
      name: `${name}_how`,
      label: `How to match: ${title}`,
      choices: OPERATORS.map(({ how, title: label }) => ({ value: how, label })),
      chosen: shown.how,
    },
    input: {
      id: `${name}_text`,
      'aria-label': title,
      value: filledIn(state, filter),
      placeholder: FILTERS[filter].example,
      dir: 'auto',
      'aria-describedby': refused === undefined ? null : `${filter}-refusal`,
      'aria-invalid': refused === undefined ? null : 'true',
    },
    below: html`${renderRefusal(filter, state)} ${renderKept(kept, state)}`,
  });
}

export function renderDate(date: FilterDate, state: FormState): unknown {
  const [from, to] = [`${date}_from`, `${date}_to`];
  const day = filledIn(state, date);
  const isOn = day !== '';
  const isSet = [date, from, to].some((name) => filledIn(state, name) !== '');
  const choices = listChoices(date, isSet).map(([value, title]) => ({ value, label: title }));
  const inputs = html`
    <select name=${`${date}_when`} aria-label=${`${labelOf(date)}: when`}>
      ${renderOptions(choices, isOn ? 'on' : '')}
    </select>
    ${renderDay({ name: from, label: 'from, on', value: isOn ? day : filledIn(state, from) }, date, state)}
    ${renderRefusal(date, state)}
    ${isOn ? null : renderRefusal(from, state)}
    ${renderDay({ name: to, label: 'to', value: filledIn(state, to) }, date, state)}
    ${renderRefusal(to, state)}
    ${isOn && filledIn(state, from) !== '' ? renderKept([from], state) : null}
  `;
  return renderFieldset(labelOf(date), inputs, 'dates');
}

/** The empty choice means the typed days, so that no typed day is ever ignored. */
function listChoices(date: FilterDate, isSet: boolean): [value: string, title: string][] {
  const presets = Object.entries(PRESETS).filter(([, { isAhead }]) => isAhead !== true || DEADLINES.has(date));
  return [
    ['', isSet ? 'between' : 'any time, or between'],
    ...(isSet ? [['any', 'any time'] as [string, string]] : []),
    ['on', 'on'],
    ...presets.map(([value, { title }]): [string, string] => [value, title]),
  ];
}

function renderDay(
  { name, label, value }: { name: string; label: string; value: string },
  date: FilterDate,
  { refusal }: FormState,
): unknown {
  const isRefused = refusal?.param === name || (refusal?.param === date && name.endsWith('_from'));
  return html`
    <label for=${name}>${label}<span class="unseen"> ${labelOf(date)}</span></label>
    <input
      id=${name}
      name=${name}
      type=${value === '' || /^\d{4}-\d\d-\d\d$/.test(value) ? 'date' : 'text'}
      value=${value}
      aria-invalid=${isRefused ? 'true' : null}
    />
  `;
}
