/**
 * Builds the message: a nudge by the rules of Standard Webhooks, which names only the watch and the position from which
 * to read its hits. The same delivery has the same id and the same body at every attempt, unless the customer changes
 * the reference of the watch in between.
 */
import { randomBytes } from 'node:crypto';
import type { TestMessage, WatchHitsMessage } from '@tmds/contract/webhooks';
import { Webhook } from 'standardwebhooks';
import { encodeHitsAfter } from '../parse/watches.ts';
import { nameMessage } from '../parse/webhooks.ts';

const SECRET_BYTES = 32;

/** `whsec_` and 256 random bits. */
export function buildSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

export interface Nudge {
  /** When its hits were found, as the wire writes instants. */
  readonly createdAt: string;
  /** As the customer names it. */
  readonly watch: string;
  /** The customer's own reference on the watch; null: none. */
  readonly reference: string | null;
  /** Its hits are later than this stamp. */
  readonly after: string;
}

export function writeBody({ createdAt, watch, reference, after }: Nudge): string {
  const data = { watch, reference, since: after, cursor: encodeHitsAfter(watch, after) };
  return JSON.stringify({ type: 'watch.hits', timestamp: createdAt, data } satisfies WatchHitsMessage);
}

/** A test event, which is about nothing: a receiver that knows only hits ignores it by its type. */
export function writeTestBody(createdAt: string): string {
  return JSON.stringify({ type: 'test', timestamp: createdAt, data: {} } satisfies TestMessage);
}

/**
 * The headers of one attempt. `secrets`: each signs, so that a receiver may still know only the previous one.
 *
 * @param nowMs since the Unix epoch; receivers refuse what is older than some minutes
 */
export function signMessage(
  { deliveryId, body }: { deliveryId: string; body: string },
  secrets: readonly string[],
  nowMs: number,
): Record<string, string> {
  const id = nameMessage(deliveryId);
  const at = new Date(nowMs);
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(nowMs / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  };
}
