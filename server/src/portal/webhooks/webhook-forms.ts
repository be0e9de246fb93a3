/** The forms that add, rotate and delete webhooks. */

import { WEBHOOK_URL_MAX, WEBHOOKS_MAX } from '@tmds/contract/webhooks';
import { html } from 'htm/preact';
import type { StoredWatch } from '../../store/watches/watches.ts';
import type { CustomerWebhook } from '../../store/webhooks/webhooks.ts';
import type { PrivateTargets } from '../../webhook/target.ts';
import type { MemberCall, Page } from '../frame/call.ts';
import { renderEmpty, renderTrail } from '../frame/components.ts';
import { offeredField, sureField, textField } from '../frame/field-kinds.ts';
import { declareForm, renderForm } from '../frame/forms.ts';
import { buildFormPage } from '../frame/page-routes.ts';
import { renderRotation } from '../frame/secrets.ts';

/** The value of the field for all watches; no watch may have this id. */
export const ALL_WATCHES = '*';

/** Where a webhook may lead depends on the settings, so the text is judged when it is added. */
export const ADDITION = declareForm({
  url: textField({
    label: 'Address of your receiver',
    attributes: {
      required: true,
      type: 'url',
      maxlength: WEBHOOK_URL_MAX,
      placeholder: 'https://example.com/hooks/trademarks',
    },
    read: (text) => text,
  }),
  watch: offeredField('Watches', ALL_WATCHES),
});
export const DELETION = declareForm({ sure: sureField('Nothing waits for this webhook any more') });

interface NewWebhookView {
  readonly watches: readonly StoredWatch[];
  readonly webhooks: number;
  readonly privateTargets: PrivateTargets;
  readonly fault: string | null;
}

export function renderNewWebhook(call: MemberCall, view: NewWebhookView): Page {
  const isFull = view.webhooks >= WEBHOOKS_MAX && view.fault === null;
  return buildFormPage(
    {
      title: 'Add a webhook',
      section: 'webhooks',
      trail: renderTrail({ label: 'Webhooks', href: '/portal/webhooks' }),
      fault: view.fault,
    },
    isFull ? renderEmpty(TOO_MANY_WEBHOOKS) : renderAddForm(call, view),
  );
}

export const TOO_MANY_WEBHOOKS = `There are ${WEBHOOKS_MAX} webhooks already. Delete one to add another.`;

function renderAddForm(call: MemberCall, { watches, privateTargets }: NewWebhookView): unknown {
  const scheme =
    privateTargets === 'allow'
      ? 'Private addresses and http:// are allowed here.'
      : 'It begins with https://, and its port is 443 or above 1023.';
  return renderForm(call, ADDITION, {
    action: '/portal/webhooks',
    shown: {
      url: { hint: `${scheme} It gets a POST with the watch and the cursor to read its hits from, and nothing else.` },
      watch: {
        choices: [
          { value: ALL_WATCHES, label: 'All, including future ones' },
          ...watches.map(({ id, name }) => ({ value: id, label: `${name} (${id})` })),
        ],
      },
    },
    label: 'Add and show the secret',
  });
}

export function renderRotate(call: MemberCall, webhook: CustomerWebhook, fault: string | null): Page {
  const path = `/portal/webhooks/${webhook.webhook_id}`;
  return buildFormPage(
    { title: 'Rotate the secret', section: 'webhooks', trail: renderWebhookTrail(webhook), fault },
    html`<p>Until the old secret ends, deliveries carry a signature of both. Receivers accept either.</p>
      ${renderRotation(call, path)}`,
  );
}

export function renderDelete(call: MemberCall, webhook: CustomerWebhook, fault: string | null): Page {
  const path = `/portal/webhooks/${webhook.webhook_id}`;
  return buildFormPage(
    { title: 'Delete the webhook', section: 'webhooks', trail: renderWebhookTrail(webhook), fault },
    html`<p>
        <strong><bdi>${webhook.url}</bdi></strong> gets no more deliveries. Its deliveries are deleted too; the hits of
        your watches stay. This cannot be undone.
      </p>
      ${renderForm(call, DELETION, { action: `${path}/delete`, label: 'Delete the webhook', kind: 'danger', back: path })}`,
  );
}

function renderWebhookTrail({ webhook_id, url }: CustomerWebhook): unknown {
  return renderTrail(
    { label: 'Webhooks', href: '/portal/webhooks' },
    { label: html`<bdi>${new URL(url).host}</bdi>`, href: `/portal/webhooks/${webhook_id}` },
  );
}
