/** Webhooks: where a customer is notified of hits, and what became of each message. Limits are counts. */
import { cursor, pageSize } from './parameters.ts';
import type { Instant } from './record.ts';

/** Webhooks of a customer. */
export const WEBHOOKS_MAX = 20;
/** Length of the address of a webhook, in characters. */
export const WEBHOOK_URL_MAX = 2000;
/** How long an old secret may sign together with a new one, in seconds. */
export const WEBHOOK_GRACE_MAX = 7 * 86_400;

/** The form of the id of a webhook. */
export const WEBHOOK_ID_FORM = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** What a message is about: new hits of a watch, or nothing. */
export const WEBHOOK_EVENTS = ['watch.hits', 'test'] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** Why a webhook is off: somebody wants it, its receiver answered 410, or it took nothing for three days. */
export const WEBHOOK_OFF_REASONS = ['customer', 'gone', 'failed'] as const;
export type WebhookOffReason = (typeof WEBHOOK_OFF_REASONS)[number];

/**
 * Not tried yet; the first attempt is under way; the last attempt failed; the receiver took it. `unsent` is a test that
 * was not sent in time, and never will be.
 */
export const DELIVERY_STATES = ['waiting', 'sending', 'failed', 'delivered', 'unsent'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

const WEBHOOKS_PAGE_MAX = 100;
export const WEBHOOKS_PAGE_DEFAULT = 100;
const DELIVERIES_PAGE_MAX = 500;
export const DELIVERIES_PAGE_DEFAULT = 100;

export const WEBHOOK_ENDPOINTS = {
  webhooks: {
    path: '/v1/webhooks',
    parameters: { cursor, limit: pageSize(WEBHOOKS_PAGE_MAX, WEBHOOKS_PAGE_DEFAULT) },
    required: [],
    metered: true,
  },
  webhook: { path: '/v1/webhooks/{webhook}', parameters: {}, required: [], metered: true },
  put_webhook: {
    method: 'PUT',
    path: '/v1/webhooks/{webhook}',
    parameters: {},
    required: [],
    body: 'WebhookInput',
    metered: true,
  },
  delete_webhook: { method: 'DELETE', path: '/v1/webhooks/{webhook}', parameters: {}, required: [], metered: true },
  webhook_deliveries: {
    path: '/v1/webhooks/{webhook}/deliveries',
    parameters: { cursor, limit: pageSize(DELIVERIES_PAGE_MAX, DELIVERIES_PAGE_DEFAULT) },
    required: [],
    metered: true,
  },
  renew_webhook_secret: {
    method: 'PUT',
    path: '/v1/webhooks/{webhook}/secret',
    parameters: {},
    required: [],
    body: 'WebhookSecretInput',
    metered: true,
  },
  test_webhook: { method: 'PUT', path: '/v1/webhooks/{webhook}/test', parameters: {}, required: [], metered: true },
} as const;

/** What a customer sends to add or change a webhook. */
export interface WebhookInput {
  /** Of the receiver: `https`, and public. */
  readonly url: string;
  /** The id of the watch that it is for. Null or left out: all watches, future ones included. */
  readonly watch?: string | null;
  /** Whether nothing is sent; pending messages wait. Default: false, which also switches it on. */
  readonly is_off?: boolean;
}

export interface WebhookSecretInput {
  /** How long the old secret signs together with the new one. Default: 0. */
  readonly grace_seconds?: number;
}

export interface WebhookInfo {
  readonly id: string;
  readonly url: string;
  /** The id of the watch that it is for; null: all watches. */
  readonly watch: string | null;
  readonly created_at: Instant;
  /** Null while it is on. */
  readonly off_since: Instant | null;
  readonly off_reason: WebhookOffReason | null;
  /** Attempts in a row that failed. */
  readonly failures: number;
  /** After a failed attempt: when the next one is made; null otherwise. */
  readonly next_attempt_at: Instant | null;
  /** Messages that its receiver has not taken yet, counted up to 1,000. */
  readonly waiting: number;
  /** When its receiver last took a message; null if none of the latest was taken. */
  readonly delivered_at: Instant | null;
  /** Until when the old secret signs too; null if it does not. */
  readonly old_secret_until: Instant | null;
}

/** The only answers that show a secret. */
export interface WebhookWithSecret extends WebhookInfo {
  /** What its messages are signed with, if it is new; null: it was shown before and is not shown again. */
  readonly secret: string | null;
}

export interface WebhooksPage {
  readonly items: readonly WebhookInfo[];
  readonly next_cursor: string | null;
}

/** A message to a webhook, through all of its attempts. */
export interface WebhookDelivery {
  /** The header `webhook-id` of each of its attempts. */
  readonly id: string;
  readonly event: WebhookEvent;
  /** The id of the watch that has hits; null for a test. */
  readonly watch: string | null;
  readonly state: DeliveryState;
  readonly created_at: Instant;
  readonly attempts: number;
  /** The last attempt. */
  readonly attempted_at: Instant | null;
  /** From when on the next attempt is made, unless the webhook is off; null if none is. */
  readonly next_attempt_at: Instant | null;
  readonly delivered_at: Instant | null;
  /** What the receiver answered to the last attempt; null without an answer. */
  readonly status: number | null;
  readonly duration_ms: number | null;
  /** Why the last attempt failed, in words. */
  readonly failure: string | null;
}

export interface WebhookDeliveriesPage {
  /** Newest first. */
  readonly items: readonly WebhookDelivery[];
  readonly next_cursor: string | null;
}
