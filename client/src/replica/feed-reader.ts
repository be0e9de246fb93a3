/**
 * Reads the change feed, or the feeds of several registers in turn, page by page. Each page is saved with its position,
 * so a crash costs at most one page. After a failure of the sink, its position is read again, because only the sink
 * knows whether the failed save was kept.
 */
import type { ChangesPage } from '@tmds/contract/record';
import { TrademarkProtocolError } from '../errors.ts';
import type { Answer } from '../transport.ts';
import { type FeedPlace, joinPosition, splitPosition } from './feeds.ts';
import { type Reconcile, withLineage } from './lineage.ts';
import type { FeedClient, Reader, ReaderOptions, Taken } from './reader.ts';
import type { ReplicaPosition } from './states.ts';

/** @param reconcile called at the end of the feed when the service has another lineage than the replica */
export function buildFeedReader(
  client: FeedClient,
  { sink, scope, limit, signal }: ReaderOptions,
  reconcile: Reconcile,
): Reader {
  let held: ReplicaPosition | null = null;
  let hasAnswered = false;
  let isIndexed = false;
  /** From the last page. */
  let lineage: string | null = null;
  /** Registers whose feed ended in this round. */
  let ended: (string | null)[] = [];
  /** The shortest time until a poll of one of them can find something. */
  let pollAfterMs = 0;

  async function fetchPage({ code, cursor }: FeedPlace): Promise<Answer<ChangesPage>> {
    const { since, expand } = scope;
    const asked = { since, jurisdiction_code: code ?? undefined, expand: expand ?? undefined, cursor, limit };
    const page = await client.changes(asked, { signal, maxRetries: 0 });
    hasAnswered = true;
    lineage = page.meta.feedLineage;
    return page;
  }

  async function move(items: ChangesPage['items'], from: ReplicaPosition, to: ReplicaPosition): Promise<void> {
    held = null;
    await sink.save(items, from, to);
    held = to;
  }

  /** A feed ended; the round ends with the last of them. */
  async function endFeed(code: string | null, position: ReplicaPosition, feeds: number, afterMs: number) {
    pollAfterMs = ended.length === 0 ? afterMs : Math.min(pollAfterMs, afterMs);
    ended.push(code);
    if (ended.length < feeds) return { kind: 'page_saved', position } as const;
    if (!isIndexed) await sink.index?.();
    isIndexed = true;
    ended = [];
    const current = lineage;
    if (current === null || current === position.lineage) return { kind: 'end_saved', position, pollAfterMs } as const;
    const isEqual = await reconcile();
    if (isEqual) await move([], position, withLineage(position, current));
    return { kind: 'end_saved', position: held ?? position, pollAfterMs } as const;
  }

  async function take(): Promise<Taken> {
    const from: ReplicaPosition = held ?? (await sink.open(scope));
    held = from;
    const places = splitPosition(from, scope.jurisdiction_code);
    const place = places.find(({ code }) => !ended.includes(code)) ?? places[0]!;
    const page = await fetchPage(place);
    const next = planPlace(page, place, limit);
    const moved = places.map((other) => (other === place ? next : other));
    const to = withLineage(joinPosition(moved, from.delivered + page.items.length), from.lineage ?? lineage);
    await move(page.items, from, to);
    const records = page.items.length;
    if (records > 0) return { event: { kind: 'page_saved', position: to }, records, left: [] };
    const event = await endFeed(place.code, to, places.length, page.meta.pollAfterMs ?? 0);
    return { event, records, left: [] };
  }

  return { take, findHeld: () => held, hasAnswered: () => hasAnswered };
}

/**
 * The place after a page: the page's cursor, or the current one when the page is empty (4.6.3).
 *
 * @throws TrademarkProtocolError when the page breaks the feed's contract, because continuing could lose records
 */
function planPlace(page: Answer<ChangesPage>, from: FeedPlace, limit: number): FeedPlace {
  if (!Array.isArray(page.items) || page.items.length > limit) {
    throw new TrademarkProtocolError(
      'a page of the feed has no list of records, or more than the limit',
      page.meta.requestId,
    );
  }
  if (page.items.length === 0) {
    return { ...from, complete_to: page.meta.changeHorizon ?? from.complete_to };
  }
  if (typeof page.next_cursor !== 'string' || page.next_cursor === from.cursor) {
    throw new TrademarkProtocolError('a page of the feed with records did not advance the cursor', page.meta.requestId);
  }
  return { ...from, cursor: page.next_cursor };
}
