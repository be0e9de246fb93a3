/** One name as one input with an operator. Further filters of the same name stand beside it and can be taken off. */
import { FILTERS, type FilterName, type NameFamily } from '@tmds/contract/parameters';
import { html } from 'htm/preact';
import { OPERATORS } from './form-fields.ts';
import { type FormState, filledIn, renderKept, renderRefusal } from './form-state.ts';
import { labelOf } from './labels.ts';

const DEFAULT_OPERATOR = OPERATORS[0];

export function renderName(name: NameFamily, state: FormState): unknown {
  const filterOf = (ending: string): FilterName => `${name}${ending}` as FilterName;
  const isSet = (filter: FilterName): boolean => filledIn(state, filter) !== '';
  const refused = OPERATORS.find(({ ending }) => filterOf(ending) === state.refusal?.param);
  const set = OPERATORS.filter(({ ending }) => isSet(filterOf(ending)));
  const shown = refused ?? set[0] ?? DEFAULT_OPERATOR;
  const filter = filterOf(shown.ending);
  const title = labelOf(name).replace(', exact', '');
  const id = `${name}_text`;
  return html`
    <fieldset key=${name} class="field operated">
      <legend>${title}</legend>
      <select name=${`${name}_how`} aria-label=${`How to match: ${title}`}>
        ${OPERATORS.map(
          ({ how, title: words }) =>
            html`<option key=${how} value=${how} selected=${how === shown.how}>${words}</option>`,
        )}
      </select>
      <input
        id=${id}
        name=${id}
        value=${filledIn(state, filter)}
        placeholder=${FILTERS[filter].example}
        aria-label=${title}
        dir="auto"
        autocomplete="off"
        aria-invalid=${refused === undefined ? null : 'true'}
        aria-describedby=${refused === undefined ? null : `${filter}-refusal`}
      />
      ${renderRefusal(filter, state)}
      ${renderKept(
        set.filter((other) => other !== shown).map(({ ending }) => filterOf(ending)),
        state,
      )}
    </fieldset>
  `;
}
