/** Seeded randomness of the torture harness: one run can be had again by its seed, as far as timing allows. */

export interface Random {
  /** 0 ≤ x < 1 */
  next(): number;
  /** An integer from `min` to `max`, both included. */
  integer(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(values: readonly T[]): T;
}

/** Equal parts give the same sequence. */
export function buildRandom(...parts: readonly number[]): Random {
  let state = parts.reduce((hash, part) => Math.imul(hash ^ part, 0x9e3779b1) + 0x7f4a7c15, 0x1234567);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  return {
    next,
    integer: (min, max) => min + Math.floor(next() * (max - min + 1)),
    chance: (probability) => next() < probability,
    pick: (values) => values[Math.floor(next() * values.length)]!,
  };
}
