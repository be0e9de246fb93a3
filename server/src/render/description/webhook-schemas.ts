/** The schemas of webhooks, derived from the contract. */
import {
  DELIVERY_STATES,
  WEBHOOK_EVENTS,
  WEBHOOK_GRACE_MAX,
  WEBHOOK_OFF_REASONS,
  WEBHOOK_URL_MAX,
  type WebhookDeliveriesPage,
  type WebhookDelivery,
  type WebhookInfo,
  type WebhooksPage,
  type WebhookWithSecret,
} from '@tmds/contract/webhooks';
import { closed, instant, type Json, pageCursor, refer } from './schema-parts.ts';

const count = { type: 'integer', minimum: 0 };
const maybeInstant = { ...instant, type: ['string', 'null'] };

const webhook = {
  id: { type: 'string', description: 'Chosen by the customer, or by the portal.' },
  url: { type: 'string', description: 'Of the receiver.' },
  watch: { type: ['string', 'null'], description: 'Id of the watch that it is for; null: all watches.' },
  created_at: { ...instant, description: 'When it was added.' },
  off_since: { ...maybeInstant, description: 'Null while it is on.' },
  off_reason: {
    type: ['string', 'null'],
    enum: [...WEBHOOK_OFF_REASONS, null],
    description: 'Somebody wants it off, its receiver answered 410, or it took nothing for three days.',
  },
  failures: { ...count, description: 'Attempts in a row that failed.' },
  next_attempt_at: { ...maybeInstant, description: 'After a failed attempt: when the next one is made.' },
  waiting: { ...count, description: 'Messages that its receiver has not taken yet, counted up to 1,000.' },
  delivered_at: { ...maybeInstant, description: 'When its receiver last took a message.' },
  old_secret_until: { ...maybeInstant, description: 'Until when the old secret signs too; null if it does not.' },
};

const delivery = closed<WebhookDelivery>(
  {
    id: { type: 'string', description: 'The header `webhook-id` of each of its attempts.' },
    event: { type: 'string', enum: WEBHOOK_EVENTS, description: 'What it is about.' },
    watch: { type: ['string', 'null'], description: 'Id of the watch that has hits; null for a test.' },
    state: {
      type: 'string',
      enum: DELIVERY_STATES,
      description:
        'Not tried yet, being sent, failed and sent again, taken by the receiver, or a test that was not sent in time.',
    },
    created_at: { ...instant, description: 'When it was made.' },
    attempts: { ...count, description: 'Attempts so far.' },
    attempted_at: { ...maybeInstant, description: 'The last attempt.' },
    next_attempt_at: {
      ...maybeInstant,
      description: 'From when on the next attempt is made, unless the webhook is off; null if none is.',
    },
    delivered_at: { ...maybeInstant, description: 'When the receiver took it.' },
    status: { type: ['integer', 'null'], description: 'What the receiver answered to the last attempt.' },
    duration_ms: { type: ['integer', 'null'], minimum: 0, description: 'How long the last attempt took.' },
    failure: { type: ['string', 'null'], description: 'Why the last attempt failed, in words.' },
  },
  'A message to a webhook, through all of its attempts.',
);

export function buildWebhookSchemas(): Json {
  return {
    WebhookInput: {
      type: 'object',
      description: 'A webhook.',
      required: ['url'],
      properties: {
        url: {
          type: 'string',
          minLength: 1,
          maxLength: WEBHOOK_URL_MAX,
          description: 'Of your receiver: `https`, and public.',
        },
        watch: { type: ['string', 'null'], description: 'Id of a watch. Null or left out: all, future ones included.' },
        is_off: { type: 'boolean', description: 'Sends nothing; pending messages wait. Default: false.' },
      },
      additionalProperties: false,
    },
    WebhookSecretInput: {
      type: 'object',
      description: 'How a secret is renewed.',
      properties: {
        grace_seconds: {
          type: 'integer',
          minimum: 0,
          maximum: WEBHOOK_GRACE_MAX,
          description: 'How long the old secret signs together with the new one. Default: 0.',
        },
      },
      additionalProperties: false,
    },
    Webhook: closed<WebhookInfo>(webhook, 'A webhook.'),
    WebhookWithSecret: closed<WebhookWithSecret>(
      {
        ...webhook,
        secret: {
          type: ['string', 'null'],
          description: 'What signs its messages, if this call made it; null: it was shown before.',
        },
      },
      'A webhook, with its secret if that is new.',
    ),
    WebhooksPage: closed<WebhooksPage>(
      {
        items: { type: 'array', items: refer('schemas', 'Webhook'), description: 'The webhooks.' },
        next_cursor: pageCursor,
      },
      'One page of webhooks.',
    ),
    WebhookDelivery: delivery,
    WebhookDeliveriesPage: closed<WebhookDeliveriesPage>(
      {
        items: { type: 'array', items: refer('schemas', 'WebhookDelivery'), description: 'Newest first.' },
        next_cursor: pageCursor,
      },
      'One page of the messages to a webhook.',
    ),
  };
}
