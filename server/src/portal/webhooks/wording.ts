/** The pages' words about webhooks and their deliveries. */
import { html } from 'htm/preact';
import type { CustomerWebhook, ShownDelivery } from '../../store/webhooks/webhooks.ts';
import { renderBadge } from '../frame/components.ts';
import { formatCount, renderInstant } from '../frame/pieces.ts';

const OFF_WORDS = {
  customer: 'off',
  gone: 'off: the receiver answered 410',
  failed: 'off: no delivery was accepted for three days',
} as const;

export function renderWebhookState({ off_reason, failures, paused_until }: CustomerWebhook): unknown {
  if (off_reason !== null) return renderBadge(off_reason === 'customer' ? 'off' : 'bad', OFF_WORDS[off_reason]);
  if (failures === 0) return renderBadge('good', 'live');
  return renderBadge('warn', html`failing, tried again ${renderInstant(paused_until)}`);
}

/** An operator who views the customer sees the host, but no path, which may hold a secret. */
export function nameOf({ url }: Pick<CustomerWebhook, 'url'>, isViewing: boolean): string {
  return isViewing ? new URL(url).host : url;
}

export function describeScope({ is_for_all, watch, watch_name }: CustomerWebhook): unknown {
  if (is_for_all) return 'All watches';
  return watch === null ? 'A deleted watch' : html`<bdi>${watch_name}</bdi> <code>${watch}</code>`;
}

export function renderDeliveryState({ delivered_at, attempts, due_at }: ShownDelivery, isOff: boolean): unknown {
  if (delivered_at !== null) return renderBadge('good', 'delivered');
  if (isOff) return renderBadge('off', 'waits until the webhook is switched on');
  if (attempts === 0) return renderBadge('plain', 'waiting');
  return renderBadge('warn', html`failed, tried again from ${renderInstant(due_at)}`);
}

/** The result of the last attempt. */
export function describeAnswer({ answer_status, answer_bytes, answer_ms, failure, attempts }: ShownDelivery): string {
  if (attempts === 0) return 'not tried yet';
  if (answer_status === null) return failure ?? 'no answer noted yet';
  return describeStatus({ answer_status, answer_bytes, answer_ms });
}

export function describeStatus({
  answer_status,
  answer_bytes,
  answer_ms,
}: Pick<ShownDelivery, 'answer_status' | 'answer_bytes' | 'answer_ms'>): string {
  return `${answer_status}, ${formatCount(answer_bytes ?? 0)} bytes, ${formatCount(answer_ms ?? 0)} ms`;
}
