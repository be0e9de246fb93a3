/** The forms that add, rotate and delete webhooks. */

import { WEBHOOK_URL_MAX, WEBHOOKS_MAX } from '@tmds/contract/webhooks';
import { html } from 'htm/preact';
import { listWatches } from '../../store/watches/watches.ts';
import { type CustomerWebhook, listWebhooks } from '../../store/webhooks/webhooks.ts';
import type { MemberCall, Page } from '../frame/call.ts';
import { renderEmpty, renderTrail } from '../frame/components.ts';
import { offeredField, sureField, textField } from '../frame/field-kinds.ts';
import { declareForm, renderForm } from '../frame/forms.ts';
import { buildFormPage } from '../frame/page-routes.ts';
import { ROTATE_LABEL } from '../frame/secrets.ts';
import type { PortalServices } from '../services.ts';

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

export const TOO_MANY_WEBHOOKS = `There are ${WEBHOOKS_MAX} webhooks already. Delete one to add another.`;

const WATCHES_OFFERED = 500;

export async function showNewWebhook(call: MemberCall, services: PortalServices, fault?: string): Promise<Page> {
  const { database, webhookPrivate } = services;
  const { customer_id } = call.user;
  const [watches, webhooks] = await Promise.all([
    listWatches(database, customer_id, { after: null, limit: WATCHES_OFFERED }),
    listWebhooks(database, customer_id),
  ]);
  const scheme =
    webhookPrivate === 'allow'
      ? 'Private addresses and http:// are allowed here.'
      : 'It begins with https://, and its port is 443 or above 1023.';
  const choices = [
    { value: ALL_WATCHES, label: 'All, including future ones' },
    ...watches.map(({ id, name }) => ({ value: id, label: `${name} (${id})` })),
  ];
  return buildFormPage(
    { title: 'Add a webhook', section: 'webhooks', trail: renderTrail(LIST), fault },
    webhooks.length >= WEBHOOKS_MAX && fault === undefined
      ? renderEmpty(TOO_MANY_WEBHOOKS)
      : renderForm(call, ADDITION, {
          action: '/portal/webhooks',
          shown: {
            url: {
              hint: `${scheme} It gets a POST with the watch and the cursor to read its hits from, and nothing else.`,
            },
            watch: { choices },
          },
          label: 'Add and show the secret',
        }),
  );
}

const LIST = { label: 'Webhooks', href: '/portal/webhooks' };

function headOf({ webhook_id: id, url }: CustomerWebhook) {
  const path = `/portal/webhooks/${id}`;
  const trail = renderTrail(LIST, { label: html`<bdi>${new URL(url).host}</bdi>`, href: path });
  return { section: 'webhooks', trail, back: path } as const;
}

export const askRotate = (webhook: CustomerWebhook) => ({
  title: 'Rotate the secret',
  ...headOf(webhook),
  words: html`<p>Until the old secret ends, deliveries carry a signature of both. Receivers accept either.</p>`,
  label: ROTATE_LABEL,
});

export const askDelete = (webhook: CustomerWebhook) =>
  ({
    title: 'Delete the webhook',
    ...headOf(webhook),
    words: html`
      <p>
        <strong><bdi>${webhook.url}</bdi></strong> gets no more deliveries. Its deliveries are deleted too; the hits of
        your watches stay. This cannot be undone.
      </p>
    `,
    label: 'Delete the webhook',
    kind: 'danger',
  }) as const;
