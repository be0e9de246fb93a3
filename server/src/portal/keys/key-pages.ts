/** The pages of keys: the list, one key with its forms, a new one, and the one that shows a secret once. */

import { html } from 'htm/preact';
import { type Agreement, listAgreements } from '../../store/accounts/agreements.ts';
import { type CustomerKey, listCustomerAudit, listCustomerKeys } from '../../store/accounts/portal-keys.ts';
import { renderActivity } from '../frame/audit-table.ts';
import type { MemberCall, Page } from '../frame/call.ts';
import {
  renderActions,
  renderBadge,
  renderEmpty,
  renderFacts,
  renderFault,
  renderHeading,
  renderLinkButton,
  renderNotice,
  renderSecret,
  renderTrail,
} from '../frame/components.ts';
import { hiddenField } from '../frame/field-kinds.ts';
import { declareForm, NO_FIELDS, renderForm, untyped } from '../frame/forms.ts';
import { buildFormPage } from '../frame/page-routes.ts';
import { formatCount, renderInstant } from '../frame/pieces.ts';
import type { ShownSecret } from '../frame/secrets.ts';
import { renderListing, type TableColumn } from '../frame/table.ts';
import type { PortalServices } from '../services.ts';
import {
  describeFree,
  describeUsed,
  findIssueObstacle,
  ISSUE,
  isUnseen,
  LIMIT,
  listIssuable,
  nameOf,
  RENAME,
} from './terms.ts';

/** More keys without a known secret than this are offered one on their pages alone. */
const UNSEEN_SHOWN = 3;

export async function showKeys(call: MemberCall, { database }: PortalServices): Promise<Page> {
  const { customer_id } = call.user;
  const [keys, agreements] = await Promise.all([
    listCustomerKeys(database, customer_id),
    listAgreements(database, customer_id),
  ]);
  const obstacle = findIssueObstacle(agreements);
  const offersKey = !call.isViewing && obstacle === null;
  const unseen = call.isViewing ? [] : keys.filter(isUnseen).slice(0, UNSEEN_SHOWN);
  const body = html`
    ${renderHeading('Keys', offersKey ? renderLinkButton('Issue a key', '/portal/keys/new') : null)}
    ${obstacle === null || agreements.length === 0 ? null : html`<p class="hint">${obstacle}</p>`}
    ${unseen.map((key) => renderUnseen(call, key))}
    ${renderListing({
      label: 'Keys',
      rows: keys,
      empty: `There is no key yet. Searches here and calls of programs are charged to a key. ${
        agreements.length === 0 ? 'The operator of this service issues the first one under your agreement.' : ''
      }`,
      columns: [
        { label: 'Name', cell: (key) => html`<a href=${`/portal/keys/${key.id}`}><bdi>${nameOf(key)}</bdi></a>` },
        ...keyColumns,
        { label: 'Created', cell: ({ created_at }) => renderInstant(created_at) },
      ],
    })}
    ${renderAgreements(agreements, 'Your agreement')}
  `;
  return { title: 'Keys', body, section: 'keys' };
}

/** A key that was issued for the customer, who may never have seen its secret: nobody can show that one again. */
function renderUnseen(call: MemberCall, key: CustomerKey): unknown {
  return renderNotice(
    'plain',
    renderForm(untyped(call), UNSEEN_ROTATION, {
      action: `/portal/keys/${key.id}/rotate`,
      shown: { grace: { value: GRACE_OF_UNSEEN } },
      note: html`
        <span>
          <strong><bdi>${nameOf(key)}</bdi></strong> was issued for you, and no program has used it yet. If you do not
          have its secret, make a new one: it is shown once, on the next page. A secret that you were given keeps
          working for one day.
        </span>
      `,
      label: 'Show a new secret',
      kind: 'second',
      layout: 'row',
    }),
  );
}

