/**
 * The endpoint of names that are alike: names that the index finds, with their records from the database. It is of the
 * product `analytics`, and makes way for the Record API.
 */
import { setImmediate } from 'node:timers/promises';
import type { SimilarPage } from '@tmds/contract/likeness';
import type { TrademarkDetail } from '@tmds/contract/record';
import { type Clock, utcDay } from '../base/clock.ts';
import { arrangeNames, keyOfRecord } from '../likeness/arrange.ts';
import { parseSimilar } from '../parse/likeness.ts';
import { planSimilar, type SimilarPlan } from '../plan/likeness.ts';
import { listRegisters } from '../plan/search.ts';
import { renderSimilarPage } from '../render/pages.ts';
import type { PageLimits, Timing } from './call.ts';
import { defineEndpoint } from './endpoint.ts';
import { findCurrent, type PageSources } from './search.ts';

const READ_AT_ONCE = 50;

interface SimilarSources extends PageSources {
  readonly clock: Clock;
}

/** @throws NoAnswer; the reason of the signal. */
export async function findSimilar(
  plan: SimilarPlan,
  { clock, ...sources }: SimilarSources,
  limits: PageLimits,
  timing: Timing,
): Promise<SimilarPage> {
  const { limit, ...search } = plan;
  const match = async () => {
    const alike = await sources.index.findAlike(search, limits);
    await setImmediate();
    const records = new Map(alike.names.flatMap((name) => name.records.map((each) => [keyOfRecord(each), each])));
    return { alike, stamp: alike.stamp, records: [...records.values()], endTurn: () => {} };
  };
  const kind = {
    match,
    open: async ({ alike }: Awaited<ReturnType<typeof match>>, page: { openItems: () => Promise<unknown> }) => ({
      alike,
      texts: (await page.openItems()) as readonly Buffer[],
    }),
    expandPayload: false,
  };
  const { alike, texts } = await findCurrent(kind, sources, limits, timing);
  const today = utcDay(clock.nowMs());
  return arrangeNames(alike, await readDetails(texts), { mark: plan.mark, classes: plan.classes, limit, today });
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

export const similarEndpoint = defineEndpoint({
  name: 'similar',
  makesWay: true,
  parse: ({ values }) => parseSimilar(values),
  plan: planSimilar,
  covers: ({ conditions }) => listRegisters(conditions),
  read: (plan, services, call) => findSimilar(plan, services, call.limitSearch(services), call.timing),
  render: renderSimilarPage,
  isStaged: true,
});
