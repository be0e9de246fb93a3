/**
 * A page of a watch's hits, in the order of the history: each hit with its event, and up to which stamp hits are
 * complete.
 * Invariant: both come from one snapshot, or the progress from an earlier one. Hits are written in this order together
 * with the progress, so everything that becomes visible later lies past every hit of the page, and past the instant
 * that it states.
 */
import type { ChangedField } from '@tmds/contract/history';
import type { Instant } from '@tmds/contract/record';
import type { HitEvent, WatchHitItem } from '@tmds/contract/watches';
import type { Queryable } from '../../database/driver/db.ts';
import { instantText, type Statement, sql } from '../../database/driver/sql.ts';
import { encodePosition, type HitsRequest } from '../../plan/watches.ts';
import { readEvents, type WantedEvents } from '../records/events.ts';
import { joinKeys, LISTED_KEY, type ListedKey, type ListedRow, toldOfListed } from '../records/history.ts';
import { listedTexts } from '../records/versions.ts';
import { listLikeness, nameHit } from './hit-handling.ts';
import { HIT_ROW, HITS_OF_ROW, lastHitsOfRow } from './hit-rows.ts';
import type { EventPosition } from './version-events.ts';

/** A hit without what is stated of its watch. */
export type StoredHit = Omit<WatchHitItem, 'reference'>;

export interface HitsPage {
  readonly items: readonly StoredHit[];
  /** Null if and only if the page is empty. */
  readonly next_cursor: string | null;
  /** Every hit with a stamp up to this one is included. */
  readonly completeThrough: Instant;
  /** The lineage of the history that the page was read from (rule I-47). */
  readonly lineage: string;
}

type HitKey = ListedKey & { readonly event: HitEvent };

/** Every event passes. */
const wantAll = (limit: number): WantedEvents => ({
  events: { fields: null, causes: null },
  registers: null,
  conditions: [],
  limit,
});

/** The hits of a page, found by `wanted`, as a row of JSON with the data of each event. */
function describeHits(wanted: Statement, order: Statement): Statement {
  return sql`
    with progress as materialized (select complete_through from watch_progress),
    listed as materialized (
      select stamp as updated_at, jurisdiction_code, uid, event, row_number() over (order by ${order}) as position
      from (${wanted}) as hit
    ),
    version as materialized (
      select distinct on (position) position, bytes
      from (${listedTexts(sql`octet_length(version.detail) as bytes`, { uids: null })}) as found order by position
    )
    select ${instantText(sql`progress.complete_through`)} as complete_through,
      (select lineage from publish_clock) as lineage,
      (select json_agg(json_build_object('event', event, ${LISTED_KEY}, 'bytes', bytes))
        from listed join version using (position)) as listed,
      ${toldOfListed()}
    from progress`;
}

interface HitsRow extends ListedRow {
  readonly complete_through: Instant;
  readonly lineage: string;
}

/** A page ends early when the texts of its hits are large. */
export async function findHits(db: Queryable, watchId: string, request: HitsRequest): Promise<HitsPage> {
  const { after, limit, binding } = request;
  const key = sql`(${after.updated_at}::timestamptz, ${after.jurisdiction_code}, ${after.uid})`;
  const rows = sql`
    select ${HIT_ROW} from watch_hit where watch_id = ${watchId} and (stamp, jurisdiction_code, uid) > ${key}
    order by stamp, jurisdiction_code, uid limit ${limit}::int`;
  const wanted = sql`
    ${hitsOf(rows)} where (hit_row.stamp, hit.jurisdiction_code, hit.uid) > ${key}
    order by hit_row.stamp, hit_row.jurisdiction_code, hit_row.uid, hit.number limit ${limit}::int`;
  const [row] = await db.query<HitsRow>(describeHits(wanted, sql`hit.stamp, hit.jurisdiction_code, hit.uid`));
  const { complete_through: completeThrough, lineage } = row!;
  const keys = joinKeys<HitKey>(row!);
  const { items, last } = await readEvents(db, keys, wantAll(limit), async () => []);
  if (last === null) return { items: [], next_cursor: null, completeThrough, lineage };
  const { version: updated_at, jurisdiction_code, uid } = last;
  const told = await joinLikeness(
    db,
    watchId,
    items.map((event, index) => ({ event: keys[index]!.event, ...event })),
  );
  const next_cursor = encodePosition({ binding }, { updated_at, jurisdiction_code, uid });
  return { items: told, next_cursor, completeThrough, lineage };
}

/** Hits of a watch that a page wants. `event`, `fields`: null = any. */
export interface HitFilter {
  readonly event: HitEvent | null;
  /** Changes of any of these fields. */
  readonly fields: readonly ChangedField[] | null;
  readonly state: HitState | null;
}

/** Done, or open: not seen or seen up to a stamp, or of a person who handles them. */
export type HitState =
  | { readonly is: 'new' | 'seen'; readonly seenThrough: Instant }
  | { readonly is: 'done' }
  | { readonly is: 'assigned'; readonly userId: string };

