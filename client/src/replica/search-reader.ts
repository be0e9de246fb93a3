/**
 * Keeps the records that a search matches. The feed does not report what leaves a search, so every refresh reads all of
 * its pages, in ascending order of change. A record that changes during the walk moves ahead of it and is found there,
 * so the walk sees every record that matches all the time. New and changed records are saved page by page; records that
 * the walk has not seen are removed only at its end. After a failure, a walk continues where it stopped; after the end
 * of its process, it starts over.
 */
import { SEARCH_PAGE_MAX } from '@tmds/contract/limits';
import type { SearchPage } from '@tmds/contract/record';
import type { TrademarkClient } from '../client.ts';
import type { Clock } from '../clock.ts';
import { TrademarkProtocolError } from '../errors.ts';
import type { Answer } from '../transport.ts';
import type { Reader, ReaderOptions, Taken } from './reader.ts';
import { parseSearch } from './saved-search.ts';
import { nameIdentity, type Repair, ReplicaError, type ReplicaSink } from './sink.ts';
import type { ReplicaPosition } from './states.ts';

/** Records of a walk, whose identities are kept in memory. Beyond this, a replica of the registers costs less. */
const SEARCH_RECORDS_MAX = 200 * SEARCH_PAGE_MAX;

export interface SearchClient {
  search(...call: Parameters<TrademarkClient['search']>): Promise<Answer<SearchPage>>;
}

/** A refresh in progress. */
interface Walk {
  /** When it started, by this machine's clock. */
  readonly startedAt: string;
  /** For each record of the replica that the walk has not seen yet, the repair that removes it. */
  readonly unseen: Map<string, Repair>;
  cursor: string | null;
  walked: number;
  /** Saved records that no step has reported yet. */
  unreported: number;
  hasEnded: boolean;
}

export function buildSearchReader(client: SearchClient, clock: Clock, options: ReaderOptions): Reader {
  const { sink, scope, limit, signal } = options;
  const filters = parseSearch(scope.search ?? '');
  let held: ReplicaPosition | null = null;
  let walk: Walk | null = null;
  let hasAnswered = false;
  let isIndexed = false;

  async function fetchPage({ cursor }: Walk): Promise<Answer<SearchPage>> {
    const order = { sort: 'updated_at', order: 'asc', expand: scope.expand ?? undefined } as const;
    const page = await client.search({ ...filters, ...order, cursor, limit }, { signal, maxRetries: 0 });
    hasAnswered = true;
    checkPage(page, cursor, limit);
    return page;
  }

  async function move(items: SearchPage['items'], from: ReplicaPosition, to: ReplicaPosition): Promise<void> {
    held = null;
    await sink.save(items, from, to);
    held = to;
  }

  async function takePage(current: Walk, position: ReplicaPosition): Promise<void> {
    const page = await fetchPage(current);
    const changed = page.items.filter((item) => current.unseen.get(nameIdentity(item))?.seen !== item.updated_at);
    if (changed.length > 0) {
      await move(changed, position, { ...position, delivered: position.delivered + changed.length });
    }
    for (const item of page.items) current.unseen.delete(nameIdentity(item));
    current.unreported += changed.length;
    current.walked += page.items.length;
    if (current.walked > SEARCH_RECORDS_MAX) throw buildTooManyError(sink.label);
    current.cursor = page.next_cursor;
    current.hasEnded = page.next_cursor === null;
  }

  async function end({ unseen, startedAt }: Walk, position: ReplicaPosition): Promise<string[]> {
    const gone = [...unseen.values()];
    if (gone.length > 0) await sink.repair(gone);
    await move([], position, { ...position, complete_to: startedAt });
    if (!isIndexed) await sink.index?.();
    isIndexed = true;
    return gone.map(({ jurisdiction_code, uid }) => `${jurisdiction_code}/${uid}`);
  }

  async function take(): Promise<Taken> {
    held ??= await sink.open(scope);
    walk ??= await beginWalk(sink, clock);
    const current = walk;
    if (!current.hasEnded) await takePage(current, held);
    const position = held ?? (await sink.open(scope));
    const left = current.hasEnded ? await end(current, position) : [];
    if (current.hasEnded) walk = null;
    const counts = { records: current.unreported, left };
    current.unreported = 0;
    if (!current.hasEnded) return { event: { kind: 'page_saved', position }, ...counts };
    return { event: { kind: 'end_saved', position: held ?? position, pollAfterMs: 0 }, ...counts };
  }

  return { take, findHeld: () => held, hasAnswered: () => hasAnswered };
}

async function beginWalk(sink: ReplicaSink, clock: Clock): Promise<Walk> {
  const startedAt = new Date(clock.nowMs()).toISOString().replace('Z', '000Z');
  const unseen = new Map<string, Repair>();
  await sink.read(async ({ listRecords }) => {
    for await (const { jurisdiction_code, uid, updated_at } of listRecords()) {
      unseen.set(nameIdentity({ jurisdiction_code, uid }), { jurisdiction_code, uid, seen: updated_at, record: null });
    }
  });
  return { startedAt, unseen, cursor: null, walked: 0, unreported: 0, hasEnded: false };
}

/** @throws TrademarkProtocolError when continuing could remove records that match, or never end */
function checkPage(page: Answer<SearchPage>, cursor: string | null, limit: number): void {
  const { items, next_cursor, meta } = page;
  if (!Array.isArray(items) || items.length > limit || next_cursor === undefined) {
    throw new TrademarkProtocolError(
      'a page has no list of records, more than the limit, or no cursor',
      meta.requestId,
    );
  }
  if (next_cursor !== null && (items.length === 0 || next_cursor === cursor)) {
    throw new TrademarkProtocolError('a page did not advance the cursor', meta.requestId);
  }
}

function buildTooManyError(label: string): ReplicaError {
  return new ReplicaError(
    `${label}: the search matches more than ${SEARCH_RECORDS_MAX.toLocaleString('en-US')} records; narrow it, or keep ` +
      'a replica of its registers, which costs less',
  );
}
