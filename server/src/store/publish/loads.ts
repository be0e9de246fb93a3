/**
 * The history of loads, and the lasting results of each: counts, and the frontier of its registers. A running load
 * holds an advisory lock derived from its id, which distinguishes it from one that was killed.
 */
import type { Database, Queryable, Transaction } from '../../database/driver/db.ts';
import { instantText, sql } from '../../database/driver/sql.ts';
import { LOCK_SPACE, OBJECTS_LOCK } from '../../database/schema/locks.ts';
import { feedTime, lockPublishing } from './feed-clock.ts';
import { closeAnsweredRejects } from './findings.ts';
import { dropStage } from './stage.ts';

/** First half of the advisory lock of a running load; the second is `loadLock(id)`. */
const LOAD_LOCK_SPACE = 0x746d6c64;
const TURN_LOCK_SPACE = 0x746d7475;

type LoadState = 'staging' | 'publishing' | 'finished' | 'failed' | 'interrupted';

export interface LoadCounts {
  read: number;
  new: number;
  changed: number;
  unchanged: number;
  rejected: number;
}

export interface LoadSummary extends LoadCounts {
  load_id: string;
  format: string;
  source: string;
  /** `interrupted`: its process is gone. What it had published stays; loading the file again completes it. */
  state: LoadState;
  started_at: string;
  finished_at: string | null;
  issues: number;
  data_current_through: string | null;
  failure: string | null;
}

/** What a load read of one register. */
export interface RegisterReading {
  jurisdiction_code: string;
  /** Records, including rejected ones only if their register was known. */
  read: number;
  /** Those among them with at least one issue. */
  flagged: number;
}

function loadLock(loadId: string): number {
  return Number.parseInt(loadId.slice(0, 8), 16) | 0;
}

/** Runs `work` while holding the lock that shows that this load is running. */
export async function holdLoad<T>(db: Database, loadId: string, work: () => Promise<T>): Promise<T> {
  return await db.session(async (session) => {
    const key = sql`${LOAD_LOCK_SPACE}::int, ${loadLock(loadId)}::int`;
    await session.query(sql`select pg_advisory_lock(${key})`);
    // Rows name the objects that it brings to the store only later.
    await session.query(sql`select pg_advisory_lock_shared(${LOCK_SPACE}::int, ${OBJECTS_LOCK}::int)`);
    return await work();
  });
}

/** Runs `work` alone among the loads of its format; `onWait` is called if another one is running. */
export async function takeTurn<T>(
  db: Database,
  { format, onWait }: { format: string; onWait: () => void },
  work: () => Promise<T>,
): Promise<T> {
  return await db.session(async (session) => {
    const key = sql`${TURN_LOCK_SPACE}::int, hashtext(${format})`;
    const [taken] = await session.query<{ at_once: boolean }>(sql`select pg_try_advisory_lock(${key}) as at_once`);
    if (taken?.at_once !== true) {
      onWait();
      await session.query(sql`select pg_advisory_lock(${key})`);
    }
    return await work();
  });
}

export async function insertLoad(
  db: Queryable,
  load: { loadId: string; format: string; source: string },
): Promise<void> {
  await db.query(sql`
    insert into load (load_id, format, source, state, started_at)
    values (${load.loadId}, ${load.format}, ${load.source}, 'staging', clock_timestamp())`);
}

/** The registers that hold records. */
export async function listStockedRegisters(db: Queryable): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ jurisdiction_code: string }>(
    sql`select jurisdiction_code from register where record_count > 0`,
  );
  return new Set(rows.map((row) => row.jurisdiction_code));
}

/** Stores how much a load has read so far. */
export async function noteRead(
  db: Queryable,
  loadId: string,
  counts: { read: number; rejected: number },
): Promise<void> {
  await db.query(sql`
    update load set read_count = ${counts.read}, rejected_count = ${counts.rejected}
    where load_id = ${loadId} and state = 'staging'`);
}

/** Says why the process of a running load is about to end. */
export async function noteInterrupted(db: Queryable, loadId: string, reason: string): Promise<void> {
  await db.query(sql`
    update load set failure = ${reason} where load_id = ${loadId} and state in ('staging', 'publishing')`);
}

/** Why a load whose process is gone ended, and how far it had come. */
const INTERRUPTION = sql`coalesce(failure, 'its process ended') || case state
  when 'publishing' then format(' while it published: %s new and %s changed records are stored', new_count, changed_count)
  else format(' while it read: %s records were read, nothing was published', read_count)
  end || '; load the file again'`;

