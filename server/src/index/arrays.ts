/** Typed arrays of segments: they grow while a segment is built and are shared between threads once it is complete. */

export type Numbers = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array;

type Constructor<Kind extends Numbers> = {
  new (buffer: ArrayBufferLike, byteOffset?: number, length?: number): Kind;
  readonly BYTES_PER_ELEMENT: number;
};

/** An array of zeros in memory that threads can share. */
export function shareZeros<Kind extends Numbers>(kind: Constructor<Kind>, length: number): Kind {
  return new kind(new SharedArrayBuffer(length * kind.BYTES_PER_ELEMENT));
}

/** A copy in memory that threads can share. */
export function shareCopy<Kind extends Numbers>(kind: Constructor<Kind>, numbers: Kind): Kind {
  const shared = shareZeros(kind, numbers.length);
  shared.set(numbers as never);
  return shared;
}

/** Factor of growth: copies each number about twice over all growths, and wastes at most a third of the memory. */
const GROWTH = 1.5;

/** An array that numbers are appended to. `push` and `reserve` may replace `array`, so read the property again. */
export class Growing<Kind extends Numbers> {
  array: Kind;
  length = 0;
  private readonly kind: Constructor<Kind>;

  constructor(kind: Constructor<Kind>, capacity = 1024) {
    this.kind = kind;
    this.array = new kind(new ArrayBuffer(capacity * kind.BYTES_PER_ELEMENT));
  }

  /** Makes room for `more` numbers. */
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

  /** Gives back the room that is not used. */
  trim(): void {
    if (this.length < this.array.length) this.array = this.array.slice(0, this.length) as Kind;
  }

  filled(): Kind {
    return this.array.subarray(0, this.length) as Kind;
  }

  /** A copy of the appended numbers in memory that threads can share. */
  share(): Kind {
    return shareCopy(this.kind, this.filled());
  }
}

/** The first position in [from, to) whose value is at least `value`; `to` if there is none. Values ascend. */
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
