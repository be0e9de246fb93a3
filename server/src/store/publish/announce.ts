/**
 * When a publish counts (docs/design/standbys-and-nodes.md). On one database it counts when it commits. On several
 * nodes it commits on one after the other: each prepares it, the coordinator commits, then each commits what it has
 * prepared. A reader in between could see one half and move past the other. So every reader in the order of stamps
 * stops at the announced stamp, and a publish is announced once no node has any part of it left to commit.
 * Invariant: everything announced is visible on every node, and the next publish begins only after the announcement.
 */
import { NoAnswer } from '../../base/no-answer.ts';
import { isDistributed } from '../../database/distributed/distribution.ts';
import { askEachNode } from '../../database/distributed/nodes.ts';
import type { Database, Transaction } from '../../database/driver/db.ts';
import { type Statement, sql } from '../../database/driver/sql.ts';
import { holdPublishing, lockPublishing, tryLockPublishing } from './feed-clock.ts';

/** How often a reading may fall between the commit of a publish and its announcement before it fails. */
const ATTEMPTS_MAX = 5;

/** The publish clock without a publish: outstanding announcements stay outstanding. */
export function advanceClock(stamp: Statement): Statement {
  // Computed once, since the clock moves on.
  return sql`(last_stamp, announced_stamp) = (
      with given as materialized (select ${stamp} as stamp)
      select given.stamp, case when announced_stamp = last_stamp then given.stamp else announced_stamp end from given)`;
}

/**
 * Announces what has been committed. Call it with the publish lock. Costs one small statement if there is nothing to
 * announce.
 * @throws NoAnswer while a node cannot be reached or has not committed its part
 */
export async function announceCommitted(tx: Transaction): Promise<void> {
  if (!(await isAnnouncementDue(tx))) return;
  if (await isPending(tx)) {
    // Citus allows this to superusers, and to roles that they permit; its own daemon does it every minute.
    await tx.query(sql`
      select case when has_function_privilege('recover_prepared_transactions()', 'execute')
        then recover_prepared_transactions() end`);
    if (await isPending(tx)) throw new NoAnswer('publish_uncommitted');
  }
  await tx.query(sql`update publish_clock set announced_stamp = last_stamp where announced_stamp < last_stamp`);
}

/** Waits for a publish that is under way. @throws as `announceCommitted` */
export async function announcePublish(db: Pick<Database, 'transaction'>): Promise<void> {
  await db.transaction(async (tx) => {
    await lockPublishing(tx);
    await announceCommitted(tx);
  });
}

/**
 * Announces what a killed publish or a lost node left; any server may do this. Does nothing while a publish is under
 * way.
 */
export async function announceLeftovers(db: Pick<Database, 'transaction' | 'query'>): Promise<void> {
  if (!(await isAnnouncementDue(db))) return;
  await db.transaction(async (tx) => {
    if (await tryLockPublishing(tx)) await announceCommitted(tx);
  });
}

/**
 * Runs `read` on the state that publishes had reached at one moment. On one database that is a snapshot. On several
 * nodes a running publish is waited for, and no other begins until the reading ends.
 *
 * @throws NoAnswer while a publish is not committed on every node
 */
export async function readSettled<Result>(
  db: Pick<Database, 'transaction' | 'query'>,
  read: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  if (!(await isDistributed(db))) return await db.transaction(read, { isolation: 'repeatable read', readOnly: true });
  for (let attempt = 1; ; attempt += 1) {
    const result = await db.transaction(
      async (tx) => {
        await holdPublishing(tx);
        return (await isAnnouncementDue(tx)) ? null : { read: await read(tx) };
      },
      { readOnly: true },
    );
    if (result !== null) return result.read;
    if (attempt === ATTEMPTS_MAX) throw new NoAnswer('publish_uncommitted');
    await announcePublish(db);
  }
}

async function isAnnouncementDue(db: Pick<Database, 'query'>): Promise<boolean> {
  const [clock] = await db.query<{ due: boolean }>(
    sql`select (announced_stamp < last_stamp) is true as due from publish_clock`,
  );
  return clock?.due === true;
}

const PREPARED = sql`
  select coalesce(json_agg(gid), '[]') from pg_prepared_xacts where database = current_database()`;

/**
 * Whether a node still has to commit what the coordinator has committed. The coordinator's commit records the
 * transaction in `pg_dist_transaction`; the nodes have prepared it by then.
 */
async function isPending(tx: Transaction): Promise<boolean> {
  const answers = await askEachNode<string[]>(tx, PREPARED);
  const prepared = answers.flat();
  if (prepared.length === 0) return false;
  const committed = await tx.query(sql`select from pg_dist_transaction where gid = any(${prepared}::text[]) limit 1`);
  return committed.length > 0;
}
