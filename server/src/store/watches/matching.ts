/**
 * How far events have been matched against watches, and what is needed to go on: the next events, the watches that
 * changed, what listed records and owners hit. It does not know what a search means.
 * Invariant: the hits of some events and the progress beyond them are written in one transaction, which checks that
 * nobody else has gone on meanwhile. So every event is matched exactly once, whatever ends where.
 */
import type { Instant } from '@tmds/contract/record';
import { HIT_EVENTS, type HitEvent, type WatchKind } from '@tmds/contract/watches';
import type { Database, Queryable, Transaction } from '../driver/db.ts';
import { instantText } from '../driver/instants.ts';
import { type Statement, sql } from '../driver/sql.ts';
import { VISIBLE_STAMP } from '../publish/announce.ts';
import { listedPredecessors } from '../records/versions.ts';
import { takeTurn } from './watches.ts';

/** An event of the history, and a place in its order. */
export interface EventPosition {
  /** Of the version that the event made. */
  readonly stamp: Instant;
  readonly jurisdiction_code: string;
  readonly uid: string;
}

export interface MatchProgress extends EventPosition {
  /** Every event up to it is matched. */
  readonly complete_through: Instant;
}

/** A version of a record as it is searched. */
export interface Version {
  readonly updated_at: Instant;
  readonly detail: string;
  readonly mark_variants: string | null;
}

export interface VersionEvent extends EventPosition {
  readonly after: Version;
  /** Null for the first version. */
  readonly before: Version | null;
}

export interface EventsRead {
  /** In order, after the position. */
  readonly events: readonly VersionEvent[];
  /** Where matching stands once these are matched. */
  readonly reached: MatchProgress;
  /** Whether more events were visible. */
  readonly hasMore: boolean;
}

export interface WatchHit {
  readonly watch_id: string;
  /** Which of some events, from 0. */
  readonly number: number;
  readonly event: HitEvent;
}

/** A watch that was made, changed or ended. */
export interface WatchChange {
  readonly watch_id: string;
  readonly id: string;
  readonly kind: WatchKind;
  readonly search: string | null;
  readonly is_live: boolean;
  readonly change_number: number;
}

/** Another process has matched what this one was about to. */
export class Overtaken extends Error {}

const PROGRESS: Statement = sql`${instantText(sql`stamp`)} as stamp, jurisdiction_code, uid,
  ${instantText(sql`complete_through`)} as complete_through`;

export async function findProgress(db: Queryable): Promise<MatchProgress> {
  const [progress] = await db.query<MatchProgress>(sql`select ${PROGRESS} from watch_progress`);
  if (progress === undefined) throw new Error('the progress of watches is missing');
  return progress;
}

/** Whether anything was published beyond what is matched, and can be matched here: on a standby nothing is written. */
export async function isBehind(db: Queryable): Promise<boolean> {
  const [found] = await db.query<{ behind: boolean }>(sql`
    select ${VISIBLE_STAMP} > complete_through and not pg_is_in_recovery() as behind
    from publish_clock, watch_progress`);
  return found?.behind === true;
}

interface EventRow {
  readonly stamp: Instant;
  readonly jurisdiction_code: string;
  readonly uid: string;
  readonly detail: string;
  readonly mark_variants: string | null;
  readonly before_at: Instant | null;
  readonly before_detail: string | null;
  readonly before_variants: string | null;
  /** How many events were found in all, up to a bound. */
  readonly found: number;
}

/** The next events after a place, at most `events` with about `bytes` of text, but at least one if there is any. */
export async function readEvents(
  db: Database,
  after: MatchProgress,
  limits: { readonly events: number; readonly bytes: number },
): Promise<EventsRead> {
  // One snapshot: a version that is replaced meanwhile is found in one of the tables, and only there. On several nodes
  // it may be found in both, and counts once.
  return await db.transaction(
    async (tx) => {
      const [end] = await tx.query<{ last: Instant; beyond: Instant }>(sql`
        select ${instantText(VISIBLE_STAMP)} as last,
          ${instantText(sql`(${VISIBLE_STAMP} + interval '1 microsecond')`)} as beyond from publish_clock`);
      const rows = await tx.query<EventRow>(selectEvents(after, end!.last, limits), { prepare: false });
      const last = rows.at(-1);
      const hasMore = last !== undefined && rows.length < last.found;
      const reached = hasMore
        ? {
            ...placeOf(last),
            complete_through: laterOf(await findInstantBefore(tx, last.stamp), after.complete_through),
          }
        : { stamp: end!.beyond, jurisdiction_code: '', uid: '', complete_through: end!.last };
      return { events: rows.map(buildEvent), reached, hasMore };
    },
    { isolation: 'repeatable read', readOnly: true },
  );
}

/** The last stamp that is complete while some events of a stamp may be missing. */
async function findInstantBefore(db: Queryable, stamp: Instant): Promise<Instant> {
  const [row] = await db.query<{ before: Instant }>(sql`
    select ${instantText(sql`(${stamp}::timestamptz - interval '1 microsecond')`)} as before`);
  return row!.before;
}

/** Canonical instants compare like texts. */
function laterOf(one: Instant, other: Instant): Instant {
  return one > other ? one : other;
}

function placeOf({ stamp, jurisdiction_code, uid }: EventPosition): EventPosition {
  return { stamp, jurisdiction_code, uid };
}

