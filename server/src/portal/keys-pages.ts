/** How keys look: the list, one key, the forms, and the one moment in which a key's text is shown. */
import { html } from 'htm/preact';
import type { IssuedKey } from '../access/keys.ts';
import type { Agreement, AuditLine, CustomerKey } from '../store/portal-keys.ts';
import { renderChanges } from './audit-page.ts';
import type { MemberCall, Page } from './call.ts';
import { csrfField, formatCount, renderCopyable, renderFault, renderInstant } from './pieces.ts';

export const GRACES: readonly { seconds: number; label: string }[] = [
  { seconds: 0, label: 'now' },
  { seconds: 3600, label: 'in one hour' },
  { seconds: 86_400, label: 'in one day' },
  { seconds: 7 * 86_400, label: 'in seven days' },
];
const GRACE_DEFAULT = 86_400;

export function renderKeys(_call: MemberCall, keys: readonly CustomerKey[], agreements: readonly Agreement[]): Page {
  const body = html`
    <div class="heading">
      <h1>Keys</h1>
      ${agreements.length === 0 ? null : html`<a class="button" href="/portal/keys/new">Issue a key</a>`}
    </div>
    ${keys.length === 0 ? renderNoKeys(agreements) : renderKeyTable(keys)}
    ${renderAgreements(agreements)}
  `;
  return { title: 'Keys', body, section: 'keys', wide: true };
}

function renderNoKeys(agreements: readonly Agreement[]): unknown {
  const next = agreements.length === 0 ? 'The operator of this service agrees on the first one with you.' : '';
  return html`<p class="empty">There is no key yet. A key is what a program sends with every call. ${next}</p>`;
}

