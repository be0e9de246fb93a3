/**
 * Answers about webhooks (docs/design/webhooks-and-mail.md). Invariant: a secret is in the answer to the call that made
 * it, and in no other.
 */
import type {
  DeliveryState,
  WebhookDeliveriesPage,
  WebhookDelivery,
  WebhookInfo,
  WebhooksPage,
  WebhookWithSecret,
} from '@tmds/contract/webhooks';
import { type DeliveriesRequest, encodeDeliveryCursor, encodeWebhookCursor, nameMessage } from '../parse/webhooks.ts';
import type { StoredMessage } from '../store/webhooks/messages.ts';
import type { CustomerWebhook } from '../store/webhooks/webhooks.ts';
import { type Answer, renderJson } from './answer.ts';

function describe(webhook: CustomerWebhook): WebhookInfo {
  const { id, url, watch, created_at, off_since, off_reason, failures, waiting, delivered_at } = webhook;
  const { paused_until: next_attempt_at, former_ends_at: old_secret_until } = webhook;
  const state = { off_since, off_reason, failures, next_attempt_at, waiting, delivered_at, old_secret_until };
  return { id, url, watch, created_at, ...state };
}

export function renderWebhook(webhook: CustomerWebhook): Answer {
  return renderJson(JSON.stringify(describe(webhook)));
}

/** `secret`: null unless this call made it. */
export function renderWithSecret(webhook: CustomerWebhook, secret: string | null): Answer {
  return renderJson(JSON.stringify({ ...describe(webhook), secret } satisfies WebhookWithSecret));
}

/** `hasMore`: whether there is another page. */
export function renderWebhooks(webhooks: readonly CustomerWebhook[], hasMore: boolean): Answer {
  const last = webhooks.at(-1);
  const next_cursor = hasMore && last !== undefined ? encodeWebhookCursor(last.id) : null;
  return renderJson(JSON.stringify({ items: webhooks.map(describe), next_cursor } satisfies WebhooksPage));
}

export function renderDelivery(message: StoredMessage): Answer {
  return renderJson(JSON.stringify(describeMessage(message)));
}

/** `hasMore`: whether there is another page. */
export function renderDeliveries(
  messages: readonly StoredMessage[],
  request: DeliveriesRequest,
  hasMore: boolean,
): Answer {
  const last = messages.at(-1);
  const next_cursor = hasMore && last !== undefined ? encodeDeliveryCursor(request, last) : null;
  return renderJson(
    JSON.stringify({ items: messages.map(describeMessage), next_cursor } satisfies WebhookDeliveriesPage),
  );
}

const LOST = 'The service stopped while it was sent.';

function describeMessage(message: StoredMessage): WebhookDelivery {
  const { delivery_id, event, watch, created_at, attempts, attempted_at, due_at, delivered_at } = message;
  return {
    id: nameMessage(delivery_id),
    event,
    watch,
    state: stateOf(message),
    created_at,
    attempts,
    attempted_at,
    next_attempt_at: due_at,
    delivered_at,
    status: message.answer_status,
    duration_ms: message.answer_ms,
    failure: message.test_state === 'lost' ? LOST : message.failure,
  };
}

function stateOf({ test_state, attempts, delivered_at, failure, answer_status }: StoredMessage): DeliveryState {
  if (delivered_at !== null) return 'delivered';
  switch (test_state) {
    case 'ended':
    case 'lost':
      return 'failed';
    case 'waiting':
    case 'sending':
    case 'unsent':
      return test_state;
    case null:
      if (attempts === 0) return 'waiting';
      return failure === null && answer_status === null ? 'sending' : 'failed';
  }
}
