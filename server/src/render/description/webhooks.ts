/**
 * What the interface description says about webhooks: the endpoints, with example answers, and what is sent to them.
 * `webhook/message.ts` writes the messages.
 */
import {
  type TestMessage,
  type WatchHitsMessage,
  type WEBHOOK_ENDPOINTS,
  WEBHOOKS_MAX,
  type WebhookDeliveriesPage,
  type WebhookDelivery,
  type WebhookInfo,
  type WebhookInput,
  type WebhooksPage,
  type WebhookWithSecret,
} from '@tmds/contract/webhooks';
import { ANSWER_SCHEMAS } from './answer-schemas.ts';
import type { Operation } from './operation.ts';
import { type Json, refer } from './schema-parts.ts';

const url = 'https://docketing.example/hooks/trademarks';

const webhook: WebhookInfo = {
  id: 'docketing',
  url,
  watch: null,
  created_at: '2026-08-01T08:30:00.000000Z',
  off_since: null,
  off_reason: null,
  failures: 0,
  next_attempt_at: null,
  waiting: 0,
  delivered_at: '2026-11-24T00:00:02.517000Z',
  old_secret_until: null,
};

const test: WebhookDelivery = {
  id: 'msg_5f0d6ee5b4c04bd8a3f9a6b0a1c2d3e4',
  event: 'test',
  watch: null,
  state: 'waiting',
  created_at: '2026-11-24T09:15:00.000000Z',
  attempts: 0,
  attempted_at: null,
  next_attempt_at: null,
  delivered_at: null,
  status: null,
  duration_ms: null,
  failure: null,
};

const delivery: WebhookDelivery = {
  ...test,
  id: 'msg_0b7c1d9c64f24cf2bd8e3f55a2f0c911',
  event: 'watch.hits',
  watch: 'lumora-eu',
  state: 'failed',
  created_at: '2026-11-24T00:00:00.123456Z',
  attempts: 2,
  attempted_at: '2026-11-24T00:00:12.004000Z',
  next_attempt_at: '2026-11-24T00:00:32.004000Z',
  status: 503,
  duration_ms: 87,
  failure: 'It answered 503.',
};

const WEBHOOK_EXAMPLES = {
  webhookInput: { url } satisfies WebhookInput,
  webhook,
  webhookMade: {
    ...webhook,
    delivered_at: null,
    secret: 'whsec_bm90IGEgc2VjcmV0LCBidXQgMzIgYnl0ZXMgbG9uZyE=',
  } satisfies WebhookWithSecret,
  webhooks: { items: [webhook], next_cursor: null } satisfies WebhooksPage,
  webhookTest: test,
  webhookDeliveries: { items: [test, delivery], next_cursor: null } satisfies WebhookDeliveriesPage,
};

export const WEBHOOK_OPERATIONS = {
  webhooks: {
    id: 'listWebhooks',
    tag: 'webhooks',
    summary: 'Webhooks of the customer',
    description: 'The webhooks of the customer of the key, those of the portal included, in the order of their ids.',
    schema: 'WebhooksPage',
    example: WEBHOOK_EXAMPLES.webhooks,
  },
  webhook: {
    id: 'getWebhook',
    tag: 'webhooks',
    summary: 'One webhook and its state',
    description: 'Its address, whether it is on, and its pending messages. Its secret is never shown here.',
    schema: 'Webhook',
    example: WEBHOOK_EXAMPLES.webhook,
  },
  put_webhook: {
    id: 'putWebhook',
    tag: 'webhooks',
    summary: 'Add or change a webhook',
    description:
      `You choose the id; a customer has at most ${WEBHOOKS_MAX} webhooks. The answer that adds one has its ` +
      '`secret`, which signs its messages and is never shown again: if that answer was lost, renew the secret. Sending ' +
      'the same body again changes nothing, except that a webhook that is off is switched on, unless `is_off` is true. ' +
      'Pending messages go to the new address, which has to be `https` and on the public internet.',
    schema: 'WebhookWithSecret',
    example: WEBHOOK_EXAMPLES.webhookMade,
    body: { schema: 'WebhookInput', example: WEBHOOK_EXAMPLES.webhookInput },
  },
  delete_webhook: {
    id: 'deleteWebhook',
    tag: 'webhooks',
    summary: 'Delete a webhook',
    description:
      'Nothing more is sent, and pending messages are dropped; the hits stay. A deleted webhook is `not_found`.',
    schema: 'Webhook',
    example: WEBHOOK_EXAMPLES.webhook,
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
  },
  renew_webhook_secret: {
    id: 'renewWebhookSecret',
    tag: 'webhooks',
    summary: 'Renew the secret of a webhook',
    description:
      'Makes a new secret, which this answer alone shows. For `grace_seconds` the old one signs too, so that a receiver ' +
      'that knows only the old one keeps working. Each call makes another secret; within the grace, the one that the ' +
      'receiver has keeps signing, so you may send a call again if its answer was lost.',
    schema: 'WebhookWithSecret',
    example: WEBHOOK_EXAMPLES.webhookMade,
    body: { schema: 'WebhookSecretInput', example: { grace_seconds: 86_400 } },
  },
  test_webhook: {
    id: 'testWebhook',
    tag: 'webhooks',
    summary: 'Send a test event to a webhook',
    description:
      'One signed event of the type `test` is sent once, within seconds, even while the webhook is off; `deliveries` ' +
      'shows what the receiver answered. While one is pending, the same request makes no other. A customer may send ' +
      'five in ten minutes; then 429 says when the next one may be sent.',
    schema: 'WebhookDelivery',
    example: WEBHOOK_EXAMPLES.webhookTest,
  },
} as const satisfies Record<keyof typeof WEBHOOK_ENDPOINTS, Operation>;

