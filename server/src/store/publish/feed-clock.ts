/**
 * Feed time, from which stamps are taken and by which the feed ends. It is the database's clock, unless that clock once
 * ran fast and the operator has repaired it (`tmds clock repair`). In that case feed time continues from the last stamp
 * at a hundredth of the speed until the clock catches up (docs/design/change-feed.md). Invariants: a later clock
 * reading gives a later feed time; feed time is never behind the clock; every comparison of a stamp with the time is
 * made here. One publish at a time in the whole database takes a stamp, so that stamps are committed in order.
 */

import type { Transaction } from '../../database/driver/db.ts';
import { type Statement, sql } from '../../database/driver/sql.ts';
import { LOCK_SPACE, PUBLISH_LOCK } from '../../database/schema/locks.ts';

/** Waits for earlier publishes to end, without its own time limit. */
export async function lockPublishing(tx: Transaction): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(${LOCK_SPACE}::int, ${PUBLISH_LOCK}::int)`);
}

/** False if a publish is under way. */
export async function tryLockPublishing(tx: Transaction): Promise<boolean> {
  const [lock] = await tx.query<{ taken: boolean }>(
    sql`select pg_try_advisory_xact_lock(${LOCK_SPACE}::int, ${PUBLISH_LOCK}::int) as taken`,
  );
  return lock?.taken === true;
}

/**
 * Keeps publishes from beginning until the transaction ends; several transactions may do so together. Waits for a
 * running publish.
 */
export async function holdPublishing(tx: Transaction): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock_shared(${LOCK_SPACE}::int, ${PUBLISH_LOCK}::int)`);
}

export interface Stamp {
  /** As PostgreSQL prints it, to be bound as timestamptz. */
  stamp: string;
  /** The wire's form (rule I-31). */
  instant: string;
  /** Whether the publish is committed on several nodes, and has to be announced (`announce.ts`). */
  is_distributed: boolean;
}

/** The parts that complete a staged `detail`: the text before the instant of first sight, and the text after it. */
export function stampTexts({ instant }: Pick<Stamp, 'instant'>): { start: string; end: string } {
  return {
    start: `,"record_update_date":"${instant.slice(0, 10)}","first_seen_at":"`,
    end: `","updated_at":"${instant}"}`,
  };
}

/**
 * The speed of feed time while it is ahead: slow, so that the clock catches up, but faster than publishes can use up
 * stamps one microsecond apart (10,000 per second).
 */
const CREEP = 0.01;

/**
 * On a primary, a record stamped longer ago than this is visible now or never will be, because publishes fail long
 * before. A standby only knows the last stamp it has replayed, and several nodes the last stamp that was announced.
 */
export const SETTLED_SECONDS = 60;

/** The feed time at which the clock reads `clock`. */
export function feedTime(clock: Statement): Statement {
  return sql`(
    select greatest(reading.at, max(repair.stamp
      + make_interval(secs => extract(epoch from reading.at - repair.repaired_at)::float8 * ${CREEP}::float8)))
    from (select ${clock} as at) as reading left join clock_repair as repair on repair.repaired_at <= reading.at
    group by reading.at)`;
}

/** The inverse: the latest clock reading at which feed time reached `stamp`, a column of the caller. */
export function givenAt(stamp: Statement): Statement {
  return sql`least(${stamp}, (
    select min(repair.repaired_at + greatest(interval '0', ${stamp} - repair.stamp) / ${CREEP}::float8)
    from clock_repair as repair))`;
}

/** By the clock, not by feed time. */
export function secondsAgo(seconds: number): Statement {
  return sql`clock_timestamp() - make_interval(secs => ${seconds}::float8)`;
}

/**
 * `until`: `horizonSeconds` ago by the clock. `horizon`: the stamps given by then, as far as this snapshot is known to
 * be complete, which on several nodes ends with what is announced. `lineage`: rule I-47.
 */
export function clockEdge(horizonSeconds: number): Statement {
  return sql`
    select until, least(${feedTime(sql`clock.until`)}, settled) as horizon, lineage from (
      select ${secondsAgo(horizonSeconds)} as until, lineage,
        case when announced_stamp is not null then announced_stamp when pg_is_in_recovery() then last_stamp
          else greatest(last_stamp, ${feedTime(secondsAgo(SETTLED_SECONDS))}) end as settled
      from publish_clock
    ) as clock`;
}
