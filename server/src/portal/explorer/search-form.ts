/**
 * The search as a form: every filter of the contract's table once, in groups, and with the values that it accepts. It
 * validates nothing: the API gets what was typed, and its refusal is shown next to the field.
 */
import { FILTERS, type FilterName, type ParameterForm } from '@tmds/contract/parameters';
import { html } from 'htm/preact';
import { registerName } from '../frame/registers.ts';
import { labelOf } from './labels.ts';
import type { SearchPairs } from './search-pairs.ts';

interface Group {
  readonly title: string;
  readonly filters: readonly FilterName[];
}

/** Every filter is in exactly one group; a test compares them with the table. */
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

export function filledIn(state: FormState, name: string): string {
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
              <span title=${option}>${name === 'jurisdiction' ? registerName(option) : option}</span>
            </label>
          `,
        )}
      </div>
      ${name === 'jurisdiction' ? html`<p class="hint">${description}</p>` : null}
    </fieldset>
  `;
}

/** Each date has three fields in a row: on, from, to. */
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
