/** Hashes of keys that add up: the hash of two texts in a row follows from the hashes of both and a length. */

/** Odd, so that a power of it is never 0 modulo 2^32. */
const BASE = 0x01000193;
/** A longer key counts with its beginning. */
const LENGTH_MAX = 65_535;

/** Powers of the base for the lengths of nearly all keys. */
const POWERS = new Uint32Array(256);
for (let power = 1, length = 0; length < POWERS.length; length += 1) {
  POWERS[length] = power;
  power = Math.imul(power, BASE);
}

function powerOf(length: number): number {
  let power = POWERS[Math.min(length, POWERS.length - 1)]!;
  for (let reached = POWERS.length - 1; reached < length; reached += 1) power = Math.imul(power, BASE);
  return power;
}

/** Every hash and length of the beginnings of a key, the empty one first; the last is that of the key. */
export function hashBeginnings(key: string): { readonly hashes: Uint32Array; readonly length: number } {
  const length = Math.min(key.length, LENGTH_MAX);
  const hashes = new Uint32Array(length + 1);
  for (let at = 0; at < length; at += 1) hashes[at + 1] = Math.imul(hashes[at]!, BASE) + key.charCodeAt(at) + 1;
  return { hashes, length };
}

export function hashKey(key: string): { readonly hash: number; readonly length: number } {
  const { hashes, length } = hashBeginnings(key);
  return { hash: hashes[length]!, length };
}

/** The hash of two keys in a row; `length` is that of the second. */
export function combineHashes(first: number, second: number, length: number): number {
  return (Math.imul(first, powerOf(length)) + second) >>> 0;
}
