/** Example answers of the endpoints of webhooks, for the interface description. */
import type {
  WebhookDeliveriesPage,
  WebhookDelivery,
  WebhookInfo,
  WebhookInput,
  WebhooksPage,
  WebhookWithSecret,
} from '@tmds/contract/webhooks';

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

export const WEBHOOK_EXAMPLES = {
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
