/** One customer: standing, agreement, keys, people, units by day, and activity. */

import { html } from 'htm/preact';
import type { Agreement } from '../../store/accounts/agreements.ts';
import type { Customer } from '../../store/accounts/customers.ts';
import type { PortalMember, Role } from '../../store/accounts/portal.ts';
import type { PendingInvitation } from '../../store/accounts/portal-invitations.ts';
import type { AuditLine, CustomerKey } from '../../store/accounts/portal-keys.ts';
import type { DayUnits } from '../../store/accounts/portal-reports.ts';
import { renderActivity } from '../frame/audit-table.ts';
import { type Page, type SignedInCall, typedIn } from '../frame/call.ts';
import {
  renderActions,
  renderButton,
  renderFacts,
  renderFault,
  renderHeading,
  renderLinkButton,
  renderSubheading,
  renderTrail,
} from '../frame/components.ts';
import { EMAIL_CHARACTERS_MAX } from '../frame/email.ts';
import { renderField } from '../frame/fields.ts';
import { formFields, renderInstant } from '../frame/pieces.ts';
import { ROLE_WORDS } from '../frame/roles.ts';
import { keyColumns, renderAgreements } from '../keys/key-pages.ts';
import { nameOf } from '../keys/wording.ts';
import { renderUnits } from '../monitoring/units-view.ts';
import { renderStanding } from './customers-page.ts';
import { nameMonths, renderFilter, renderListing } from './listing.ts';
import { CUSTOMER_NAME_MAX } from './terms.ts';

export interface CustomerState {
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

export function renderCustomer(call: SignedInCall, state: CustomerState): Page {
  const { customer, agreements, keys, fault } = state;
  const path = `/portal/operator/customers/${customer.customer_id}`;
  const isCurrent = customer.removed_at === null;
  const body = html`
    ${renderTrail({ label: 'Customers', href: '/portal/operator/customers' })}
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
        keyOf: ({ id }) => id,
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
  const status = fault === null ? 200 : 422;
  return { title: customer.name, body, section: 'operator/customers', status };
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
        <form method="post" action=${`${path}/view`} class="stack">
          ${formFields(call)}
          <p class="hint">
            For half an hour at most, without changing anything. The view is noted in their activity, and ends when you
            open an operators’ page.
          </p>
          ${renderButton('View as this customer', 'second')}
        </form>
      </section>
      <section>
        <h2>Name</h2>
        <form method="post" action=${`${path}/name`} class="stack">
          ${formFields(call)}
          ${renderField({
            id: 'name',
            label: 'Name of the customer',
            attributes: { required: true, maxlength: CUSTOMER_NAME_MAX, value: typedIn(call, 'name') ?? customer.name },
          })}
          ${renderButton('Rename', 'second')}
        </form>
      </section>
      <section>
        <h2>Suspend or remove</h2>
        ${customer.suspended_at === null ? null : renderResume(call, path)}
        ${renderActions(
          customer.suspended_at === null ? renderLinkButton('Suspend…', `${path}/suspend`, 'second') : null,
          renderLinkButton('Remove…', `${path}/remove`, 'danger'),
        )}
      </section>
    </div>
  `;
}

function renderResume(call: SignedInCall, path: string): unknown {
  return html`
    <form method="post" action=${`${path}/resume`} class="stack">
      ${formFields(call)}
      ${renderButton('Resume')}
    </form>
  `;
}

interface PersonLine {
  readonly email: string;
  readonly name: string | null;
  readonly role: Role;
  readonly since: string;
  readonly signedIn: unknown;
}

function renderPeople(call: SignedInCall, { customer, members, invitations }: CustomerState, path: string): unknown {
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
        keyOf: ({ email, since }) => `${email} ${since}`,
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
          : html`
              <form method="post" action=${`${path}/invitations`} class="row">
                ${formFields(call)}
                ${renderField({
                  id: 'email',
                  label: 'E-mail address',
                  attributes: {
                    type: 'email',
                    required: true,
                    maxlength: EMAIL_CHARACTERS_MAX,
                    value: typedIn(call, 'email') ?? '',
                  },
                })}
                ${renderButton('Invite', 'second')}
              </form>
            `
      }
    </section>
  `;
}

function renderMonth(state: CustomerState, path: string): unknown {
  const { months, month } = state;
  return html`
    ${renderSubheading('Usage', renderFilter(path, [{ id: 'month', label: 'Month', choices: nameMonths(months), chosen: month }]))}
    ${renderUnits(state, { href: `${path}/usage.csv?month=${month}`, label: 'By key and day as CSV' })}
  `;
}
