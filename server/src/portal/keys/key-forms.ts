/** The forms that issue, change, rotate and revoke keys. They offer nothing that cannot succeed. */
import { html } from 'htm/preact';
import type { Agreement, CustomerKey } from '../../store/accounts/portal-keys.ts';
import { type MemberCall, type Page, type SignedInCall, typedIn } from '../frame/call.ts';
import { formFields, renderFault, renderInstant } from '../frame/pieces.ts';
import { NAME_MAX } from './terms.ts';
import { describeFree, findIssueObstacle, listIssuable, nameOf } from './wording.ts';

export const GRACES: readonly { seconds: number; label: string }[] = [
  { seconds: 0, label: 'now' },
  { seconds: 3600, label: 'in one hour' },
  { seconds: 86_400, label: 'in one day' },
  { seconds: 7 * 86_400, label: 'in seven days' },
];
const GRACE_DEFAULT = 86_400;

export function renderNewKey(call: MemberCall, agreements: readonly Agreement[], fault: string | null): Page {
  const obstacle = findIssueObstacle(agreements);
  const body = html`
    <section class="narrow">
      <h1>Issue a key</h1>
      ${renderFault(fault)}
      ${obstacle === null ? renderIssueForm(call, agreements) : html`<p class="empty">${obstacle}</p>`}
      <p><a href="/portal/keys">Back to the keys</a></p>
    </section>
  `;
  return { title: 'Issue a key', body, section: 'keys', status: fault === null ? 200 : 422 };
}

function renderIssueForm(call: MemberCall, agreements: readonly Agreement[]): unknown {
  const chosen = [...call.form.getAll('product'), ...call.query.getAll('product')];
  const offered = listIssuable(agreements);
  return html`
    <form method="post" action="/portal/keys" class="stack">
      ${formFields(call)}
      <label for="name">Name</label>
      <input id="name" name="name" required maxlength=${NAME_MAX} value=${typedIn(call, 'name') ?? ''}
        aria-describedby="name-hint" />
      <p id="name-hint" class="hint">What the key is for, such as “docketing, production”.</p>
      <fieldset>
        <legend>Products</legend>
        ${offered.map(
          ({ product }, position) => html`
            <label key=${product} class="check">
              <input type="checkbox" name="product" value=${product}
                checked=${chosen.length === 0 ? position === 0 : chosen.includes(product)} />
              ${product}
            </label>
          `,
        )}
      </fieldset>
      <label for="quota">Units a month</label>
      <input id="quota" name="quota" inputmode="numeric" value=${typedIn(call, 'quota') ?? ''}
        aria-describedby="quota-hint" />
      <p id="quota-hint" class="hint">${describeFree(offered)}</p>
      <button type="submit">Issue the key</button>
    </form>
  `;
}

export function renderKeyForms(
  call: MemberCall,
  key: CustomerKey,
  path: string,
  agreements: readonly Agreement[],
): unknown {
  const carried = agreements.filter(({ product }) => key.products.some((row) => row.product === product));
  const quotas = [...new Set(key.products.map(({ quota }) => quota))];
  const quota = quotas.length === 1 && quotas[0] !== null ? String(quotas[0]) : '';
  // Units come from the agreement, so without one for each product there is nothing to set.
  const canLimit = carried.length === key.products.length && carried.length > 0;
  return html`
    <div class="columns">
      <section>
        <h2>Name</h2>
        <form method="post" action=${`${path}/name`} class="stack">
          ${formFields(call)}
          <label for="name">What the key is for</label>
          <input id="name" name="name" required maxlength=${NAME_MAX} value=${typedIn(call, 'name') ?? key.name ?? ''} />
          <button type="submit" class="second">Rename</button>
        </form>
      </section>
      ${canLimit ? renderLimit(call, path, typedIn(call, 'quota') ?? quota, carried) : null}
      <section>
        <h2>Replace or end</h2>
        <p>
          Rotating a key gives it a new secret. Its name, limits and usage stay, and the old secret keeps working as
          long as you choose. Revoking a key takes effect within a second and cannot be undone.
        </p>
        <p class="actions">
          <a class="button second" href=${`${path}/rotate`}>Rotate…</a>
          <a class="button danger" href=${`${path}/revoke`}>Revoke…</a>
        </p>
        ${key.grace_ends_at === null ? null : renderGrace(call, path, key.grace_ends_at)}
      </section>
    </div>
  `;
}

function renderLimit(call: MemberCall, path: string, quota: string, carried: readonly Agreement[]): unknown {
  return html`
    <section>
      <h2>Limit</h2>
      <form method="post" action=${`${path}/quota`} class="stack">
        ${formFields(call)}
        <label for="quota">Units a month, for each product</label>
        <input id="quota" name="quota" inputmode="numeric" value=${quota} aria-describedby="quota-hint" />
        <p id="quota-hint" class="hint">${describeFree(carried)}</p>
        <button type="submit" class="second">Set the limit</button>
      </form>
    </section>
  `;
}

function renderGrace(call: MemberCall, path: string, endsAt: string): unknown {
  return html`
    <form method="post" action=${`${path}/grace/end`} class="stack">
      ${formFields(call)}
      <p>The secret from before the last rotation works until ${renderInstant(endsAt)}.</p>
      <button type="submit" class="second">End the old secret now</button>
    </form>
  `;
}

export function renderRotate(call: SignedInCall, key: CustomerKey, path: string): Page {
  const kept = typedIn(call, 'grace');
  const grace = GRACES.some(({ seconds }) => String(seconds) === kept) ? kept : String(GRACE_DEFAULT);
  const body = html`
    <section class="narrow">
      <p class="trail"><a href=${path}><bdi>${nameOf(key)}</bdi></a></p>
      <h1>Rotate the key</h1>
      <form method="post" action=${`${path}/rotate`} class="stack">
        ${formFields(call)}
        <fieldset>
          <legend>The old secret stops working</legend>
          ${GRACES.map(
            ({ seconds, label }) => html`
              <label key=${seconds} class="check">
                <input type="radio" name="grace" value=${seconds} checked=${String(seconds) === grace} />
                ${label}
              </label>
            `,
          )}
        </fieldset>
        <button type="submit">Rotate and show the new secret</button>
      </form>
    </section>
  `;
  return { title: 'Rotate the key', body, section: 'keys' };
}

export function renderRevoke(call: MemberCall, key: CustomerKey, fault: string | null): Page {
  const body = html`
    <section class="narrow">
      <p class="trail"><a href=${`/portal/keys/${key.id}`}><bdi>${nameOf(key)}</bdi></a></p>
      <h1>Revoke the key</h1>
      ${renderFault(fault)}
      <p>
        Every program that uses <strong><bdi>${nameOf(key)}</bdi></strong> is refused from the next second on. This
        cannot be undone.
      </p>
      <form method="post" action=${`/portal/keys/${key.id}/revoke`} class="stack">
        ${formFields(call)}
        <label class="check">
          <input type="checkbox" name="sure" value="yes" required />
          Nothing needs this key any more
        </label>
        <button type="submit" class="danger">Revoke the key</button>
      </form>
    </section>
  `;
  return { title: 'Revoke the key', body, section: 'keys', status: fault === null ? 200 : 422 };
}