function buildEvent(row: EventRow): VersionEvent {
  const { before_at, before_detail } = row;
  return {
    ...placeOf(row),
    after: { updated_at: row.stamp, detail: row.detail, mark_variants: row.mark_variants },
    before:
      before_at === null || before_detail === null
        ? null
        : { updated_at: before_at, detail: before_detail, mark_variants: row.before_variants },
  };
}

function selectEvents(
  { stamp, jurisdiction_code, uid }: EventPosition,
  through: Instant,
  { events, bytes }: { readonly events: number; readonly bytes: number },
): Statement {
  const versions = (table: Statement): Statement => sql`(
        select updated_at, jurisdiction_code, uid, detail, mark_variants from ${table}
        where (updated_at, jurisdiction_code, uid) > (${stamp}::timestamptz, ${jurisdiction_code}, ${uid})
          and updated_at <= ${through}::timestamptz
        order by updated_at, jurisdiction_code, uid limit ${events + 1}::int)`;
  return sql`
    with version as (${versions(sql`record`)} union all ${versions(sql`record_version`)}),
    next as materialized (
      select updated_at, jurisdiction_code, uid, detail, mark_variants, row_number() over feed as number,
        sum(octet_length(detail)) over feed - octet_length(detail) as bytes_before, count(*) over () as found
      from (
        select distinct on (updated_at, jurisdiction_code, uid)
          updated_at, jurisdiction_code, uid, detail, mark_variants
        from version order by updated_at, jurisdiction_code, uid
      ) as once
      window feed as (order by updated_at, jurisdiction_code, uid)
    ),
    listed as materialized (
      select number as position, updated_at, jurisdiction_code, uid from next
      where number <= ${events}::int and bytes_before < ${bytes}::float8
    ),
    before as materialized (
      ${listedPredecessors(sql`version.updated_at, version.detail, version.mark_variants`, { uids: null })}
    )
    select ${instantText(sql`next.updated_at`)} as stamp,
      next.jurisdiction_code, next.uid, next.detail, next.mark_variants,
      ${instantText(sql`before.updated_at`)} as before_at, before.detail as before_detail,
      before.mark_variants as before_variants, next.found::float8 as found
    from next join listed on listed.position = next.number left join before on before.position = next.number
    order by next.number`;
}

async function hasLiveWatches(db: Queryable): Promise<boolean> {
  const [found] = await db.query<{ any: boolean }>(
    sql`select exists (select from watch where ended_at is null) as any`,
  );
  return found?.any === true;
}

/**
 * Writes the hits of events and goes on to `reached`. `match` is called with the transaction, in which no watch changes
 * any more, and writes what it finds.
 * @throws Overtaken if matching does not stand at `from` any more
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

/** Goes on without reading events, as long as no watch is live; false if one is. */
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

/** Watches that changed after a change, in the order of their changes; an empty list ends it. */
export async function listChangedWatches(db: Queryable, after: number, limit: number): Promise<WatchChange[]> {
  return await db.query<WatchChange>(sql`
    select watch_id, id, kind, search, ended_at is null as is_live, change_number::float8 as change_number
    from watch where change_number > ${after}::float8::int8 order by change_number limit ${limit}::int`);
}

/** Writes what the lists of records hit. */
export async function insertRecordHits(tx: Transaction, events: readonly VersionEvent[]): Promise<void> {
  await tx.query(
    sql`
    insert into watch_hit (watch_id, stamp, jurisdiction_code, uid, event)
    select watch_id, event.stamp, event.jurisdiction_code, event.uid,
      case when event.is_first then 'begins' else 'changes' end
    from ${listedEvents(events)}
      join watch_record using (jurisdiction_code, uid) join watch using (watch_id)
    where watch.ended_at is null`,
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

/** What is hit, and by which watch, is sent once, and each hit as three numbers: there may be many. */
export async function insertHits(
  tx: Transaction,
  events: readonly VersionEvent[],
  hits: readonly WatchHit[],
): Promise<void> {
  const watchNumbers = numberEach(hits.map(({ watch_id }) => watch_id));
  const eventNumbers = numberEach(hits.map(({ number }) => number));
  await tx.query(
    sql`
    insert into watch_hit (watch_id, stamp, jurisdiction_code, uid, event)
    select watch.watch_id, event.stamp, event.jurisdiction_code, event.uid, (${HIT_EVENTS}::text[])[hit.kind]
    from unnest(${hits.map(({ watch_id }) => watchNumbers.get(watch_id))}::int[],
        ${hits.map(({ number }) => eventNumbers.get(number))}::int[],
        ${hits.map(({ event }) => HIT_EVENTS.indexOf(event) + 1)}::int[]) as hit (watch, event, kind)
      join unnest(${[...watchNumbers.keys()]}::uuid[]) with ordinality as watch (watch_id, number)
        on watch.number = hit.watch
      join ${listedEvents(Array.from(eventNumbers.keys(), (number) => events[number]!))} on event.number = hit.event`,
    { prepare: false },
  );
}

/** Distinct values, numbered from 1 as they are met. */
function numberEach<Value>(values: readonly Value[]): Map<Value, number> {
  return new Map([...new Set(values)].map((value, index) => [value, index + 1]));
}

/** As `event`, numbered from 1. */
function listedEvents(events: readonly VersionEvent[]): Statement {
  return sql`unnest(${events.map(({ stamp }) => stamp)}::timestamptz[],
      ${events.map(({ jurisdiction_code }) => jurisdiction_code)}::text[], ${events.map(({ uid }) => uid)}::text[],
      ${events.map(({ before }) => String(before === null))}::boolean[])
    with ordinality as event (stamp, jurisdiction_code, uid, is_first, number)`;
}
