/**
 * How much of the search threads each customer takes. A customer may take a share of one thread permanently, and a
 * little more for a moment; beyond that it has exceeded its share. It does not know whose turn it is.
 */
import { LRUCache } from 'lru-cache';

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

export class ThreadUse {
  private readonly excesses = new LRUCache<string, Excess>({ max: CUSTOMERS_MAX });

  /**
   * A search had a thread for `tookMs`, after it had waited for it for `waitedMs`. While a customer waits, nothing is
   * forgiven: otherwise customers that share a thread would seem to want no more than each of them gets.
   */
  note(
    customer: string,
    { tookMs, waitedMs }: { readonly tookMs: number; readonly waitedMs: number },
    nowMs: number,
  ): void {
    const before = this.excesses.get(customer) ?? { ms: 0, atMs: nowMs };
    const ms = excessAt(before, Math.max(before.atMs, nowMs - waitedMs)) + tookMs;
    this.excesses.set(customer, { ms: Math.min(EXCESS_MS_MAX, ms), atMs: nowMs });
  }

  exceedsShare(customer: string, nowMs: number): boolean {
    const excess = this.excesses.peek(customer);
    return excess !== undefined && excessAt(excess, nowMs) > BURST_MS;
  }
}

function excessAt({ ms, atMs }: Excess, nowMs: number): number {
  return Math.max(0, ms - SHARE * (nowMs - atMs));
}
