/**
 * Who has to be notified that a webhook was switched off. It knows nothing about mail. Invariant: a claimed notice has
 * its next attempt written down before anything is sent, so that a crash loses none.
 */
import type { WebhookOffReason } from '@tmds/contract/webhooks';
import type { Queryable } from '../../database/driver/db.ts';
import { instantText } from '../../database/driver/instants.ts';
import { sql } from '../../database/driver/sql.ts';

export interface ClaimedOffNotice {
  webhook_id: string;
  host: string;
  off_reason: WebhookOffReason;
  off_since: string;
  customer_name: string;
  attempts: number;
  /** Addresses of the customer's people; a bounded number. */
  emails: string[];
}

/** A customer's people beyond this number get no mail. */
const EMAILS_MAX = 100;

/** The pauses double from `firstPauseSeconds` up to `pauseSecondsMax`. */
export async function claimOffNotices(
  db: Queryable,
  { limit, firstPauseSeconds, pauseSecondsMax }: { limit: number; firstPauseSeconds: number; pauseSecondsMax: number },
): Promise<ClaimedOffNotice[]> {
  return await db.query<ClaimedOffNotice>(sql`
    with due as (
      select webhook_id from webhook where tell_at <= now() and off_since is not null
      order by tell_at limit ${limit}::int for update skip locked
    )
    update webhook w set tell_attempts = w.tell_attempts + 1, tell_at = now() + make_interval(secs =>
      least(${pauseSecondsMax}::float8, ${firstPauseSeconds}::float8 * power(2, w.tell_attempts)))
    from due, customer c where w.webhook_id = due.webhook_id and c.customer_id = w.customer_id
    returning w.webhook_id, w.host, w.off_reason, ${instantText(sql`w.off_since`)} as off_since,
      c.name as customer_name, w.tell_attempts as attempts,
      array(select u.email from portal_user u where u.customer_id = w.customer_id and u.removed_at is null
        order by u.created_at, u.email limit ${EMAILS_MAX}::int) as emails`);
}

/** Does nothing if the webhook was switched on in the meantime. `isOver`: the notice was sent, or is abandoned. */
export async function noteOffNotice(
  db: Queryable,
  { webhook_id, off_since }: ClaimedOffNotice,
  { failure, isOver }: { failure: string | null; isOver: boolean },
): Promise<void> {
  await db.query(sql`
    update webhook set tell_failure = ${failure}, tell_at = case when ${isOver} then null else tell_at end
    where webhook_id = ${webhook_id} and off_since = ${off_since}::timestamptz`);
}
