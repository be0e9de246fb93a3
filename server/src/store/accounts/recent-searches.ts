/**
 * The recent searches of a person: the query of the explorer's page, and how many records it found. It does not know
 * what a query means. Invariant: a person has at most `RECENT_MAX`; a search that is repeated moves to the front.
 */
import { createHash } from 'node:crypto';
import type { Database, Queryable } from '../../database/driver/db.ts';
import { instantText } from '../../database/driver/instants.ts';
import { sql } from '../../database/driver/sql.ts';

const RECENT_MAX = 20;

export interface RecentSearch {
  search: string;
  /** Null if they were not counted. */
  found: number | null;
  searched_at: string;
}

export async function noteSearch(
  db: Database,
  userId: string,
  { search, found }: Pick<RecentSearch, 'search' | 'found'>,
): Promise<void> {
  const digest = createHash('sha256').update(search).digest();
  await db.transaction(async (tx) => {
    await tx.query(sql`
      insert into recent_search (user_id, digest, search, found, searched_at)
      values (${userId}, ${digest}, ${search}, ${found}::bigint, clock_timestamp())
      on conflict (user_id, digest) do update set found = excluded.found, searched_at = excluded.searched_at`);
    await tx.query(sql`
      delete from recent_search where user_id = ${userId} and searched_at < (
        select min(searched_at) from (
          select searched_at from recent_search where user_id = ${userId}
          order by searched_at desc limit ${RECENT_MAX}::int) as kept)`);
  });
}

/** Newest first. */
export async function listRecentSearches(db: Queryable, userId: string, limit: number): Promise<RecentSearch[]> {
  return db.query<RecentSearch>(sql`
    select search, found::float8 as found, ${instantText(sql`searched_at`)} as searched_at
    from recent_search where user_id = ${userId}
    order by recent_search.searched_at desc, digest limit ${limit}::int`);
}

export async function deleteRecentSearches(db: Queryable, userId: string): Promise<void> {
  await db.query(sql`delete from recent_search where user_id = ${userId}`);
}
