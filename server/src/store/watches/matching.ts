/**
 * How far events have been matched against watches, and the data to continue: the next events, the watches that
 * changed, the hits of listed records and owners. It does not know what a search means.
 * Invariant: the hits of some events and the progress beyond them are written in one transaction, which checks that no
 * other process has gone on in the meantime. So every event is matched exactly once, wherever a process ends.
 */

import type { Instant } from '@tmds/contract/record';
import type { WatchKind } from '@tmds/contract/watches';
import { keyLists } from '../../database/distributed/by-key.ts';
import type { Database, Queryable, Transaction } from '../../database/driver/db.ts';
import { instantText, type Statement, sql } from '../../database/driver/sql.ts';
import { VISIBLE_STAMP } from '../../database/readers/publish-state.ts';
import { type EventLimits, type EventPosition, FEED_ORDER, readRange, type VersionEvent } from './version-events.ts';
import { takeTurn } from './watches.ts';

export interface MatchProgress extends EventPosition {
  /** Every event up to it is matched. */
  readonly complete_through: Instant;
}

export interface EventsRead {
  /** In order, after the position. */
  readonly events: readonly VersionEvent[];
  /** The position of matching once these are matched. */
  readonly reached: MatchProgress;
  /** Whether more events were visible. */
  readonly hasMore: boolean;
}

/** A watch that was created, changed or ended. */
export interface WatchChange {
  readonly watch_id: string;
  readonly id: string;
  readonly kind: WatchKind;
  readonly search: string | null;
  readonly is_live: boolean;
  readonly change_number: number;
}

/** Another process has matched the events that this one was about to match. */
export class Overtaken extends Error {}

const PROGRESS: Statement = sql`${instantText(sql`stamp`)} as stamp, jurisdiction_code, uid,
  ${instantText(sql`complete_through`)} as complete_through`;

export async function findProgress(db: Queryable): Promise<MatchProgress> {
  const [progress] = await db.query<MatchProgress>(sql`select ${PROGRESS} from watch_progress`);
  if (progress === undefined) throw new Error('the progress of watches is missing');
  return progress;
}

/** Whether anything was published beyond the matched events and can be matched here: a standby accepts no writes. */
export async function isBehind(db: Queryable): Promise<boolean> {
  const [found] = await db.query<{ behind: boolean }>(sql`
    select ${VISIBLE_STAMP} > complete_through and not pg_is_in_recovery() as behind
    from publish_clock, watch_progress`);
  return found?.behind === true;
}

/** The next events after a place, at most `events` with about `bytes` of text, but at least one if there is any. */
export async function readEvents(db: Database, after: MatchProgress, limits: EventLimits): Promise<EventsRead> {
  // One snapshot: a version that is being replaced is found in one of the tables, and only there. On several nodes it
  // may be found in both, and counts once.
  return await db.transaction(
    async (tx) => {
      const [end] = await tx.query<{ last: Instant; beyond: Instant }>(sql`
        select ${instantText(VISIBLE_STAMP)} as last,
          ${instantText(sql`(${VISIBLE_STAMP} + interval '1 microsecond')`)} as beyond from publish_clock`);
      const within = sql`(updated_at, jurisdiction_code, uid)
            > (${after.stamp}::timestamptz, ${after.jurisdiction_code}, ${after.uid})
          and updated_at <= ${end!.last}::timestamptz`;
      const { events, hasMore } = await readRange(tx, { within, order: FEED_ORDER }, limits);
      const last = events.at(-1);
      const reached =
        hasMore && last !== undefined
          ? {
              stamp: last.stamp,
              jurisdiction_code: last.jurisdiction_code,
              uid: last.uid,
              complete_through: laterOf(await findInstantBefore(tx, last.stamp), after.complete_through),
            }
          : { stamp: end!.beyond, jurisdiction_code: '', uid: '', complete_through: end!.last };
      return { events, reached, hasMore };
    },
    { isolation: 'repeatable read', readOnly: true },
  );
}

