/**
 * Records that a watch matches now and that state a date within a span, found in the index. Watches that list their
 * records need no index, and are read elsewhere.
 */
import { MATCHED_COUNT_MAX } from '@tmds/contract/limits';
import type { TrademarkDetail } from '@tmds/contract/record';
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

interface Sources extends PageSources {
  readonly clock: Clock;
}

/** The dates by which the index finds records. */
const FIELDS = ['opposition_period_end', 'expiry_date'] as const;

export interface DatedMatches {
  /** At most the requested number for each date; a record may be there twice. */
  readonly records: readonly TrademarkDetail[];
  /** Whether more records match than these. */
  readonly hasMore: boolean;
}

/** One after the other, in their order; null for those that cannot be read within the limits. */
export async function findAllDated(
  sources: Sources,
  subjects: readonly (() => Promise<WatchPlan['subject']>)[],
  { span, limit }: { span: DateSpan; limit: number },
  limits: SearchLimits,
): Promise<(DatedMatches | null)[]> {
  const found: (DatedMatches | null)[] = [];
  for (const read of subjects) {
    if (sources.clock.monotonicMs() >= limits.deadlineMs) found.push(null);
    else found.push(await findDated(sources, await read(), { span, limit }, limits));
  }
  return found;
}

async function findDated(
  sources: Sources,
  subject: WatchPlan['subject'],
  { span, limit }: { span: DateSpan; limit: number },
  limits: SearchLimits,
): Promise<DatedMatches | null> {
  if (subject.kind === 'records') return { records: [], hasMore: false };
  return await orNull(async () => {
    const watched = await findConditions(sources.index, subject, limits);
    const records: TrademarkDetail[] = [];
    let hasMore = false;
    for (const field of FIELDS) {
      const plan = planDated(watched, field, span, limit);
      const page = await findPage(plan, sources, limits, new Timing(sources.clock));
      const found = readItems(page);
      records.push(...found);
      hasMore ||= (page.matched?.count ?? 0) > found.length;
    }
    return { records, hasMore };
  });
}

function planDated(
  watched: readonly Condition[],
  field: (typeof FIELDS)[number],
  { from, to }: DateSpan,
  limit: number,
): SearchPlan {
  // The plan of a search with the date alone, whose conditions those of the watch join.
  const dated = planSearch(
    parseSearch(checkDeclared('search', splitQuery(`${field}_from=${from}&${field}_to=${to}`)), null),
  );
  const conditions = [...watched, ...dated.conditions];
  return { ...dated, conditions, limit, countMax: MATCHED_COUNT_MAX + 1 };
}
