/** Customers: the list, one with all that belongs to it, and the questions before one is suspended or removed. */

import { html } from 'htm/preact';
import { listAgreements } from '../../store/accounts/agreements.ts';
import { type Customer, countLiveKeys } from '../../store/accounts/customers.ts';
import { type CustomerState, listCustomerLines, OPERATOR_PAGE } from '../../store/accounts/operator-customers.ts';
import { listMembers, type PortalMember } from '../../store/accounts/portal.ts';
import { listInvitations, type PendingInvitation } from '../../store/accounts/portal-invitations.ts';
import { type CustomerKey, listCustomerAudit, listCustomerKeys } from '../../store/accounts/portal-keys.ts';
import { findMonths, listDayUnits } from '../../store/accounts/portal-reports.ts';
import { renderActivity } from '../frame/audit-table.ts';
import type { Page, SignedInCall } from '../frame/call.ts';
import {
  renderActions,
  renderBadge,
  renderFacts,
  renderFault,
  renderHeading,
  renderLinkButton,
  renderSubheading,
  renderTrail,
} from '../frame/components.ts';
import { NO_FIELDS, renderForm } from '../frame/forms.ts';
import { cutPage, linkTo, renderFurther } from '../frame/paging.ts';
import { formatCount, renderInstant } from '../frame/pieces.ts';
import { ROLE_WORDS } from '../frame/roles.ts';
import { renderListing } from '../frame/table.ts';
import { keyColumns, renderAgreements } from '../keys/key-pages.ts';
import { nameOf } from '../keys/terms.ts';
import { listMonths, renderUnits } from '../monitoring/report.ts';
import type { PortalServices } from '../services.ts';
import { renderUsername } from '../sign-in/passwords.ts';
import { nameMonths, readChoice, readText, renderFilter } from './listing.ts';
import { CUSTOMER, INVITATION } from './terms.ts';

const LIST = '/portal/operator/customers';

const CUSTOMER_STATES: readonly CustomerState[] = ['active', 'suspended', 'removed'];

export async function showCustomers(
  call: SignedInCall,
  { database }: PortalServices,
  fault: string | null = null,
): Promise<Page> {
  const { query } = call;
  const [text, state] = [readText(query, 'q'), readChoice(query, 'state', CUSTOMER_STATES)];
  const found = await listCustomerLines(database, { text, state, after: readText(query, 'after') });
  const { rows, further } = cutPage(found, OPERATOR_PAGE, (last) => linkTo(LIST, { q: text, state, after: last.name }));
  const body = html`
    ${renderHeading('Customers')}
    ${renderFilter(LIST, [
      { id: 'q', label: 'Name contains', value: text, type: 'search' },
      { id: 'state', label: 'State', any: 'Any', choices: CUSTOMER_STATES, chosen: state },
    ])}
    ${renderListing({
      label: 'Customers',
      rows,
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
      ${renderForm(call, CUSTOMER, { action: LIST, label: 'Add', layout: 'row' })}
    </section>
  `;
  return { title: 'Operator: customers', body, section: 'operator/customers' };
}

function renderStanding({ suspended_at, removed_at }: Customer): unknown {
  if (removed_at !== null) return renderBadge('off', 'removed');
  if (suspended_at !== null) return renderBadge('warn', 'suspended');
  return renderBadge('good', 'active');
}

const LATEST_LINES = 10;

export async function showCustomer(
  call: SignedInCall,
  { database }: PortalServices,
  customer: Customer,
  fault: string | null,
): Promise<Page> {
  const { customer_id: customerId } = customer;
  const { current, today } = await findMonths(database);
  const months = listMonths(current);
  const month = readChoice(call.query, 'month', months) ?? current;
  const [agreements, keys, members, invitations, days, activity] = await Promise.all([
    listAgreements(database, customerId),
    listCustomerKeys(database, customerId),
    listMembers(database, customerId),
    listInvitations(database, customerId),
    listDayUnits(database, { customerId, keyId: null, month }),
    listCustomerAudit(database, { customerId, keyId: null, before: null }),
  ]);
  const path = pathOf(customer);
  const isCurrent = customer.removed_at === null;
  const body = html`
    ${renderTrail({ label: 'Customers', href: LIST })}
    ${renderHeading(
      html`<bdi>${customer.name}</bdi>`,
      isCurrent ? renderLinkButton('Issue a key', `${path}/keys/new`) : null,
    )}
    ${renderFault(fault)}
    ${renderFacts(listFacts(customer))}
    ${isCurrent ? renderStandingForms(call, customer, path) : null}
    ${renderAgreements(agreements, 'Agreement')}
    <section>
      <h2>Keys</h2>
      ${renderListing<CustomerKey>({
        label: 'Keys',
        rows: keys,
        empty: 'There is no key yet.',
        columns: [
          {
            label: 'Name',
            cell: (key) => html`<a href=${`/portal/operator/keys/${key.id}`}><bdi>${nameOf(key)}</bdi></a>`,
          },
          ...keyColumns,
        ],
      })}
    </section>
    <section>
      <h2>People</h2>
      ${renderPeople(members, invitations)}
      ${
        isCurrent
          ? renderForm(call, INVITATION, {
              action: `${path}/invitations`,
              label: 'Invite',
              kind: 'second',
              layout: 'row',
            })
          : null
      }
    </section>
    ${renderSubheading('Usage', renderFilter(path, [{ id: 'month', label: 'Month', choices: nameMonths(months), chosen: month }]))}
    ${renderUnits({ days, month, today }, { href: `${path}/usage.csv?month=${month}`, label: 'By key and day as CSV' })}
    <section>
      <h2>Latest activity</h2>
      ${renderActivity(activity.slice(0, LATEST_LINES), { keysAt: '/portal/operator/keys', forOperators: true })}
      <p><a href=${`/portal/operator/audit?customer=${customer.customer_id}`}>All activity</a></p>
    </section>
  `;
  return { title: customer.name, body, section: 'operator/customers' };
}

