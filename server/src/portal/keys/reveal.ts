/**
 * Texts that are shown once, on the page after the one that made them: keys and invitations. Between the two pages the
 * text lies in the database, sealed with a key made of the session's token; the database knows only the token's
 * digest, so that it holds nothing it could open. Taking the text removes it.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { digestText } from '../../access/secret.ts';
import { takeReveal, upsertReveal } from '../../store/accounts/portal-forms.ts';
import type { Queryable } from '../../store/driver/db.ts';

/** From the page that made it to the page that shows it; both follow each other at once. */
const REVEAL_SECONDS = 300;

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** What is shown of a new key or link beside its text. */
export interface Revealed {
  readonly title: string;
  readonly text: string;
  /** When something ends: the link, or the replaced text of a key; null when nothing does. */
  readonly until: string | null;
}

export async function keepReveal(
  db: Queryable,
  { token, subject }: { token: string; subject: string },
  revealed: Revealed,
): Promise<void> {
  const sealed = seal(token, subject, JSON.stringify(revealed));
  await upsertReveal(db, { session_digest: digestText(token), subject, sealed, valid_seconds: REVEAL_SECONDS });
}

/** Null when it was shown already, or its time is over. */
export async function openReveal(
  db: Queryable,
  { token, subject }: { token: string; subject: string },
): Promise<Revealed | null> {
  const sealed = await takeReveal(db, digestText(token), subject);
  return sealed === null ? null : (JSON.parse(unseal(token, subject, sealed)) as Revealed);
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
