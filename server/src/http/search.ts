/**
 * The endpoints of search, and the one way to a page of records that the index finds: matched by the index, fetched
 * from the database. The index may be behind when a search begins, and a record may change between match and fetch. The
 * fetch reveals both: it returns the last stamp of the database and the latest change of the records. `STATES` says
 * what follows. A page whose texts are all kept needs only the last stamp, and takes it from the verdict on its call.
 * The turn of the search covers match and fetch, and whatever its holder adds. Invariants: a page reflects every
 * publish that was committed when its call arrived (rule I-41), and none that the database does not show; each of its
 * records is the version that matched. One time limit covers all attempts.
 */
import { MATCHED_COUNT_MAX } from '@tmds/contract/limits';
import type { TrademarkDetail } from '@tmds/contract/record';
import { microsOf } from '../base/clock.ts';
import { NoAnswer } from '../base/no-answer.ts';
import { type Queryable, withLimits } from '../database/driver/db.ts';
import { isStorable } from '../database/driver/sql.ts';
import type { FoundMatches, SearchIndex } from '../follow/live-index.ts';
import { encodeCursor } from '../parse/cursor.ts';
import { parseSearch } from '../parse/search.ts';
import { listRegisters, planSearch, type SearchPlan } from '../plan/search.ts';
import { renderSearchPage } from '../render/pages.ts';
import { isRegisterServed } from '../store/records/registers.ts';
import {
  findListed,
  type ListedPage,
  type ListedRecord,
  listKept,
  type RecordTexts,
  type SearchPage,
} from '../store/records/search.ts';
import type { Call, PageLimits, Timing } from './call.ts';
import { defineEndpoint, type Services } from './endpoint.ts';

/**
 * A search that waits for the index asks the database again this often: a silent database keeps the index waiting too,
 * and is reported within three seconds (rule I-35).
 */
const LOOK_AGAIN_MS = 500;
/** An index that is ahead of the database has read it again after this long. */
const INDEX_LOOKS_MS = 20;

export interface PageSources {
  readonly index: SearchIndex;
  readonly database: Queryable;
  readonly texts?: RecordTexts;
}

/** What the index found. */
interface Matched {
  /** It saw every publish up to this stamp, in microseconds since 1970. */
  readonly stamp: number;
  readonly records: readonly ListedRecord[];
  readonly endTurn: () => void;
}

/** Stamps in microseconds since 1970. */
interface Reading {
  /** The stamp of the index that matched. */
  readonly matched: number;
  /** The last stamp that the database shows. */
  readonly shown: number;
  /** The last stamp that the first fetch showed, which is later than the start of the search. */
  readonly wanted: number;
  /** When a record of the page was last replaced; 0 if none was since it was indexed. */
  readonly replaced: number;
}

interface State {
  readonly is: (reading: Reading) => boolean;
  /** The stamp that the index has to reach before the search is made again. Null: the page is right. Or it throws. */
  readonly waitsFor: (reading: Reading) => number | null;
  /** Milliseconds after which it is made again in any case. */
  readonly lookAgainMs: number;
}

/** The first that holds decides. */
const STATES: readonly State[] = [
  {
    // A commit that waits for standbys is visible there first. Or a standby was promoted that lacked it: the index
    // will notice, and is withdrawn or goes back.
    is: ({ matched, shown }) => matched > shown,
    waitsFor: ({ matched }) => matched + 1,
    lookAgainMs: INDEX_LOOKS_MS,
  },
  {
    is: ({ matched, replaced }) => replaced > 0 && matched >= replaced,
    waitsFor: () => {
      throw new NoAnswer('index_out_of_order');
    },
    lookAgainMs: 0,
  },
  {
    is: ({ matched, wanted, replaced }) => matched < Math.max(wanted, replaced),
    waitsFor: ({ wanted, replaced }) => Math.max(wanted, replaced),
    lookAgainMs: LOOK_AGAIN_MS,
  },
  { is: () => true, waitsFor: () => null, lookAgainMs: 0 },
];

/** How one kind of page is found. */
interface Kind<Found extends Matched, Page> {
  readonly match: () => Promise<Found>;
  /** Ends the work on a page that is right, still in its turn. */
  readonly open: (found: Found, page: Pick<ListedPage, 'openItems'>) => Promise<Page>;
  readonly expandPayload: boolean;
}