const EVERY_HIT: HitFilter = { event: null, fields: null, state: null };

export interface LatestHits {
  /** Newest first. */
  readonly items: readonly StoredHit[];
  /** Where the page ends, if there may be older ones. */
  readonly olderThan: EventPosition | null;
  /** Every hit with a stamp up to this one is included. */
  readonly completeThrough: Instant;
}

/** Hits that a page with a filter examines, and those of one row more. */
const EXAMINED_MAX = 2_000;
/** Hits whose texts are compared for a filter by fields. */
const COMPARED_MAX = 250;

/**
 * `before`: where the page begins; null = at the newest hit. A page ends early when the texts of its hits are large, or
 * when many hits were examined; it may be empty then although there are older ones.
 */
export async function findLatestHits(
  db: Queryable,
  watchId: string,
  { before, limit, filter = EVERY_HIT }: { before: EventPosition | null; limit: number; filter?: HitFilter },
): Promise<LatestHits> {
  const examined = examinedHits(watchId, before, filter);
  const count = filter.fields === null ? limit + 1 : COMPARED_MAX + 1;
  const wanted = sql`
    ${examined.wanted} order by hit.stamp desc, hit.jurisdiction_code desc, hit.uid desc limit ${count}::int`;
  const [row] = await db.query<HitsRow>(
    describeHits(wanted, sql`hit.stamp desc, hit.jurisdiction_code desc, hit.uid desc`),
  );
  const keys = joinKeys<HitKey>(row!);
  const compared = keys.slice(0, count - 1);
  const all = wantAll(limit);
  const events = { ...all.events, fields: filter.fields };
  const { items, last } = await readEvents(db, compared, { ...all, events }, async () => []);
  // Without a filter of texts, readers stop at the last event that they return.
  const isAll = last === null || (last === compared.at(-1) && keys.length === compared.length);
  const end = isAll ? await findExamined(db, examined.end) : positionOf(last);
  const eventOf = new Map(keys.map((key) => [describePosition(positionOf(key)), key.event]));
  return {
    items: await joinLikeness(
      db,
      watchId,
      items.map((item) => ({ event: eventOf.get(describePosition(positionOf(item)))!, ...item })),
    ),
    olderThan: end,
    completeThrough: row!.complete_through,
  };
}

function positionOf({ version, jurisdiction_code, uid }: Pick<ListedKey, 'version' | 'jurisdiction_code' | 'uid'>) {
  return { stamp: version, jurisdiction_code, uid };
}

function describePosition({ stamp, jurisdiction_code, uid }: EventPosition): string {
  return `${stamp} ${jurisdiction_code} ${uid}`;
}

async function findExamined(db: Queryable, end: Statement): Promise<EventPosition | null> {
  const [position] = await db.query<{ stamp: Instant; jurisdiction_code: string; uid: string }>(end);
  return position ?? null;
}

interface Examined {
  /** Of `hit`, in no order. */
  readonly wanted: Statement;
  /** The position of the last hit examined, if there are older ones. */
  readonly end: Statement;
}

function examinedHits(watchId: string, before: EventPosition | null, { event, state }: HitFilter): Examined {
  const key = sql`(${before?.stamp ?? 'infinity'}::timestamptz, ${before?.jurisdiction_code ?? ''}, ${before?.uid ?? ''})`;
  const ofEvent = event === null ? sql`true` : sql`hit.event = ${event}`;
  if (state?.is === 'done' || state?.is === 'assigned') return handledHits(watchId, key, { ofEvent, state });
  const seen =
    state === null ? sql`true` : sql`stamp ${state.is === 'new' ? sql`>` : sql`<=`} ${state.seenThrough}::timestamptz`;
  const within = sql`watch_id = ${watchId} and ${seen}`;
  const newest = sql`
    select ${HIT_ROW}, hit_count,
      sum(hit_count) over (order by stamp desc, jurisdiction_code desc, uid desc) - hit_count as newer
    from (
      select ${HIT_ROW}, hit_count from watch_hit where ${within} and (stamp, jurisdiction_code, uid) < ${key}
      order by stamp desc, jurisdiction_code desc, uid desc limit ${EXAMINED_MAX + 1}::int
    ) as newest`;
  // In the row in which the page begins, hits from there on are left out. Of the others the last hits are unpacked.
  const begun = sql`
    select ${HIT_ROW} from watch_hit where ${within} and (stamp, jurisdiction_code, uid) >= ${key}
    order by stamp, jurisdiction_code, uid limit 1`;
  const isOpen =
    state === null
      ? sql`true`
      : sql`not exists (
          select from hit_handling handled
          where handled.watch_id = ${watchId} and handled.stamp = hit.stamp
            and handled.jurisdiction_code = hit.jurisdiction_code and handled.uid = hit.uid
            and handled.done_at is not null)`;
  const firstIndex = sql`greatest(1, hit_count - ${EXAMINED_MAX}::int)`;
  return {
    wanted: sql`
      select hit.stamp, hit.jurisdiction_code, hit.uid, hit.event
      from (
        select hit_row.stamp, hit.jurisdiction_code, hit.uid, hit.event
        from (${newest}) as hit_row cross join lateral ${lastHitsOfRow(EXAMINED_MAX)}
        where hit_row.newer < ${EXAMINED_MAX}::int
        union all ${hitsOf(begun)} where (hit_row.stamp, hit.jurisdiction_code, hit.uid) < ${key}
      ) as hit
      where ${ofEvent} and ${isOpen}`,
    end: sql`
      with newest as materialized (${newest})
      select ${instantText(sql`newest.stamp`)} as stamp,
        coalesce(earlier_jurisdiction_codes[${firstIndex}], jurisdiction_code) as jurisdiction_code,
        coalesce(earlier_uids[${firstIndex}], uid) as uid
      from newest
      where newer < ${EXAMINED_MAX}::int
        and (${firstIndex} > 1 or exists (select from newest where newer >= ${EXAMINED_MAX}::int))
      order by newest.stamp, newest.jurisdiction_code, newest.uid limit 1`,
  };
}

