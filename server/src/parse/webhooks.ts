/** Turns calls about webhooks into requests. It does not know where an address leads, or whether it may. */
import {
  DELIVERIES_PAGE_DEFAULT,
  WEBHOOK_GRACE_MAX,
  WEBHOOK_ID_FORM,
  WEBHOOK_URL_MAX,
  WEBHOOKS_PAGE_DEFAULT,
} from '@tmds/contract/webhooks';
import { apiError } from '../base/errors.ts';
import { type BodyForm, parseBody, parseText, refuse } from './body.ts';
import {
  CURSORS,
  type CursorBinding,
  cursorInvalid,
  decodeCursor,
  decodePosition,
  encodeCursor,
  encodePosition,
} from './cursor.ts';
import type { DeclaredValues } from './query.ts';

/** More than these objects have, so that one with a few members too many gets its specific error. */
const SHAPE_MAX = { depth: 2, parts: 50 };
const WEBHOOK_BODY: BodyForm = {
  of: 'A webhook',
  members: ['url', 'watch', 'is_off'],
  shape: SHAPE_MAX,
  advice: 'url and, if needed, watch',
};
const SECRET_BODY: BodyForm = {
  of: 'A new secret',
  members: ['grace_seconds'],
  shape: SHAPE_MAX,
  advice: 'grace_seconds, or {}',
};
/** Longer than the id of any watch. */
const WATCH_ID_LENGTH_MAX = 100;

/** @throws ApiError `invalid_parameter`: nothing has an id of another form. */
export function parseWebhookId(text: string): string {
  if (WEBHOOK_ID_FORM.test(text)) return text;
  const form = 'up to 64 letters, digits, dots, underscores or hyphens, beginning with a letter or digit';
  throw apiError('invalid_parameter', `The id of a webhook is ${form}.`, { param: 'webhook' });
}

export interface WebhookRequest {
  readonly url: string;
  /** The id of the watch; null: all. */
  readonly watch: string | null;
  readonly isOff: boolean;
}

/** @throws ApiError `invalid_parameter`, `unknown_parameter`. */
export function parseWebhookBody(body: Buffer, type: string | undefined): WebhookRequest {
  const { url, watch, is_off: isOff = false } = parseBody(body, type, WEBHOOK_BODY);
  if (typeof isOff !== 'boolean') throw refuse('is_off', 'takes true or false.');
  return {
    url: parseText('url', url, WEBHOOK_URL_MAX).trim(),
    watch: watch === undefined || watch === null ? null : parseText('watch', watch, WATCH_ID_LENGTH_MAX),
    isOff,
  };
}

/** How long the old secret signs too, in seconds. */
export function parseSecretBody(body: Buffer, type: string | undefined): number {
  const { grace_seconds: grace = 0 } = parseBody(body, type, SECRET_BODY);
  if (typeof grace === 'number' && Number.isInteger(grace) && grace >= 0 && grace <= WEBHOOK_GRACE_MAX) return grace;
  throw refuse('grace_seconds', `takes an integer from 0 to ${WEBHOOK_GRACE_MAX}.`);
}

export interface WebhooksRequest {
  /** The id after which the page begins; null for the first page. */
  readonly after: string | null;
  readonly limit: number;
}

/** @throws ApiError `cursor_invalid`, `cursor_query_mismatch`. */
export function parseWebhooks(values: DeclaredValues<'webhooks'>): WebhooksRequest {
  const after = values.cursor === undefined ? null : decodeCursor(CURSORS.webhooks(), values.cursor).uid;
  return { after, limit: Number(values.limit ?? WEBHOOKS_PAGE_DEFAULT) };
}

/** The cursor of the webhook at which a page ends. */
export function encodeWebhookCursor(id: string): string {
  return encodeCursor(CURSORS.webhooks(), { value: null, jurisdiction_code: '-', uid: id });
}

/** The id that receivers and programs see of a message, in all of its attempts. */
export function nameMessage(deliveryId: string): string {
  return `msg_${deliveryId.replaceAll('-', '')}`;
}

/** A place among the messages to a webhook. */
export interface DeliveryPlace {
  readonly created_at: string;
  readonly delivery_id: string;
}

export interface DeliveriesRequest {
  readonly id: string;
  /** The page begins with what is older; null for the first page. */
  readonly before: DeliveryPlace | null;
  readonly limit: number;
  readonly binding: CursorBinding;
}

const DELIVERY_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** @throws ApiError `invalid_parameter`, `cursor_invalid`, `cursor_query_mismatch`. */
export function parseDeliveries(values: DeclaredValues<'webhook_deliveries'>, pathId: string): DeliveriesRequest {
  const id = parseWebhookId(pathId);
  const binding = CURSORS.deliveries({ webhook: id });
  const position = decodePosition(binding, values.cursor, null);
  if (position !== null && !DELIVERY_ID.test(position.uid)) throw cursorInvalid();
  const before = position === null ? null : { created_at: position.updated_at, delivery_id: position.uid };
  return { id, before, limit: Number(values.limit ?? DELIVERIES_PAGE_DEFAULT), binding };
}

/** The cursor of the message at which a page ends. */
export function encodeDeliveryCursor(
  { binding }: Pick<DeliveriesRequest, 'binding'>,
  { created_at: updated_at, delivery_id: uid }: DeliveryPlace,
): string {
  return encodePosition({ binding }, { updated_at, jurisdiction_code: '-', uid });
}
