/** Verifies messages to a webhook, which are signed by the rules of Standard Webhooks. */
import { createHmac, timingSafeEqual } from 'node:crypto';

const TOLERANCE_SECONDS = 300;

export interface WebhookMessage {
  /** The same for every attempt of one delivery. */
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Why a message is refused. */
export class Unverified extends Error {}

/** The key of a secret, `whsec_` and base64; null if it is not one. */
export function readWebhookSecret(secret: string): Buffer | null {
  const text = secret.replace(/^whsec_/, '');
  const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(text) && text.length % 4 === 0;
  return isBase64 ? Buffer.from(text, 'base64') : null;
}

/** @throws Unverified */
export function verifyMessage(keys: readonly Buffer[], headers: Headers, body: Buffer, nowMs: number): WebhookMessage {
  const [id, stamp, signatures] = ['id', 'timestamp', 'signature'].map((name) => headers[`webhook-${name}`] ?? '');
  if (typeof id !== 'string' || typeof stamp !== 'string' || typeof signatures !== 'string' || id === '') {
    throw new Unverified('the headers of a webhook are missing');
  }
  if (!/^\d{1,12}$/.test(stamp) || Math.abs(nowMs / 1000 - Number(stamp)) > TOLERANCE_SECONDS) {
    throw new Unverified(`its time is more than ${TOLERANCE_SECONDS / 60} minutes from the clock of this machine`);
  }
  const offered = signatures.split(' ').filter((each) => each.startsWith('v1,'));
  const fits = keys.flatMap((key) => {
    const expected = createHmac('sha256', key).update(`${id}.${stamp}.`).update(body).digest();
    return offered.map((each) => isSame(expected, Buffer.from(each.slice(3), 'base64')));
  });
  if (!fits.includes(true)) throw new Unverified('its signature is not by this secret');
  return readMessage(id, body);
}

function isSame(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

function readMessage(id: string, body: Buffer): WebhookMessage {
  let message: Partial<WebhookMessage> | null = null;
  try {
    message = JSON.parse(body.toString('utf8')) as Partial<WebhookMessage> | null;
  } catch {
    // Judged below.
  }
  const { type, timestamp, data } = message ?? {};
  if (typeof type !== 'string' || typeof timestamp !== 'string' || typeof data !== 'object' || data === null) {
    throw new Unverified('its body is not an event of the service');
  }
  return { id, type, timestamp, data };
}
