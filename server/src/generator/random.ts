/**
 * Repeatable randomness: a stream of 32-bit words that is a pure function of (seed, space, index). Every machine and
 * Node version gives the same words, because it uses only integer arithmetic and IEEE division (no Math.pow, no
 * Math.log). It is our own because it is seeded for each record, takes a few lines, and the tests pin its output.
 */

/** A seed, hashed to 64 bits. */
export interface Seed {
  readonly high: number;
  readonly low: number;
}

const FNV_PRIME = 0x01000193;
const TWO_32 = 4_294_967_296;

/** Mixes one 32-bit word so that every input bit affects every output bit. */
function scramble(word: number): number {
  let mixed = word ^ (word >>> 16);
  mixed = Math.imul(mixed, 0x7feb352d);
  mixed ^= mixed >>> 15;
  mixed = Math.imul(mixed, 0x846ca68b);
  return mixed ^ (mixed >>> 16);
}

/** A 32-bit hash of a text's UTF-16 units. */
export function hashText(text: string, start = 0x811c9dc5): number {
  let hash = start;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), FNV_PRIME);
  return scramble(hash);
}

export function buildSeed(seed: string | number): Seed {
  const text = String(seed);
  return { high: hashText(text), low: hashText(text, 0x2f0b4c47) };
}

/** A stream of words from the "small fast counting" generator: 128 bits of state, period at least 2^32. */
export class Random {
  private a = 0;
  private b = 0;
  private c = 0;
  private counter = 1;

  /** `space` separates the streams of different purposes; `index` is any integer from 0 to 2^53. */
  constructor(seed: Seed, space: number, index: number) {
    const highIndex = Math.floor(index / TWO_32);
    this.a = scramble(seed.low ^ Math.imul(index | 0, 0x9e3779b1));
    this.b = scramble(seed.high ^ Math.imul(space | 0, 0x85ebca77) ^ this.a);
    this.c = scramble((index | 0) ^ Math.imul(highIndex | 0, 0xc2b2ae3d) ^ space ^ this.b);
    for (let round = 0; round < 8; round += 1) this.word();
  }

  /** A signed 32-bit word. */
  word(): number {
    const sum = (((this.a + this.b) | 0) + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = ((this.c << 21) | (this.c >>> 11)) + sum;
    this.c |= 0;
    return sum;
  }

  /** 0 <= x < 1, in steps of 2^-32. */
  unit(): number {
    return (this.word() >>> 0) / TWO_32;
  }

  /** An integer from 0 to `bound` - 1. */
  below(bound: number): number {
    return Math.floor(this.unit() * bound);
  }

  /** An integer from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  chance(probability: number): boolean {
    return this.unit() < probability;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /**
   * A rank with a heavy tail: 0 is the most frequent, and the share of ranks beyond r falls as (1 + r/scale)^-0.8.
   * There is no largest rank, so more draws keep finding new ranks: portfolios grow and newcomers keep arriving.
   */
  rank(scale: number): number {
    const odds = 1 / (1 - this.unit());
    return Math.floor(scale * (odds * Math.sqrt(Math.sqrt(odds)) - 1));
  }
}

/** Values to draw by weight; weights are any positive numbers. */
export interface Weighted<T> {
  readonly values: readonly T[];
  readonly bounds: Float64Array;
}

export function buildWeighted<T>(entries: readonly (readonly [T, number])[]): Weighted<T> {
  const bounds = new Float64Array(entries.length);
  let total = 0;
  for (const [i, [, weight]] of entries.entries()) {
    total += weight;
    bounds[i] = total;
  }
  return { values: entries.map(([value]) => value), bounds };
}

/** A table such as `Word 54_000, Combined 24_500`; every value has to be one of `known`. */
export function readShares<T extends string>(known: readonly T[]): (table: string) => [T, number][] {
  return (table) =>
    table.split(',').map((entry) => {
      const text = entry.trim();
      const end = text.lastIndexOf(' ');
      const value = known.find((each) => each === text.slice(0, end));
      const weight = Number(text.slice(end).replaceAll('_', ''));
      if (value === undefined || Number.isNaN(weight)) throw new Error(`not a share of a known value: "${entry}"`);
      return [value, weight];
    });
}

export function pickWeighted<T>(random: Random, weighted: Weighted<T>): T {
  const { bounds, values } = weighted;
  let high = values.length - 1;
  const point = random.unit() * (bounds[high] as number);
  let low = 0;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (point < (bounds[middle] as number)) high = middle;
    else low = middle + 1;
  }
  return values[low] as T;
}
