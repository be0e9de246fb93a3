/** One customer: standing, agreement, keys, people, units by day, and what was done. */
import { html } from 'htm/preact';
import type { Customer } from '../../store/accounts/customers.ts';
import type { PortalMember } from '../../store/accounts/portal.ts';
import type { PendingInvitation } from '../../store/accounts/portal-invitations.ts';
import type { Agreement, AuditLine, CustomerKey } from '../../store/accounts/portal-keys.ts';
import type { DayUnits } from '../../store/accounts/portal-reports.ts';
import { renderActivity } from '../frame/audit-table.ts';
import { type Page, type SignedInCall, typedIn } from '../frame/call.ts';
import { EMAIL_CHARACTERS_MAX } from '../frame/email.ts';
import { formFields, renderFault, renderInstant } from '../frame/pieces.ts';
import { renderAgreements } from '../keys/key-pages.ts';
import { nameOf } from '../keys/wording.ts';
import { renderUnits } from '../monitoring/units-view.ts';
import { renderStanding } from './customers-page.ts';
import { keyColumns } from './keys-page.ts';
import { renderListing, renderSelect } from './listing.ts';
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
    <p class="trail"><a href="/portal/operator/customers">Customers</a></p>
    <div class="heading">
      <h1><bdi>${customer.name}</bdi></h1>
      ${isCurrent ? html`<a class="button" href=${`${path}/keys/new`}>Issue a key</a>` : null}
    </div>
    ${renderFault(fault)}
    ${renderFacts(customer)}
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
            title: 'Name',
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
      ${renderActivity(state.activity, { keysAt: '/portal/operator/keys' })}
      <p><a href=${`/portal/operator/audit?customer=${customer.customer_id}`}>All activity</a></p>
    </section>
  `;
  const status = fault === null ? 200 : 422;
  return { title: customer.name, body, section: 'operator/customers', wide: true, status };
}

function renderFacts(customer: Customer): unknown {
  const { customer_id, created_at, suspended_at, suspension_reason, removed_at } = customer;
  return html`
    <dl class="facts">
      <div><dt>State</dt><dd>${renderStanding(customer)}</dd></div>
      <div><dt>Since</dt><dd>${renderInstant(created_at)}</dd></div>
      ${
        suspended_at === null || removed_at !== null
          ? null
          : html`<div><dt>Suspended</dt><dd>${renderInstant(suspended_at)}</dd></div>`
      }
      ${suspension_reason === null ? null : html`<div><dt>Reason</dt><dd><bdi>${suspension_reason}</bdi></dd></div>`}
      ${removed_at === null ? null : html`<div><dt>Removed</dt><dd>${renderInstant(removed_at)}</dd></div>`}
      <div><dt>Id</dt><dd><code>${customer_id}</code></dd></div>
    </dl>
  `;
}

function renderStandingForms(call: SignedInCall, customer: Customer, path: string): unknown {
  return html`
    <div class="columns">
      <section>
        <h2>Look at their pages</h2>
        <form method="post" action=${`${path}/view`} class="stack">
          ${formFields(call)}
          <p class="hint">For half an hour, and nothing can be changed. It is noted in their activity.</p>
          <button type="submit" class="second">View as this customer</button>
        </form>
      </section>
      <section>
        <h2>Name</h2>
        <form method="post" action=${`${path}/name`} class="stack">
          ${formFields(call)}
          <label for="name">Name of the customer</label>
          <input id="name" name="name" required maxlength=${CUSTOMER_NAME_MAX}
            value=${typedIn(call, 'name') ?? customer.name} />
          <button type="submit" class="second">Rename</button>
        </form>
      </section>
      <section>
        <h2>Suspend or remove</h2>
        ${customer.suspended_at === null ? null : renderResume(call, path)}
        <p class="actions">
          ${
            customer.suspended_at === null
              ? html`<a class="button second" href=${`${path}/suspend`}>Suspend…</a>`
              : null
          }
          <a class="button danger" href=${`${path}/remove`}>Remove…</a>
        </p>
      </section>
    </div>
  `;
}

function renderResume(call: SignedInCall, path: string): unknown {
  return html`
    <form method="post" action=${`${path}/resume`} class="stack">
      ${formFields(call)}
      <button type="submit">Resume</button>
    </form>
  `;
}

interface PersonLine {
  readonly email: string;
  readonly since: string;
  readonly signedIn: unknown;
}

function renderPeople(call: SignedInCall, { customer, members, invitations }: CustomerState, path: string): unknown {
  const rows: PersonLine[] = [
    ...members.map(({ email, created_at, signed_in_at }) => ({
      email,
      since: created_at,
      signedIn: renderInstant(signed_in_at),
    })),
    ...invitations.map(({ email, created_at, expires_at }) => ({
      email,
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
          { title: 'E-mail address', cell: ({ email }) => html`<bdi>${email}</bdi>` },
          { title: 'Since', cell: ({ since }) => renderInstant(since) },
          { title: 'Last signed in', cell: ({ signedIn }) => signedIn },
        ],
      })}
      ${
        customer.removed_at !== null
          ? null
          : html`
              <form method="post" action=${`${path}/invitations`} class="row">
                ${formFields(call)}
                <label for="email">E-mail address</label>
                <input id="email" name="email" type="email" required maxlength=${EMAIL_CHARACTERS_MAX}
                  value=${typedIn(call, 'email') ?? ''} />
                <button type="submit" class="second">Invite</button>
              </form>
            `
      }
    </section>
  `;
}

function renderMonth(state: CustomerState, path: string): unknown {
  const { months, month, customer } = state;
  return html`
    <form method="get" action=${path} class="row">
      ${renderSelect(
        'month',
        'Month',
        months.map((value) => ({ value, label: value })),
        month,
      )}
      <button type="submit" class="second">Show</button>
    </form>
    ${renderUnits(state, { href: `${path}/usage.csv?month=${month}`, label: `Of ${customer.name} as CSV` })}
  `;
}