/** A rotation in which nobody chooses, sent to the page of the rotation: one day. */
const UNSEEN_ROTATION = declareForm({ grace: hiddenField() });
const GRACE_OF_UNSEEN = '86400';

/** The columns of every list of keys, in addition to the name. */
export const keyColumns: readonly TableColumn<CustomerKey>[] = [
  { label: 'Prefix', cell: ({ id }) => html`<code>tmds_${id}</code>` },
  { label: 'Products', cell: ({ products }) => renderLines(products.map(({ product }) => product)) },
  {
    label: 'Calls a minute',
    cell: ({ products }) => renderLines(products.map((row) => formatCount(row.rate_limit_per_minute))),
    style: 'number',
  },
  { label: 'Used this month', cell: ({ products }) => renderLines(products.map(describeUsed)), style: 'number' },
  { label: 'Last used', cell: ({ last_used_at }) => renderInstant(last_used_at) },
  { label: 'State', cell: renderState },
];

function renderLines(lines: readonly string[]): unknown {
  return html`<span>${lines.map((line, position) => html`${position > 0 ? html`<br />` : null}${line}`)}</span>`;
}

export function renderState(key: CustomerKey): unknown {
  if (key.revoked_at !== null) return renderBadge('off', 'revoked');
  if (key.grace_ends_at !== null) {
    return renderBadge('warn', html`old secret until ${renderInstant(key.grace_ends_at)}`);
  }
  return renderBadge('good', 'live');
}

export function renderAgreements(agreements: readonly Agreement[], title: string): unknown {
  if (agreements.length === 0) return null;
  return html`
    <section>
      <h2>${title}</h2>
      ${renderFacts(agreements.map((agreement) => [agreement.product, describeAgreement(agreement)]))}
    </section>
  `;
}

function describeAgreement({ quota, free, rate_limit_per_minute: rate, live_keys: live }: Agreement): string {
  const units = quota === null ? 'Unlimited units' : `${formatCount(quota)} units`;
  const keys = `${formatCount(live)} live ${live === 1 ? 'key' : 'keys'}`;
  const left = free === null ? '' : `, ${formatCount(free)} units not assigned to a key`;
  return `${units} a month, up to ${formatCount(rate)} calls a minute for each key; ${keys}${left}.`;
}

/** The only page that ever shows the secret of a key; `path` is the page of the key. */
export function renderIssued(key: CustomerKey, { title, text, until }: ShownSecret, path: string): Page {
  return buildFormPage(
    { title, section: 'keys' },
    html`${renderSecret('This is the only time the secret is shown. Copy it to where you keep your secrets.', {
      label: `Secret of ${nameOf(key)}`,
      text,
      id: 'key-text',
    })}
      ${until === null ? null : html`<p>The old secret stops working <strong>${until}</strong>.</p>`}
      ${renderLinkButton('Done, I’ve saved it', path)}`,
  );
}

export async function showKey(
  call: MemberCall,
  { database }: PortalServices,
  key: CustomerKey,
  fault: string | null,
): Promise<Page> {
  const { customer_id: customerId } = call.user;
  const [agreements, activity] = await Promise.all([
    listAgreements(database, customerId),
    listCustomerAudit(database, { customerId, keyId: key.id, before: null }),
  ]);
  const path = `/portal/keys/${key.id}`;
  const body = html`
    ${renderTrail({ label: 'Keys', href: '/portal/keys' })}
    ${renderHeading(html`<bdi>${nameOf(key)}</bdi>`, renderState(key))}
    ${renderFault(fault)}
    ${!call.isViewing && isUnseen(key) ? renderUnseen(call, key) : null}
    ${renderKeyFacts(key)}
    <p><a href=${`/portal/monitoring?key=${key.id}`}>Usage and refused calls of this key</a></p>
    ${key.revoked_at === null && !call.isViewing ? renderKeyForms(call, key, path, agreements) : null}
    <section>
      <h2>Activity</h2>
      ${renderActivity(activity, { ofOneKey: true })}
    </section>
  `;
  return { title: nameOf(key), body, section: 'keys' };
}

