/**
 * The search as a form: every filter of the contract's table once, in groups for people, with the values offered that a
 * filter takes. It judges nothing: what was typed goes to the API as it is, and a refusal is shown at its field.
 */
import {
  FILTERS,
  type FilterName,
  type ParameterDefinition,
  type ParameterForm,
  SEARCH_CONTROLS,
} from '@tmds/contract/parameters';
import { html } from 'htm/preact';

/** Names and values as they go to the API; lists are joined by commas. */
export type SearchPairs = readonly (readonly [name: string, value: string])[];

interface Group {
  readonly title: string;
  readonly filters: readonly FilterName[];
}

/** Every filter stands in exactly one group; a test holds it to the table. */
export const GROUPS: readonly Group[] = [
  {
    title: 'Mark',
    filters: ['mark_name', 'mark_name_contains', 'mark_name_startswith', 'kind_of_mark', 'mark_feature', 'vienna_code'],
  },
  { title: 'Register and status', filters: ['jurisdiction', 'office', 'status'] },
  { title: 'Classes', filters: ['nice_class', 'nice_class_all'] },
  {
    title: 'Owner',
    filters: ['owner_name', 'owner_name_contains', 'owner_name_startswith', 'owner_country'],
  },
  {
    title: 'Representative',
    filters: ['representative_name', 'representative_name_contains', 'representative_name_startswith'],
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
    title: 'Dates',
    filters: Object.keys(FILTERS).filter((name) => FILTERS[name as FilterName].value.form === 'date') as FilterName[],
  },
  { title: 'Change in the service', filters: ['updated_since', 'updated_before'] },
];

const LISTS: ReadonlySet<ParameterForm['form']> = new Set(['codes', 'enums', 'nice_classes', 'vienna_codes']);
const DEFINITIONS: Readonly<Record<string, ParameterDefinition | undefined>> = { ...FILTERS, ...SEARCH_CONTROLS };

export function formOf(name: string): ParameterForm | null {
  return DEFINITIONS[name]?.value ?? null;
}

/** What the query of a page says about the search; the page's own fields are left out, and what is empty. */
export function readPairs(query: URLSearchParams, own: readonly string[]): SearchPairs {
  const names = [...new Set(query.keys())].filter((name) => !own.includes(name));
  return names.flatMap((name): (readonly [string, string])[] => {
    const values = query.getAll(name).filter((value) => value !== '');
    if (values.length === 0) return [];
    const form = formOf(name);
    return form !== null && LISTS.has(form.form)
      ? [[name, values.join(',')]]
      : values.map((value) => [name, value] as const);
  });
}

export interface FormState {
  readonly pairs: SearchPairs;
  readonly registers: readonly string[];
  readonly refusal: { readonly param: string | undefined; readonly message: string } | null;
}

export function renderFilters(state: FormState): unknown {
  return GROUPS.map(({ title, filters }) => {
    const used = state.pairs.filter(([name]) => (filters as readonly string[]).includes(name)).length;
    const refused = (filters as readonly (string | undefined)[]).includes(state.refusal?.param);
    return html`
      <details key=${title} class="group" open=${used > 0 || refused || (state.pairs.length === 0 && title === 'Mark')}>
        <summary>${title}${used === 0 ? null : html` <span class="count">${used}</span>`}</summary>
        <div class="fields">${renderGroup(title, filters, state)}</div>
      </details>
    `;
  });
}

function renderGroup(title: string, filters: readonly FilterName[], state: FormState): unknown {
  return title === 'Dates' ? renderDates(state) : filters.map((name) => renderFilter(name, state));
}

function filledIn(state: FormState, name: string): string {
  return state.pairs.find(([known]) => known === name)?.[1] ?? '';
}

function renderRefusal(name: string, { refusal }: FormState): unknown {
  return refusal?.param === name ? html`<p class="refusal" id=${`${name}-refusal`}>${refusal.message}</p>` : null;
}

