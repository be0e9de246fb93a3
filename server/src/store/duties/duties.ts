/**
 * Duties: work that only one process on a database does, and which process holds each, as everybody on the database can
 * see it. The process that holds the advisory lock of a duty has it. The lock ends with its connection, and PostgreSQL
 * ends a connection that is silent for `SILENCE_MS`. A duty is therefore free within seconds after its process was
 * killed, was paused, or lost its machine or network (docs/design/operations.md).
 * Invariant: nobody takes a duty while its holder can still reach the database through the connection that holds it.
 */
import { systemClock } from '../../base/clock.ts';
import type { Database, Queryable } from '../../database/driver/db.ts';
import { sql } from '../../database/driver/sql.ts';
import {
  LOCK_SPACE,
  MATCHING_LOCK,
  MIGRATION_LOCK,
  PUBLISH_LOCK,
  RESTORE_LOCK,
  RETENTION_LOCK,
  SENDING_LOCK,
  SNAPSHOT_LOCK,
  SYNC_LOCK,
  SYNC_LOCK_SPACE,
} from '../../database/schema/locks.ts';

/** The lock of each duty. */
export const DUTIES = {
  matching: [LOCK_SPACE, MATCHING_LOCK],
  webhooks: [LOCK_SPACE, SENDING_LOCK],
  retention: [LOCK_SPACE, RETENTION_LOCK],
  sync: [SYNC_LOCK_SPACE, SYNC_LOCK],
} as const satisfies Record<string, readonly [space: number, lock: number]>;

export type DutyName = keyof typeof DUTIES;

/** After this long without a statement, PostgreSQL takes the duty away. */
export const SILENCE_MS = 10_000;
/** A holder shows this often that it is alive. */
export const BEAT_MS = 2_500;

export interface HeldDuty {
  /** The connection that holds the duty: a process that has lost the duty can no longer write through it. */
  readonly session: Queryable;
  /** Whether the duty is still held. Check it before each step of the work. */
  isHeld(): Promise<boolean>;
}

export type DutyOutcome<Result> = { readonly held: true; readonly result: Result } | { readonly held: false };

/**
 * Runs `work` while holding the duty; `held` is false if another process has it. Rejects as `work` does, and with
 * `unavailable` if the database is away.
 */
export async function holdDuty<Result>(
  db: Database,
  name: DutyName,
  work: (duty: HeldDuty) => Promise<Result>,
): Promise<DutyOutcome<Result>> {
  const [space, lock] = DUTIES[name];
  return await db.session(async (session) => {
    const [lease] = await session.query<{ taken: boolean }>(sql`
      select pg_try_advisory_lock(${space}::int, ${lock}::int) as taken,
        set_config('idle_session_timeout', ${String(SILENCE_MS)}, false)`);
    if (!lease!.taken) return { held: false };
    const isHeld = (): Promise<boolean> =>
      session.query(sql`select 1 as one`).then(
        () => true,
        () => false,
      );
    const ending = new AbortController();
    const beating = beat(isHeld, ending.signal);
    try {
      // Visible to others for as long as the connection lives (`listHolders`).
      await session.query(sql`
        select set_config('application_name', left(current_setting('application_name'), 30) || ', ' || ${name}
          || to_char(clock_timestamp() at time zone 'UTC', '" since "YYYY-MM-DD"T"HH24:MI:SS"Z"'), false)`);
      return { held: true, result: await work({ session, isHeld }) };
    } finally {
      ending.abort();
      await beating;
    }
  });
}

async function beat(isHeld: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  try {
    do await systemClock.sleep(BEAT_MS, signal);
    while (await isHeld());
  } catch {
    // The work has ended.
  }
}

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
