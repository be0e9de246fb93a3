/**
 * The publish clock of a restored database. Invariants: no stamp that is given after the restore was given before, by
 * the replaced database or by the lost one; its lineage is one that no replica has seen (rule I-47).
 */
import { randomUUID } from 'node:crypto';
import type { Instant } from '@tmds/contract/record';
import { OperatorError } from '../../base/errors.ts';
import { listSpreadTables } from '../../database/distributed/distribution.ts';
import type { Transaction } from '../../database/driver/db.ts';
import { instantText, type Statement, sql } from '../../database/driver/sql.ts';
import { feedTime } from '../../store/publish/feed-clock.ts';

export interface Replaced {
  readonly id: string;
  readonly lastStamp: string;
}

export async function findReplaced(tx: Transaction): Promise<Replaced | null> {
  const [table] = await tx.query<{ found: boolean }>(sql`select to_regclass('publish_clock') is not null as found`);
  if (!table!.found) return null;
  const [clock] = await tx.query<Replaced>(sql`
    select database_id as id, ${instantText(sql`last_stamp`)} as "lastStamp" from publish_clock`);
  return clock ?? null;
}

export interface RenewedClock {
  /** The database that was replaced, by which its search indexes are known; null if there was none. */
  readonly replaced_id: string | null;
  /** The next publish is stamped after this. */
  readonly last_stamp: Instant;
  /** The records lie on several nodes, and are committed on one after the other. */
  readonly is_spread: boolean;
}

/**
 * Sets a last stamp that is later than every stamp given before: by the replaced database, and by the lost one, which
 * the clock of this database has passed. The database gets another id, so that every search index of it is rebuilt. It
 * also gets another lineage, wherever the backup is restored to: replicas have seen what came after the backup.
 */
export async function renewClock(
  tx: Transaction,
  replaced: Replaced | null,
  after: Instant | null,
): Promise<RenewedClock> {
  const is_spread = (await listSpreadTables(tx)).has('record');
  // The backup may come from one database and this one may have several nodes, or the other way round.
  await tx.query(sql`update publish_clock set announced_stamp = case when ${is_spread}::bool then last_stamp end`);
  const id = randomUUID();
  const atLeast = (instant: Instant | null): Statement => sql`coalesce(${instant}::timestamptz, '-infinity')`;
  const [clock] = await tx.query<{ last_stamp: string }>(sql`
    update publish_clock set database_id = ${id}::uuid, lineage = ${id}::uuid,
      last_stamp = greatest(${feedTime(sql`clock_timestamp()`)}, last_stamp, ${atLeast(replaced?.lastStamp ?? null)},
        ${atLeast(after)}) + interval '1 microsecond'
    returning ${instantText(sql`last_stamp`)} as last_stamp`);
  if (clock === undefined) throw new OperatorError('the backup is damaged: publish_clock has no row');
  return { replaced_id: replaced?.id ?? null, last_stamp: clock.last_stamp, is_spread };
}
