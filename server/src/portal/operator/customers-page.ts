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
import { renderBadge, renderButton, renderFault, renderHeading } from '../frame/components.ts';
import { renderField } from '../frame/fields.ts';
import { formatCount, formFields, renderInstant } from '../frame/pieces.ts';
import { linkTo, renderFilter, renderFurther, renderListing } from './listing.ts';
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
    ${renderHeading('Customers')}
    ${renderFilter('/portal/operator/customers', [
      { id: 'q', label: 'Name contains', value: text, type: 'search' },
      { id: 'state', label: 'State', any: 'Any', choices: CUSTOMER_STATES, chosen: state },
    ])}
    ${renderListing({
      label: 'Customers',
      rows,
      keyOf: ({ customer_id }) => customer_id,
      empty: text === null && state === null ? 'There is no customer yet.' : 'No customer matches.',
      columns: [
        {
          label: 'Name',
          cell: ({ customer_id, name }) =>
            html`<a href=${`/portal/operator/customers/${customer_id}`}><bdi>${name}</bdi></a>`,
        },
        { label: 'State', cell: renderStanding },
        { label: 'Live keys', cell: ({ live_keys }) => formatCount(live_keys), style: 'number' },
        { label: 'Units this month', cell: ({ used }) => formatCount(used), style: 'number' },
        {
          label: 'Quota',
          cell: ({ quota, live_keys }) => (live_keys === 0 ? null : quota === null ? 'none' : formatCount(quota)),
          style: 'number',
        },
        { label: 'Last call', cell: ({ last_used_at }) => renderInstant(last_used_at) },
        { label: 'Since', cell: ({ created_at }) => renderInstant(created_at) },
      ],
    })}
    ${renderFurther(further, 'Next page')}
    <section>
      <h2>Add a customer</h2>
      ${renderFault(fault)}
      <form method="post" action="/portal/operator/customers" class="row">
        ${formFields(call)}
        ${renderField({
          id: 'name',
          label: 'Name',
          attributes: { required: true, maxlength: CUSTOMER_NAME_MAX, value: typedIn(call, 'name') ?? '' },
        })}
        ${renderButton('Add')}
      </form>
    </section>
  `;
  const status = fault === null ? 200 : 422;
  return { title: 'Operator: customers', body, section: 'operator/customers', status };
}

export function renderStanding({ suspended_at, removed_at }: Customer): unknown {
  if (removed_at !== null) return renderBadge('off', 'removed');
  if (suspended_at !== null) return renderBadge('warn', 'suspended');
  return renderBadge('good', 'active');
}