function listFacts(customer: Customer): [name: string, value: unknown][] {
  const { customer_id, created_at, suspended_at, suspension_reason, removed_at } = customer;
  const suspended = removed_at === null ? suspended_at : null;
  return [
    ['State', renderStanding(customer)],
    ['Since', renderInstant(created_at)],
    ['Suspended', suspended === null ? null : renderInstant(suspended)],
    ['Reason', suspension_reason === null ? null : html`<bdi>${suspension_reason}</bdi>`],
    ['Removed', removed_at === null ? null : renderInstant(removed_at)],
    ['Id', html`<code>${customer_id}</code>`],
  ];
}

function renderStandingForms(call: SignedInCall, customer: Customer, path: string): unknown {
  return html`
    <div class="asides">
      <section>
        <h2>View their pages</h2>
        ${renderForm(call, NO_FIELDS, {
          action: `${path}/view`,
          note: html`
            <p class="hint">
              For half an hour at most, without changing anything. The view is noted in their activity, and ends when
              you open an operators’ page.
            </p>
          `,
          label: 'View as this customer',
          kind: 'second',
        })}
      </section>
      <section>
        <h2>Name</h2>
        ${renderForm(call, CUSTOMER, {
          action: `${path}/name`,
          shown: { name: { label: 'Name of the customer', value: customer.name } },
          label: 'Rename',
          kind: 'second',
        })}
      </section>
      <section>
        <h2>Suspend or remove</h2>
        ${customer.suspended_at === null ? null : renderForm(call, NO_FIELDS, { action: `${path}/resume`, label: 'Resume' })}
        ${renderActions(
          customer.suspended_at === null ? renderLinkButton('Suspend…', `${path}/suspend`, 'second') : null,
          renderLinkButton('Remove…', `${path}/remove`, 'danger'),
        )}
      </section>
    </div>
  `;
}

function renderPeople(members: readonly PortalMember[], invitations: readonly PendingInvitation[]): unknown {
  const joined = members.map((member) => ({ ...member, signedIn: renderInstant(member.signed_in_at) }));
  const invited = invitations.map((each) => ({
    ...each,
    name: null,
    signedIn: html`invited, until ${renderInstant(each.expires_at)}`,
  }));
  return renderListing({
    label: 'People',
    rows: [...joined, ...invited],
    empty: 'Nobody has been invited yet.',
    columns: [
      { label: 'E-mail address', cell: ({ email }) => html`<bdi>${email}</bdi>` },
      { label: 'Name', cell: ({ name }) => (name === null ? null : html`<bdi>${name}</bdi>`) },
      { label: 'Role', cell: ({ role }) => ROLE_WORDS[role].name },
      { label: 'Since', cell: ({ created_at }) => renderInstant(created_at) },
      { label: 'Last signed in', cell: ({ signedIn }) => signedIn },
    ],
  });
}

export function pathOf({ customer_id }: Customer): string {
  return `/portal/operator/customers/${customer_id}`;
}

/** Of the questions before access ends, which need the operator's password. */
function headOf(customer: Customer, { person }: SignedInCall) {
  const path = pathOf(customer);
  return {
    section: 'operator/customers',
    trail: renderTrail({ label: 'Customers', href: LIST }, { label: html`<bdi>${customer.name}</bdi>`, href: path }),
    before: renderUsername(person.email),
    kind: 'danger',
    back: path,
  } as const;
}

export async function askSuspension(customer: Customer, call: SignedInCall, { database }: PortalServices) {
  const keys = describeKeys(await countLiveKeys(database, customer.customer_id));
  return {
    title: 'Suspend the customer',
    ...headOf(customer, call),
    words: html`
      <p>
        Calls with ${keys} are refused from the next second on, as if the key were revoked, and its people cannot sign
        in. Nothing is lost: resuming restores all access.
      </p>
    `,
    label: 'Suspend the customer',
  };
}

export async function askRemoval(customer: Customer, call: SignedInCall, { database }: PortalServices) {
  const liveKeys = await countLiveKeys(database, customer.customer_id);
  return {
    title: 'Remove the customer',
    ...headOf(customer, call),
    words: html`
      <p>
        ${liveKeys === 0 ? 'There is no live key.' : `Calls with ${describeKeys(liveKeys)} are refused permanently.`}
        ${' '}The name of the customer, its people and the names of its keys are erased. Usage and audit stay under a
        neutral name. This cannot be undone.
      </p>
    `,
    shown: { confirmed: { label: html`Type the name of the customer: <bdi>${customer.name}</bdi>` } },
    label: 'Remove the customer',
  };
}

function describeKeys(count: number): string {
  return count === 1 ? 'its key' : `its ${count} keys`;
}
