/**
 * Test events: a customer asks for one, the sender claims it for its only attempt, and the page of the webhook shows
 * how it ended. A test is no delivery: it is neither repeated nor counted as a failure, and switches nothing off.
 */
import type { Queryable, Transaction } from '../../database/driver/db.ts';
import { instantText, type Statement, sql } from '../../database/driver/sql.ts';
import type { AttemptEnd } from './deliveries.ts';

/** Tests that a customer may send within `TESTS_MINUTES`. */
export const TESTS_MAX = 5;
export const TESTS_MINUTES = 10;
/** A test that no sender has claimed by then is not sent any more. */
const CLAIM_SECONDS = 60;

/** The caller has locked the customer. Returns the id of the test; null if the customer has sent as many as it may. */
export async function insertTest(
  tx: Transaction,
  { customerId, webhookId }: { customerId: string; webhookId: string },
): Promise<string | null> {
  const [inserted] = await tx.query<{ test_id: string }>(sql`
    insert into webhook_test (test_id, customer_id, webhook_id, created_at)
    select gen_random_uuid(), ${customerId}::uuid, ${webhookId}, now()
    where (select count(*) from webhook_test where customer_id = ${customerId}::uuid
      and created_at > now() - make_interval(mins => ${TESTS_MINUTES}::int)) < ${TESTS_MAX}::int
    returning test_id::text as test_id`);
  return inserted?.test_id ?? null;
}

/** The test of the webhook that no sender has claimed yet. */
export async function findWaitingTest(db: Queryable, webhookId: string): Promise<string | null> {
  const [found] = await db.query<{ test_id: string }>(sql`
    select test_id::text as test_id from webhook_test where webhook_id = ${webhookId} and attempted_at is null
      and created_at > now() - make_interval(secs => ${CLAIM_SECONDS}::int)
    order by created_at desc limit 1`);
  return found?.test_id ?? null;
}

/** How long a customer that has sent as many as it may waits before it may send another. */
export async function findTestPause(db: Queryable, customerId: string): Promise<number> {
  const [found] = await db.query<{ seconds: number }>(sql`
    select greatest(1, ceil(extract(epoch from
      min(created_at) + make_interval(mins => ${TESTS_MINUTES}::int) - now())))::int4 as seconds
    from (
      select created_at from webhook_test where customer_id = ${customerId}::uuid
      order by created_at desc limit ${TESTS_MAX}::int
    ) as latest`);
  return found?.seconds ?? 1;
}

export interface ClaimedTest {
  test_id: string;
  webhook_id: string;
  customer_id: string;
  url: string;
  host: string;
  /** Sealed. */
  secret: Buffer;
  /** Sealed; null if no second secret signs too. */
  former_secret: Buffer | null;
  created_at: string;
}

interface TestBounds {
  readonly limit: number;
  /** Receivers and customers to which as much is being sent as may be. */
  readonly fullHosts: readonly string[];
  readonly fullCustomers: readonly string[];
}

/** Claims what waits, the oldest first; also for webhooks that are off, which are tested before they are used again. */
export async function claimTests(
  db: Queryable,
  { limit, fullHosts, fullCustomers }: TestBounds,
): Promise<ClaimedTest[]> {
  return await db.query<ClaimedTest>(sql`
    with chosen as (
      select t.test_id from webhook_test t join webhook w on w.webhook_id = t.webhook_id
        join customer c on c.customer_id = t.customer_id and c.suspended_at is null
      where t.attempted_at is null and t.created_at > now() - make_interval(secs => ${CLAIM_SECONDS}::int)
        and not (w.host = any (${[...fullHosts]}::text[]))
        and not (w.customer_id::text = any (${[...fullCustomers]}::text[]))
      order by t.created_at limit ${limit}::int for update of t skip locked
    )
    update webhook_test t set attempted_at = now()
    from chosen, webhook w where t.test_id = chosen.test_id and w.webhook_id = t.webhook_id
    returning t.test_id::text as test_id, w.webhook_id, w.customer_id::text as customer_id, w.url, w.host, w.secret,
      case when w.former_ends_at > now() then w.former_secret end as former_secret,
      ${instantText(sql`t.created_at`)} as created_at`);
}

export async function endTest(db: Queryable, testId: string, answer: AttemptEnd): Promise<void> {
  const { status, bytes, durationMs, failure } = answer;
  await db.query(sql`
    update webhook_test set ended_at = now(), answer_status = ${status}::int, answer_bytes = ${bytes}::int,
      answer_ms = ${durationMs}::int, failure = ${failure}
    where test_id = ${testId}`);
}

/** Releases a test that was claimed and not answered. */
export async function releaseTest(db: Queryable, testId: string): Promise<void> {
  await db.query(sql`update webhook_test set attempted_at = null where test_id = ${testId} and ended_at is null`);
}

export interface ShownTest {
  test_id: string;
  created_at: string;
  /** `lost`: the sender ended before the answer came. `unsent`: there was no sender in time. */
  state: 'waiting' | 'sending' | 'ended' | 'lost' | 'unsent';
  answer_status: number | null;
  answer_bytes: number | null;
  answer_ms: number | null;
  failure: string | null;
}

/** How a test `t` is. `lostSeconds`: an attempt that is older has been lost. */
export function stateOfTest(lostSeconds: number): Statement {
  return sql`case when t.ended_at is not null then 'ended'
        when t.attempted_at > now() - make_interval(secs => ${lostSeconds}::int) then 'sending'
        when t.attempted_at is not null then 'lost'
        when t.created_at > now() - make_interval(secs => ${CLAIM_SECONDS}::int) then 'waiting'
        else 'unsent' end`;
}

/** Newest first. `lostSeconds`: as for `stateOfTest`. */
export async function listTests(
  db: Queryable,
  { webhookId, lostSeconds, limit }: { webhookId: string; lostSeconds: number; limit: number },
): Promise<ShownTest[]> {
  return await db.query<ShownTest>(sql`
    select t.test_id::text as test_id, ${instantText(sql`t.created_at`)} as created_at,
      ${stateOfTest(lostSeconds)} as state,
      t.answer_status, t.answer_bytes, t.answer_ms, t.failure
    from webhook_test t where t.webhook_id = ${webhookId}
    order by t.created_at desc, t.test_id limit ${limit}::int`);
}
