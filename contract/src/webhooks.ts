/** Webhooks: where a customer is notified of hits, and what became of each message. Limits are counts. */
import { cursor, pageSize } from './parameters.ts';
import type { Instant } from './record.ts';
import type { Count, PageCursor, Text } from './values.ts';

/** Webhooks of a customer. */
export const WEBHOOKS_MAX = 20;
/** Length of the address of a webhook, in characters. */
export const WEBHOOK_URL_MAX = 2000;
/** How long an old secret may sign together with a new one, in seconds. */
export const WEBHOOK_GRACE_MAX = 7 * 86_400;

/** The form of the id of a webhook. */
export const WEBHOOK_ID_FORM = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** What a message is about: new hits of a watch, or nothing. */
export type WebhookEvent = 'watch.hits' | 'test';

/** Why a webhook is off: somebody wants it, its receiver answered 410, or it took nothing for three days. */
export type WebhookOffReason = 'customer' | 'gone' | 'failed';

/**
 * Not tried yet; the first attempt is under way; the last attempt failed; the receiver took it. `unsent` is a test that
 * was not sent in time, and never will be.
 */
export type DeliveryState = 'waiting' | 'sending' | 'failed' | 'delivered' | 'unsent';

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

/** A webhook. @schema @closed */
export interface WebhookInput {
  /** Of your receiver: `https`, and public. @minLength 1 @maxLength WEBHOOK_URL_MAX */
  readonly url: string;
  /** Id of a watch. Null or left out: all, future ones included. */
  readonly watch?: string | null;
  /** Sends nothing; pending messages wait. Default: false, which also switches it on. */
  readonly is_off?: boolean;
}

/** How a secret is renewed. @schema @closed */
export interface WebhookSecretInput {
  /** How long the old secret signs together with the new one. Default: 0. @maximum WEBHOOK_GRACE_MAX */
  readonly grace_seconds?: Count;
}

/** A webhook. @schema Webhook */
export interface WebhookInfo {
  /** Chosen by the customer, or by the portal. */
  readonly id: string;
  /** Of the receiver. */
  readonly url: string;
  /** Id of the watch that it is for; null: all watches. */
  readonly watch: string | null;
  /** When it was added. */
  readonly created_at: Instant;
  /** Null while it is on. */
  readonly off_since: Instant | null;
  /** Somebody wants it off, its receiver answered 410, or it took nothing for three days. */
  readonly off_reason: WebhookOffReason | null;
  /** Attempts in a row that failed. */
  readonly failures: Count;
  /** After a failed attempt: when the next one is made; null otherwise. */
  readonly next_attempt_at: Instant | null;
  /** Messages that its receiver has not taken yet, counted up to 1,000. */
  readonly waiting: Count;
  /** When its receiver last took a message; null if none of the latest was taken. */
  readonly delivered_at: Instant | null;
  /** Until when the old secret signs too; null if it does not. */
  readonly old_secret_until: Instant | null;
}

/** A webhook, with its secret if that is new. @schema */
export interface WebhookWithSecret extends WebhookInfo {
  /** What signs its messages, if this call made it; null: it was shown before. */
  readonly secret: string | null;
}

/** One page of webhooks. @schema */
export interface WebhooksPage {
  /** The webhooks. */
  readonly items: readonly WebhookInfo[];
  readonly next_cursor: PageCursor;
}

/** A message to a webhook, through all of its attempts. @schema */
export interface WebhookDelivery {
  /** The header `webhook-id` of each of its attempts. */
  readonly id: string;
  /** What it is about. */
  readonly event: WebhookEvent;
  /** Id of the watch that has hits; null for a test. */
  readonly watch: string | null;
  /** Not tried yet, being sent, failed and sent again, taken by the receiver, or a test that was not sent in time. */
  readonly state: DeliveryState;
  /** When it was made. */
  readonly created_at: Instant;
  /** Attempts so far. */
  readonly attempts: Count;
  /** The last attempt. */
  readonly attempted_at: Instant | null;
  /** From when on the next attempt is made, unless the webhook is off; null if none is. */
  readonly next_attempt_at: Instant | null;
  /** When the receiver took it. */
  readonly delivered_at: Instant | null;
  /** What the receiver answered to the last attempt; null without an answer. */
  readonly status: number | null;
  /** How long the last attempt took. */
  readonly duration_ms: Count | null;
  /** Why the last attempt failed, in words. */
  readonly failure: string | null;
}

/** One page of the messages to a webhook. @schema */
export interface WebhookDeliveriesPage {
  /** Newest first. */
  readonly items: readonly WebhookDelivery[];
  readonly next_cursor: PageCursor;
}

/** A watch has new hits. @schema */
export interface WatchHitsMessage {
  /** What happened. */
  readonly type: 'watch.hits';
  /** When the hits were found. */
  readonly timestamp: Instant;
  /** From where the new hits are read. */
  readonly data: {
    /** Id of the watch. */
    readonly watch: Text;
    /** Your own reference on the watch; null: none. */
    readonly reference: string | null;
    /** Send it, with `cursor`, to the hits of the watch. */
    readonly since: Instant;
    /** The position after which the new hits are. */
    readonly cursor: Text;
  };
}

/** A test of the receiver. @schema */
export interface TestMessage {
  /** A test that somebody asked for. */
  readonly type: 'test';
  /** When it was asked for. */
  readonly timestamp: Instant;
  /** Always empty. */
  readonly data: Record<string, never>;
}