/** @throws NoAnswer; the reason of the signal. */
export async function findCurrent<Found extends Matched, Page>(
  { match, open, expandPayload }: Kind<Found, Page>,
  { index, database, texts }: PageSources,
  limits: PageLimits,
  timing: Timing,
): Promise<Page> {
  let wanted: number | null = null;
  for (;;) {
    const found = await timing.measure('match', match);
    let isHeld = false;
    let hasEnded = false;
    const endTurn = (): void => {
      if (!hasEnded) found.endTurn();
      hasEnded = true;
    };
    const hold = (): void => {
      isHeld = limits.holdTurn !== undefined;
      limits.holdTurn?.(endTurn);
    };
    let waits: { readonly stamp: number; readonly lookAgainMs: number };
    try {
      const kept = wanted !== null || expandPayload ? null : findKept(found.records, limits, texts);
      if (kept !== null) {
        // The work on the page fills the time until the verdict.
        const opened = await timing.measure('store', () => open(found, kept));
        hold();
        const lastStamp = await kept.lastStamp();
        if (lastStamp !== null && microsOf(lastStamp) === found.stamp) return opened;
        // The index is behind or ahead: only a separate statement shows what to do.
        isHeld = false;
      }
      const options = { ...limits, expandPayload, texts };
      const page = await timing.measure('store', () => findListed(database, found.records, options));
      const shown = microsOf(page.lastStamp);
      wanted ??= shown;
      const replaced = page.changedAt === null ? 0 : microsOf(page.changedAt);
      const reading = { matched: found.stamp, shown, wanted, replaced };
      const state = STATES.find(({ is }) => is(reading))!;
      const stamp = state.waitsFor(reading);
      if (stamp === null) {
        const opened = await timing.measure('store', () => open(found, page));
        hold();
        return opened;
      }
      waits = { stamp, lookAgainMs: state.lookAgainMs };
    } finally {
      if (!isHeld) endTurn();
    }
    // Without a turn: a search that waits for the index must not block others.
    const { stamp, lookAgainMs } = waits;
    await timing.measure('match', () => index.waitFor(stamp, limits, lookAgainMs));
  }
}

/** The page without asking, if all of its texts are kept and the call's verdict will show whether it is current. */
function findKept(records: readonly ListedRecord[], { lastStamp }: PageLimits, texts: RecordTexts | undefined) {
  if (lastStamp === undefined || texts === undefined) return null;
  const page = listKept(records, texts);
  return page === null ? null : { ...page, lastStamp };
}

/** @throws NoAnswer, also for a register that is not served; the reason of the signal. */
export async function findPage(
  plan: SearchPlan,
  sources: PageSources,
  limits: PageLimits,
  timing: Timing,
): Promise<SearchPage> {
  if (plan.register !== null && !isStorable(plan.register)) throw new NoAnswer('register_not_served');
  const kind: Kind<FoundMatches, SearchPage> = {
    match: () => sources.index.search(plan, limits),
    open: (matches, page) => openPage(plan, matches, page, withLimits(sources.database, limits)),
    expandPayload: plan.expandPayload,
  };
  return await findCurrent(kind, sources, limits, timing);
}

async function openPage(
  plan: SearchPlan,
  { records, last, count }: FoundMatches,
  { openItems }: Pick<ListedPage, 'openItems'>,
  database: Queryable,
): Promise<SearchPage> {
  // A register with a record is served, so only an empty page requires a check.
  if (plan.register !== null && records.length === 0 && !(await isRegisterServed(database, plan.register))) {
    throw new NoAnswer('register_not_served');
  }
  const capped = count > MATCHED_COUNT_MAX;
  return {
    items: await openItems(),
    next_cursor: last === null ? null : encodeCursor(plan.binding, last),
    matched: plan.countMax === 0 ? null : { count: Math.min(count, MATCHED_COUNT_MAX), capped },
  };
}

/** The records of a page without documents, which is not a stream. */
export function readItems({ items }: Pick<SearchPage, 'items'>): TrademarkDetail[] {
  if (Symbol.asyncIterator in items) throw new Error('a page with documents is read while it is sent');
  return items.map((item) => JSON.parse(item.toString()) as TrademarkDetail);
}

/** Finds a page of matches within the time limit of a search. Its turn ends when the page has been sent. */
export function readSearch(plan: SearchPlan, services: Services, call: Call): Promise<SearchPage> {
  return findPage(plan, services, call.limitSearch(services), call.timing);
}

export const searchEndpoint = defineEndpoint({
  name: 'search',
  parse: ({ values, breadth }) => parseSearch(values, null, breadth),
  plan: planSearch,
  covers: ({ conditions }) => listRegisters(conditions),
  read: readSearch,
  render: renderSearchPage,
  isStaged: true,
});

export const scopedSearchEndpoint = defineEndpoint({
  name: 'scoped_search',
  parse: ({ values, path, breadth }) => parseSearch(values, path.register, breadth),
  plan: planSearch,
  covers: ({ conditions }) => listRegisters(conditions),
  read: readSearch,
  render: renderSearchPage,
  isStaged: true,
});
