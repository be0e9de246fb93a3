/**
 * The answer of a search for likeness: names that the index finds alike, with their records from the database. As for a
 * page of a search (`find-page.ts`), the fetch shows whether the index was behind and whether a record has changed
 * since; then the search is made again once the index has caught up. One time limit covers all attempts.
 */
import { setImmediate } from 'node:timers/promises';
import type { SimilarPage } from '@tmds/contract/likeness';
import type { TrademarkDetail } from '@tmds/contract/record';
import { type Clock, utcDay } from '../base/clock.ts';
import type { Queryable } from '../database/driver/db.ts';
import type { SearchIndex } from '../follow/live-index.ts';
import type { SearchLimits } from '../follow/search-pool.ts';
import { microsOf } from '../index/instants.ts';
import { arrangeNames, keyOfRecord } from '../likeness/arrange.ts';
import type { SimilarPlan } from '../plan/likeness.ts';
import type { RecordTexts } from '../store/records/record-texts.ts';
import { findListed } from '../store/records/search.ts';
import type { Timing } from './call.ts';
import { INDEX_LOOKS_MS, LOOK_AGAIN_MS } from './find-page.ts';

const READ_AT_ONCE = 50;

export interface SimilarSources {
  readonly index: SearchIndex;
  readonly database: Queryable;
  readonly texts?: RecordTexts;
  readonly clock: Clock;
}

/** @throws ApiError `query_timeout`, `unavailable`; the reason of the signal. */
export async function findSimilar(
  plan: SimilarPlan,
  { index, database, texts, clock }: SimilarSources,
  limits: SearchLimits,
  timing: Timing,
): Promise<SimilarPage> {
  const { limit, ...search } = plan;
  /** The stamp that the search must include: the stamp of the first fetch, which is later than its start. */
  let wanted: number | null = null;
  for (;;) {
    const alike = await timing.measure('match', () => index.findAlike(search, limits));
    await setImmediate();
    const records = [...new Map(alike.names.flatMap((name) => name.records.map((each) => [keyOfRecord(each), each])))];
    const listed = records.map(([, each]) => each);
    const fetched = await timing.measure('store', () =>
      findListed(database, listed, { ...limits, expandPayload: false, ...(texts === undefined ? {} : { texts }) }),
    );
    const shown = microsOf(fetched.lastStamp);
    wanted ??= shown;
    const changed = fetched.changedAt === null ? 0 : microsOf(fetched.changedAt);
    const isAhead = alike.stamp > shown;
    if (!isAhead && alike.stamp >= Math.max(wanted, changed)) {
      const details = await readDetails((await fetched.openItems()) as readonly Buffer[]);
      const today = utcDay(clock.nowMs());
      return arrangeNames(alike, details, { mark: plan.mark, classes: plan.classes, limit, today });
    }
    const needed = isAhead ? alike.stamp + 1 : Math.max(wanted, changed);
    await timing.measure('match', () => index.waitFor(needed, limits, isAhead ? INDEX_LOOKS_MS : LOOK_AGAIN_MS));
  }
}

/** Other calls get their turn in between: a hundred records take a millisecond. */
async function readDetails(texts: readonly Buffer[]): Promise<ReadonlyMap<string, TrademarkDetail>> {
  const details = new Map<string, TrademarkDetail>();
  for (const [at, text] of texts.entries()) {
    if (at % READ_AT_ONCE === 0) await setImmediate();
    const detail = JSON.parse(text.toString()) as TrademarkDetail;
    details.set(keyOfRecord(detail), detail);
  }
  await setImmediate();
  return details;
}
