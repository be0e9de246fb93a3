/** The questions before a customer is suspended or removed. */
import { html } from 'htm/preact';
import type { Customer } from '../../store/accounts/customers.ts';
import { type Page, type SignedInCall, typedIn } from '../frame/call.ts';
import { formFields, renderFault } from '../frame/pieces.ts';
import { renderOwnPassword } from './handling.ts';

interface Question {
  readonly customer: Customer;
  /** How many keys would be refused. */
  readonly liveKeys: number;
  readonly fault: string | null;
}

export function renderSuspend(call: SignedInCall, { customer, liveKeys, fault }: Question): Page {
  const path = `/portal/operator/customers/${customer.customer_id}`;
  const body = html`
    <section class="narrow">
      <p class="trail"><a href=${path}><bdi>${customer.name}</bdi></a></p>
      <h1>Suspend the customer</h1>
      ${renderFault(fault)}
      <p>
        Calls with ${describeKeys(liveKeys)} are refused from the next second on, as if the key were revoked, and its
        people cannot sign in. Nothing is lost: resuming lets everything in again.
      </p>
      <form method="post" action=${`${path}/suspend`} class="stack">
        ${formFields(call)}
        <label for="reason">Reason</label>
        <input id="reason" name="reason" maxlength="500" value=${typedIn(call, 'reason') ?? ''}
          aria-describedby="reason-hint" />
        <p id="reason-hint" class="hint">Their people read it when they sign in. May be empty.</p>
        ${renderOwnPassword(call)}
        <button type="submit" class="danger">Suspend the customer</button>
      </form>
    </section>
  `;
  return { title: 'Suspend', body, section: 'operator/customers', status: fault === null ? 200 : 422 };
}

export function renderRemove(call: SignedInCall, { customer, liveKeys, fault }: Question): Page {
  const path = `/portal/operator/customers/${customer.customer_id}`;
  const body = html`
    <section class="narrow">
      <p class="trail"><a href=${path}><bdi>${customer.name}</bdi></a></p>
      <h1>Remove the customer</h1>
      ${renderFault(fault)}
      <p>
        ${liveKeys === 0 ? 'There is no live key.' : `Calls with ${describeKeys(liveKeys)} are refused for good.`}
        ${' '}The name of the customer, its people and the names of its keys are erased. Usage and audit stay under a
        neutral name. This cannot be undone.
      </p>
      <form method="post" action=${`${path}/remove`} class="stack">
        ${formFields(call)}
        <label for="confirmed">Type the name of the customer: <bdi>${customer.name}</bdi></label>
        <input id="confirmed" name="confirmed" required autocomplete="off" />
        ${renderOwnPassword(call)}
        <button type="submit" class="danger">Remove the customer</button>
      </form>
    </section>
  `;
  return { title: 'Remove', body, section: 'operator/customers', status: fault === null ? 200 : 422 };
}

function describeKeys(count: number): string {
  return count === 1 ? 'its key' : `its ${count} keys`;
}