/** Hits that somebody took up are found by what is kept of them. */
function handledHits(
  watchId: string,
  key: Statement,
  { ofEvent, state }: { ofEvent: Statement; state: Extract<HitState, { is: 'done' | 'assigned' }> },
): Examined {
  const within =
    state.is === 'done' ? sql`done_at is not null` : sql`assigned_to = ${state.userId} and done_at is null`;
  const newest = (limit: number): Statement => sql`
    select stamp, jurisdiction_code, uid, event from hit_handling
    where watch_id = ${watchId} and ${within} and (stamp, jurisdiction_code, uid) < ${key}
    order by stamp desc, jurisdiction_code desc, uid desc limit ${limit}::int`;
  return {
    wanted: sql`select hit.stamp, hit.jurisdiction_code, hit.uid, hit.event
      from (${newest(EXAMINED_MAX)}) as hit where ${ofEvent}`,
    end: sql`
      select ${instantText(sql`stamp`)} as stamp, jurisdiction_code, uid
      from (
        select stamp, jurisdiction_code, uid, count(*) over () as listed,
          row_number() over (order by stamp desc, jurisdiction_code desc, uid desc) as number
        from (${newest(EXAMINED_MAX + 1)}) as newest
      ) as numbered
      where number = ${EXAMINED_MAX}::int and listed > ${EXAMINED_MAX}::int`,
  };
}

/** What happened, if this is a hit of the watch. */
export async function findHitEvent(db: Queryable, watchId: string, hit: EventPosition): Promise<HitEvent | null> {
  return (await listHitEvents(db, watchId, hit, [hit.stamp])).get(hit.stamp) ?? null;
}

/** What happened to a record at these stamps, for those at which it hit the watch. */
export async function listHitEvents(
  db: Queryable,
  watchId: string,
  { jurisdiction_code, uid }: Pick<EventPosition, 'jurisdiction_code' | 'uid'>,
  stamps: readonly Instant[],
): Promise<ReadonlyMap<Instant, HitEvent>> {
  // The hits of a row lie at or before its own position, and no other row of the watch lies between them.
  const rows = sql`
    select ${HIT_ROW} from watch_hit
    where watch_id = ${watchId} and watch_hit.stamp = asked.stamp
      and (watch_hit.stamp, jurisdiction_code, uid) >= (asked.stamp, ${jurisdiction_code}, ${uid})
    order by watch_hit.stamp, jurisdiction_code, uid limit 1`;
  const found = await db.query<{ stamp: Instant; event: HitEvent }>(sql`
    select ${instantText(sql`hit_row.stamp`)} as stamp, hit.event
    from unnest(${[...stamps]}::timestamptz[]) as asked (stamp) cross join lateral (${rows}) as hit_row
      cross join lateral ${HITS_OF_ROW}
    where hit.jurisdiction_code = ${jurisdiction_code} and hit.uid = ${uid}`);
  return new Map(found.map(({ stamp, event }) => [stamp, event]));
}

/** The hits in some rows. */
function hitsOf(rows: Statement): Statement {
  return sql`select hit_row.stamp, hit.jurisdiction_code, hit.uid, hit.event
    from (${rows}) as hit_row cross join lateral ${HITS_OF_ROW}`;
}

type PlainHit = Omit<StoredHit, 'likeness'>;

async function joinLikeness(db: Queryable, watchId: string, hits: readonly PlainHit[]): Promise<StoredHit[]> {
  const found = await listLikeness(db, watchId, hits.map(positionOf));
  return hits.map((hit) => ({ ...hit, likeness: found.get(nameHit(positionOf(hit))) ?? null }));
}
