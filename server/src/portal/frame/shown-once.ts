/**
 * Secrets that are shown once, on the page after the form that created them: keys and invitation links. Between the two
 * requests the text is stored encrypted, with a key derived from the session's token. The database has only the token's
 * digest, so it cannot decrypt what it stores. Reading the text removes it.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { digestText } from '../../access/secret.ts';
import { takeReveal, upsertReveal } from '../../store/accounts/portal-forms.ts';
import type { Queryable } from '../../store/driver/db.ts';

/** From one page to the next; browsers follow the redirect at once. */
const SECRET_SECONDS = 300;

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A new key or link, and what its page says about it. */
export interface ShownSecret {
  readonly title: string;
  readonly text: string;
  /** When the link, or the replaced text of the key, stops working; null when nothing does. */
  readonly until: string | null;
}

export async function keepSecret(
  db: Queryable,
  { token, subject }: { token: string; subject: string },
  revealed: ShownSecret,
): Promise<void> {
  const sealed = seal(token, subject, JSON.stringify(revealed));
  await upsertReveal(db, { session_digest: digestText(token), subject, sealed, valid_seconds: SECRET_SECONDS });
}

/** Null when it has been shown already or has expired. */
export async function takeSecret(
  db: Queryable,
  { token, subject }: { token: string; subject: string },
): Promise<ShownSecret | null> {
  const sealed = await takeReveal(db, digestText(token), subject);
  return sealed === null ? null : (JSON.parse(unseal(token, subject, sealed)) as ShownSecret);
}

function keyOf(token: string): Buffer {
  return Buffer.from(hkdfSync('sha256', token, '', 'portal reveal', 32));
}

function seal(token: string, subject: string, text: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(token), nonce).setAAD(Buffer.from(subject));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

function unseal(token: string, subject: string, sealed: Buffer): string {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const decipher = createDecipheriv(CIPHER, keyOf(token), nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(subject)).setAuthTag(tag);
  const body = sealed.subarray(NONCE_BYTES + TAG_BYTES);
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
}