const HITS_EXAMPLE: WatchHitsMessage = {
  type: 'watch.hits',
  timestamp: '2026-11-24T00:00:00.123456Z',
  data: {
    watch: 'lumora-eu',
    reference: 'M-2041',
    since: '2026-11-23T06:00:00.000001Z',
    cursor: 'AXQuZXhhbXBsZQ',
  },
};
const TEST_EXAMPLE: TestMessage = { type: 'test', timestamp: '2026-11-24T00:00:00.123456Z', data: {} };

export function buildMessageSchemas(): Json {
  return {
    WatchHitsMessage: { ...ANSWER_SCHEMAS.WatchHitsMessage, examples: [HITS_EXAMPLE] },
    TestMessage: { ...ANSWER_SCHEMAS.TestMessage, examples: [TEST_EXAMPLE] },
  };
}

export function buildWebhooks(): Json {
  return {
    'watch.hits': buildMessage({
      id: 'onWatchHits',
      summary: 'A watch has new hits',
      schema: 'WatchHitsMessage',
      example: HITS_EXAMPLE,
      description: 'Sent within seconds after a publish was matched, and repeated until the receiver takes it.',
    }),
    test: buildMessage({
      id: 'onTestEvent',
      summary: 'A test of the receiver',
      schema: 'TestMessage',
      example: TEST_EXAMPLE,
      description: 'Sent once, when somebody asks for it, on the page of the webhook or by program.',
    }),
  };
}

interface Message {
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly schema: string;
  readonly example: WatchHitsMessage | TestMessage;
}

function buildMessage({ id, summary, description, schema, example }: Message): Json {
  return {
    post: {
      operationId: id,
      tags: ['webhooks'],
      summary,
      description: `${description} [Webhooks](/docs/webhooks) says how it is signed and what a receiver does.`,
      security: [],
      parameters: [
        buildHeader(
          'webhook-id',
          'The same at every attempt: drop what you have.',
          'msg_5f0d6ee5b4c04bd8a3f9a6b0a1c2d3e4',
        ),
        buildHeader('webhook-timestamp', 'When it was sent, in seconds of Unix time.', '1795478400'),
        buildHeader(
          'webhook-signature',
          'Signatures by Standard Webhooks, separated by blanks.',
          'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
        ),
      ],
      requestBody: { required: true, content: { 'application/json': { schema: refer('schemas', schema), example } } },
      responses: {
        204: { description: 'Taken. Any status from 200 to 299 within ten seconds means the same.' },
        410: { description: 'Switches the webhook off. Any other status is a failure, and the message is sent again.' },
      },
    },
  };
}

function buildHeader(name: string, description: string, example: string): Json {
  return { name, in: 'header', required: true, description, schema: { type: 'string', minLength: 1 }, example };
}
