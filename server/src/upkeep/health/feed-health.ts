/**
 * What could break or delay the change feed, as seen from the database, and the pulse that keeps its horizon moving
 * while nothing is published. Each finding is a sentence for the operator, with a remedy. It repairs nothing.
 * Invariant: the pulse is an empty publish. It moves the last stamp only while no publish is running, and never back.
 */
import type { Queryable } from '../../database/driver/db.ts';
import { instantText, type Statement, sql } from '../../database/driver/sql.ts';
import { LOCK_SPACE, PUBLISH_LOCK } from '../../database/schema/locks.ts';
import { advanceClock } from '../../store/publish/announce.ts';
import { feedTime, givenAt, secondsAgo } from '../../store/publish/feed-clock.ts';
import { PUBLISH_DEADLINE_MS } from '../../store/publish/publish.ts';

type FeedCheck =
  | 'publish_overdue'
  | 'announcement_overdue'
  | 'clock_behind'
  | 'protocol_bypassed'
  | 'prepared_transaction'
  | 'standby_behind';

export interface FeedFinding {
  readonly check: FeedCheck;
  /** `error`: the feed has broken its promise or stands still. `warning`: it soon will, or it is late. */
  readonly level: 'error' | 'warning';
  readonly seen: string;
  readonly remedy: string;
}

export interface FeedHealthOptions {
  readonly horizonSeconds: number;
  /** Default `PUBLISH_DEADLINE_MS`. */
  readonly deadlineMs?: number;
  /** How long a prepared transaction may stay open; default 60. */
  readonly preparedSecondsMax?: number;
}

/** A clock that lags by less is not reported. */
const CLOCK_TOLERANCE_SECONDS = 1;
const PREPARED_SECONDS_MAX = 60;
/** A pulse is skipped if the last stamp is younger, so that many processes together pulse no faster than this. */
const PULSE_SECONDS = 1;

/** All findings; empty if all is well. Cheap: a few rows and one index probe. */
export async function checkFeed(db: Queryable, options: FeedHealthOptions): Promise<FeedFinding[]> {
  const findings: (FeedFinding | null)[] = [
    ...(await checkStamps(db, options)),
    await checkBypass(db),
    ...(await checkPrepared(db, options.preparedSecondsMax ?? PREPARED_SECONDS_MAX)),
  ];
  return findings.filter((finding) => finding !== null);
}

/** Resolves to true when the last stamp moved. On a standby, and while a publish is under way, it does not. */
export async function pulseFeed(db: Queryable): Promise<boolean> {
  const moved = await db.query(sql`
    update publish_clock set ${advanceClock(sql`greatest(${feedTime(sql`clock_timestamp()`)}, last_stamp)`)}
    where not pg_is_in_recovery() and last_stamp < ${feedTime(secondsAgo(PULSE_SECONDS))}
      and pg_try_advisory_xact_lock(${LOCK_SPACE}::int, ${PUBLISH_LOCK}::int)
    returning true as moved`);
  return moved.length > 0;
}

interface StampState {
  standby: boolean;
  /** Seconds since the last stamp was given; negative if the clock is behind it. */
  age: number;
  last_stamp: string;
  /** Seconds since an unannounced publish got its stamp; null if there is none. */
  unannounced_seconds: number | null;
  /** Who holds the publish lock, and how long its transaction has been open; null if no one does. */
  holder: string | null;
  open_seconds: number | null;
}

async function checkStamps(db: Queryable, options: FeedHealthOptions): Promise<(FeedFinding | null)[]> {
  const [state] = await db.query<StampState>(sql`
    select pg_is_in_recovery() as standby, ${instantText(sql`last_stamp`)} as last_stamp,
      extract(epoch from clock_timestamp() - ${givenAt(sql`last_stamp`)})::float8 as age,
      case when announced_stamp < last_stamp then extract(epoch from clock_timestamp() - ${givenAt(sql`last_stamp`)})
        end::float8 as unannounced_seconds, held.holder, held.open_seconds
    from publish_clock left join lateral (${publishHolder()}) as held on true`);
  if (state === undefined) {
    const seen = 'the publish clock has no row, so nothing can be published';
    return [{ check: 'protocol_bypassed', level: 'error', seen, remedy: 'restore the table publish_clock' }];
  }
  return [
    findClockBehind(state),
    findUnannounced(state, options),
    state.standby ? findStandbyBehind(state, options) : findOverdue(state, options),
  ];
}

/** A prepared transaction holds its locks without a process. */
function publishHolder(): Statement {
  return sql`
    select coalesce('process ' || lock.pid || coalesce(' (' || activity.application_name || ')', ''),
        'a prepared transaction') as holder,
      extract(epoch from clock_timestamp() - activity.xact_start)::float8 as open_seconds
    from pg_locks lock left join pg_stat_activity activity on activity.pid = lock.pid
    where lock.locktype = 'advisory' and lock.granted and lock.classid = ${LOCK_SPACE}::oid
      and lock.objid = ${PUBLISH_LOCK}::oid and lock.objsubid = 2
      and lock.database = (select oid from pg_database where datname = current_database())
    limit 1`;
}

