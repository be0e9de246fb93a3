/**
 * The hits of live watches that a person has not seen. Hits of a watch are seen up to a stamp: the one that the person
 * has for all watches, or the one for the watch if it is later. It does not know which page shows what. Every statement
 * takes the person, and so reaches the watches of the person's customer only.
 */
import type { Instant } from '@tmds/contract/record';
import type { HitEvent } from '@tmds/contract/watches';
import type { Queryable, Transaction } from '../../database/driver/db.ts';
import { instantText, sql } from '../../database/driver/sql.ts';
import { lastHitsOfRow } from './hit-rows.ts';

/** More new hits of a watch than this are not counted. */
export const NEW_HITS_COUNTED_MAX = 1_000;

/** A live watch with hits that the person has not seen. */
export interface WatchNews {
  watch_id: string;
  /** Chosen by the customer. */
  id: string;
  name: string;
  /** Hits up to this one are seen. */
  seen_through: Instant;
  /** Up to `NEW_HITS_COUNTED_MAX`. */
  hits: number;
}

export interface News {
  /** Those with the newest hits first. */
  readonly watches: readonly WatchNews[];
  /** How many live watches have any. */
  readonly watchesTotal: number;
  /** How many watches of the customer are live. */
  readonly liveWatches: number;
  /** Every hit with a stamp up to this one is known. */
  readonly completeThrough: Instant;
}

interface NewsRow extends WatchNews {
  total: number;
}

/** At most `limit` watches. One look-up for each live watch, of which a customer has a bounded number. */
export async function findNews(db: Queryable, userId: string, limit: number): Promise<News> {
  const [state] = await db.query<{ complete_through: Instant; live: number }>(sql`
    select ${instantText(sql`complete_through`)} as complete_through, (
      select count(*)::int from watch where ended_at is null
        and customer_id = (select customer_id from portal_user where user_id = ${userId})) as live
    from watch_progress`);
  const watches = await db.query<NewsRow>(sql`
    with own as materialized (
      select watch.watch_id, watch.id, watch.name, greatest(u.hits_seen_through, seen.seen_through) as seen_through
      from portal_user u join watch on watch.customer_id = u.customer_id and watch.ended_at is null
        left join hit_seen seen on seen.user_id = u.user_id and seen.watch_id = watch.watch_id
      where u.user_id = ${userId}
    ), newest as (
      select own.*, newest.stamp, (count(*) over ())::int as total
      from own cross join lateral (
        select stamp from watch_hit where watch_hit.watch_id = own.watch_id and stamp > own.seen_through
        order by stamp desc, jurisdiction_code desc, uid desc limit 1
      ) as newest
      order by newest.stamp desc, own.id limit ${limit}::int
    )
    select newest.watch_id, newest.id, newest.name, ${instantText(sql`newest.seen_through`)} as seen_through,
      newest.total, counted.hits
    from newest cross join lateral (
      select least(sum(hit_count), ${NEW_HITS_COUNTED_MAX}::int)::float8 as hits from (
        select hit_count from watch_hit where watch_hit.watch_id = newest.watch_id and stamp > newest.seen_through
        limit ${NEW_HITS_COUNTED_MAX}::int) as counted
    ) as counted
    order by newest.stamp desc, newest.id`);
  const { complete_through: completeThrough, live } = state!;
  return { watches, watchesTotal: watches[0]?.total ?? 0, liveWatches: live, completeThrough };
}

export interface NewHit {
  watch_id: string;
  stamp: Instant;
  jurisdiction_code: string;
  uid: string;
  event: HitEvent;
}

/** The newest of the hits that are new to a person, newest first. */
export async function listNewHits(db: Queryable, watches: readonly WatchNews[], limit: number): Promise<NewHit[]> {
  if (watches.length === 0) return [];
  return await db.query<NewHit>(sql`
    select news.watch_id, ${instantText(sql`hit_row.stamp`)} as stamp, hit.jurisdiction_code, hit.uid, hit.event
    from unnest(${watches.map(({ watch_id }) => watch_id)}::uuid[],
        ${watches.map(({ seen_through }) => seen_through)}::timestamptz[]) as news (watch_id, seen_through)
      cross join lateral (
        select stamp, hit_count, jurisdiction_code, uid, event, earlier_jurisdiction_codes, earlier_uids, earlier_events
        from watch_hit where watch_hit.watch_id = news.watch_id and stamp > news.seen_through
        order by stamp desc, jurisdiction_code desc, uid desc limit ${limit}::int
      ) as hit_row
      cross join lateral ${lastHitsOfRow(limit)}
    order by hit_row.stamp desc, hit.jurisdiction_code desc, hit.uid desc, news.watch_id limit ${limit}::int`);
}

/** Up to where the person has seen the hits of a watch of the person's customer; null for any other watch. */
export async function findSeenThrough(db: Queryable, userId: string, watchId: string): Promise<Instant | null> {
  const [row] = await db.query<{ through: Instant }>(sql`
    select ${instantText(sql`greatest(u.hits_seen_through, seen.seen_through)`)} as through
    from portal_user u join watch on watch.customer_id = u.customer_id and watch.watch_id = ${watchId}
      left join hit_seen seen on seen.user_id = u.user_id and seen.watch_id = watch.watch_id
    where u.user_id = ${userId}`);
  return row?.through ?? null;
}

/** The person has seen the hits of this watch up to a stamp; nothing that was seen becomes new again. */
export async function markWatchSeen(
  db: Queryable,
  { userId, watchId, through }: { userId: string; watchId: string; through: Instant },
): Promise<void> {
  await db.query(sql`
    insert into hit_seen as seen (user_id, watch_id, seen_through)
    select ${userId}::uuid, watch_id, ${through}::timestamptz from watch where watch_id = ${watchId} for key share
    on conflict (user_id, watch_id) do update set seen_through = excluded.seen_through
      where seen.seen_through < excluded.seen_through`);
}

/** The same for all watches. Hits that are not known yet stay new, whatever `through` says. */
export async function markAllSeen(tx: Transaction, userId: string, through: Instant): Promise<void> {
  const bound = sql`least(${through}::timestamptz, (select complete_through from watch_progress))`;
  await tx.query(sql`
    update portal_user set hits_seen_through = greatest(hits_seen_through, ${bound}) where user_id = ${userId}`);
  await tx.query(sql`
    delete from hit_seen using portal_user u
    where hit_seen.user_id = ${userId} and u.user_id = hit_seen.user_id
      and hit_seen.seen_through <= u.hits_seen_through`);
}
