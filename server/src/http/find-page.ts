/**
 * A page of a search: matched by the index, fetched from the database. The index may be behind when a search begins,
 * and a record may change between match and fetch. The fetch reveals both: it returns the last stamp of the database
 * and the latest change of the records. In either case the search is repeated once the index has caught up. A page
 * whose texts are all kept needs only the last stamp, and takes it from another search that asked for it after this one
 * began. The turn of the search covers match and fetch, and whatever its holder adds. Invariants: a page reflects every
 * publish that was committed when its search began (rule I-41), and none that the database does not show; each of its
 * records is the version that matched. One time limit covers all attempts.
 */
import { MATCHED_COUNT_MAX } from '@tmds/contract/limits';
import type { TrademarkDetail } from '@tmds/contract/record';
import { apiError } from '../base/errors.ts';
import { type Queryable, withLimits } from '../database/driver/db.ts';
import { isStorable } from '../database/driver/sql.ts';
import type { SearchIndex } from '../follow/live-index.ts';
import type { ListedMatches } from '../follow/messages.ts';
import type { SearchLimits } from '../follow/search-pool.ts';
import { microsOf } from '../index/instants.ts';
import { encodeCursor } from '../parse/cursor.ts';
import type { SearchPlan } from '../plan/search.ts';
import { LastStamps, type Moment } from '../store/records/last-stamps.ts';
import { ReadRefused } from '../store/records/read-refused.ts';
import type { RecordTexts } from '../store/records/record-texts.ts';
import { isRegisterServed } from '../store/records/registers.ts';
import { findListed, type ListedPage, listKept, type SearchPage } from '../store/records/search.ts';
import type { Timing } from './call.ts';

/**
 * A search that waits for the index asks the database again this often: a silent database keeps the index waiting too,
 * and is reported within three seconds (rule I-35).
 */
export const LOOK_AGAIN_MS = 500;
/** An index that is ahead of the database has read it again after this long. */
export const INDEX_LOOKS_MS = 20;

export interface PageSources {
  readonly index: SearchIndex;
  readonly database: Queryable;
  readonly texts?: RecordTexts;
  /** What other searches have read of this database; default: nothing. */
  readonly stamps?: LastStamps;
}

/** The records of a page without documents, which is not a stream. */
export function readItems({ items }: Pick<SearchPage, 'items'>): TrademarkDetail[] {
  if (Symbol.asyncIterator in items) throw new Error('a page with documents is read while it is sent');
  return items.map((item) => JSON.parse(item.toString()) as TrademarkDetail);
}

/** @throws ReadRefused for a register that is not served; ApiError `query_timeout`, `unavailable`. */
export async function findPage(
  plan: SearchPlan,
  { index, database, texts, stamps = new LastStamps() }: PageSources,
  limits: SearchLimits,
  timing: Timing,
): Promise<SearchPage> {
  if (plan.register !== null && !isStorable(plan.register)) throw new ReadRefused('register_not_served');
  const begun = stamps.mark();
  /**
   * The stamp that the search must include: the stamp of the first fetch, which is later than the start of the search.
   */
  let wanted: number | null = null;
  for (;;) {
    const matches = await timing.measure('match', () => index.search(plan, limits));
    let needed: number;
    let patienceMs = LOOK_AGAIN_MS;
    let isHeld = false;
    const open = async (fetched: Pick<ListedPage, 'openItems'>): Promise<SearchPage> => {
      const page = await timing.measure('store', () => openPage(plan, matches, fetched, withLimits(database, limits)));
      isHeld = limits.holdTurn !== undefined;
      limits.holdTurn?.(matches.endTurn);
      return page;
    };
    try {
      const kept = wanted !== null || plan.expandPayload ? null : findProven(matches, begun, stamps, texts);
      if (kept !== null) return await open(kept);
      const options = { ...limits, expandPayload: plan.expandPayload, texts };
      const sent = stamps.mark();
      const fetched = await timing.measure('store', () => findListed(database, matches.records, options));
      stamps.note(sent, fetched.lastStamp);
      const shown = microsOf(fetched.lastStamp);
      wanted ??= shown;
      const changed = fetched.changedAt === null ? 0 : microsOf(fetched.changedAt);
      const isAhead = matches.stamp > shown;
      if (!isAhead && changed > 0 && matches.stamp >= changed) {
        const cause = new Error(`the index holds a record that was replaced at ${fetched.changedAt}`);
        throw apiError('unavailable', 'The search index is not in order. Try again shortly.', { cause });
      }
      needed = Math.max(wanted, changed);
      if (isAhead) {
        // A commit that waits for standbys is visible there first. Or a standby was promoted that lacked it: the index
        // will notice, and is withdrawn or goes back.
        needed = matches.stamp + 1;
        patienceMs = INDEX_LOOKS_MS;
      } else if (matches.stamp >= needed) {
        return await open(fetched);
      }
    } finally {
      if (!isHeld) matches.endTurn();
    }
    // Without a turn: a search that waits for the index must not block others.
    await timing.measure('match', () => index.waitFor(needed, limits, patienceMs));
  }
}

/** The page without asking: all of its texts are kept, and another search has just found the index to be current. */
function findProven(
  { stamp, records }: ListedMatches,
  begun: Moment,
  stamps: LastStamps,
  texts: RecordTexts | undefined,
): Pick<ListedPage, 'openItems'> | null {
  const shown = stamps.findSince(begun);
  // When the index is behind or ahead, or has moved, only a separate statement shows what to do.
  if (shown === null || microsOf(shown) !== stamp || texts === undefined) return null;
  return listKept(records, texts);
}

async function openPage(
  plan: SearchPlan,
  matches: ListedMatches,
  fetched: Pick<ListedPage, 'openItems'>,
  database: Queryable,
): Promise<SearchPage> {
  const { records, last, count } = matches;
  // A register with a record is served, so only an empty page requires a check.
  if (plan.register !== null && records.length === 0 && !(await isRegisterServed(database, plan.register))) {
    throw new ReadRefused('register_not_served');
  }
  const capped = count > MATCHED_COUNT_MAX;
  return {
    items: await fetched.openItems(),
    next_cursor: last === null ? null : encodeCursor(plan.binding, last),
    matched: plan.countMax === 0 ? null : { count: Math.min(count, MATCHED_COUNT_MAX), capped },
  };
}
