/**
 * Checks by 64-bit keys whether any record may come twice in a load: if no key repeats, no record does. Memory is
 * bounded: a large set of keys is split into parts, and read once for each.
 */

export const KEY_BYTES = 8;
/** Keys per part. The table has four slots for each, so that probes stay short. */
const PART_KEYS_MAX = 2 ** 20;
const SEPARATOR = 0x1f;

/** Adds the key of an identity: two 32-bit integers. The second is never 0, which marks a free slot. */
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

/** `read` yields all `count` keys, in buffers of any length, each time it is called. */
export async function findRepeat(
  count: number,
  read: () => AsyncIterable<Buffer>,
  partKeysMax: number = PART_KEYS_MAX,
): Promise<boolean> {
  const parts = Math.ceil(count / partKeysMax);
  if (parts === 0) return false;
  const slots = 2 ** Math.ceil(Math.log2(Math.min(count, partKeysMax) * 4));
  const table = new Uint32Array(slots * 2);
  for (let part = 0; part < parts; part += 1) {
    table.fill(0);
    let rest: Buffer = Buffer.alloc(0);
    for await (const buffer of read()) {
      const bytes = rest.length === 0 ? buffer : Buffer.concat([rest, buffer]);
      const whole = bytes.length - (bytes.length % KEY_BYTES);
      if (addKeys(table, bytes, whole, { part, parts })) return true;
      rest = bytes.subarray(whole);
    }
  }
  return false;
}

/** True as soon as a key turns out to be in the table already. */
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
