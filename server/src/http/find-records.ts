/** The first records of a search, for pages of the portal; with the filters and limits of the public search. */
import type { TrademarkDetail } from '@tmds/contract/record';
import type { Clock } from '../base/clock.ts';
import type { SearchLimits } from '../follow/search-pool.ts';
import { checkDeclared, splitQuery } from '../parse/query.ts';
import { parseSearch } from '../parse/search.ts';
import { planSearch } from '../plan/search.ts';
import { Timing } from './call.ts';
import { findPage, type PageSources } from './find-page.ts';
import { orNull } from './or-null.ts';

interface Sources extends PageSources {
  readonly clock: Clock;
}

/** `query`: a search without payloads. Null if it is refused or cannot be answered within the limits. */
export async function findRecords(
  { clock, ...sources }: Sources,
  query: string,
  limits: SearchLimits,
): Promise<TrademarkDetail[] | null> {
  return await orNull(async () => {
    const plan = planSearch(parseSearch(checkDeclared('search', splitQuery(query)), null));
    const { items } = await findPage(plan, sources, limits, new Timing(clock));
    return Symbol.asyncIterator in items ? null : items.map((item) => JSON.parse(item.toString()) as TrademarkDetail);
  });
}
