/** The pages of keys: the list, one key, and the one that shows a secret once. */
import { html } from 'htm/preact';
import type { Agreement, AuditLine, CustomerKey } from '../../store/accounts/portal-keys.ts';
import { renderActivity } from '../frame/audit-table.ts';
import type { MemberCall, Page } from '../frame/call.ts';
import { formatCount, renderCopyable, renderFault, renderInstant } from '../frame/pieces.ts';
import type { ShownSecret } from '../frame/shown-once.ts';
import { renderKeyForms } from './key-forms.ts';
import { describeUsed, findIssueObstacle, nameOf } from './wording.ts';

export function renderKeys({
  keys,
  agreements,
  mayIssue,
}: {
  keys: readonly CustomerKey[];
  agreements: readonly Agreement[];
  mayIssue: boolean;
}): Page {
  const obstacle = findIssueObstacle(agreements);
  const body = html`
    <div class="heading">
      <h1>Keys</h1>
      ${obstacle === null && mayIssue ? html`<a class="button" href="/portal/keys/new">Issue a key</a>` : null}
    </div>
    ${obstacle === null || agreements.length === 0 ? null : html`<p class="hint">${obstacle}</p>`}
    ${keys.length === 0 ? renderNoKeys(agreements) : renderKeyTable(keys)}
    ${renderAgreements(agreements, 'Your agreement')}
  `;
  return { title: 'Keys', body, section: 'keys', wide: true };
}

function renderNoKeys(agreements: readonly Agreement[]): unknown {
  const next = agreements.length === 0 ? 'The operator of this service issues the first one under your agreement.' : '';
  return html`<p class="empty">There is no key yet. Programs send a key with every call. ${next}</p>`;
}

/** On narrow screens CSS lays the rows out as cards, which drops the implicit roles of a table, so they are stated. */
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
                  ${renderLines(key.products.map(describeUsed))}
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

export function renderLines(lines: readonly string[]): unknown {
  return html`<span>${lines.map((line, position) => html`${position > 0 ? html`<br />` : null}${line}`)}</span>`;
}

export function renderState(key: CustomerKey): unknown {
  if (key.revoked_at !== null) return html`<span class="state ended">revoked</span>`;
  if (key.grace_ends_at !== null) {
    return html`<span class="state waiting">old secret until ${renderInstant(key.grace_ends_at)}</span>`;
  }
  return html`<span class="state live">live</span>`;
}

export function renderAgreements(agreements: readonly Agreement[], title: string): unknown {
  if (agreements.length === 0) return null;
  return html`
    <section>
      <h2>${title}</h2>
      <dl class="facts">
        ${agreements.map(
          ({ product, quota, free, rate_limit_per_minute, live_keys }) => html`
            <div key=${product}>
              <dt>${product}</dt>
              <dd>
                ${quota === null ? 'Unlimited units' : `${formatCount(quota)} units`} a month, up to
                ${' '}${formatCount(rate_limit_per_minute)} calls a minute for each key; ${formatCount(live_keys)} live
                ${' '}${live_keys === 1 ? 'key' : 'keys'}
                ${free === null ? '.' : `, ${formatCount(free)} units not assigned to a key.`}
              </dd>
            </div>
          `,
        )}
      </dl>
    </section>
  `;
}

/** The only page that ever shows the secret of a key. */
export function renderIssued(key: CustomerKey, { title, text, until }: ShownSecret, path: string): Page {
  const body = html`
    <section class="narrow">
      <h1>${title}</h1>
      <p class="notice warn" role="status">
        This is the only time the secret is shown. Copy it to where you keep your secrets.
      </p>
      ${renderCopyable(`Secret of ${nameOf(key)}`, text, 'key-text')}
      ${until === null ? null : html`<p>The old secret stops working <strong>${until}</strong>.</p>`}
      <p><a class="button" href=${path}>I have kept it</a></p>
    </section>
  `;
  return { title, body, section: 'keys' };
}

export interface KeyView {
  readonly key: CustomerKey;
  readonly agreements: readonly Agreement[];
  readonly activity: readonly AuditLine[];
  readonly fault: string | null;
}

export function renderKey(call: MemberCall, { key, agreements, activity, fault }: KeyView): Page {
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
            <dd>${describeUsed(row)} this month; ${formatCount(row.rate_limit_per_minute)} calls a minute</dd>
          </div>
        `,
      )}
    </dl>
    <p><a href=${`/portal/monitoring?key=${key.id}`}>Usage and refused calls of this key</a></p>
    ${key.revoked_at === null && !call.isViewing ? renderKeyForms(call, key, path, agreements) : null}
    <section>
      <h2>Activity</h2>
      ${renderActivity(activity, { ofOneKey: true })}
    </section>
  `;
  return { title: nameOf(key), body, section: 'keys' };
}
