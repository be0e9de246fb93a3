/** The keys of all customers: find one by its id, its name or its customer. */

import { html } from 'htm/preact';
import {
  type KeySearch,
  type KeyState,
  OPERATOR_PAGE,
  type OwnedKey,
} from '../../store/accounts/operator-customers.ts';
import type { Page } from '../frame/call.ts';
import { renderBadge, renderHeading } from '../frame/components.ts';
import { keyColumns } from '../keys/key-pages.ts';
import { nameOf } from '../keys/wording.ts';
import { linkTo, renderFilter, renderFurther, renderListing } from './listing.ts';

export const KEY_STATES: readonly KeyState[] = ['live', 'revoked', 'suspended'];

export function renderAllKeys({ text, state }: KeySearch, found: readonly OwnedKey[]): Page {
  const rows = found.slice(0, OPERATOR_PAGE);
  const last = found.length > OPERATOR_PAGE ? rows.at(-1) : undefined;
  const further =
    last === undefined
      ? null
      : linkTo('/portal/operator/keys', { q: text, state, before: `${last.created_at}_${last.id}` });
  const body = html`
    ${renderHeading('Keys')}
    ${renderFilter('/portal/operator/keys', [
      { id: 'q', label: 'Name, customer or id', value: text, type: 'search' },
      { id: 'state', label: 'State', any: 'Any', choices: KEY_STATES, chosen: state },
    ])}
    ${renderListing<OwnedKey>({
      label: 'Keys',
      rows,
      keyOf: ({ id }) => id,
      empty: text === null && state === null ? 'There is no key yet.' : 'No key matches.',
      columns: [
        {
          label: 'Name',
          cell: (key) => html`<a href=${`/portal/operator/keys/${key.id}`}><bdi>${nameOf(key)}</bdi></a>`,
        },
        {
          label: 'Customer',
          cell: (key) => html`
            <a href=${`/portal/operator/customers/${key.customer_id}`}><bdi>${key.customer}</bdi></a>
            ${key.suspended ? renderBadge('warn', 'suspended') : null}
          `,
          style: 'name',
        },
        ...keyColumns,
      ],
    })}
    ${renderFurther(further, 'Older keys')}
    <p class="hint">A key is issued on the page of its customer.</p>
  `;
  return { title: 'Operator: keys', body, section: 'operator/keys' };
}
