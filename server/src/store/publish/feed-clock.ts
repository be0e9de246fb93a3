/**
 * Feed time, by which stamps are given and the end of the feed is found. It is the database's clock, unless that was
 * fast once and the operator said so (`tmds clock repair`): then it goes on from the last stamp, at a hundredth of the
 * speed, until the clock has come up to it (docs/decisions/0050). Invariants: a later reading of the clock gives a
 * later feed time; feed time is never behind the clock; whatever compares a stamp with the time does it here.
 */
import { type Statement, sql } from '../driver/sql.ts';

/**
 * How fast feed time goes while it is ahead: slow, so that the clock comes up to it, but faster than publishes can give
 * stamps one microsecond apart (10,000 a second).
 */
const CREEP = 0.01;

/** The feed time at which the clock reads `clock`. */
export function feedTime(clock: Statement): Statement {
  return sql`(
    select greatest(reading.at, max(repair.stamp
      + make_interval(secs => extract(epoch from reading.at - repair.repaired_at)::float8 * ${CREEP}::float8)))
    from (select ${clock} as at) as reading left join clock_repair as repair on repair.repaired_at <= reading.at
    group by reading.at)`;
}

/** What the clock read, at the latest, when feed time came to `stamp`: the inverse. `stamp` is a column of the caller. */
export function givenAt(stamp: Statement): Statement {
  return sql`least(${stamp}, (
    select min(repair.repaired_at + greatest(interval '0', ${stamp} - repair.stamp) / ${CREEP}::float8)
    from clock_repair as repair))`;
}

/** A time of the clock. */
export function secondsAgo(seconds: number): Statement {
  return sql`clock_timestamp() - make_interval(secs => ${seconds}::float8)`;
}
