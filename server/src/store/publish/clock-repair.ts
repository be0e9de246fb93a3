/**
 * Lets the change feed continue after the database's clock ran fast and was corrected. Stamps are then ahead of the
 * clock, and the feed would stand still until the clock caught up. The repair records from which stamp feed time
 * continues (`feed-clock.ts`) and changes no stamp. It is an empty publish, under the lock, so that every earlier stamp
 * is visible by then.
 */
import type { Instant } from '@tmds/contract/record';
import type { Database } from '../../database/driver/db.ts';
import { instantText, sql } from '../../database/driver/sql.ts';
import { advanceClock, announceCommitted } from './announce.ts';
import { givenAt, lockPublishing } from './feed-clock.ts';

/** A clock that is behind by less than this catches up before anyone notices. */
const BEHIND_SECONDS_MIN = 1;

export interface ClockRepair {
  /** The clock's reading. */
  readonly repairedAt: Instant;
  /** The last stamp. */
  readonly stamp: Instant;
  /** How far the stamp was ahead of the clock. */
  readonly aheadSeconds: number;
}

/**
 * Null if the last stamp is not ahead of the clock, so that nothing needs repair. Waits for a running publish: use a
 * database connected without a statement time limit.
 */
export async function repairClock(db: Database): Promise<ClockRepair | null> {
  return await db.transaction(async (tx) => {
    await lockPublishing(tx);
    await announceCommitted(tx);
    const [state] = await tx.query<{ behind: number }>(sql`
      select extract(epoch from ${givenAt(sql`last_stamp`)} - clock_timestamp())::float8 as behind from publish_clock`);
    if (state === undefined) throw new Error('the publish clock is missing');
    if (state.behind < BEHIND_SECONDS_MIN) return null;
    const [repair] = await tx.query<ClockRepair>(sql`
      with moved as (
        update publish_clock set ${advanceClock(sql`last_stamp + interval '1 microsecond'`)} returning last_stamp
      )
      insert into clock_repair (stamp, repaired_at) select last_stamp, clock_timestamp() from moved
      returning ${instantText(sql`repaired_at`)} as "repairedAt", ${instantText(sql`stamp`)} as stamp,
        extract(epoch from stamp - repaired_at)::float8 as "aheadSeconds"`);
    return repair!;
  });
}
