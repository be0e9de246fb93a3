/**
 * The text of a key: `tmds_<id>_<secret><checksum>`. The prefix makes leaked keys easy to find in code and logs; the
 * checksum reveals typos without a query. Only the SHA-256 of the text is stored: the secret has 190 random bits and
 * cannot be guessed, so a slow password hash would only slow down the service.
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
  `^(?<body>${PREFIX}_(?<id>[0-9a-z]{${ID_LENGTH}})_[0-9A-Za-z]{${SECRET_LENGTH}})(?<sum>[0-9A-Za-z]{${CHECKSUM_LENGTH}})$`,
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

/** A new secret for a key: the text to show once, and the digest to store. */
export function buildKeyText(keyId: string): { text: string; digest: Buffer } {
  const body = `${PREFIX}_${keyId}_${randomText(SECRET_CHARACTERS, SECRET_LENGTH)}`;
  const text = body + checksum(body);
  return { text, digest: digestText(text) };
}

/** Null for text that was never issued: its form or its checksum is wrong. */
export function parseKeyText(text: string): PresentedKey | null {
  const { body = '', id = '', sum } = KEY_FORM.exec(text)?.groups ?? {};
  return sum === undefined || checksum(body) !== sum ? null : { keyId: id, digest: digestText(text) };
}

/** A one-time token of 256 random bits, for links. */
export function buildToken(): { text: string; digest: Buffer } {
  const text = randomBytes(32).toString('base64url');
  return { text, digest: digestText(text) };
}

export function digestText(text: string): Buffer {
  // From hex, because a digest requested as bytes has its own memory allocation, which costs more to make and collect.
  return Buffer.from(hash('sha256', text, 'hex'), 'hex');
}

/** Compares in constant time. */
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

/** Uniform, because bytes at or above the largest multiple of the alphabet's length are skipped. */
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
