/**
 * Whether a load holds any record twice, told from keys of 64 bits: no key twice, no record twice. It knows no records.
 * Memory is bounded: of many keys one part after the other is looked at.
 */

export const KEY_BYTES = 8;
/** Keys looked at in one reading; the table is four times as large, so that its chains stay short. */
const KEYS_AT_ONCE_MAX = 2 ** 20;
const SEPARATOR = 0x1f;

/** Adds the key of an identity: two integers of 32 bits, of which the second is never 0. */
export function addKey(keys: number[], register: string, uid: string): void {
  let upper = 0x811c9dc5;
  let lower = 0x9747b28c;
  const add = (unit: number): void => {
    upper = Math.imul(upper ^ unit, 0x01000193);
    lower = Math.imul(lower ^ unit, 0x5bd1e995);
    lower ^= lower >>> 15;
  };
  for (let position = 0; position < register.length; position += 1) add(register.charCodeAt(position));
  add(SEPARATOR);
  for (let position = 0; position < uid.length; position += 1) add(uid.charCodeAt(position));
  upper = Math.imul(upper ^ (upper >>> 16), 0x85ebca6b);
  lower = Math.imul(lower ^ (lower >>> 13), 0xc2b2ae35);
  keys.push(upper ^ (upper >>> 13), lower ^ (lower >>> 16) || 1);
}

/** `read` yields all `count` keys, in pieces of any length, as often as it is called. */
export async function findRepeat(
  count: number,
  read: () => AsyncIterable<Buffer>,
  atOnceMax: number = KEYS_AT_ONCE_MAX,
): Promise<boolean> {
  const parts = Math.ceil(count / atOnceMax);
  if (parts === 0) return false;
  const slots = 2 ** Math.ceil(Math.log2(Math.min(count, atOnceMax) * 4));
  const table = new Uint32Array(slots * 2);
  for (let part = 0; part < parts; part += 1) {
    table.fill(0);
    let rest: Buffer = Buffer.alloc(0);
    for await (const piece of read()) {
      const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
      const whole = bytes.length - (bytes.length % KEY_BYTES);
      if (addKeys(table, bytes, whole, { part, parts })) return true;
      rest = bytes.subarray(whole);
    }
  }
  return false;
}

/** True as soon as a key is there already. */
function addKeys(
  table: Uint32Array,
  bytes: Buffer,
  whole: number,
  { part, parts }: Record<'part' | 'parts', number>,
): boolean {
  const mask = table.length / 2 - 1;
  for (let at = 0; at < whole; at += KEY_BYTES) {
    const upper = bytes.readUInt32LE(at);
    if (upper % parts !== part) continue;
    const lower = bytes.readUInt32LE(at + 4);
    let slot = (lower & mask) * 2;
    while (table[slot + 1] !== 0) {
      if (table[slot + 1] === lower && table[slot] === upper) return true;
      slot = (slot + 2) % table.length;
    }
    table[slot] = upper;
    table[slot + 1] = lower;
  }
  return false;
}
