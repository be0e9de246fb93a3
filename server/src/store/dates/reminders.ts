/**
 * Who is reminded of dates by mail, and of which days. It knows nothing about mail, nor which dates there are.
 * Invariant: the reminders of a person cover every day since the last mail, up to a day that is written down before it
 * is sent. So a date comes at each distance once, also after days without a mail.
 */
import type { DateText } from '@tmds/contract/record';
import type { Queryable } from '../../database/driver/db.ts';
import { type Statement, sql } from '../../database/driver/sql.ts';

/** When reminders are due: this hour, UTC. */
const DUE_HOUR = 6;

const today: Statement = sql`(now() at time zone 'UTC')::date`;
const nextDue: Statement = sql`(date_trunc('day', now() at time zone 'UTC' - make_interval(hours => ${DUE_HOUR}::int))
  + interval '1 day' + make_interval(hours => ${DUE_HOUR}::int)) at time zone 'UTC'`;

export async function hasReminder(db: Queryable, userId: string): Promise<boolean> {
  return (await db.query(sql`select user_id from date_reminder where user_id = ${userId}`)).length > 0;
}

/** The first mail is of the next day. */
export async function insertReminder(db: Queryable, userId: string): Promise<void> {
  await db.query(sql`
    insert into date_reminder (user_id, since, covered_through, due_at)
    values (${userId}, now(), ((${nextDue}) at time zone 'UTC')::date - 1, ${nextDue}) on conflict do nothing`);
}

export async function deleteReminder(db: Queryable, userId: string): Promise<void> {
  await db.query(sql`delete from date_reminder where user_id = ${userId}`);
}

export interface ClaimedReminder {
  user_id: string;
  email: string;
  customer_id: string;
  customer_name: string;
  /** It is of the days after this one … */
  covered_through: DateText;
  /** … through this one. */
  sending_through: DateText;
  attempts: number;
}

/** Claims reminders that are due. The pauses double from `firstPauseSeconds` up to `pauseSecondsMax`. */
export async function claimReminders(
  db: Queryable,
  { limit, firstPauseSeconds, pauseSecondsMax }: { limit: number; firstPauseSeconds: number; pauseSecondsMax: number },
): Promise<ClaimedReminder[]> {
  return await db.query<ClaimedReminder>(sql`
    with due as (
      select d.user_id, u.email, u.customer_id, c.name as customer_name
      from date_reminder d join portal_user u on u.user_id = d.user_id and u.removed_at is null
        join customer c on c.customer_id = u.customer_id and c.suspended_at is null
      where d.due_at <= now() order by d.due_at limit ${limit}::int for update of d skip locked
    )
    update date_reminder d set attempts = d.attempts + 1,
      sending_through = coalesce(d.sending_through, greatest(d.covered_through, ${today})),
      due_at = now() + make_interval(secs =>
        least(${pauseSecondsMax}::float8, ${firstPauseSeconds}::float8 * power(2, d.attempts)))
    from due where d.user_id = due.user_id
    returning d.user_id::text as user_id, due.email, due.customer_id::text as customer_id, due.customer_name,
      d.covered_through::text as covered_through, d.sending_through::text as sending_through, d.attempts`);
}

/** Ends a mail until the next day. `was`: sent, or nothing came due. */
export async function endReminder(
  db: Queryable,
  { user_id, sending_through }: ClaimedReminder,
  was: 'sent' | 'empty',
): Promise<void> {
  await db.query(sql`
    update date_reminder set covered_through = sending_through, sending_through = null, attempts = 0, failure = null,
      due_at = ${nextDue}, sent_at = case when ${was} = 'sent' then now() else sent_at end
    where user_id = ${user_id} and sending_through = ${sending_through}::date`);
}

/** Records why the last attempt failed. `isLast`: the next mail covers what this one would have. */
export async function noteFailedReminder(
  db: Queryable,
  { user_id, sending_through }: ClaimedReminder,
  { failure, isLast }: { failure: string; isLast: boolean },
): Promise<void> {
  await db.query(sql`
    update date_reminder set failure = ${failure},
      sending_through = case when ${isLast} then null else sending_through end,
      attempts = case when ${isLast} then 0 else attempts end,
      due_at = case when ${isLast} then ${nextDue} else due_at end
    where user_id = ${user_id} and sending_through = ${sending_through}::date`);
}
