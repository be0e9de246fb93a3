/** `changes`, `history` and `hits`: feeds that a person reads, follows, and continues from a kept position. */
import { CHANGES_PAGE_EXPANDED_MAX, HISTORY_PAGE_MAX } from '@tmds/contract/limits';
import { HITS_PAGE_MAX } from '@tmds/contract/watches';
import { UsageError } from '../docket/options.ts';
import type { SearchFilters } from '../parameters.ts';
import { encodeQuery } from '../query.ts';
import { note, openList, type ShellCall } from './call.ts';
import { describeFailure } from './failures.ts';
import { type FeedPage, readFeed } from './feed.ts';
import { EVENT_FLAGS, EXPAND_FLAG, FILTER_FLAGS } from './flags.ts';
import { openPlace, type Position } from './position.ts';
import { CHANGES, EVENTS, HITS, type View } from './views.ts';

const ITEMS_MAX = 1_000_000_000;
const POLL_DEFAULT_SECONDS = 60;
const POLL_SECONDS_MAX = 86_400;
/** Small enough that a table begins soon. */
const CHANGES_PAGE = 500;

interface Feed<Item> {
  readonly name: string;
  readonly view: View<Item>;
  readonly pageMax: number;
  readonly fetchPage: (position: Position, limit: number) => Promise<FeedPage<Item>>;
}

async function runFeed<Item>(call: ShellCall, { name, view, pageMax, fetchPage }: Feed<Item>): Promise<void> {
  const { given, clock, random, signal } = call;
  const pollSeconds = given.integer('poll_seconds', 1, POLL_SECONDS_MAX) ?? POLL_DEFAULT_SECONDS;
  const itemsMax = given.integer('max', 1, ITEMS_MAX) ?? ITEMS_MAX;
  const { start, save } = await openPlace(call, name);
  const { baseUrl } = await call.client();
  const write = openList(call, view);
  let { cursor } = start;
  const pages = readFeed((at, limit) => fetchPage({ since: start.since, cursor: at }, limit), {
    ...{ cursor, itemsMax, pageMax, clock, random, signal },
    pollMs: given.has('follow') ? pollSeconds * 1000 : null,
    onWait: (error, waitMs) =>
      note(call, `${describeFailure(error, baseUrl)}; trying again in ${Math.ceil(waitMs / 1000)} s`),
  });
  for await (const { items, next_cursor: next, meta } of pages) {
    await write(items);
    if (next !== null) {
      cursor = next;
      await save(next);
    } else if (!given.has('follow')) note(call, `complete up to ${meta.changeHorizon ?? 'the end'}`);
  }
  if (cursor !== null && !given.has('keep')) note(call, `continue with --since ${start.since} --cursor ${cursor}`);
}

/** Names the feed in the file that keeps its position. */
const nameFeed = (path: string, query: object): string => path + encodeQuery({ ...query });

export async function runChanges(call: ShellCall): Promise<void> {
  const { given, options } = call;
  const client = await call.client();
  const register = given.text('register');
  const scope = register === undefined ? {} : { jurisdiction_code: register };
  const expand = given.pick(EXPAND_FLAG) as { expand?: 'payload' };
  await runFeed(call, {
    name: nameFeed('changes', { ...scope, ...expand }),
    view: CHANGES,
    pageMax: expand.expand === undefined ? CHANGES_PAGE : CHANGES_PAGE_EXPANDED_MAX,
    fetchPage: (position, limit) => client.changes({ ...scope, ...expand, ...position, limit }, options),
  });
}

/** The history of a record, or of all of them. */
export async function runHistory(call: ShellCall): Promise<void> {
  const { given, options } = call;
  const [register, uid, ...rest] = given.positionals;
  const events = given.pick(EVENT_FLAGS);
  const filters = given.pick(FILTER_FLAGS) as SearchFilters;
  const client = await call.client();
  if (register === undefined) {
    await runFeed(call, {
      name: nameFeed('history', { ...events, ...filters }),
      view: EVENTS,
      pageMax: HISTORY_PAGE_MAX,
      fetchPage: (position, limit) => client.history({ ...filters, ...events, ...position, limit }, options),
    });
    return;
  }
  if (uid === undefined || rest.length > 0) throw new UsageError('history takes REGISTER UID, or --since and filters');
  const foreign = [...Object.keys(filters), 'since', 'cursor', 'keep', 'follow', 'poll_seconds'].filter((flag) =>
    given.has(flag),
  );
  if (foreign.length > 0)
    throw new UsageError(`--${foreign[0]?.replaceAll('_', '-')} is not for the history of one record`);
  const write = openList(call, EVENTS);
  let left = given.integer('max', 1, ITEMS_MAX) ?? ITEMS_MAX;
  for await (const { items } of client.recordHistoryAll(register, uid, events, options).pages()) {
    await write(items.slice(0, left));
    left -= items.length;
    if (left <= 0) break;
  }
}

export async function runHits(call: ShellCall): Promise<void> {
  const [watch, ...rest] = call.given.positionals;
  if (watch === undefined || rest.length > 0) throw new UsageError('hits takes the id of a watch');
  const client = await call.client();
  await runFeed(call, {
    name: nameFeed(`watches/${encodeURIComponent(watch)}/hits`, {}),
    view: HITS,
    pageMax: HITS_PAGE_MAX,
    fetchPage: (position, limit) => client.hits(watch, { ...position, limit }, call.options),
  });
}
