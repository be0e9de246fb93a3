/**
 * Counts by month how many events of the history would have been hits of a search, the latest first, while time
 * remains. Invariant: every event from the reported instant on is counted, and none before it.
 */
import type { Instant } from '@tmds/contract/record';
import { type Clock, instantOf, microsOf } from '../base/clock.ts';
import { NoAnswer } from '../base/no-answer.ts';
import { type Queryable, withLimits } from '../database/driver/db.ts';
import type { SearchIndex } from '../follow/live-index.ts';
import type { SearchLimits } from '../follow/search-pool.ts';
import type { SiftedMark } from '../likeness/watched-marks.ts';
import type { Condition } from '../plan/search.ts';
import type { MonthCounts } from '../store/watches/counts.ts';
import { type EventPosition, readPastEvents, type VersionEvent } from '../store/watches/version-events.ts';

export interface WatchSources {
  readonly index: SearchIndex;
  readonly database: Queryable;
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
}

export interface PastLimits {
  readonly events: number;
  readonly ms: number;
  /** Read and matched at once, with about `STEP_BYTES` of text. */
  readonly stepEvents: number;
}

/**
 * How many events a preview reads: a year of most registers, some weeks of the largest. A step takes a few milliseconds
 * of this thread before other calls have their turn.
 */
const LOOK: PastLimits = { events: 50_000, ms: 2_000, stepEvents: 1_000 };
const STEP_BYTES = 4 * 1024 * 1024;

export interface PastCounts {
  readonly counts: MonthCounts;
  readonly countedFrom: Instant;
}

/**
 * @param wanted conditions of the search, and the mark that a name has to be like; null = any name
 * @param span stamps of the events, both included
 * @throws ApiError `unavailable`; events that would take too long are not counted
 */
export async function countPastEvents(
  { index, database, clock }: WatchSources,
  [conditions, mark]: readonly [readonly Condition[], SiftedMark | null],
  span: { readonly from: Instant; readonly through: Instant },
  limits: SearchLimits,
  look: PastLimits = LOOK,
): Promise<PastCounts> {
  const deadlineMs = Math.min(limits.deadlineMs, clock.monotonicMs() + look.ms);
  const counting = new Counting(span.through);
  const range = { register: findRegister(conditions), ...span };
  const reading = withLimits(database, { deadlineMs, signal: limits.signal });
  let before: EventPosition | null = null;
  try {
    for (let left = look.events; left > 0; ) {
      const step = { bytes: STEP_BYTES, events: Math.min(left, look.stepEvents) };
      const { events, hasMore } = await readPastEvents(reading, { ...range, before }, step);
      const versions = events.flatMap(({ after, before: replaced }) =>
        replaced === null ? [after] : [after, replaced],
      );
      const found = await index.sift(versions, conditions, mark, { ...limits, deadlineMs });
      const matching = new Set(Array.from(found, (position) => versions[position]!));
      for (const event of events) counting.add(event, isHit(event, matching));
      if (!hasMore) return { counts: counting.endWhole(), countedFrom: span.from };
      before = events.at(-1)!;
      left -= events.length;
    }
  } catch (error) {
    if (!(error instanceof NoAnswer && error.code === 'search_over_time')) throw error;
  }
  return counting.endEarly();
}

function isHit({ after, before }: VersionEvent, matching: ReadonlySet<VersionEvent['after']>): boolean {
  return matching.has(after) || (before !== null && matching.has(before));
}

/** The only register in which a record can match; null if it may be in several. */
function findRegister(conditions: readonly Condition[]): string | null {
  for (const condition of conditions) {
    if (condition.kind === 'terms' && condition.field === 'jurisdiction' && condition.values.length === 1) {
      return condition.values[0]!;
    }
  }
  return null;
}

/**
 * Takes events from the latest backwards. Events with the same stamp are counted together, so that no stamp is counted
 * in part.
 */
class Counting {
  private readonly counts = new Map<string, number>();
  private stamp: Instant;
  private hits = 0;

  constructor(through: Instant) {
    this.stamp = through;
  }

  add({ stamp }: VersionEvent, isHit: boolean): void {
    if (stamp !== this.stamp) this.close();
    this.stamp = stamp;
    if (isHit) this.hits += 1;
  }

  /** Every event was added. */
  endWhole(): MonthCounts {
    this.close();
    return this.counts;
  }

  /** Others may have the stamp of the last one. */
  endEarly(): PastCounts {
    return { counts: this.counts, countedFrom: instantOf(microsOf(this.stamp) + 1) };
  }

  private close(): void {
    const month = this.stamp.slice(0, 7);
    if (this.hits > 0) this.counts.set(month, (this.counts.get(month) ?? 0) + this.hits);
    this.hits = 0;
  }
}
