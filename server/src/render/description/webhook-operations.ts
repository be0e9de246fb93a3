/** What the interface description says about the endpoints of webhooks. */
import { type WEBHOOK_ENDPOINTS, WEBHOOKS_MAX } from '@tmds/contract/webhooks';
import type { Operation } from './operation.ts';
import { WEBHOOK_EXAMPLES } from './webhook-examples.ts';

const CURSOR_CODES = ['invalid_parameter', 'cursor_invalid', 'cursor_query_mismatch'] as const;

export const WEBHOOK_OPERATIONS = {
  webhooks: {
    id: 'listWebhooks',
    tag: 'webhooks',
    summary: 'Webhooks of the customer',
    description: 'The webhooks of the customer of the key, those of the portal included, in the order of their ids.',
    schema: 'WebhooksPage',
    example: WEBHOOK_EXAMPLES.webhooks,
    codes: [...CURSOR_CODES, 'validation_error'],
  },
  webhook: {
    id: 'getWebhook',
    tag: 'webhooks',
    summary: 'One webhook, and how it is',
    description: 'Where it leads, whether it is on, and what waits for its receiver. Its secret is never shown here.',
    schema: 'Webhook',
    example: WEBHOOK_EXAMPLES.webhook,
    codes: ['invalid_parameter', 'not_found'],
  },
  put_webhook: {
    id: 'putWebhook',
    tag: 'webhooks',
    summary: 'Add or change a webhook',
    description:
      `The id is yours to choose; a customer has at most ${WEBHOOKS_MAX} webhooks. The answer that adds one has its ` +
      '`secret`, which signs its messages and is never shown again: if that answer was lost, renew the secret. Sending ' +
      'the same again changes nothing, except that a webhook that is off is switched on, unless `is_off` is true. What ' +
      'waits goes to the new address. The address has to be `https` and of the public internet.',
    schema: 'WebhookWithSecret',
    example: WEBHOOK_EXAMPLES.webhookMade,
    body: { schema: 'WebhookInput', example: WEBHOOK_EXAMPLES.webhookInput },
    codes: ['invalid_parameter', 'unknown_parameter'],
  },
  delete_webhook: {
    id: 'deleteWebhook',
    tag: 'webhooks',
    summary: 'Delete a webhook',
    description:
      'Nothing more is sent, and what waits is dropped; the hits stay. A webhook that is gone is `not_found`.',
    schema: 'Webhook',
    example: WEBHOOK_EXAMPLES.webhook,
    codes: ['invalid_parameter', 'not_found'],
  },
  webhook_deliveries: {
    id: 'listWebhookDeliveries',
    tag: 'webhooks',
    summary: 'The messages to a webhook',
    description:
      'Each message with its state, newest first, test events included. Messages that were taken are kept for 30 days, ' +
      'unless the operator keeps them for longer.',
    schema: 'WebhookDeliveriesPage',
    example: WEBHOOK_EXAMPLES.webhookDeliveries,
    codes: [...CURSOR_CODES, 'validation_error', 'not_found'],
  },
  renew_webhook_secret: {
    id: 'renewWebhookSecret',
    tag: 'webhooks',
    summary: 'Renew the secret of a webhook',
    description:
      'Makes a new secret, which this answer alone shows. For `grace_seconds` the old one signs too, so that a receiver ' +
      'may still know only that. Each call makes another secret; within the grace, the one that the receiver has ' +
      'signs on, so a call whose answer was lost may be sent again.',
    schema: 'WebhookWithSecret',
    example: WEBHOOK_EXAMPLES.webhookMade,
    body: { schema: 'WebhookSecretInput', example: { grace_seconds: 86_400 } },
    codes: ['invalid_parameter', 'unknown_parameter', 'not_found'],
  },
  test_webhook: {
    id: 'testWebhook',
    tag: 'webhooks',
    summary: 'Send a test event to a webhook',
    description:
      'One signed event of the type `test` goes out within seconds, once, also while the webhook is off; `deliveries` ' +
      'shows what the receiver answered. While one waits, sending the same again makes no other. A customer may send ' +
      'five in ten minutes; then 429 says when the next one may be sent.',
    schema: 'WebhookDelivery',
    example: WEBHOOK_EXAMPLES.webhookTest,
    codes: ['invalid_parameter', 'not_found'],
  },
} as const satisfies Record<keyof typeof WEBHOOK_ENDPOINTS, Operation>;
