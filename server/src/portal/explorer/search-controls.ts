/** The controls below the filters: sorting, rows on a page. */
import { SEARCH_CONTROLS } from '@tmds/contract/parameters';
import { html } from 'htm/preact';
import { type FormState, filledIn } from './form-state.ts';
import { labelOf } from './labels.ts';

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