/** The roles are said outright, because on a narrow screen the rows are laid out as cards. */
function renderKeyTable(keys: readonly CustomerKey[]): unknown {
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label="Keys">
      <table class="cards" role="table">
        <thead role="rowgroup">
          <tr role="row">
            <th scope="col">Name</th>
            <th scope="col">Prefix</th>
            <th scope="col">Products</th>
            <th scope="col" class="number">Calls a minute</th>
            <th scope="col" class="number">Used this month</th>
            <th scope="col">Last used</th>
            <th scope="col">Created</th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody role="rowgroup">
          ${keys.map(
            (key) => html`
              <tr role="row" key=${key.id}>
                <th role="rowheader" scope="row" class="name">
                  <a href=${`/portal/keys/${key.id}`}><bdi>${nameOf(key)}</bdi></a>
                </th>
                <td role="cell" data-label="Prefix"><code>tmds_${key.id}</code></td>
                <td role="cell" data-label="Products">${renderLines(key.products.map(({ product }) => product))}</td>
                <td role="cell" data-label="Calls a minute" class="number">
                  ${renderLines(key.products.map((row) => formatCount(row.rate_limit_per_minute)))}
                </td>
                <td role="cell" data-label="Used this month" class="number">
                  ${renderLines(key.products.map(usedOf))}
                </td>
                <td role="cell" data-label="Last used">${renderInstant(key.last_used_at)}</td>
                <td role="cell" data-label="Created">${renderInstant(key.created_at)}</td>
                <td role="cell" data-label="State">${renderState(key)}</td>
              </tr>
            `,
          )}
        </tbody>
      </table>
    </div>
  `;
}

function renderLines(lines: readonly string[]): unknown {
  return html`<span>${lines.map((line, position) => html`${position > 0 ? html`<br />` : null}${line}`)}</span>`;
}

function usedOf({ used, quota }: { used: number; quota: number | null }): string {
  return `${formatCount(used)}${quota === null ? ', no quota' : ` of ${formatCount(quota)}`}`;
}

export function nameOf(key: Pick<CustomerKey, 'id' | 'name'>): string {
  return key.name === null || key.name === '' ? `Key ${key.id}` : key.name;
}

function renderState(key: CustomerKey): unknown {
  if (key.revoked_at !== null) return html`<span class="state ended">revoked</span>`;
  if (key.grace_ends_at !== null) {
    return html`<span class="state waiting">old text until ${renderInstant(key.grace_ends_at)}</span>`;
  }
  return html`<span class="state live">live</span>`;
}

function renderAgreements(agreements: readonly Agreement[]): unknown {
  if (agreements.length === 0) return null;
  return html`
    <section>
      <h2>Your agreement</h2>
      <dl class="facts">
        ${agreements.map(
          ({ product, quota, free, rate_limit_per_minute, live_keys }) => html`
            <div key=${product}>
              <dt>${product}</dt>
              <dd>
                ${quota === null ? 'Unlimited units' : `${formatCount(quota)} units`} a month, up to
                ${' '}${formatCount(rate_limit_per_minute)} calls a minute for each key; ${formatCount(live_keys)} live
                ${' '}${live_keys === 1 ? 'key' : 'keys'}
                ${free === null ? '.' : `, ${formatCount(free)} units not given to a key.`}
              </dd>
            </div>
          `,
        )}
      </dl>
    </section>
  `;
}

export function renderNewKey(call: MemberCall, agreements: readonly Agreement[], fault: string | null): Page {
  const chosen = call.form.getAll('product');
  const body = html`
    <section class="narrow">
      <h1>Issue a key</h1>
      ${renderFault(fault)}
      ${
        agreements.length === 0
          ? html`<p class="empty">There is no agreement to issue keys under. Write to the operator of this service.</p>`
          : html`
              <form method="post" action="/portal/keys" class="stack">
                ${csrfField(call)}
                <label for="name">Name</label>
                <input id="name" name="name" required maxlength="100" value=${call.form.get('name') ?? ''}
                  aria-describedby="name-hint" />
                <p id="name-hint" class="hint">What the key is for, such as “docketing, production”.</p>
                <fieldset>
                  <legend>Products</legend>
                  ${agreements.map(
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
                <input id="quota" name="quota" inputmode="numeric" value=${call.form.get('quota') ?? ''}
                  aria-describedby="quota-hint" />
                <p id="quota-hint" class="hint">${describeFree(agreements)}</p>
                <button type="submit">Issue the key</button>
              </form>
            `
      }
      <p><a href="/portal/keys">Back to the keys</a></p>
    </section>
  `;
  return { title: 'Issue a key', body, section: 'keys', status: fault === null ? 200 : 422 };
}

function describeFree(agreements: readonly Agreement[]): string {
  const parts = agreements.map(({ product, free }) => `${product} ${free === null ? 'unlimited' : formatCount(free)}`);
  return `Left to give in your agreement: ${parts.join(', ')}. Empty means no quota, where the agreement has none.`;
}

/** The only page that ever holds a key's text. */
export function renderIssued(
  _call: MemberCall,
  issued: IssuedKey,
  shown: { title: string; name: string | null; graceUntil: string | null },
): Page {
  const body = html`
    <section class="narrow">
      <h1>${shown.title}</h1>
      <p class="notice warn" role="status">
        This is the only time the key is shown. Copy it to where your secrets are kept.
      </p>
      ${renderCopyable(`Key ${shown.name ?? issued.id}`, issued.key, 'key-text')}
      ${
        shown.graceUntil === null
          ? null
          : html`<p>The old text of the key stops working <strong>${shown.graceUntil}
        </strong>.</p>`
      }
      <p><a class="button" href=${`/portal/keys/${issued.id}`}>I have kept it</a></p>
    </section>
  `;
  return { title: shown.title, body, section: 'keys' };
}

export interface KeyView {
  readonly key: CustomerKey;
  readonly agreements: readonly Agreement[];
  readonly changes: readonly AuditLine[];
  readonly fault: string | null;
}

export function renderKey(call: MemberCall, { key, agreements, changes, fault }: KeyView): Page {
  const path = `/portal/keys/${key.id}`;
  const body = html`
    <p class="trail"><a href="/portal/keys">Keys</a></p>
    <div class="heading">
      <h1><bdi>${nameOf(key)}</bdi></h1>
      ${renderState(key)}
    </div>
    ${renderFault(fault)}
    <dl class="facts">
      <div><dt>Prefix</dt><dd><code>tmds_${key.id}</code></dd></div>
      <div><dt>Created</dt><dd>${renderInstant(key.created_at)}</dd></div>
      <div><dt>Last used</dt><dd>${renderInstant(key.last_used_at)}</dd></div>
      ${key.revoked_at === null ? null : html`<div><dt>Revoked</dt><dd>${renderInstant(key.revoked_at)}</dd></div>`}
      ${key.products.map(
        (row) => html`
          <div key=${row.product}>
            <dt>${row.product}</dt>
            <dd>${usedOf(row)} this month; ${formatCount(row.rate_limit_per_minute)} calls a minute</dd>
          </div>
        `,
      )}
    </dl>
    <p><a href=${`/portal/monitoring?key=${key.id}`}>What this key used and what was refused</a></p>
    ${key.revoked_at === null ? renderKeyForms(call, key, path, agreements) : null}
    <section>
      <h2>Changes</h2>
      ${renderChanges(changes, { ofOneKey: true })}
    </section>
  `;
  return { title: nameOf(key), body, section: 'keys' };
}

function renderKeyForms(call: MemberCall, key: CustomerKey, path: string, agreements: readonly Agreement[]): unknown {
  const carried = agreements.filter(({ product }) => key.products.some((row) => row.product === product));
  const quotas = [...new Set(key.products.map(({ quota }) => quota))];
  const quota = quotas.length === 1 && quotas[0] !== null ? String(quotas[0]) : '';
  return html`
    <div class="columns">
      <section>
        <h2>Name</h2>
        <form method="post" action=${`${path}/name`} class="stack">
          ${csrfField(call)}
          <label for="name">What the key is for</label>
          <input id="name" name="name" required maxlength="100" value=${key.name ?? ''} />
          <button type="submit" class="second">Rename</button>
        </form>
      </section>
      <section>
        <h2>Limit</h2>
        <form method="post" action=${`${path}/quota`} class="stack">
          ${csrfField(call)}
          <label for="quota">Units a month, for each product</label>
          <input id="quota" name="quota" inputmode="numeric" value=${quota} aria-describedby="quota-hint" />
          <p id="quota-hint" class="hint">${describeFree(carried)}</p>
          <button type="submit" class="second">Set the limit</button>
        </form>
      </section>
      <section>
        <h2>Replace or end</h2>
        <p>
          Rotation gives the key a new text; name, limits and usage stay, and the old text works on for as long as you
          choose. A revoked key is refused within a second, for good.
        </p>
        <p class="actions">
          <a class="button second" href=${`${path}/rotate`}>Rotate…</a>
          <a class="button danger" href=${`${path}/revoke`}>Revoke…</a>
        </p>
      </section>
    </div>
  `;
}

export function renderRotate(call: MemberCall, key: CustomerKey): Page {
  const body = html`
    <section class="narrow">
      <p class="trail"><a href=${`/portal/keys/${key.id}`}><bdi>${nameOf(key)}</bdi></a></p>
      <h1>Rotate the key</h1>
      <form method="post" action=${`/portal/keys/${key.id}/rotate`} class="stack">
        ${csrfField(call)}
        <fieldset>
          <legend>The old text of the key stops working</legend>
          ${GRACES.map(
            ({ seconds, label }) => html`
              <label key=${seconds} class="check">
                <input type="radio" name="grace" value=${seconds} checked=${seconds === GRACE_DEFAULT} />
                ${label}
              </label>
            `,
          )}
        </fieldset>
        <button type="submit">Rotate and show the new text</button>
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
        Every program that uses <strong><bdi>${nameOf(key)}</bdi>
          </strong> is refused from the next second on. This cannot
        be taken back.
      </p>
      <form method="post" action=${`/portal/keys/${key.id}/revoke`} class="stack">
        ${csrfField(call)}
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
