/**
 * A page of what a watch is told, in the order of the history: each hit with its event, and how far hits are complete.
 * Invariant: both come from one snapshot. Hits are written in this order together with the progress, so whatever
 * becomes visible later lies past every hit of the page, and past the instant that it states.
 */
import type { HistoryEvent } from '@tmds/contract/history';
import type { Instant } from '@tmds/contract/record';
import type { HitEvent, WatchHitItem } from '@tmds/contract/watches';
import { encodeHitPosition, type HitsRequest } from '../../plan/watches.ts';
import { documentBytes } from '../documents/held.ts';
import type { Queryable } from '../driver/db.ts';
import { instantText } from '../driver/instants.ts';
import { type Statement, sql } from '../driver/sql.ts';
import { type EventKey, readEvents, type WantedEvents } from '../records/events.ts';
import { documentOf, predecessorOf, textsOf, type VersionName } from '../records/versions.ts';
import type { EventPosition } from './matching.ts';

export interface HitsPage {
  readonly items: readonly WatchHitItem[];
  /** Null if and only if the page is empty. */
  readonly next_cursor: string | null;
  /** Every hit with a stamp up to it is there. */
  readonly completeThrough: Instant;
}

type HitKey = EventKey & { readonly event: HitEvent };

const HIT: VersionName = { register: sql`hit.jurisdiction_code`, uid: sql`hit.uid`, stamp: sql`hit.stamp` };

/** Every event passes. */
const wantAll = (limit: number): WantedEvents => ({
  events: { fields: null, causes: null },
  registers: null,
  conditions: [],
  limit,
});

/** The hits that a page asks for, as a row of JSON with what is needed to tell each. */
function describeHits(wanted: Statement, order: Statement): Statement {
  return sql`
    with hit as materialized (
      select stamp, jurisdiction_code, uid, event from watch_hit where ${wanted}
    )
    select ${instantText(sql`watch_progress.complete_through`)} as complete_through, (
      select json_agg(json_build_object('event', hit.event,
        'version', ${instantText(sql`hit.stamp`)}, 'jurisdiction_code', hit.jurisdiction_code, 'uid', hit.uid,
        'previous_version', ${instantText(sql`before.previous_at`)}, 'cause', coalesce(before.cause, 'first'),
        'text_bytes', octet_length(version.detail) + coalesce(octet_length(before.detail), 0),
        'document_bytes', case when before.has_document then
          coalesce(before.document_bytes, 0) + coalesce(${documentOf(HIT, documentBytes)}, 0)
        end) order by ${order})
      from hit join lateral (${textsOf(HIT)}) as version on true
        left join lateral (${predecessorOf(HIT)}) as before on true
    ) as hits from watch_progress`;
}

interface HitsRow {
  readonly complete_through: Instant;
  readonly hits: string | null;
}

/** A page ends early when what its hits tell is large. */
export async function findHits(db: Queryable, watchId: string, request: HitsRequest): Promise<HitsPage> {
  const { after, limit, binding } = request;
  const wanted = sql`watch_id = ${watchId} and (stamp, jurisdiction_code, uid)
      > (${after.stamp}::timestamptz, ${after.jurisdiction_code}, ${after.uid})
    order by stamp, jurisdiction_code, uid limit ${limit}::int`;
  const [row] = await db.query<HitsRow>(describeHits(wanted, sql`hit.stamp, hit.jurisdiction_code, hit.uid`));
  const completeThrough = row!.complete_through;
  const keys = row!.hits === null ? [] : (JSON.parse(row!.hits) as HitKey[]);
  const { items, last } = await readEvents(db, keys, wantAll(limit), async () => []);
  if (last === null) return { items: [], next_cursor: null, completeThrough };
  const { version: stamp, jurisdiction_code, uid } = last;
  const told = items.map((event, index) => joinHit(keys[index]!, event));
  return { items: told, next_cursor: encodeHitPosition(binding, { stamp, jurisdiction_code, uid }), completeThrough };
}

export interface LatestHits {
  /** Newest first. */
  readonly items: readonly WatchHitItem[];
  /** The last one, if there are older ones. */
  readonly olderThan: EventPosition | null;
  /** Every hit with a stamp up to it is there. */
  readonly completeThrough: Instant;
}

/** `before`: where the page begins; null = at the newest hit. A page ends early when what its hits tell is large. */
export async function findLatestHits(
  db: Queryable,
  watchId: string,
  { before, limit }: { before: EventPosition | null; limit: number },
): Promise<LatestHits> {
  const wanted = sql`watch_id = ${watchId} and (${before === null} or (stamp, jurisdiction_code, uid)
      < (${before?.stamp ?? null}::timestamptz, ${before?.jurisdiction_code ?? ''}, ${before?.uid ?? ''}))
    order by stamp desc, jurisdiction_code desc, uid desc limit ${limit + 1}::int`;
  const [row] = await db.query<HitsRow>(
    describeHits(wanted, sql`hit.stamp desc, hit.jurisdiction_code desc, hit.uid desc`),
  );
  const keys = row!.hits === null ? [] : (JSON.parse(row!.hits) as HitKey[]);
  const { items } = await readEvents(db, keys.slice(0, limit), wantAll(limit), async () => []);
  const last = items.length < keys.length ? items.at(-1) : undefined;
  return {
    items: items.map((event, index) => joinHit(keys[index]!, event)),
    olderThan:
      last === undefined ? null : { stamp: last.version, jurisdiction_code: last.jurisdiction_code, uid: last.uid },
    completeThrough: row!.complete_through,
  };
}

function joinHit({ event }: HitKey, history: HistoryEvent): WatchHitItem {
  return { event, ...history };
}
