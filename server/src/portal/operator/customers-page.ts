/** The list of customers, with what they use and how they stand, and the form that adds one. */
import { html } from 'htm/preact';
import type { Customer } from '../../store/accounts/customers.ts';
import {
  type CustomerLine,
  type CustomerSearch,
  type CustomerState,
  OPERATOR_PAGE,
} from '../../store/accounts/operator-customers.ts';
import { type Page, type SignedInCall, typedIn } from '../frame/call.ts';
import { formatCount, formFields, renderFault, renderInstant } from '../frame/pieces.ts';
import { linkTo, renderFurther, renderListing, renderSelect, renderText } from './listing.ts';
import { CUSTOMER_NAME_MAX } from './terms.ts';

export const CUSTOMER_STATES: readonly CustomerState[] = ['active', 'suspended', 'removed'];

export function renderCustomers(
  call: SignedInCall,
  { search, found, fault }: { search: CustomerSearch; found: readonly CustomerLine[]; fault: string | null },
): Page {
  const { text, state } = search;
  const rows = found.slice(0, OPERATOR_PAGE);
  const last = found.length > OPERATOR_PAGE ? rows.at(-1) : undefined;
  const further =
    last === undefined ? null : linkTo('/portal/operator/customers', { q: text, state, after: last.name });
  const body = html`
    <h1>Customers</h1>
    <form method="get" action="/portal/operator/customers" class="row">
      ${renderText('q', 'Name contains', text ?? '', 'search')}
      ${renderSelect(
        'state',
        'State',
        [{ value: '', label: 'Any' }, ...CUSTOMER_STATES.map((value) => ({ value, label: value }))],
        state ?? '',
      )}
      <button type="submit" class="second">Show</button>
    </form>
    ${renderListing({
      label: 'Customers',
      rows,
      keyOf: ({ customer_id }) => customer_id,
      empty: text === null && state === null ? 'There is no customer yet.' : 'No customer is like that.',
      columns: [
        {
          title: 'Name',
          cell: ({ customer_id, name }) =>
            html`<a href=${`/portal/operator/customers/${customer_id}`}><bdi>${name}</bdi></a>`,
        },
        { title: 'State', cell: renderStanding },
        { title: 'Live keys', cell: ({ live_keys }) => formatCount(live_keys), kind: 'number' },
        { title: 'Units this month', cell: ({ used }) => formatCount(used), kind: 'number' },
        {
          title: 'Quota',
          cell: ({ quota, live_keys }) => (live_keys === 0 ? null : quota === null ? 'none' : formatCount(quota)),
          kind: 'number',
        },
        { title: 'Last call', cell: ({ last_used_at }) => renderInstant(last_used_at) },
        { title: 'Since', cell: ({ created_at }) => renderInstant(created_at) },
      ],
    })}
    ${renderFurther(further, 'Next page')}
    <section>
      <h2>Add a customer</h2>
      ${renderFault(fault)}
      <form method="post" action="/portal/operator/customers" class="row">
        ${formFields(call)}
        <label for="name">Name</label>
        <input id="name" name="name" required maxlength=${CUSTOMER_NAME_MAX} value=${typedIn(call, 'name') ?? ''} />
        <button type="submit">Add</button>
      </form>
    </section>
  `;
  const status = fault === null ? 200 : 422;
  return { title: 'Operator: customers', body, section: 'operator/customers', wide: true, status };
}

export function renderStanding({ suspended_at, removed_at }: Customer): unknown {
  if (removed_at !== null) return html`<span class="state ended">removed</span>`;
  if (suspended_at !== null) return html`<span class="state waiting">suspended</span>`;
  return html`<span class="state live">active</span>`;
}
