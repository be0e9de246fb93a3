/**
 * The search as a form: every filter of the contract's table once, in groups, and with the values that it accepts; and
 * the controls below. It validates nothing: the API gets what was typed, and its refusal is shown next to the field.
 */

import { FILTER_DATES } from '@tmds/contract/enums';
import { FILTERS, type FilterName, type ParameterForm, SEARCH_CONTROLS } from '@tmds/contract/parameters';
import { html } from 'htm/preact';
import { renderBadge, renderCount } from '../frame/components.ts';
import { renderChipSet, renderField, renderSelect } from '../frame/fields.ts';
import { registerName } from '../frame/registers.ts';
import { type FormState, filledIn, NAME_FAMILIES, renderDate, renderName } from './form-fields.ts';
import { listValues } from './search-pairs.ts';
import { hintOf, labelOf, messageOf } from './search-words.ts';

interface Group {
  readonly title: string;
  readonly filters: readonly FilterName[];
}

/** Every filter is in exactly one group, the groups by use; a test compares them with the table. */
export const GROUPS: readonly Group[] = [
  { title: 'Mark', filters: ['mark_name', 'mark_name_contains', 'mark_name_startswith'] },
  { title: 'Owner', filters: ['owner_name', 'owner_name_contains', 'owner_name_startswith', 'owner_country'] },
  { title: 'Register', filters: ['jurisdiction', 'office'] },
  { title: 'Classes', filters: ['nice_class', 'nice_class_all'] },
  { title: 'Status', filters: ['status'] },
  {
    title: 'Dates',
    filters: FILTER_DATES.flatMap((date) => [date, `${date}_from`, `${date}_to`] as const),
  },
  {
    title: 'Numbers and countries',
    filters: [
      'application_number',
      'registration_number',
      'international_registration_number',
      'priority_number',
      'designated_country',
    ],
  },
  {
    title: 'Representative',
    filters: ['representative_name', 'representative_name_contains', 'representative_name_startswith'],
  },
  { title: 'Change in the service', filters: ['updated_since', 'updated_before'] },
  { title: 'Kind, feature and figures', filters: ['kind_of_mark', 'mark_feature', 'vienna_code'] },
];

const OFTEN: readonly string[] = ['Mark', 'Owner', 'Register', 'Classes', 'Status'];

export function renderFilters(state: FormState): unknown {
  return GROUPS.map(({ title, filters }) => {
    const used = state.pairs.filter(([name]) => (filters as readonly string[]).includes(name)).length;
    const refused = (filters as readonly (string | undefined)[]).includes(state.refusal?.param);
    const open = used > 0 || refused || OFTEN.includes(title);
    return html`
      <details class=${refused ? 'group refused' : 'group'} open=${open}>
        <summary>${title}${used === 0 ? null : html` ${renderCount(used)}`}${
          refused ? html` ${renderBadge('bad', 'to correct')}` : null
        }</summary>
        <div class="fields">${renderGroup(title, filters, state)}</div>
      </details>
    `;
  });
}

function renderGroup(title: string, filters: readonly FilterName[], state: FormState): unknown {
  if (title === 'Dates') return renderDates(state);
  return filters.map((name) => {
    const family = NAME_FAMILIES.find((known) => name.startsWith(known));
    if (family === undefined) return renderFilter(name, state);
    return name === family ? renderName(family, state) : null;
  });
}

function renderFilter(name: FilterName, state: FormState): unknown {
  const { value: form, example } = FILTERS[name];
  const options = listOptions(name, form, state);
  if (options !== null) return renderChecks(name, options, state);
  return renderField({
    id: name,
    label: labelOf(name),
    hint: hintOf(name),
    refusal: refusalOf(name, state),
    attributes: { value: filledIn(state, name), placeholder: example, dir: 'auto' },
  });
}

function refusalOf(name: FilterName, { refusal }: FormState): string | null {
  return refusal?.param === name ? messageOf(refusal) : null;
}

function listOptions(name: FilterName, form: ParameterForm, { registers }: FormState): readonly string[] | null {
  if (form.form === 'enums') return form.values;
  if (name === 'jurisdiction' && registers.length <= 60) return registers;
  if (form.form === 'nice_classes') return Array.from({ length: 45 }, (_, position) => String(position + 1));
  return null;
}

function renderChecks(name: FilterName, options: readonly string[], state: FormState): unknown {
  const chosen = listValues(state.pairs, name).map((value) => value.toLowerCase());
  const unknown = chosen.filter((value) => !options.some((option) => option.toLowerCase() === value));
  const all = [...options, ...unknown];
  return renderChipSet({
    legend: labelOf(name),
    name,
    choices: all.map((value) => ({
      value,
      label: name === 'jurisdiction' ? registerName(value) : value,
      title: value,
    })),
    chosen: all.filter((option) => chosen.includes(option.toLowerCase())),
    hint: name === 'jurisdiction' ? hintOf(name) : null,
    refusal: refusalOf(name, state),
  });
}

/** Each date once: its three filters share one field. */
function renderDates(state: FormState): unknown {
  return FILTER_DATES.map((date) => renderDate(date, state));
}

export function renderControls(state: FormState): unknown {
  const { sort, order, limit } = SEARCH_CONTROLS;
  const select = (id: string, label: string, options: readonly (readonly [string, string])[]): unknown =>
    renderSelect({
      id,
      label,
      choices: options.map(([value, text]) => ({ value, label: text })),
      chosen: filledIn(state, id),
    });
  return html`
      ${select('sort', 'Sort by', [['', 'change'], ...listSorts(sort.value.values)])}
      ${select('order', 'Order', order.value.values.map(describeOrder).reverse())}
      ${select('limit', 'Rows', [
        ['25', '25'],
        ['', String(limit.value.default)],
        ['100', '100'],
        ['200', '200'],
      ])}
  `;
}

function describeOrder(order: string): readonly [value: string, text: string] {
  const value = order === SEARCH_CONTROLS.order.value.default ? '' : order;
  return [value, order === 'desc' ? 'newest first' : 'oldest first'];
}

function listSorts(sorts: readonly string[]): (readonly [string, string])[] {
  return sorts
    .filter((sort) => sort !== SEARCH_CONTROLS.sort.value.default)
    .map((sort) => [sort, labelOf(sort).toLowerCase()]);
}