/**
 * When a publish took its stamp cannot be seen from outside. But every publish moves the last stamp, so one is overdue
 * if both its start and the last stamp are older than the deadline.
 */
function findOverdue(state: StampState, options: FeedHealthOptions): FeedFinding | null {
  const deadlineSeconds = (options.deadlineMs ?? PUBLISH_DEADLINE_MS) / 1000;
  const isOld = (state.open_seconds ?? Number.POSITIVE_INFINITY) > deadlineSeconds && state.age > deadlineSeconds;
  if (state.holder === null || !isOld) return null;
  const seen =
    `a publish by ${state.holder} is older than its deadline of ${deadlineSeconds} s; until it ends, no load can ` +
    'publish and the horizon of the change feed stands still';
  return { check: 'publish_overdue', level: 'error', seen, remedy: 'end it, its batch is published again' };
}

/**
 * Such a publish holds the publish lock while it commits. Any process that finds the lock free announces what the
 * publish left.
 */
function findUnannounced({ unannounced_seconds }: StampState, options: FeedHealthOptions): FeedFinding | null {
  const deadlineSeconds = (options.deadlineMs ?? PUBLISH_DEADLINE_MS) / 1000;
  if (unannounced_seconds === null || unannounced_seconds <= deadlineSeconds) return null;
  const seen =
    `a publish was committed ${Math.ceil(unannounced_seconds)} s ago, but not on every node; until it is, no load can ` +
    'publish and the horizon of the change feed stands still';
  const remedy = 'bring back the node that does not answer: select nodename, nodeport from pg_dist_node';
  return { check: 'announcement_overdue', level: 'error', seen, remedy };
}

function findClockBehind(state: StampState): FeedFinding | null {
  if (state.age >= -CLOCK_TOLERANCE_SECONDS) return null;
  const seen =
    `the database's clock is ${Math.ceil(-state.age)} s behind the last stamp (${state.last_stamp}); changes wait ` +
    'until it has caught up, none is lost';
  const remedy =
    'correct the clock of the database server; if it is right now and had been fast, run: tmds clock repair';
  return { check: 'clock_behind', level: 'warning', seen, remedy };
}

function findStandbyBehind(state: StampState, { horizonSeconds }: FeedHealthOptions): FeedFinding | null {
  if (state.age <= Math.max(horizonSeconds, 60)) return null;
  const seen =
    `this standby has replayed stamps up to ${state.last_stamp}, ${Math.ceil(state.age)} s ago; the change feed it ` +
    'serves ends there';
  const remedy = 'check its replication, and that a server or a load runs against the primary';
  return { check: 'standby_behind', level: 'warning', seen, remedy };
}

/** A record past the last stamp was not written by a publish, unless that moved the clock between two snapshots. */
async function checkBypass(db: Queryable): Promise<FeedFinding | null> {
  // Without the index the check would read the whole table.
  const [index] = await db.query<{ found: boolean }>(sql`select to_regclass('record_change') is not null as found`);
  if (!index?.found) return null;
  const [found] = await db.query<{ jurisdiction_code: string; uid: string; updated_at: string }>(sql`
    select jurisdiction_code, uid, ${instantText(sql`updated_at`)} as updated_at from record
    where updated_at > (select last_stamp from publish_clock)
    order by record.updated_at, jurisdiction_code, uid limit 1`);
  if (found === undefined || !(await isPastClock(db, found.updated_at))) return null;
  const seen =
    `record ${found.jurisdiction_code} ${JSON.stringify(found.uid)} is stamped ${found.updated_at}, later than any ` +
    'publish: something other than tmds writes the table record, and the change feed cannot promise its changes';
  return { check: 'protocol_bypassed', level: 'error', seen, remedy: 'stop it, then load those records through tmds' };
}

async function isPastClock(db: Queryable, stamp: string): Promise<boolean> {
  const rows = await db.query(sql`select from publish_clock where last_stamp < ${stamp}::timestamptz`);
  return rows.length > 0;
}

async function checkPrepared(db: Queryable, secondsMax: number): Promise<FeedFinding[]> {
  const rows = await db.query<{ gid: string; seconds: number }>(sql`
    select gid, extract(epoch from clock_timestamp() - prepared)::float8 as seconds from pg_prepared_xacts
    where database = current_database() and prepared < clock_timestamp() - make_interval(secs => ${secondsMax}::float8)
    order by prepared limit 10`);
  return rows.map(({ gid, seconds }) => ({
    check: 'prepared_transaction',
    level: 'warning',
    seen: `the prepared transaction ${JSON.stringify(gid)} was left open ${Math.ceil(seconds)} s ago and holds its locks`,
    remedy: 'run commit prepared or rollback prepared for it',
  }));
}
