/** The keys of all customers, one key, and the form of its terms, for a new key and for a change. */

import { html } from 'htm/preact';
import {
  type KeySearch,
  type KeyState,
  OPERATOR_PAGE,
  type OwnedKey,
} from '../../store/accounts/operator-customers.ts';
import type { AuditLine } from '../../store/accounts/portal-keys.ts';
import { renderActivity } from '../frame/audit-table.ts';
import type { Page, SignedInCall } from '../frame/call.ts';
import {
  renderActions,
  renderBadge,
  renderFault,
  renderHeading,
  renderLinkButton,
  renderTrail,
} from '../frame/components.ts';
import { renderForm } from '../frame/forms.ts';
import { buildFormPage } from '../frame/page-routes.ts';
import { cutPage, linkTo, renderFurther } from '../frame/paging.ts';
import { renderListing } from '../frame/table.ts';
import { keyColumns, renderKeyFacts, renderKeyTrail, renderState } from '../keys/key-pages.ts';
import { nameOf } from '../keys/terms.ts';
import { renderUsername } from '../sign-in/passwords.ts';
import { renderFilter } from './listing.ts';
import { KEY_TERMS } from './terms.ts';

export const KEY_STATES: readonly KeyState[] = ['live', 'revoked', 'suspended'];

export function renderAllKeys({ text, state }: KeySearch, found: readonly OwnedKey[]): Page {
  const { rows, further } = cutPage(found, OPERATOR_PAGE, (last) =>
    linkTo('/portal/operator/keys', { q: text, state, before: `${last.created_at}_${last.id}` }),
  );
  const body = html`
    ${renderHeading('Keys')}
    ${renderFilter('/portal/operator/keys', [
      { id: 'q', label: 'Name, customer or id', value: text, type: 'search' },
      { id: 'state', label: 'State', any: 'Any', choices: KEY_STATES, chosen: state },
    ])}
    ${renderListing<OwnedKey>({
      label: 'Keys',
      rows,
      empty: text === null && state === null ? 'There is no key yet.' : 'No key matches.',
      columns: [
        {
          label: 'Name',
          cell: (key) => html`<a href=${`/portal/operator/keys/${key.id}`}><bdi>${nameOf(key)}</bdi></a>`,
        },
        {
          label: 'Customer',
          cell: (key) => html`
            <a href=${`/portal/operator/customers/${key.customer_id}`}><bdi>${key.customer}</bdi></a>
            ${key.suspended ? renderBadge('warn', 'suspended') : null}
          `,
          style: 'name',
        },
        ...keyColumns,
      ],
    })}
    ${renderFurther(further, 'Older keys')}
    <p class="hint">A key is issued on the page of its customer.</p>
  `;
  return { title: 'Operator: keys', body, section: 'operator/keys' };
}

export function renderOwnedKey(
  call: SignedInCall,
  key: OwnedKey,
  activity: readonly AuditLine[],
  fault: string | null,
): Page {
  const path = `/portal/operator/keys/${key.id}`;
  const body = html`
    ${renderTrail(
      { label: 'Customers', href: '/portal/operator/customers' },
      { label: html`<bdi>${key.customer}</bdi>`, href: `/portal/operator/customers/${key.customer_id}` },
    )}
    ${renderHeading(html`<bdi>${nameOf(key)}</bdi>`, renderState(key))}
    ${renderFault(fault)}
    ${renderKeyFacts(key, [['Customer', key.suspended ? renderBadge('warn', 'suspended') : null]])}
    ${key.revoked_at === null ? renderForms(call, key, path) : null}
    <section>
      <h2>Activity</h2>
      ${renderActivity(activity, { ofOneKey: true, forOperators: true })}
    </section>
  `;
  return { title: nameOf(key), body, section: 'operator/keys' };
}

const QUOTA_WORDS = { label: 'Monthly limit in units, for each product', hint: 'Empty means no limit.' };

function renderForms(call: SignedInCall, key: OwnedKey, path: string): unknown {
  const [first] = key.products;
  return html`
    <div class="asides">
      <section>
        <h2>Name and terms</h2>
        ${renderForm(call, KEY_TERMS, {
          action: `${path}/set`,
          shown: {
            name: { value: key.name },
            product: { value: key.products.map(({ product }) => product) },
            rate: { value: first?.rate_limit_per_minute ?? null },
            quota: { ...QUOTA_WORDS, value: first?.quota ?? null },
          },
          label: 'Change',
          kind: 'second',
        })}
      </section>
      <section>
        <h2>Replace or end</h2>
        <p>A rotated key keeps its name, terms and usage. A revoked one is refused within a second, permanently.</p>
        ${renderActions(
          renderLinkButton('Rotate…', `${path}/rotate`, 'second'),
          renderLinkButton('Revoke…', `${path}/revoke`, 'danger'),
        )}
      </section>
    </div>
  `;
}

export function renderNewOwnedKey(
  call: SignedInCall,
  customer: { readonly customer_id: string; readonly name: string },
  fault: string | null,
): Page {
  const path = `/portal/operator/customers/${customer.customer_id}`;
  return buildFormPage(
    {
      title: 'Issue a key',
      section: 'operator/customers',
      trail: renderTrail(
        { label: 'Customers', href: '/portal/operator/customers' },
        { label: html`<bdi>${customer.name}</bdi>`, href: path },
      ),
      fault,
    },
    renderForm(call, KEY_TERMS, {
      action: `${path}/keys`,
      shown: { product: { value: ['records'] }, quota: QUOTA_WORDS },
      label: 'Issue the key',
    }),
  );
}

export const askRevoke = (key: OwnedKey, call: SignedInCall) =>
  ({
    title: 'Revoke the key',
    ...headOf(key),
    words: html`
      <p>
        Every program of <strong><bdi>${key.customer}</bdi></strong> that uses
        ${' '}<strong><bdi>${nameOf(key)}</bdi></strong> is refused from the next second on. This cannot be undone.
      </p>
    `,
    before: renderUsername(call.person.email),
    label: 'Revoke the key',
    kind: 'danger',
  }) as const;

/** Of a page about the key, below the keys of all customers. */
export function headOf(key: OwnedKey, section: 'keys' | 'operator/keys' = 'operator/keys') {
  const path = `/portal/operator/keys/${key.id}`;
  return { section, trail: renderKeyTrail(key, path), back: path };
}
