/**
 * Seals texts for storage: encrypts them and binds them to their subject, with a key that is derived for one use. It
 * stores nothing and knows no key. Invariant: a text sealed for one subject or use cannot be opened for another.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface SealUse {
  /** The secret from which the key is derived. */
  readonly from: string | Buffer;
  /** The use of the key, such as `portal reveal`. */
  readonly use: string;
  /** What this text is about. */
  readonly subject: string;
}

export function seal({ from, use, subject }: SealUse, text: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(from, use), nonce).setAAD(Buffer.from(subject));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

/** Throws if the text was not sealed by `seal` with the same three arguments. */
export function unseal({ from, use, subject }: SealUse, sealed: Buffer): string {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const decipher = createDecipheriv(CIPHER, keyOf(from, use), nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(subject)).setAuthTag(tag);
  const body = sealed.subarray(NONCE_BYTES + TAG_BYTES);
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
}

function keyOf(from: string | Buffer, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', from, '', use, 32));
}
