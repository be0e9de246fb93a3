/**
 * What makes the change feed go on after the clock of the database was fast and has been corrected: stamps lie ahead of
 * the clock, and the feed would stand still until the clock has come up to them. The repair says from which stamp on
 * feed time goes on (`feed-clock.ts`); no stamp that was given is touched. It is a publish of nothing: under the lock,
 * so that every stamp up to its own is visible when it is noted.
 */
import type { Instant } from '@tmds/contract/record';
import type { Database } from '../driver/db.ts';
import { instantText } from '../driver/instants.ts';
import { sql } from '../driver/sql.ts';
import { givenAt } from './feed-clock.ts';
import { lockPublishing } from './publish.ts';

/** A clock that is behind by less catches up sooner than anybody notices. */
const BEHIND_SECONDS_MIN = 1;

export interface ClockRepair {
  /** What the clock read. */
  readonly repairedAt: Instant;
  /** The last stamp. */
  readonly stamp: Instant;
  /** By how much that was ahead. */
  readonly aheadSeconds: number;
}

/**
 * Null when the last stamp is not ahead of the clock, so that there is nothing to repair. Waits for a publish under
 * way: use a database connected without a statement time limit.
 */
export async function repairClock(db: Database): Promise<ClockRepair | null> {
  return await db.transaction(async (tx) => {
    await lockPublishing(tx);
    const [state] = await tx.query<{ behind: number }>(sql`
      select extract(epoch from ${givenAt(sql`last_stamp`)} - clock_timestamp())::float8 as behind from publish_clock`);
    if (state === undefined) throw new Error('the publish clock is missing');
    if (state.behind < BEHIND_SECONDS_MIN) return null;
    const [repair] = await tx.query<ClockRepair>(sql`
      with moved as (
        update publish_clock set last_stamp = last_stamp + interval '1 microsecond' returning last_stamp
      )
      insert into clock_repair (stamp, repaired_at) select last_stamp, clock_timestamp() from moved
      returning ${instantText(sql`repaired_at`)} as "repairedAt", ${instantText(sql`stamp`)} as stamp,
        extract(epoch from stamp - repaired_at)::float8 as "aheadSeconds"`);
    return repair!;
  });
}
