/** Customers: the list, one with all that belongs to it, and the questions before one is suspended or removed. */

import { html } from 'htm/preact';
import type { Agreement } from '../../store/accounts/agreements.ts';
import type { Customer } from '../../store/accounts/customers.ts';
import {
  type CustomerLine,
  type CustomerSearch,
  type CustomerState,
  OPERATOR_PAGE,
} from '../../store/accounts/operator-customers.ts';
import type { PortalMember, Role } from '../../store/accounts/portal.ts';
import type { PendingInvitation } from '../../store/accounts/portal-invitations.ts';
import type { AuditLine, CustomerKey } from '../../store/accounts/portal-keys.ts';
import type { DayUnits } from '../../store/accounts/portal-reports.ts';
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
import { buildFormPage } from '../frame/page-routes.ts';
import { formatCount, renderInstant } from '../frame/pieces.ts';
import { ROLE_WORDS } from '../frame/roles.ts';
import { renderListing } from '../frame/table.ts';
import { keyColumns, renderAgreements } from '../keys/key-pages.ts';
import { nameOf } from '../keys/terms.ts';
import { renderUnits } from '../monitoring/units-view.ts';
import { renderUsername } from '../sign-in/passwords.ts';
import { linkTo, nameMonths, renderFilter, renderFurther } from './listing.ts';
import { CUSTOMER, INVITATION, REMOVAL, SUSPENSION } from './terms.ts';

const LIST = '/portal/operator/customers';

export const CUSTOMER_STATES: readonly CustomerState[] = ['active', 'suspended', 'removed'];

export function renderCustomers(
  call: SignedInCall,
  { search, found, fault }: { search: CustomerSearch; found: readonly CustomerLine[]; fault: string | null },
): Page {
  const { text, state } = search;
  const rows = found.slice(0, OPERATOR_PAGE);
  const last = found.length > OPERATOR_PAGE ? rows.at(-1) : undefined;
  const further = last === undefined ? null : linkTo(LIST, { q: text, state, after: last.name });
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

export interface CustomerView {
  readonly customer: Customer;
  readonly agreements: readonly Agreement[];
  readonly keys: readonly CustomerKey[];
  readonly members: readonly PortalMember[];
  readonly invitations: readonly PendingInvitation[];
  readonly months: readonly string[];
  readonly month: string;
  readonly today: string;
  readonly days: readonly DayUnits[];
  readonly activity: readonly AuditLine[];
  readonly fault: string | null;
}

export function renderCustomer(call: SignedInCall, state: CustomerView): Page {
  const { customer, agreements, keys, fault } = state;
  const path = `/portal/operator/customers/${customer.customer_id}`;
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
    ${renderPeople(call, state, path)}
    ${renderMonth(state, path)}
    <section>
      <h2>Latest activity</h2>
      ${renderActivity(state.activity, { keysAt: '/portal/operator/keys', forOperators: true })}
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

interface PersonLine {
  readonly email: string;
  readonly name: string | null;
  readonly role: Role;
  readonly since: string;
  readonly signedIn: unknown;
}

function renderPeople(call: SignedInCall, { customer, members, invitations }: CustomerView, path: string): unknown {
  const rows: PersonLine[] = [
    ...members.map(({ email, name, role, created_at, signed_in_at }) => ({
      email,
      name,
      role,
      since: created_at,
      signedIn: renderInstant(signed_in_at),
    })),
    ...invitations.map(({ email, role, created_at, expires_at }) => ({
      email,
      name: null,
      role,
      since: created_at,
      signedIn: html`invited, until ${renderInstant(expires_at)}`,
    })),
  ];
  return html`
    <section>
      <h2>People</h2>
      ${renderListing({
        label: 'People',
        rows,
        empty: 'Nobody has been invited yet.',
        columns: [
          { label: 'E-mail address', cell: ({ email }) => html`<bdi>${email}</bdi>` },
          { label: 'Name', cell: ({ name }) => (name === null ? null : html`<bdi>${name}</bdi>`) },
          { label: 'Role', cell: ({ role }) => ROLE_WORDS[role].name },
          { label: 'Since', cell: ({ since }) => renderInstant(since) },
          { label: 'Last signed in', cell: ({ signedIn }) => signedIn },
        ],
      })}
      ${
        customer.removed_at !== null
          ? null
          : renderForm(call, INVITATION, {
              action: `${path}/invitations`,
              label: 'Invite',
              kind: 'second',
              layout: 'row',
            })
      }
    </section>
  `;
}

function renderMonth(state: CustomerView, path: string): unknown {
  const { months, month } = state;
  return html`
    ${renderSubheading('Usage', renderFilter(path, [{ id: 'month', label: 'Month', choices: nameMonths(months), chosen: month }]))}
    ${renderUnits(state, { href: `${path}/usage.csv?month=${month}`, label: 'By key and day as CSV' })}
  `;
}

interface Standing {
  readonly customer: Customer;
  /** How many keys would be refused. */
  readonly liveKeys: number;
  readonly fault: string | null;
}

export function renderSuspend(call: SignedInCall, standing: Standing): Page {
  const path = pathOf(standing);
  const words = html`
    <p>
      Calls with ${describeKeys(standing.liveKeys)} are refused from the next second on, as if the key were revoked, and
      its people cannot sign in. Nothing is lost: resuming restores all access.
    </p>
  `;
  const form = renderForm(call, SUSPENSION, {
    action: `${path}/suspend`,
    before: renderUsername(call.person.email),
    label: 'Suspend the customer',
    kind: 'danger',
    back: path,
  });
  return renderPage('Suspend the customer', standing, [words, form]);
}

export function renderRemove(call: SignedInCall, standing: Standing): Page {
  const path = pathOf(standing);
  const { customer, liveKeys } = standing;
  const words = html`
    <p>
      ${liveKeys === 0 ? 'There is no live key.' : `Calls with ${describeKeys(liveKeys)} are refused permanently.`}
      ${' '}The name of the customer, its people and the names of its keys are erased. Usage and audit stay under a
      neutral name. This cannot be undone.
    </p>
  `;
  const form = renderForm(call, REMOVAL, {
    action: `${path}/remove`,
    before: renderUsername(call.person.email),
    shown: { confirmed: { label: html`Type the name of the customer: <bdi>${customer.name}</bdi>` } },
    label: 'Remove the customer',
    kind: 'danger',
    back: path,
  });
  return renderPage('Remove the customer', standing, [words, form]);
}

function pathOf({ customer }: Standing): string {
  return `/portal/operator/customers/${customer.customer_id}`;
}

function renderPage(title: string, standing: Standing, content: readonly unknown[]): Page {
  const { customer, fault } = standing;
  return buildFormPage(
    {
      title,
      section: 'operator/customers',
      trail: renderTrail(
        { label: 'Customers', href: LIST },
        { label: html`<bdi>${customer.name}</bdi>`, href: pathOf(standing) },
      ),
      fault,
    },
    content,
  );
}

function describeKeys(count: number): string {
  return count === 1 ? 'its key' : `its ${count} keys`;
}
