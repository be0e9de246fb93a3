/**
 * Who gets a digest by mail, and what it covers. It knows nothing about mail. Invariant: a digest covers every hit
 * since the previous one, up to a stamp that is written down before it is sent; if it cannot be sent, the next one
 * covers its hits.
 */
import type { Queryable } from '../../database/driver/db.ts';
import { instantText, type Statement, sql } from '../../database/driver/sql.ts';
import { HITS_OF_ROW } from '../watches/hit-rows.ts';

/** When digests are due: this hour, UTC. */
const DUE_HOUR = 6;

const nextDue: Statement = sql`(date_trunc('day', now() at time zone 'UTC' - make_interval(hours => ${DUE_HOUR}::int))
  + interval '1 day' + make_interval(hours => ${DUE_HOUR}::int)) at time zone 'UTC'`;

/** The stamp up to which hits are known. */
const edge: Statement = sql`(select complete_through from watch_progress)`;

export async function hasDigest(db: Queryable, userId: string): Promise<boolean> {
  return (await db.query(sql`select user_id from hit_digest where user_id = ${userId}`)).length > 0;
}

/** Asks for a digest; the first one covers hits from now on. */
export async function insertDigest(db: Queryable, userId: string): Promise<void> {
  await db.query(sql`
    insert into hit_digest (user_id, since, covered_through, due_at)
    values (${userId}, now(), ${edge}, ${nextDue}) on conflict do nothing`);
}

export async function deleteDigest(db: Queryable, userId: string): Promise<void> {
  await db.query(sql`delete from hit_digest where user_id = ${userId}`);
}

export interface ClaimedDigest {
  user_id: string;
  email: string;
  customer_id: string;
  customer_name: string;
  /** It covers the hits with later stamps … */
  covered_through: string;
  /** … up to this one. */
  sending_through: string;
  attempts: number;
}

/** Claims digests that are due. The pauses double from `firstPauseSeconds` up to `pauseSecondsMax`. */
export async function claimDigests(
  db: Queryable,
  options: { limit: number; firstPauseSeconds: number; pauseSecondsMax: number },
): Promise<ClaimedDigest[]> {
  const { limit, firstPauseSeconds, pauseSecondsMax } = options;
  return await db.query<ClaimedDigest>(sql`
    with due as (
      select d.user_id, u.email, u.customer_id, c.name as customer_name
      from hit_digest d join portal_user u on u.user_id = d.user_id and u.removed_at is null
        join customer c on c.customer_id = u.customer_id and c.suspended_at is null
      where d.due_at <= now() order by d.due_at limit ${limit}::int for update of d skip locked
    )
    update hit_digest d set attempts = d.attempts + 1,
      sending_through = coalesce(d.sending_through, greatest(d.covered_through, ${edge})),
      due_at = now() + make_interval(secs =>
        least(${pauseSecondsMax}::float8, ${firstPauseSeconds}::float8 * power(2, d.attempts)))
    from due where d.user_id = due.user_id
    returning d.user_id::text as user_id, due.email, due.customer_id::text as customer_id, due.customer_name,
      ${instantText(sql`d.covered_through`)} as covered_through,
      ${instantText(sql`d.sending_through`)} as sending_through, d.attempts`);
}

/** How many hits of each kind a watch had. */
export interface WatchCount {
  watch: string;
  name: string;
  /** The customer's own; null: none. */
  reference: string | null;
  begins: number;
  changes: number;
  stops: number;
}

/** The watches of a customer with hits of these stamps, those with the most first. */
export async function countHits(
  db: Queryable,
  { customer_id, covered_through, sending_through }: ClaimedDigest,
  watchesMax: number,
): Promise<WatchCount[]> {
  return await db.query<WatchCount>(sql`
    select watch.id as watch, watch.name, watch.reference,
      count(*) filter (where hit.event = 'begins')::float8 as begins,
      count(*) filter (where hit.event = 'changes')::float8 as changes,
      count(*) filter (where hit.event = 'stops')::float8 as stops
    from watch join watch_hit hit_row on hit_row.watch_id = watch.watch_id
      and hit_row.stamp > ${covered_through}::timestamptz and hit_row.stamp <= ${sending_through}::timestamptz
      cross join lateral ${HITS_OF_ROW}
    where watch.customer_id = ${customer_id}
    group by watch.watch_id order by count(*) desc, watch.id limit ${watchesMax}::int`);
}

/** Ends a digest until the next day. `was`: sent, or there were no hits to report. */
export async function endDigest(
  db: Queryable,
  { user_id, sending_through }: ClaimedDigest,
  was: 'sent' | 'empty',
): Promise<void> {
  await db.query(sql`
    update hit_digest set covered_through = sending_through, sending_through = null, attempts = 0, failure = null,
      due_at = ${nextDue}, sent_at = case when ${was} = 'sent' then now() else sent_at end
    where user_id = ${user_id} and sending_through = ${sending_through}::timestamptz`);
}

/** Records why the last attempt failed. `isLast`: the next digest covers what this one would have. */
export async function noteFailedDigest(
  db: Queryable,
  { user_id, sending_through }: ClaimedDigest,
  { failure, isLast }: { failure: string; isLast: boolean },
): Promise<void> {
  await db.query(sql`
    update hit_digest set failure = ${failure},
      sending_through = case when ${isLast} then null else sending_through end,
      attempts = case when ${isLast} then 0 else attempts end,
      due_at = case when ${isLast} then ${nextDue} else due_at end
    where user_id = ${user_id} and sending_through = ${sending_through}::timestamptz`);
}