function renderFilter(name: FilterName, state: FormState): unknown {
  const { value: form, description, example } = FILTERS[name];
  const options = listOptions(name, form, state);
  if (options !== null) return renderChecks(name, options, description, state);
  const refused = state.refusal?.param === name;
  return html`
    <div key=${name} class="field">
      <label for=${name}>${labelOf(name)}</label>
      <input
        id=${name}
        name=${name}
        value=${filledIn(state, name)}
        placeholder=${example}
        dir="auto"
        autocomplete="off"
        aria-invalid=${refused ? 'true' : null}
        aria-describedby=${`${name}-hint${refused ? ` ${name}-refusal` : ''}`}
      />
      <p class="hint" id=${`${name}-hint`}>${description.replaceAll('`', '')}</p>
      ${renderRefusal(name, state)}
    </div>
  `;
}

function listOptions(name: FilterName, form: ParameterForm, { registers }: FormState): readonly string[] | null {
  if (form.form === 'enums') return form.values;
  if (name === 'jurisdiction' && registers.length <= 60) return registers;
  if (form.form === 'nice_classes') return Array.from({ length: 45 }, (_, position) => String(position + 1));
  return null;
}

function renderChecks(name: FilterName, options: readonly string[], description: string, state: FormState): unknown {
  const chosen = filledIn(state, name)
    .split(',')
    .map((value) => value.trim().toLowerCase())
    .filter((value) => value !== '');
  const unknown = chosen.filter((value) => !options.some((option) => option.toLowerCase() === value));
  return html`
    <fieldset key=${name} class="field checks">
      <legend>${labelOf(name)}</legend>
      ${renderRefusal(name, state)}
      <div class="chips">
        ${[...options, ...unknown].map(
          (option) => html`
            <label key=${option} class="chip">
              <input type="checkbox" name=${name} value=${option} checked=${chosen.includes(option.toLowerCase())} />
              <span>${option}</span>
            </label>
          `,
        )}
      </div>
      ${name === 'jurisdiction' ? html`<p class="hint">${description}</p>` : null}
    </fieldset>
  `;
}

/** Three forms of each date in a row: on, from, to. */
function renderDates(state: FormState): unknown {
  const fields = GROUPS.find(({ title }) => title === 'Dates')!.filters.filter((name) => !/_(from|to)$/.test(name));
  return fields.map(
    (field) => html`
      <fieldset key=${field} class="field dates">
        <legend>${labelOf(field)}</legend>
        ${(['', '_from', '_to'] as const).map((suffix) => {
          const name = `${field}${suffix}`;
          const value = filledIn(state, name);
          const label = suffix === '' ? 'on' : suffix.slice(1);
          return html`
            <label key=${name} for=${name}>${label}<span class="unseen"> ${labelOf(field)}</span></label>
            <input
              id=${name}
              name=${name}
              type=${value === '' || /^\d{4}-\d\d-\d\d$/.test(value) ? 'date' : 'text'}
              value=${value}
              aria-invalid=${state.refusal?.param === name ? 'true' : null}
            />
            ${renderRefusal(name, state)}
          `;
        })}
      </fieldset>
    `,
  );
}

export function renderControls(state: FormState): unknown {
  const { sort, order, limit } = SEARCH_CONTROLS;
  const select = (name: string, label: string, options: readonly (readonly [string, string])[]): unknown => html`
    <span class="pair">
      <label for=${name}>${label}</label>
      <select id=${name} name=${name}>
        ${options.map(
          ([value, text]) =>
            html`<option key=${value} value=${value} selected=${filledIn(state, name) === value}>${text}</option>`,
        )}
      </select>
    </span>
  `;
  return html`
    <div class="row controls">
      ${select('sort', 'Sort by', [['', 'change'], ...listSorts(sort.value.values)])}
      ${select('order', 'Order', order.value.values.map(describeOrder).reverse())}
      ${select('limit', 'Rows', [
        ['25', '25'],
        ['', String(limit.value.default)],
        ['100', '100'],
        ['200', '200'],
      ])}
      <label class="check">
        <input type="checkbox" name="count" value="capped" checked=${filledIn(state, 'count') !== ''} />
        Count the matches, up to 10,000
      </label>
    </div>
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

const LABELS: Readonly<Record<string, string>> = {
  jurisdiction: 'Register',
  mark_name: 'Mark, exact',
  mark_name_contains: 'Mark contains',
  mark_name_startswith: 'Mark starts with',
  owner_name: 'Owner, exact',
  owner_name_contains: 'Owner contains',
  owner_name_startswith: 'Owner starts with',
  representative_name: 'Representative, exact',
  representative_name_contains: 'Representative contains',
  representative_name_startswith: 'Representative starts with',
  nice_class: 'Nice class, any of',
  nice_class_all: 'Nice class, all of',
};

function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return LABELS[name] ?? words.charAt(0).toUpperCase() + words.slice(1);
}
