/**
 * A publisher on a primary, and callers of a server next to it who know what had been committed before they called: one
 * follows the change feed, one looks records up, one searches. Each notes what no single database would have answered.
 * While an outage is expected, a 503 that says when to come again is none of that, and publishes are made again.
 */
import { systemClock } from '../../src/base/clock.ts';
import type { Database } from '../../src/database/driver/db.ts';
import { publishRecords, type SourceFields } from '../torture/publish.ts';

export interface ReadLoad {
  /** What was answered wrongly, in words; empty if nothing was. */
  readonly faults: string[];
  readonly counts: Record<'publishes' | 'changes' | 'pages' | 'lookups' | 'searches' | 'refusals', number>;
  /** Whether calls may be refused from now on. The publisher goes on with this database. */
  expectOutage(isExpected: boolean, primary?: Database): void;
  /** Resolves once this many more publishes have committed. */
  publishMore(count: number): Promise<void>;
  /** No more publishes; resolves when the feed has been read to its end and every caller has stopped. */
  end(): Promise<void>;
}

type CallPath = (path: string) => Promise<{ status: number; headers: Headers; text: string }>;

interface Item {
  readonly uid: string;
  readonly mark_name: string;
}

/** A publisher that fails comes back after this long. */
const RETRY_MS = 50;
const RECORDS = 40;
const BATCH = 6;
const PAGE = 9;

function numberOf({ mark_name }: Item): number {
  return /^of publish \d+$/.test(mark_name) ? Number(mark_name.slice('of publish '.length)) : Number.NaN;
}

export function startReadLoad(first: Database, call: CallPath): ReadLoad {
  let primary = first;
  let isOutage = false;
  const faults: string[] = [];
  const counts = { publishes: 0, changes: 0, pages: 0, lookups: 0, searches: 0, refusals: 0 };
  /** The number of the last publish that is known to have committed, by record. */
  const committed = new Map<string, number>();
  const waiters: { readonly at: number; readonly resolve: () => void }[] = [];
  let isEnding = false;
  let isPublished = false;

  const read = async (path: string): Promise<{ headers: Headers; body: object } | null> => {
    const { status, headers, text } = await call(path);
    if (status === 200) return { headers, body: JSON.parse(text) as object };
    if (status === 503 && isOutage && headers.has('retry-after')) {
      counts.refusals += 1;
      return null;
    }
    faults.push(`${path.split('?')[0]} answered ${status}: ${text}`);
    return null;
  };

  const publish = async (): Promise<void> => {
    while (!isEnding) {
      const number = counts.publishes + 1;
      const uids = Array.from({ length: BATCH }, (_, place) => `R${(number * 7 + place * 11) % RECORDS}`);
      const records: SourceFields[] = [...new Set(uids)].map((uid) => ({ uid, mark_name: `of publish ${number}` }));
      try {
        await publishRecords(primary, records);
      } catch (error) {
        if (!isOutage) throw error;
        await systemClock.sleep(RETRY_MS);
        continue;
      }
      for (const uid of uids) committed.set(uid, number);
      counts.publishes = number;
      for (const waiter of waiters) if (waiter.at <= number) waiter.resolve();
    }
    isPublished = true;
  };

  const followFeed = async (): Promise<void> => {
    const delivered = new Map<string, number>();
    let cursor = '';
    let horizon = '';
    for (;;) {
      const isLast = isPublished;
      const page = await read(`/v1/changes?since=1970-01-01&limit=${PAGE}${cursor}`);
      if (page === null) continue;
      counts.pages += 1;
      const { items, next_cursor } = page.body as { items: Item[]; next_cursor: string | null };
      const stated = page.headers.get('x-change-horizon') ?? '';
      if (stated < horizon) faults.push(`the horizon went back from ${horizon} to ${stated}`);
      horizon = stated;
      for (const item of items) {
        const number = numberOf(item);
        const before = delivered.get(item.uid) ?? 0;
        if (!(number > before))
          faults.push(`the feed delivered ${item.mark_name} of ${item.uid} after publish ${before}`);
        delivered.set(item.uid, number);
        counts.changes += 1;
      }
      if (next_cursor !== null) cursor = `&cursor=${encodeURIComponent(next_cursor)}`;
      else if (isLast) break;
    }
    for (const [uid, number] of committed) {
      if (delivered.get(uid) !== number) faults.push(`the feed lost publish ${number} of ${uid}`);
    }
  };

  const lookUp = async (): Promise<void> => {
    for (let turn = 0; !isPublished; turn += 1) {
      const uid = `R${(turn * 13) % RECORDS}`;
      const known = committed.get(uid);
      if (known === undefined) {
        await new Promise(setImmediate);
        continue;
      }
      const found = await read(`/v1/XA/trademarks/${uid}`);
      counts.lookups += 1;
      if (found !== null && !(numberOf(found.body as Item) >= known)) {
        faults.push(`a look-up after publish ${known} of ${uid} answered ${(found.body as Item).mark_name}`);
      }
    }
  };

  const search = async (): Promise<void> => {
    while (!isPublished) {
      const known = counts.publishes;
      const found = await read('/v1/trademarks?jurisdiction=XA&sort=updated_at&order=desc&limit=5');
      counts.searches += 1;
      const newest = (found?.body as { items: Item[] } | undefined)?.items[0];
      if (known === 0 || found === null) continue;
      if (newest === undefined || !(numberOf(newest) >= known)) {
        faults.push(`a search after publish ${known} found ${newest?.mark_name ?? 'nothing'} as the newest`);
      }
    }
  };

  const running = Promise.all([publish(), followFeed(), lookUp(), search()]);
  return {
    faults,
    counts,
    expectOutage: (isExpected, next = primary) => {
      isOutage = isExpected;
      primary = next;
    },
    publishMore: (count) =>
      Promise.race([
        new Promise<void>((resolve) => waiters.push({ at: counts.publishes + count, resolve })),
        running.then(() => undefined),
      ]),
    end: async () => {
      isEnding = true;
      await running;
    },
  };
}
