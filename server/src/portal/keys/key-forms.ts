/** The forms that issue, change, rotate and revoke keys. They offer nothing that cannot succeed. */

import { html } from 'htm/preact';
import type { Agreement } from '../../store/accounts/agreements.ts';
import type { CustomerKey } from '../../store/accounts/portal-keys.ts';
import type { MemberCall, Page, SignedInCall } from '../frame/call.ts';
import { renderActions, renderEmpty, renderLinkButton, renderTrail } from '../frame/components.ts';
import { NO_FIELDS, renderForm } from '../frame/forms.ts';
import { buildFormPage } from '../frame/page-routes.ts';
import { renderInstant } from '../frame/pieces.ts';
import { renderRotation } from '../frame/secrets.ts';
import { describeFree, findIssueObstacle, ISSUE, LIMIT, listIssuable, nameOf, RENAME, REVOKE } from './terms.ts';

export function renderNewKey(call: MemberCall, agreements: readonly Agreement[], fault: string | null): Page {
  const obstacle = findIssueObstacle(agreements);
  return buildFormPage(
    { title: 'Issue a key', section: 'keys', trail: renderTrail({ label: 'Keys', href: '/portal/keys' }), fault },
    obstacle === null ? renderIssueForm(call, agreements) : renderEmpty(obstacle),
  );
}

function renderIssueForm(call: MemberCall, agreements: readonly Agreement[]): unknown {
  const products = listIssuable(agreements).map(({ product }) => product);
  return renderForm(call, ISSUE, {
    action: '/portal/keys',
    shown: {
      product: { choices: products.map((value) => ({ value, label: value })), value: products.slice(0, 1) },
      quota: { hint: describeFree(listIssuable(agreements)) },
    },
    label: 'Issue the key',
  });
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
      ${canLimit ? renderLimit(call, path, quota, carried) : null}
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
        ${key.grace_ends_at === null ? null : renderGrace(call, path, key.grace_ends_at)}
      </section>
    </div>
  `;
}

function renderLimit(call: MemberCall, path: string, quota: string, carried: readonly Agreement[]): unknown {
  return html`
    <section>
      <h2>Limit</h2>
      ${renderForm(call, LIMIT, {
        action: `${path}/quota`,
        shown: {
          quota: { label: 'Monthly limit in units, for each product', hint: describeFree(carried), value: quota },
        },
        label: 'Set the limit',
        kind: 'second',
      })}
    </section>
  `;
}

function renderGrace(call: MemberCall, path: string, endsAt: string): unknown {
  return renderForm(call, NO_FIELDS, {
    action: `${path}/grace/end`,
    note: html`<p>The secret from before the last rotation works until ${renderInstant(endsAt)}.</p>`,
    label: 'End the old secret now',
    kind: 'second',
  });
}

/** `path` is the page of the key. */
export function renderRotate(call: SignedInCall, key: CustomerKey, path: string, fault: string | null): Page {
  return buildFormPage(
    { title: 'Rotate the key', section: 'keys', trail: renderKeyTrail(key, path), fault },
    renderRotation(call, path),
  );
}

export function renderRevoke(call: MemberCall, key: CustomerKey, fault: string | null): Page {
  return buildFormPage(
    { title: 'Revoke the key', section: 'keys', trail: renderKeyTrail(key, `/portal/keys/${key.id}`), fault },
    html`<p>
        Every program that uses <strong><bdi>${nameOf(key)}</bdi></strong> is refused from the next second on. This
        cannot be undone.
      </p>
      ${renderForm(call, REVOKE, {
        action: `/portal/keys/${key.id}/revoke`,
        label: 'Revoke the key',
        kind: 'danger',
        back: `/portal/keys/${key.id}`,
      })}`,
  );
}

function renderKeyTrail(key: CustomerKey, path: string): unknown {
  return renderTrail(
    { label: 'Keys', href: path.slice(0, path.lastIndexOf('/')) },
    { label: html`<bdi>${nameOf(key)}</bdi>`, href: path },
  );
}
