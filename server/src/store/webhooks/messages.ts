/**
 * The messages to a webhook in one list, newest first: deliveries of hits, and test events; and who has to be notified
 * that a webhook was switched off. It sends nothing, and words nothing. Invariant: a claimed notice has its next
 * attempt written down before anything is sent, so that a crash loses none.
 */
import type { Instant } from '@tmds/contract/record';
import type { WebhookEvent, WebhookOffReason } from '@tmds/contract/webhooks';
import type { Queryable } from '../../database/driver/db.ts';
import { instantText, type Statement, sql } from '../../database/driver/sql.ts';
import { type ShownTest, stateOfTest } from './tests.ts';
import type { DeliveryPosition } from './webhooks.ts';

export interface StoredMessage extends DeliveryPosition {
  readonly event: WebhookEvent;
  /** As the customer names it; null for a test. */
  readonly watch: string | null;
  /** Null for a delivery. */
  readonly test_state: ShownTest['state'] | null;
  readonly attempts: number;
  readonly attempted_at: Instant | null;
  readonly due_at: Instant | null;
  readonly delivered_at: Instant | null;
  readonly answer_status: number | null;
  readonly answer_ms: number | null;
  readonly failure: string | null;
}

export interface MessagesOrder {
  readonly webhookId: string;
  /** The list begins with what is older; null = with the newest. */
  readonly before: DeliveryPosition | null;
  readonly limit: number;
  /** An attempt of a test that is older has been lost. */
  readonly lostSeconds: number;
}

/** What a message states, of rows with these columns. */
const MESSAGE: Statement = sql`id::text as delivery_id, event, watch, ${instantText(sql`made_at`)} as created_at,
    test_state, attempts, ${instantText(sql`attempted_at`)} as attempted_at, ${instantText(sql`due_at`)} as due_at,
    ${instantText(sql`delivered_at`)} as delivered_at, answer_status, answer_ms, failure`;

const DELIVERY: Statement = sql`d.delivery_id as id, 'watch.hits' as event, watch.id as watch, d.created_at as made_at,
        null as test_state, d.attempts, d.attempted_at, d.due_at, d.delivered_at, d.answer_status, d.answer_ms,
        d.failure`;

const testOf = (lostSeconds: number): Statement => sql`t.test_id as id, 'test' as event, null as watch,
        t.created_at as made_at, ${stateOfTest(lostSeconds)} as test_state,
        case when t.attempted_at is null then 0 else 1 end as attempts, t.attempted_at, null::timestamptz as due_at,
        case when t.failure is null then t.ended_at end as delivered_at, t.answer_status, t.answer_ms, t.failure`;

export async function listMessages(
  db: Queryable,
  { webhookId, before, limit, lostSeconds }: MessagesOrder,
): Promise<StoredMessage[]> {
  const isOlder = (created: Statement, id: Statement): Statement =>
    before === null
      ? sql`true`
      : sql`(${created}, ${id}) < (${before.created_at}::timestamptz, ${before.delivery_id}::uuid)`;
  return await db.query<StoredMessage>(sql`
    select ${MESSAGE}
    from (
      (select ${DELIVERY} from webhook_delivery d join watch on watch.watch_id = d.watch_id
        where d.webhook_id = ${webhookId} and ${isOlder(sql`d.created_at`, sql`d.delivery_id`)}
        order by d.created_at desc, d.delivery_id desc limit ${limit}::int)
      union all
      (select ${testOf(lostSeconds)} from webhook_test t
        where t.webhook_id = ${webhookId} and ${isOlder(sql`t.created_at`, sql`t.test_id`)}
        order by t.created_at desc, t.test_id desc limit ${limit}::int)
    ) as message order by made_at desc, id desc limit ${limit}::int`);
}

/** A test event by its id. */
export async function findTest(
  db: Queryable,
  testId: string,
  lostSeconds: MessagesOrder['lostSeconds'],
): Promise<StoredMessage> {
  const [found] = await db.query<StoredMessage>(sql`
    select ${MESSAGE}
    from (select ${testOf(lostSeconds)} from webhook_test t where test_id = ${testId}::uuid) as message`);
  if (found === undefined) throw new Error('the test event is gone');
  return found;
}

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
