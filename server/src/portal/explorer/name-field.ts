/** One name as one input with an operator. Further filters of the same name are shown next to it and can be removed. */
import { FILTERS, type FilterName, type NameFamily } from '@tmds/contract/parameters';
import { html } from 'htm/preact';
import { renderOperated } from '../frame/fields.ts';
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
