/**
 * A page of a watch's hits, in the order of the history: each hit with its event, and up to which stamp hits are
 * complete.
 * Invariant: both come from one snapshot, or the progress from an earlier one. Hits are written in this order together
 * with the progress, so everything that becomes visible later lies past every hit of the page, and past the instant
 * that it states.
 */
import type { HistoryEvent } from '@tmds/contract/history';
import type { Instant } from '@tmds/contract/record';
import type { HitEvent, WatchHitItem } from '@tmds/contract/watches';
import { encodeHitPosition, type HitsRequest } from '../../plan/watches.ts';
import type { Queryable } from '../driver/db.ts';
import { instantText } from '../driver/instants.ts';
import { type Statement, sql } from '../driver/sql.ts';
import { readEvents, type WantedEvents } from '../records/events.ts';
import { joinKeys, LISTED_KEY, type ListedKey, type ListedRow, toldOfListed } from '../records/history.ts';
import { listedTexts } from '../records/versions.ts';
import { HIT_ROW, HITS_OF_ROW } from './hit-rows.ts';
import type { EventPosition } from './version-events.ts';

export interface HitsPage {
  readonly items: readonly WatchHitItem[];
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
  const key = sql`(${after.stamp}::timestamptz, ${after.jurisdiction_code}, ${after.uid})`;
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
  const { version: stamp, jurisdiction_code, uid } = last;
  const told = items.map((event, index) => joinHit(keys[index]!, event));
  const next_cursor = encodeHitPosition(binding, { stamp, jurisdiction_code, uid });
  return { items: told, next_cursor, completeThrough, lineage };
}

export interface LatestHits {
  /** Newest first. */
  readonly items: readonly WatchHitItem[];
  /** The last one, if there are older ones. */
  readonly olderThan: EventPosition | null;
  /** Every hit with a stamp up to this one is included. */
  readonly completeThrough: Instant;
}

/**
 * `before`: where the page begins; null = at the newest hit. A page ends early when the texts of its hits are large.
 */
export async function findLatestHits(
  db: Queryable,
  watchId: string,
  { before, limit }: { before: EventPosition | null; limit: number },
): Promise<LatestHits> {
  const key = sql`(${before?.stamp ?? 'infinity'}::timestamptz, ${before?.jurisdiction_code ?? ''}, ${before?.uid ?? ''})`;
  const rowsBy = (range: Statement, order: Statement): Statement => sql`(
    select ${HIT_ROW} from watch_hit where watch_id = ${watchId} and (stamp, jurisdiction_code, uid) ${range}
    order by stamp ${order}, jurisdiction_code ${order}, uid ${order}`;
  // In the row in which the page begins, hits from there on are left out.
  const rows = sql`${rowsBy(sql`< ${key}`, sql`desc`)} limit ${limit + 1}::int)
    union all ${rowsBy(sql`>= ${key}`, sql`asc`)} limit 1)`;
  const wanted = sql`
    ${hitsOf(rows)} where (hit_row.stamp, hit.jurisdiction_code, hit.uid) < ${key}
    order by hit_row.stamp desc, hit.jurisdiction_code desc, hit.uid desc limit ${limit + 1}::int`;
  const [row] = await db.query<HitsRow>(
    describeHits(wanted, sql`hit.stamp desc, hit.jurisdiction_code desc, hit.uid desc`),
  );
  const keys = joinKeys<HitKey>(row!);
  const { items } = await readEvents(db, keys.slice(0, limit), wantAll(limit), async () => []);
  const last = items.length < keys.length ? items.at(-1) : undefined;
  return {
    items: items.map((event, index) => joinHit(keys[index]!, event)),
    olderThan:
      last === undefined ? null : { stamp: last.version, jurisdiction_code: last.jurisdiction_code, uid: last.uid },
    completeThrough: row!.complete_through,
  };
}

/** The hits in some rows. */
function hitsOf(rows: Statement): Statement {
  return sql`select hit_row.stamp, hit.jurisdiction_code, hit.uid, hit.event
    from (${rows}) as hit_row cross join lateral ${HITS_OF_ROW}`;
}

function joinHit({ event }: HitKey, history: HistoryEvent): WatchHitItem {
  return { event, ...history };
}
