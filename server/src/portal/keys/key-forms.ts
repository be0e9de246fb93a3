/** The forms that issue, change, rotate and revoke keys. They offer nothing that cannot succeed. */

import { html } from 'htm/preact';
import type { Agreement } from '../../store/accounts/agreements.ts';
import type { CustomerKey } from '../../store/accounts/portal-keys.ts';
import { type MemberCall, type Page, type SignedInCall, typedIn } from '../frame/call.ts';
import { renderActions, renderButton, renderEmpty, renderLinkButton, renderTrail } from '../frame/components.ts';
import { renderChecks, renderConfirm, renderField } from '../frame/fields.ts';
import { buildFormPage } from '../frame/page-routes.ts';
import { formFields, renderInstant } from '../frame/pieces.ts';
import { renderRotation } from '../frame/secrets.ts';
import { describeFree, findIssueObstacle, listIssuable, NAME_MAX, nameOf } from './terms.ts';

export function renderNewKey(call: MemberCall, agreements: readonly Agreement[], fault: string | null): Page {
  const obstacle = findIssueObstacle(agreements);
  return buildFormPage(
    { title: 'Issue a key', section: 'keys', trail: renderTrail({ label: 'Keys', href: '/portal/keys' }), fault },
    obstacle === null ? renderIssueForm(call, agreements) : renderEmpty(obstacle),
  );
}

function renderIssueForm(call: MemberCall, agreements: readonly Agreement[]): unknown {
  const chosen = [...call.form.getAll('product'), ...call.query.getAll('product')];
  const offered = listIssuable(agreements);
  return html`
    <form method="post" action="/portal/keys" class="stack">
      ${formFields(call)}
      ${renderField({
        id: 'name',
        label: 'Name',
        hint: 'What the key is for, such as “docketing, production”.',
        attributes: { required: true, maxlength: NAME_MAX, value: typedIn(call, 'name') ?? '' },
      })}
      ${renderChecks(
        {
          legend: 'Products',
          name: 'product',
          choices: offered.map(({ product }) => ({ value: product, label: product })),
          chosen: chosen.length > 0 ? chosen : offered.slice(0, 1).map(({ product }) => product),
        },
        'checkbox',
      )}
      ${renderField({
        id: 'quota',
        label: 'Monthly limit in units',
        hint: describeFree(offered),
        attributes: { inputmode: 'numeric', value: typedIn(call, 'quota') ?? '' },
      })}
      ${renderButton('Issue the key')}
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
  // Units come from the agreement; without an agreement for each product, no units can be set.
  const canLimit = carried.length === key.products.length && carried.length > 0;
  return html`
    <div class="asides">
      <section>
        <h2>Name</h2>
        <form method="post" action=${`${path}/name`} class="stack">
          ${formFields(call)}
          ${renderField({
            id: 'name',
            label: 'What the key is for',
            attributes: { required: true, maxlength: NAME_MAX, value: typedIn(call, 'name') ?? key.name ?? '' },
          })}
          ${renderButton('Rename', 'second')}
        </form>
      </section>
      ${canLimit ? renderLimit(call, path, typedIn(call, 'quota') ?? quota, carried) : null}
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
      <form method="post" action=${`${path}/quota`} class="stack">
        ${formFields(call)}
        ${renderField({
          id: 'quota',
          label: 'Monthly limit in units, for each product',
          hint: describeFree(carried),
          attributes: { inputmode: 'numeric', value: quota },
        })}
        ${renderButton('Set the limit', 'second')}
      </form>
    </section>
  `;
}

function renderGrace(call: MemberCall, path: string, endsAt: string): unknown {
  return html`
    <form method="post" action=${`${path}/grace/end`} class="stack">
      ${formFields(call)}
      <p>The secret from before the last rotation works until ${renderInstant(endsAt)}.</p>
      ${renderButton('End the old secret now', 'second')}
    </form>
  `;
}

/** `path` is the page of the key. */
export function renderRotate(call: SignedInCall, key: CustomerKey, path: string): Page {
  return buildFormPage(
    { title: 'Rotate the key', section: 'keys', trail: renderKeyTrail(key, path) },
    renderRotation(call, path, 'Keep the old secret working for'),
  );
}

export function renderRevoke(call: MemberCall, key: CustomerKey, fault: string | null): Page {
  return buildFormPage(
    { title: 'Revoke the key', section: 'keys', trail: renderKeyTrail(key, `/portal/keys/${key.id}`), fault },
    html`<p>
        Every program that uses <strong><bdi>${nameOf(key)}</bdi></strong> is refused from the next second on. This
        cannot be undone.
      </p>
      ${renderConfirm({
        action: `/portal/keys/${key.id}/revoke`,
        tokens: formFields(call),
        sure: 'Nothing needs this key any more',
        label: 'Revoke the key',
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