/** The last complete stamp, while some events of a later stamp may be missing. */
async function findInstantBefore(db: Queryable, stamp: Instant): Promise<Instant> {
  const [row] = await db.query<{ before: Instant }>(sql`
    select ${instantText(sql`(${stamp}::timestamptz - interval '1 microsecond')`)} as before`);
  return row!.before;
}

/** Canonical instants compare like texts. */
function laterOf(one: Instant, other: Instant): Instant {
  return one > other ? one : other;
}

async function hasLiveWatches(db: Queryable): Promise<boolean> {
  const [found] = await db.query<{ any: boolean }>(
    sql`select exists (select from watch where ended_at is null) as any`,
  );
  return found?.any === true;
}

/**
 * Writes the hits of events and moves on to `reached`. `match` is called with the transaction, in which no watch
 * changes any more, and writes the hits.
 * @throws Overtaken if matching is no longer at `from`
 */
export async function advance(
  db: Database,
  from: MatchProgress,
  reached: MatchProgress,
  match: (tx: Transaction) => Promise<void>,
): Promise<void> {
  await db.transaction(async (tx) => {
    await takeTurn(tx);
    const { stamp, jurisdiction_code, uid, complete_through } = reached;
    const moved = await tx.query(sql`
      update watch_progress set stamp = ${stamp}::timestamptz, jurisdiction_code = ${jurisdiction_code}, uid = ${uid},
        complete_through = ${complete_through}::timestamptz
      where (stamp, jurisdiction_code, uid) = (${from.stamp}::timestamptz, ${from.jurisdiction_code}, ${from.uid})
      returning stamp`);
    if (moved.length === 0) throw new Overtaken('the watches are matched by another process');
    await match(tx);
  });
}

/** Moves on without reading events, as long as no watch is live; false if one is. */
export async function skipEvents(db: Database): Promise<boolean> {
  if (await hasLiveWatches(db)) return false;
  return await db.transaction(async (tx) => {
    await takeTurn(tx);
    if (await hasLiveWatches(tx)) return false;
    await tx.query(sql`
      update watch_progress set stamp = ${VISIBLE_STAMP} + interval '1 microsecond', jurisdiction_code = '', uid = '',
        complete_through = ${VISIBLE_STAMP}
      from publish_clock where ${VISIBLE_STAMP} > complete_through`);
    return true;
  });
}

/** Watches that changed after a change, in the order of their changes; an empty list is the end. */
export async function listChangedWatches(db: Queryable, after: number, limit: number): Promise<WatchChange[]> {
  return await db.query<WatchChange>(sql`
    select watch_id, id, kind, search, ended_at is null as is_live, change_number::float8 as change_number
    from watch where change_number > ${after}::float8::int8 order by change_number limit ${limit}::int`);
}

/** The live watches that list the records of any events, with the positions of those events, ascending. */
export async function listRecordWatches(
  tx: Transaction,
  events: readonly EventPosition[],
): Promise<{ watch_id: string; numbers: number[] }[]> {
  return await tx.query(
    sql`
    select watch_id, array_agg((event.number - 1)::int4 order by event.number) as numbers
    from unnest(${keyLists(events)}) with ordinality as event (jurisdiction_code, uid, number)
      join watch_record using (jurisdiction_code, uid) join watch using (watch_id)
    where watch.ended_at is null group by watch_id`,
    { prepare: false },
  );
}

/** The live watches that list any of the owners, in compared form, with the owners listed. */
export async function listOwnerWatches(
  tx: Transaction,
  owners: readonly string[],
): Promise<{ watch_id: string; names: string[] }[]> {
  return await tx.query(
    sql`
    select watch_id, array_agg(watch_owner.name) as names
    from unnest(${owners}::text[]) as owner (name) join watch_owner using (name) join watch using (watch_id)
    where watch.ended_at is null group by watch_id`,
    { prepare: false },
  );
}
