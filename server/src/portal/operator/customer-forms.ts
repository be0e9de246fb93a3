/** The questions before a customer is suspended or removed. */

import { html } from 'htm/preact';
import type { Customer } from '../../store/accounts/customers.ts';
import { type Page, type SignedInCall, typedIn } from '../frame/call.ts';
import { renderTrail } from '../frame/components.ts';
import { renderField } from '../frame/fields.ts';
import { buildFormPage } from '../frame/form-page.ts';
import { renderQuestion } from './handling.ts';
import { REASON_MAX } from './terms.ts';

interface Standing {
  readonly customer: Customer;
  /** How many keys would be refused. */
  readonly liveKeys: number;
  readonly fault: string | null;
}

export function renderSuspend(call: SignedInCall, standing: Standing): Page {
  const path = pathOf(standing);
  const reason = renderField({
    id: 'reason',
    label: 'Reason',
    hint: 'Their people read it when they sign in. May be empty.',
    attributes: { maxlength: REASON_MAX, value: typedIn(call, 'reason') ?? '' },
  });
  const words = html`
    <p>
      Calls with ${describeKeys(standing.liveKeys)} are refused from the next second on, as if the key were revoked, and
      its people cannot sign in. Nothing is lost: resuming restores all access.
    </p>
  `;
  const form = { action: `${path}/suspend`, fields: reason, label: 'Suspend the customer', back: path };
  return renderPage('Suspend the customer', standing, [words, renderQuestion(call, form)]);
}

export function renderRemove(call: SignedInCall, standing: Standing): Page {
  const path = pathOf(standing);
  const { customer, liveKeys } = standing;
  const confirmed = renderField({
    id: 'confirmed',
    label: html`Type the name of the customer: <bdi>${customer.name}</bdi>`,
    attributes: { required: true },
  });
  const words = html`
    <p>
      ${liveKeys === 0 ? 'There is no live key.' : `Calls with ${describeKeys(liveKeys)} are refused permanently.`}
      ${' '}The name of the customer, its people and the names of its keys are erased. Usage and audit stay under a
      neutral name. This cannot be undone.
    </p>
  `;
  const form = { action: `${path}/remove`, fields: confirmed, label: 'Remove the customer', back: path };
  return renderPage('Remove the customer', standing, [words, renderQuestion(call, form)]);
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
        { label: 'Customers', href: '/portal/operator/customers' },
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
