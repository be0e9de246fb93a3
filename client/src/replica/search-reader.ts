/**
 * Keeps the records that a search matches. The feed does not tell what leaves a search, so every refresh walks it
 * whole, from the record that changed longest ago to the latest: a record that changes meanwhile moves ahead of the
 * walk and is met there, so that whatever matches all the while is seen. What is new or has another stamp is saved page
 * by page; what the walk has not seen is taken out when it has ended, and only then. A walk goes on where a failure
 * stopped it; one that its process did not survive begins anew.
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

/** Records a walk may meet: their identities are held in memory, and a replica of the registers costs less beyond. */
const SEARCH_RECORDS_MAX = 200 * SEARCH_PAGE_MAX;

export interface SearchClient {
  search(...call: Parameters<TrademarkClient['search']>): Promise<Answer<SearchPage>>;
}

/** One refresh under way. */
interface Walk {
  /** When it began, by this machine's clock. */
  readonly startedAt: string;
  /** What takes each record out that was held when it began and has not been met since. */
  readonly unseen: Map<string, Repair>;
  cursor: string | null;
  walked: number;
  /** Records saved that no step has told of. */
  untold: number;
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
    current.untold += changed.length;
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
    const told = { records: current.untold, left };
    current.untold = 0;
    if (!current.hasEnded) return { event: { kind: 'page_saved', position }, ...told };
    return { event: { kind: 'end_saved', position: held ?? position, pollAfterMs: 0 }, ...told };
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
  return { startedAt, unseen, cursor: null, walked: 0, untold: 0, hasEnded: false };
}

/** @throws TrademarkProtocolError when going on could take out records that match, or never end */
function checkPage(page: Answer<SearchPage>, cursor: string | null, limit: number): void {
  const { items, next_cursor, meta } = page;
  if (!Array.isArray(items) || items.length > limit || next_cursor === undefined) {
    throw new TrademarkProtocolError(
      'a page has no list of records, more than asked for, or no cursor',
      meta.requestId,
    );
  }
  if (next_cursor !== null && (items.length === 0 || next_cursor === cursor)) {
    throw new TrademarkProtocolError('a page did not move the cursor on', meta.requestId);
  }
}

function buildTooManyError(label: string): ReplicaError {
  return new ReplicaError(
    `${label}: the search matches more than ${SEARCH_RECORDS_MAX.toLocaleString('en-US')} records; narrow it, or keep ` +
      'a replica of its registers, which costs less',
  );
}
