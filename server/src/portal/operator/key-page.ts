/** One key as an operator sees it, and the form of its terms, for a new key and for a change. */
import { PRODUCTS } from '@tmds/contract/enums';
import { html } from 'htm/preact';
import type { OwnedKey } from '../../store/accounts/operator-customers.ts';
import type { AuditLine } from '../../store/accounts/portal-keys.ts';
import { renderActivity } from '../frame/audit-table.ts';
import { type Page, type SignedInCall, typedIn } from '../frame/call.ts';
import { formatCount, formFields, renderFault, renderInstant } from '../frame/pieces.ts';
import { renderState } from '../keys/key-pages.ts';
import { describeUsed, nameOf } from '../keys/wording.ts';
import { renderOwnPassword } from './handling.ts';
import { CUSTOMER_NAME_MAX } from './terms.ts';

interface KeyState {
  readonly key: OwnedKey;
  readonly activity: readonly AuditLine[];
  readonly fault: string | null;
}

export function renderOwnedKey(call: SignedInCall, { key, activity, fault }: KeyState): Page {
  const path = `/portal/operator/keys/${key.id}`;
  const body = html`
    <p class="trail">
      <a href=${`/portal/operator/customers/${key.customer_id}`}><bdi>${key.customer}</bdi></a>
    </p>
    <h1><bdi>${nameOf(key)}</bdi></h1>
    ${renderFault(fault)}
    <dl class="facts">
      <div><dt>Prefix</dt><dd><code>tmds_${key.id}</code></dd></div>
      <div>
        <dt>State</dt>
        <dd>${renderState(key)}${key.suspended ? ', and its customer is suspended' : ''}</dd>
      </div>
      <div><dt>Created</dt><dd>${renderInstant(key.created_at)}</dd></div>
      <div><dt>Last used</dt><dd>${renderInstant(key.last_used_at)}</dd></div>
      ${key.products.map(
        (row) => html`
          <div key=${row.product}>
            <dt>${row.product}</dt>
            <dd>${describeUsed(row)} this month; ${formatCount(row.rate_limit_per_minute)} calls a minute</dd>
          </div>
        `,
      )}
    </dl>
    ${key.revoked_at === null ? renderForms(call, key, path) : null}
    <section>
      <h2>Activity</h2>
      ${renderActivity(activity, { ofOneKey: true })}
    </section>
  `;
  return { title: nameOf(key), body, section: 'operator/keys', status: fault === null ? 200 : 422 };
}

function renderForms(call: SignedInCall, key: OwnedKey, path: string): unknown {
  return html`
    <div class="columns">
      <section>
        <h2>Name and terms</h2>
        <form method="post" action=${`${path}/set`} class="stack">
          ${formFields(call)}
          ${renderTerms(call, key)}
          <button type="submit" class="second">Change</button>
        </form>
      </section>
      <section>
        <h2>Replace or end</h2>
        <p>A rotated key keeps its name, terms and usage. A revoked one is refused within a second, for good.</p>
        <p class="actions">
          <a class="button second" href=${`${path}/rotate`}>Rotate…</a>
          <a class="button danger" href=${`${path}/revoke`}>Revoke…</a>
        </p>
      </section>
    </div>
  `;
}

/** What was just typed, or what the key has. */
function renderTerms(call: SignedInCall, key: OwnedKey | null): unknown {
  const typed = [...call.form.getAll('product'), ...call.query.getAll('product')];
  const chosen = typed.length > 0 ? typed : (key?.products.map(({ product }) => product as string) ?? ['records']);
  const [first] = key?.products ?? [];
  const quota = first?.quota ?? null;
  return html`
    <label for="name">Name</label>
    <input id="name" name="name" maxlength=${CUSTOMER_NAME_MAX} value=${typedIn(call, 'name') ?? key?.name ?? ''}
      aria-describedby="name-hint" />
    <p id="name-hint" class="hint">What the key is for.</p>
    <fieldset>
      <legend>Products</legend>
      ${PRODUCTS.map(
        (product) => html`
          <label key=${product} class="check">
            <input type="checkbox" name="product" value=${product} checked=${chosen.includes(product)} />
            ${product}
          </label>
        `,
      )}
    </fieldset>
    <label for="rate">Calls a minute, for each product</label>
    <input id="rate" name="rate" inputmode="numeric"
      value=${typedIn(call, 'rate') ?? first?.rate_limit_per_minute ?? ''} aria-describedby="rate-hint" />
    <p id="rate-hint" class="hint">Empty means 60,000.</p>
    <label for="quota">Units a month, for each product</label>
    <input id="quota" name="quota" inputmode="numeric" value=${typedIn(call, 'quota') ?? quota ?? ''}
      aria-describedby="quota-hint" />
    <p id="quota-hint" class="hint">Empty means no quota.</p>
  `;
}

export function renderNewOwnedKey(
  call: SignedInCall,
  customer: { readonly customer_id: string; readonly name: string },
  fault: string | null,
): Page {
  const path = `/portal/operator/customers/${customer.customer_id}`;
  const body = html`
    <section class="narrow">
      <p class="trail"><a href=${path}><bdi>${customer.name}</bdi></a></p>
      <h1>Issue a key</h1>
      ${renderFault(fault)}
      <form method="post" action=${`${path}/keys`} class="stack">
        ${formFields(call)}
        ${renderTerms(call, null)}
        <button type="submit">Issue the key</button>
      </form>
    </section>
  `;
  return { title: 'Issue a key', body, section: 'operator/customers', status: fault === null ? 200 : 422 };
}

export function renderRevokeOwned(call: SignedInCall, key: OwnedKey, fault: string | null): Page {
  const path = `/portal/operator/keys/${key.id}`;
  const body = html`
    <section class="narrow">
      <p class="trail"><a href=${path}><bdi>${nameOf(key)}</bdi></a></p>
      <h1>Revoke the key</h1>
      ${renderFault(fault)}
      <p>
        Every program of <strong><bdi>${key.customer}</bdi></strong> that uses
        ${' '}<strong><bdi>${nameOf(key)}</bdi></strong> is refused from the next second on. This cannot be undone.
      </p>
      <form method="post" action=${`${path}/revoke`} class="stack">
        ${formFields(call)}
        ${renderOwnPassword(call)}
        <button type="submit" class="danger">Revoke the key</button>
      </form>
    </section>
  `;
  return { title: 'Revoke the key', body, section: 'operator/keys', status: fault === null ? 200 : 422 };
}
