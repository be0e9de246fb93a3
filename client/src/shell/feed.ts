/** Reads a feed page by page, to its end or without one; then it polls, and waits out failures that pass. */
import type { Clock } from '../clock.ts';
import { isWaitedOut, planFaultWait } from '../replica/faults.ts';
import type { AnswerMeta } from '../transport.ts';

export interface FeedPage<Item> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
  readonly meta: AnswerMeta;
}

export interface FeedOptions {
  readonly cursor: string | null;
  readonly itemsMax: number;
  readonly pageMax: number;
  /** Null: until the end of the feed. */
  readonly pollMs: number | null;
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal: AbortSignal;
  readonly onWait: (error: unknown, waitMs: number) => void;
}

/** The last page is empty, or the one that reached `itemsMax`. */
export async function* readFeed<Item>(
  fetchPage: (cursor: string | null, limit: number) => Promise<FeedPage<Item>>,
  options: FeedOptions,
): AsyncGenerator<FeedPage<Item>, void, void> {
  const { itemsMax, pageMax, pollMs, clock, random, signal } = options;
  let { cursor } = options;
  let left = itemsMax;
  let faults = 0;
  let answered = false;
  while (left > 0) {
    let page: FeedPage<Item>;
    try {
      page = await fetchPage(cursor, Math.min(pageMax, left));
    } catch (error) {
      if (pollMs === null || signal.aborted || !isWaitedOut(error, answered)) throw error;
      faults += 1;
      const waitMs = planFaultWait(error, faults, random(), clock.nowMs());
      options.onWait(error, waitMs);
      await clock.sleep(waitMs, signal);
      continue;
    }
    faults = 0;
    answered = true;
    left -= page.items.length;
    yield page;
    cursor = page.next_cursor ?? cursor;
    if (page.next_cursor !== null) continue;
    if (pollMs === null) return;
    await clock.sleep(Math.max(pollMs, page.meta.pollAfterMs ?? 0), signal);
  }
}
