/** The keys of all customers: find one by its id, its name or whose it is. */
import { html } from 'htm/preact';
import {
  type KeySearch,
  type KeyState,
  OPERATOR_PAGE,
  type OwnedKey,
} from '../../store/accounts/operator-customers.ts';
import type { CustomerKey } from '../../store/accounts/portal-keys.ts';
import type { Page } from '../frame/call.ts';
import { formatCount, renderInstant } from '../frame/pieces.ts';
import { renderLines, renderState } from '../keys/key-pages.ts';
import { describeUsed, nameOf } from '../keys/wording.ts';
import { type Column, linkTo, renderFurther, renderListing, renderSelect, renderText } from './listing.ts';

export const KEY_STATES: readonly KeyState[] = ['live', 'revoked', 'suspended'];

/** What every list of keys says of a key beside its name. */
export const keyColumns: readonly Column<CustomerKey>[] = [
  { title: 'Prefix', cell: ({ id }) => html`<code>tmds_${id}</code>` },
  { title: 'Products', cell: ({ products }) => renderLines(products.map(({ product }) => product)) },
  {
    title: 'Calls a minute',
    cell: ({ products }) => renderLines(products.map((row) => formatCount(row.rate_limit_per_minute))),
    kind: 'number',
  },
  { title: 'Used this month', cell: ({ products }) => renderLines(products.map(describeUsed)), kind: 'number' },
  { title: 'Last used', cell: ({ last_used_at }) => renderInstant(last_used_at) },
  { title: 'State', cell: renderState },
];

export function renderAllKeys({ text, state }: KeySearch, found: readonly OwnedKey[]): Page {
  const rows = found.slice(0, OPERATOR_PAGE);
  const last = found.length > OPERATOR_PAGE ? rows.at(-1) : undefined;
  const further =
    last === undefined
      ? null
      : linkTo('/portal/operator/keys', { q: text, state, before: `${last.created_at}_${last.id}` });
  const body = html`
    <h1>Keys</h1>
    <form method="get" action="/portal/operator/keys" class="row">
      ${renderText('q', 'Id, name or customer', text ?? '', 'search')}
      ${renderSelect(
        'state',
        'State',
        [{ value: '', label: 'Any' }, ...KEY_STATES.map((value) => ({ value, label: value }))],
        state ?? '',
      )}
      <button type="submit" class="second">Show</button>
    </form>
    ${renderListing<OwnedKey>({
      label: 'Keys',
      rows,
      keyOf: ({ id }) => id,
      empty: text === null && state === null ? 'There is no key yet.' : 'No key is like that.',
      columns: [
        {
          title: 'Name',
          cell: (key) => html`<a href=${`/portal/operator/keys/${key.id}`}><bdi>${nameOf(key)}</bdi></a>`,
        },
        {
          title: 'Customer',
          cell: (key) => html`
            <a href=${`/portal/operator/customers/${key.customer_id}`}><bdi>${key.customer}</bdi></a>
            ${key.suspended ? html` <span class="state waiting">suspended</span>` : null}
          `,
          kind: 'name',
        },
        ...keyColumns,
      ],
    })}
    ${renderFurther(further, 'Older keys')}
    <p class="hint">A key is issued on the page of its customer.</p>
  `;
  return { title: 'Operator: keys', body, section: 'operator/keys', wide: true };
}
