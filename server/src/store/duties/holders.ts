/** Which process holds each duty and lock that only one may hold, as everybody on the database can see it. */
import type { Queryable } from '../../database/driver/db.ts';
import { sql } from '../../database/driver/sql.ts';
import {
  LOCK_SPACE,
  MIGRATION_LOCK,
  PUBLISH_LOCK,
  RESTORE_LOCK,
  SNAPSHOT_LOCK,
  SYNC_LOCK_SPACE,
} from '../../database/schema/locks.ts';
import { DUTIES, type DutyName } from './duties.ts';

/** Locks held for the length of one transaction or command. */
const PASSING = {
  publish: [LOCK_SPACE, PUBLISH_LOCK],
  snapshot: [LOCK_SPACE, SNAPSHOT_LOCK],
  restore: [LOCK_SPACE, RESTORE_LOCK],
  migration: [LOCK_SPACE, MIGRATION_LOCK],
} as const satisfies Record<string, readonly [space: number, lock: number]>;

const HELD = { ...DUTIES, ...PASSING };

export interface DutyHolder {
  readonly duty: DutyName | keyof typeof PASSING;
  /** The name of the connection, such as `tmds serve webhooks`. */
  readonly program: string;
  /** The database process that holds it. */
  readonly pid: number;
  /** `YYYY-MM-DDTHH:MM:SSZ`; null for a lock that is held for one transaction or command. */
  readonly since: string | null;
}

/** Holders on this database, by duty. A duty that is not listed is free. */
export async function listHolders(db: Queryable): Promise<DutyHolder[]> {
  const rows = await db.query<{ space: string; lock: string; pid: number; program: string }>(sql`
    select lock.classid::int8::text as space, lock.objid::int8::text as lock, lock.pid,
      coalesce(activity.application_name, '') as program
    from pg_locks lock left join pg_stat_activity activity on activity.pid = lock.pid
    where lock.locktype = 'advisory' and lock.granted and lock.mode = 'ExclusiveLock' and lock.objsubid = 2
      and lock.classid::int8 in (${LOCK_SPACE}::int8, ${SYNC_LOCK_SPACE}::int8)
      and lock.database = (select oid from pg_database where datname = current_database())
    order by lock.pid`);
  return Object.entries(HELD).flatMap(([duty, [space, lock]]) =>
    rows
      .filter((row) => row.space === String(space) && row.lock === String(lock) && row.pid !== null)
      .map(({ pid, program }): DutyHolder => {
        const named = /^(.*), \w+ since (\S+)$/.exec(program);
        return { duty: duty as DutyHolder['duty'], program: named?.[1] ?? program, pid, since: named?.[2] ?? null };
      }),
  );
}
