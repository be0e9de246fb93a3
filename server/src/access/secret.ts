/**
 * The text of a key: `tmds_<id>_<secret><checksum>`. The prefix lets leaked keys be found in code and logs, the
 * checksum refuses typos without the database. At rest there is only a SHA-256 of the whole text: the secret is 190
 * random bits, which no guessing reaches, so a slow password hash would only slow down the service.
 */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'tmds';
const ID_CHARACTERS = '0123456789abcdefghijklmnopqrstuvwxyz';
const SECRET_CHARACTERS = `${ID_CHARACTERS}ABCDEFGHIJKLMNOPQRSTUVWXYZ`;
const ID_LENGTH = 12;
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;

const KEY_FORM = new RegExp(
  `^${PREFIX}_([0-9a-z]{${ID_LENGTH}})_[0-9A-Za-z]{${SECRET_LENGTH}}([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`,
);

export interface PresentedKey {
  readonly keyId: string;
  /** SHA-256 of the whole text. */
  readonly digest: Buffer;
}

/** A new id for a key; it is public. */
export function buildKeyId(): string {
  return randomText(ID_CHARACTERS, ID_LENGTH);
}

/** A new secret for the key of this id: the text to show once, and the digest to store. */
export function buildKeyText(keyId: string): { text: string; digest: Buffer } {
  const body = `${PREFIX}_${keyId}_${randomText(SECRET_CHARACTERS, SECRET_LENGTH)}`;
  const text = body + checksum(body);
  return { text, digest: digestText(text) };
}

/** Null for a text that was never issued: wrong form or wrong checksum. */
export function parseKeyText(text: string): PresentedKey | null {
  const match = KEY_FORM.exec(text);
  if (match === null || checksum(text.slice(0, -CHECKSUM_LENGTH)) !== match[2]) return null;
  return { keyId: match[1]!, digest: digestText(text) };
}

/** A one-time token of 256 random bits, for links. */
export function buildToken(): { text: string; digest: Buffer } {
  const text = randomBytes(32).toString('base64url');
  return { text, digest: digestText(text) };
}

export function digestText(text: string): Buffer {
  // By way of text: a digest asked for as bytes has memory of its own, and is dear to make and to collect.
  return Buffer.from(hash('sha256', text, 'hex'), 'hex');
}

/** In constant time. */
export function equalDigests(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let position = 0; position < CHECKSUM_LENGTH; position += 1) {
    text = SECRET_CHARACTERS[rest % SECRET_CHARACTERS.length]! + text;
    rest = Math.floor(rest / SECRET_CHARACTERS.length);
  }
  return text;
}

/** Uniform: bytes beyond the largest multiple of the alphabet are thrown away. */
function randomText(characters: string, length: number): string {
  const bound = 256 - (256 % characters.length);
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < bound && text.length < length) text += characters[byte % characters.length];
    }
  }
  return text;
}