/** Stores the counts of what was read. From here on the load publishes. */
export async function markPublishing(
  db: Queryable,
  loadId: string,
  counts: { read: number; rejected: number; issues: number; dataCurrentThrough: string | null },
): Promise<void> {
  await db.query(sql`
    update load set state = 'publishing', read_count = ${counts.read}, rejected_count = ${counts.rejected},
      issue_count = ${counts.issues}, data_current_through = ${counts.dataCurrentThrough}
    where load_id = ${loadId}`);
}

/**
 * Finishes a load whose batches are all published. Moves the frontier of its registers forward, never back; a register
 * without records is served from now on. Resolves to the counts of the load, and to whether any register is now
 * complete up to the instant that the load states.
 *
 * @param source the declared source that brought it; null if somebody loads it by hand
 * @param answered records that earlier loads rejected and this one has read
 */
export async function finishLoad(
  db: Database,
  loadId: string,
  {
    readings,
    source,
    answered,
  }: {
    readonly readings: readonly RegisterReading[];
    readonly source: string | null;
    readonly answered: readonly { jurisdiction_code: string; uid: string }[];
  },
): Promise<LoadCounts & { moved: boolean }> {
  const registers = readings.map(({ jurisdiction_code }) => jurisdiction_code);
  return await db.transaction(async (tx) => {
    const named = sql`load.load_id = ${loadId} and load.data_current_through is not null`;
    // Publishes update registers under this lock too.
    await lockPublishing(tx);
    const served = await tx.query(sql`
      insert into register (jurisdiction_code, record_count)
      select code, 0 from load, unnest(${registers}::text[]) as code where ${named}
      on conflict (jurisdiction_code) do nothing returning jurisdiction_code`);
    if (served.length > 0) await stampNothing(tx);
    const moved = await tx.query<{ moved: boolean }>(sql`
      update register set last_load_id = ${loadId},
        data_current_through = greatest(register.data_current_through, load.data_current_through)
      from load where load.load_id = ${loadId} and register.jurisdiction_code = any(${registers}::text[])
      returning (register.data_current_through = load.data_current_through) is true as moved`);
    await tx.query(sql`
      insert into register_load (jurisdiction_code, load_id, read_count, flagged_count, source)
      select code, ${loadId}::uuid, read, flagged, ${source}::text
      from unnest(${registers}::text[], ${readings.map(({ read }) => read)}::int8[],
        ${readings.map(({ flagged }) => flagged)}::int8[]) as reading (code, read, flagged)
      on conflict (jurisdiction_code, load_id) do nothing`);
    const [counts] = await tx.query<LoadCounts>(sql`
      update load set state = 'finished', finished_at = clock_timestamp(),
        unchanged_count = read_count - new_count - changed_count - rejected_count
      where load_id = ${loadId}
      returning read_count::float8 as read, new_count::float8 as new, changed_count::float8 as changed,
        unchanged_count::float8 as unchanged, rejected_count::float8 as rejected`);
    if (counts === undefined) throw new Error(`no such load: ${loadId}`);
    await closeAnsweredRejects(tx, loadId, answered);
    return { ...counts, moved: moved.some((register) => register.moved) };
  });
}

/** An empty publish: a standby that shows the last stamp also shows what has become of registers without records. */
async function stampNothing(tx: Transaction): Promise<void> {
  await tx.query(sql`update publish_clock
    set last_stamp = greatest(${feedTime(sql`clock_timestamp()`)}, last_stamp + interval '1 microsecond')`);
}

/** Refreshes the statistics by which look-ups and feeds are planned, after a large load. */
export async function analyzeRecords(db: Queryable): Promise<void> {
  await db.query(sql`analyze record`, { prepare: false });
}

export async function failLoad(db: Queryable, loadId: string, failure: string): Promise<void> {
  await db.query(sql`
    update load set state = 'failed', finished_at = clock_timestamp(), failure = ${failure} where load_id = ${loadId}`);
}

/** A place in the list of loads. */
export interface LoadPosition {
  started_at: string;
  load_id: string;
}

/** Newest first, after one of them. A load whose process is gone shows as interrupted. */
export async function listLoads(
  db: Queryable,
  options: { limitMax: number; before?: LoadPosition | null },
): Promise<LoadSummary[]> {
  return await findLoads(db, { idStart: '', ...options });
}

