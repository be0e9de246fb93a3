/** The controls below the filters: sorting, rows on a page. */
import { SEARCH_CONTROLS } from '@tmds/contract/parameters';
import { html } from 'htm/preact';
import { renderSelect } from '../frame/fields.ts';
import { type FormState, filledIn } from './form-state.ts';
import { labelOf } from './labels.ts';

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
