/** Typed arrays of a segment: shared between threads once they are complete, growing while they are built. */

export type Numbers = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array;

type Constructor<Kind extends Numbers> = {
  new (buffer: ArrayBufferLike, byteOffset?: number, length?: number): Kind;
  readonly BYTES_PER_ELEMENT: number;
};

/** Zeros in memory that threads can share. */
export function shareZeros<Kind extends Numbers>(kind: Constructor<Kind>, length: number): Kind {
  return new kind(new SharedArrayBuffer(length * kind.BYTES_PER_ELEMENT));
}

/** A copy in memory that threads can share. */
export function shareCopy<Kind extends Numbers>(kind: Constructor<Kind>, numbers: Kind): Kind {
  const shared = shareZeros(kind, numbers.length);
  shared.set(numbers as never);
  return shared;
}

/** Growing by so much, an array is copied a bounded number of times and wastes at most a third. */
const GROWTH = 1.5;

/** Numbers appended one by one. `array` is replaced when it grows: read it anew after `push` and `reserve`. */
export class Growing<Kind extends Numbers> {
  array: Kind;
  length = 0;
  private readonly kind: Constructor<Kind>;

  constructor(kind: Constructor<Kind>, capacity = 1024) {
    this.kind = kind;
    this.array = new kind(new ArrayBuffer(capacity * kind.BYTES_PER_ELEMENT));
  }

  /** Makes room for so many more. */
  reserve(more: number): void {
    const needed = this.length + more;
    if (needed <= this.array.length) return;
    const capacity = Math.max(needed, Math.ceil(this.array.length * GROWTH));
    const grown = new this.kind(new ArrayBuffer(capacity * this.kind.BYTES_PER_ELEMENT));
    grown.set(this.array.subarray(0, this.length) as never);
    this.array = grown;
  }

  push(value: number): void {
    if (this.length === this.array.length) this.reserve(1);
    this.array[this.length] = value;
    this.length += 1;
  }

  filled(): Kind {
    return this.array.subarray(0, this.length) as Kind;
  }

  /** What was appended, in memory that threads can share. */
  share(): Kind {
    return shareCopy(this.kind, this.filled());
  }
}

/** The first position in [from, to) whose value is not below `value`; `to` if there is none. Values ascend. */
export function lowerBound(values: Numbers, value: number, from = 0, to = values.length): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
