/**
 * Who calls, and who delays others by searching: the part of fairness that every call passes, so it does as little as
 * it can. A customer crowds out others if it takes more than its share of the search threads while others that do not
 * are calling. While calls of customers who keep to their share are under way, patient threads make way (`rests.ts`).
 * It does not know whose search is next (`search-turns.ts`).
 */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../base/clock.ts';

/** For this long after a call of one customer, no other customer counts as alone. */
const COMPANY_MS = 1_000;
/** From the end of a call to the next one of the same caller, in milliseconds, with room to spare. */
const CALM_MS = 1;
/** Permanent share of one thread: most of it is left to others even if there is only one. */
const SHARE = 0.25;
/**
 * What a customer may take beyond its share, in milliseconds. Other customers' calls within a second must not feel it,
 * and a search or two by a person need no patience.
 */
const BURST_MS = 10;
/**
 * The most that is counted against a customer, in milliseconds: one that stops has its share again in less than half a
 * second.
 */
const EXCESS_MS_MAX = 100;
/** A bound on memory. A forgotten customer has not searched for longer than all of these. */
const CUSTOMERS_MAX = 1_000;

interface Excess {
  readonly ms: number;
  /** On the monotonic clock. */
  readonly atMs: number;
}

interface LastCall {
  readonly customer: string;
  readonly atMs: number;
}

/** Whether patient threads have to make way, in memory that all threads share. The main thread alone changes it. */
export class WayFlag {
  readonly shared: SharedArrayBuffer;
  private readonly flag: Int32Array;

  constructor(shared = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.shared = shared;
    this.flag = new Int32Array(shared);
  }

  get isSet(): boolean {
    return Atomics.load(this.flag, 0) === 1;
  }

  set(isSet: boolean): void {
    if (isSet === this.isSet) return;
    Atomics.store(this.flag, 0, isSet ? 1 : 0);
    if (!isSet) Atomics.notify(this.flag, 0);
  }

  /** Blocks the thread until the flag is taken back, for `timeoutMs` milliseconds at most. */
  wait(timeoutMs: number): void {
    Atomics.wait(this.flag, 0, 1, timeoutMs);
  }
}

const nothing = (): void => {};

export class Company {
  private readonly flag: Pick<WayFlag, 'isSet' | 'set'>;
  private readonly spare: number;
  private readonly clock: Pick<Clock, 'callAfter' | 'monotonicMs'>;
  /** What customers have taken beyond their share. */
  private readonly excesses = new LRUCache<string, Excess>({ max: CUSTOMERS_MAX });
  /**
   * The last call within its customer's share, and the last one of another customer: enough to know for every customer
   * whether others are calling.
   */
  private last: LastCall | null = null;
  private another: LastCall | null = null;
  private underWay = 0;
  private isCalming = false;

  /** `flag` makes the patient threads rest. `spare`: processors that they do not use, at least 1. */
  constructor(flag: Pick<WayFlag, 'isSet' | 'set'>, spare: number, clock: Pick<Clock, 'callAfter' | 'monotonicMs'>) {
    this.flag = flag;
    this.spare = spare;
    this.clock = clock;
  }

  /** A customer calls, for a search or for anything else. The returned function has to be called once, at the end. */
  readonly beginCall = (customer: string): (() => void) => {
    if (!this.noteCall(customer, this.clock.monotonicMs())) return nothing;
    this.underWay += 1;
    if (this.areMany) this.flag.set(true);
    return this.endCall;
  };

  /** Whether a customer delays others by how much it searches. */
  readonly isCrowding = (customer: string): boolean => this.crowds(customer, this.clock.monotonicMs());

  /** As `beginCall`, for a search that is part of a call. Returns whether the customer keeps to its share. */
  noteCall(customer: string, atMs: number): boolean {
    if (this.exceedsShare(customer, atMs)) return false;
    if (this.last !== null && this.last.customer !== customer) this.another = this.last;
    this.last = { customer, atMs };
    return true;
  }

  /** Whether a customer takes more than its share of the threads, while others that do not are calling. */
  crowds(customer: string, nowMs: number): boolean {
    return this.exceedsShare(customer, nowMs) && this.hasCompany(customer, nowMs);
  }

  /**
   * A search had a thread for `tookMs`, after it had waited for it for `waitedMs`. While a customer waits, nothing is
   * forgiven: otherwise customers that share a thread would seem to want no more than each of them gets.
   */
  noteUse(
    customer: string,
    { tookMs, waitedMs }: { readonly tookMs: number; readonly waitedMs: number },
    nowMs: number,
  ): void {
    const before = this.excesses.get(customer) ?? { ms: 0, atMs: nowMs };
    const ms = excessAt(before, Math.max(before.atMs, nowMs - waitedMs)) + tookMs;
    this.excesses.set(customer, { ms: Math.min(EXCESS_MS_MAX, ms), atMs: nowMs });
  }

  /** A customer may take a share of one thread permanently, and a little more for a moment. */
  exceedsShare(customer: string, nowMs: number): boolean {
    const excess = this.excesses.size === 0 ? undefined : this.excesses.peek(customer);
    return excess !== undefined && excessAt(excess, nowMs) > BURST_MS;
  }

  private hasCompany(customer: string, nowMs: number): boolean {
    const other = this.last?.customer === customer ? this.another : this.last;
    return other !== null && nowMs - other.atMs < COMPANY_MS;
  }

  /**
   * The flag stays for a moment: a caller that sends one call after the other has none under way in between, and would
   * end every rest.
   */
  private readonly endCall = (): void => {
    this.underWay -= 1;
    if (this.areMany || this.isCalming || !this.flag.isSet) return;
    this.isCalming = true;
    this.clock.callAfter(CALM_MS, () => {
      this.isCalming = false;
      this.flag.set(this.areMany);
    });
  };

  /** A call keeps one processor busy at a time: the one that runs the main thread, a search thread or the database. */
  private get areMany(): boolean {
    return this.underWay >= this.spare;
  }
}

function excessAt({ ms, atMs }: Excess, nowMs: number): number {
  return Math.max(0, ms - SHARE * (nowMs - atMs));
}
