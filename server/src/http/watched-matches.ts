/** Records of some registers that a watch matches now, found in the index; and both readings of dates within limits. */
import { MATCHED_COUNT_MAX } from '@tmds/contract/limits';
import type { Clock } from '../base/clock.ts';
import type { SearchLimits } from '../follow/search-pool.ts';
import { checkDeclared, splitQuery } from '../parse/query.ts';
import { parseSearch } from '../parse/search.ts';
import { type Condition, planSearch, type SearchPlan } from '../plan/search.ts';
import type { WatchPlan } from '../plan/watches.ts';
import type { DateSpan } from '../store/records/date-facts.ts';
import { Timing } from './call.ts';
import { findPage, type PageSources, readItems } from './find-page.ts';
import { orNull } from './or-null.ts';
import { findConditions } from './watched-conditions.ts';
import { type DatedMatches, findAllDated } from './watched-dates.ts';

type Subject = WatchPlan['subject'];
type Read = readonly (() => Promise<Subject>)[];

interface MatchSources extends PageSources {
  readonly clock: Clock;
}

/** Both readings, each in a turn of the customer of this id. */
export function buildMatchReader(sources: MatchSources, limit: (customerId: string) => SearchLimits) {
  return {
    findDated: (customerId: string, watches: Read, within: { span: DateSpan; limit: number }) =>
      findAllDated(sources, watches, within, limit(customerId)),
    findOfRegisters: (customerId: string, watches: Read, among: { registers: readonly string[]; limit: number }) =>
      findAllOfRegisters(sources, watches, among, limit(customerId)),
  };
}

/** One after the other, in their order; null for those that cannot be read within the limits. */
async function findAllOfRegisters(
  sources: MatchSources,
  subjects: Read,
  among: { registers: readonly string[]; limit: number },
  limits: SearchLimits,
): Promise<(DatedMatches | null)[]> {
  const found: (DatedMatches | null)[] = [];
  for (const read of subjects) {
    if (sources.clock.monotonicMs() >= limits.deadlineMs) found.push(null);
    else found.push(await findOfRegisters(sources, await read(), among, limits));
  }
  return found;
}

async function findOfRegisters(
  sources: MatchSources,
  subject: Subject,
  { registers, limit }: { registers: readonly string[]; limit: number },
  limits: SearchLimits,
): Promise<DatedMatches | null> {
  if (subject.kind === 'records') return { records: [], hasMore: false };
  return await orNull(async () => {
    const watched = await findConditions(sources.index, subject, limits);
    const plan = planOfRegisters(watched, registers, limit);
    const page = await findPage(plan, sources, limits, new Timing(sources.clock));
    const records = readItems(page);
    return { records, hasMore: (page.matched?.count ?? 0) > records.length };
  });
}

function planOfRegisters(watched: readonly Condition[], registers: readonly string[], limit: number): SearchPlan {
  // What has ended has no date ahead.
  const query = `jurisdiction=${registers.join(',')}&status=Registered,Pending,Unknown`;
  const open = planSearch(parseSearch(checkDeclared('search', splitQuery(query)), null));
  return { ...open, conditions: [...watched, ...open.conditions], limit, countMax: MATCHED_COUNT_MAX + 1 };
}