/** `more`: what else is known of it. */
export function renderKeyFacts(key: CustomerKey, more: readonly (readonly [string, unknown])[] = []): unknown {
  return renderFacts([
    ['Prefix', html`<code>tmds_${key.id}</code>`],
    ...more,
    ['Created', renderInstant(key.created_at)],
    ['Last used', renderInstant(key.last_used_at)],
    ['Revoked', key.revoked_at === null ? null : renderInstant(key.revoked_at)],
    ...key.products.map((row): [string, string] => [
      row.product,
      `${describeUsed(row)} this month; ${formatCount(row.rate_limit_per_minute)} calls a minute`,
    ]),
  ]);
}

function renderKeyForms(call: MemberCall, key: CustomerKey, path: string, agreements: readonly Agreement[]): unknown {
  const carried = agreements.filter(({ product }) => key.products.some((row) => row.product === product));
  const quotas = [...new Set(key.products.map(({ quota }) => quota))];
  const quota = quotas.length === 1 && quotas[0] !== null ? String(quotas[0]) : '';
  // Units come from the agreement; without an agreement for each product, no units can be set.
  const canLimit = carried.length === key.products.length && carried.length > 0;
  return html`
    <div class="asides">
      <section>
        <h2>Name</h2>
        ${renderForm(call, RENAME, {
          action: `${path}/name`,
          shown: { name: { label: 'What the key is for', hint: '', value: key.name } },
          label: 'Rename',
          kind: 'second',
        })}
      </section>
      ${
        canLimit
          ? html`
              <section>
                <h2>Limit</h2>
                ${renderForm(call, LIMIT, {
                  action: `${path}/quota`,
                  shown: {
                    quota: {
                      label: 'Monthly limit in units, for each product',
                      hint: describeFree(carried),
                      value: quota,
                    },
                  },
                  label: 'Set the limit',
                  kind: 'second',
                })}
              </section>
            `
          : null
      }
      <section>
        <h2>Replace or end</h2>
        <p>
          Rotating a key gives it a new secret. Its name, limits and usage stay, and the old secret keeps working as
          long as you choose. Revoking a key takes effect within a second and cannot be undone.
        </p>
        ${renderActions(
          renderLinkButton('Rotate…', `${path}/rotate`, 'second'),
          renderLinkButton('Revoke…', `${path}/revoke`, 'danger'),
        )}
        ${
          key.grace_ends_at === null
            ? null
            : renderForm(call, NO_FIELDS, {
                action: `${path}/grace/end`,
                note: html`<p>The secret from before the last rotation works until ${renderInstant(key.grace_ends_at)}.</p>`,
                label: 'End the old secret now',
                kind: 'second',
              })
        }
      </section>
    </div>
  `;
}

export async function showNewKey(call: MemberCall, { database }: PortalServices, fault?: string): Promise<Page> {
  const agreements = await listAgreements(database, call.user.customer_id);
  const obstacle = findIssueObstacle(agreements);
  const issuable = listIssuable(agreements);
  const products = issuable.map(({ product }) => product);
  return buildFormPage(
    { title: 'Issue a key', section: 'keys', trail: renderTrail({ label: 'Keys', href: '/portal/keys' }), fault },
    obstacle === null
      ? renderForm(call, ISSUE, {
          action: '/portal/keys',
          shown: {
            product: { choices: products.map((value) => ({ value, label: value })), value: products.slice(0, 1) },
            quota: { hint: describeFree(issuable) },
          },
          label: 'Issue the key',
        })
      : renderEmpty(obstacle),
  );
}

/** `path` is the page of the key. */
export function renderKeyTrail(key: CustomerKey, path: string): unknown {
  return renderTrail(
    { label: 'Keys', href: path.slice(0, path.lastIndexOf('/')) },
    { label: html`<bdi>${nameOf(key)}</bdi>`, href: path },
  );
}