/** The same, for loads whose id begins with `idStart`. */
export async function findLoads(
  db: Queryable,
  { idStart, limitMax, before = null }: { idStart: string; limitMax: number; before?: LoadPosition | null },
): Promise<LoadSummary[]> {
  const older =
    before === null
      ? sql``
      : sql`and (load.started_at, load.load_id) < (${before.started_at}::timestamptz, ${before.load_id}::uuid)`;
  const rows = await db.query<LoadSummary & { alive: boolean }>(sql`
    select load_id, format, source, state,
      case when state in ('staging', 'publishing') and not ${lockIsHeld} then ${INTERRUPTION} else failure end as failure,
      ${instantText(sql`started_at`)} as started_at, ${instantText(sql`finished_at`)} as finished_at,
      ${instantText(sql`data_current_through`)} as data_current_through,
      read_count::float8 as read, new_count::float8 as new, changed_count::float8 as changed,
      unchanged_count::float8 as unchanged, rejected_count::float8 as rejected, issue_count::float8 as issues,
      ${lockIsHeld} as alive
    from load where starts_with(load_id::text, ${idStart}) ${older}
    order by load.started_at desc, load.load_id desc limit ${limitMax}`);
  return rows.map(({ alive, ...load }) => ({
    ...load,
    state: (load.state === 'staging' || load.state === 'publishing') && !alive ? 'interrupted' : load.state,
  }));
}

/** The added counts of all loads in one state. */
export interface LoadTotals extends LoadCounts {
  state: LoadState;
  loads: number;
  issues: number;
  /** When the last of them ended, in seconds since 1970; null if none has. */
  finished_seconds: number | null;
}

/** One row for each state that a load is in. */
export async function countLoads(db: Queryable): Promise<LoadTotals[]> {
  return await db.query<LoadTotals>(sql`
    select case when state in ('staging', 'publishing') and not ${lockIsHeld} then 'interrupted' else state end as state,
      count(*)::float8 as loads, extract(epoch from max(finished_at))::float8 as finished_seconds,
      sum(read_count)::float8 as read, sum(new_count)::float8 as new, sum(changed_count)::float8 as changed,
      sum(unchanged_count)::float8 as unchanged, sum(rejected_count)::float8 as rejected,
      sum(issue_count)::float8 as issues
    from load group by 1`);
}

const lockIsHeld = sql`exists (
  select from pg_locks held
  where held.locktype = 'advisory' and held.granted and held.objsubid = 2
    and held.database = (select oid from pg_database where datname = current_database())
    and held.classid::bigint = ${LOAD_LOCK_SPACE}
    and held.objid::bigint = ('x' || left(load.load_id::text, 8))::bit(32)::bigint)`;

/** Drops the staging tables of killed loads and marks the loads as interrupted. Resolves to their ids. */
export async function closeInterruptedLoads(db: Database): Promise<string[]> {
  const abandoned = await db.query<{ load_id: string }>(sql`
    with known as (
      select load_id from load where state in ('staging', 'publishing')
      union
      select substr(relname, 7)::uuid from pg_class
      where relkind = 'r' and relname ~ '^stage_[0-9a-f]{32}$' and pg_table_is_visible(oid)
    )
    select load_id from known as load where not ${lockIsHeld}`);
  for (const { load_id } of abandoned) {
    await dropStage(db, load_id);
    await db.query(sql`
      update load set state = 'interrupted', finished_at = clock_timestamp(),
        failure = ${INTERRUPTION}
      where load_id = ${load_id} and state in ('staging', 'publishing')`);
  }
  return abandoned.map(({ load_id }) => load_id);
}

/** As it was delivered: the origin of the versions that the publishes of its load wrote. */
export interface LoadFile {
  readonly name: string;
  readonly bytes: number;
  /** Hexadecimal SHA-256. */
  readonly digest: string;
  /** Label of what it covers; null if nobody says so. */
  readonly period: string | null;
}

/** `firstNumber`: the number of the first one, from 1 along the load. */
export async function insertLoadFiles(
  db: Queryable,
  { loadId, firstNumber, files }: { loadId: string; firstNumber: number; files: readonly LoadFile[] },
): Promise<void> {
  await db.query(sql`
    insert into load_file (load_id, number, name, bytes, digest, period)
    select ${loadId}::uuid, ${firstNumber}::int4 + file.place::int4 - 1, file.name, file.bytes, decode(file.digest, 'hex'),
      file.period
    from unnest(${files.map(({ name }) => name)}::text[], ${files.map(({ bytes }) => bytes)}::int8[],
      ${files.map(({ digest }) => digest)}::text[], ${files.map(({ period }) => period)}::text[])
      with ordinality as file (name, bytes, digest, period, place)`);
}
