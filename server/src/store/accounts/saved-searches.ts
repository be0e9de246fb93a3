/**
 * Searches that a customer keeps under names, and the recent searches of a person. It does not know what a search
 * means.
 * Invariants: a customer has at most `SAVED_MAX`, each under another name; the caller that adds one holds the lock of
 * the customer. A person has at most `RECENT_MAX`; a search that is repeated moves to the front.
 */

import { createHash } from 'node:crypto';
import type { Database, Queryable, Transaction } from '../../database/driver/db.ts';
import { instantText, sql } from '../../database/driver/sql.ts';

/** Upper limit for one customer. */
export const SAVED_MAX = 200;
/** In code points. */
export const SAVED_NAME_MAX = 100;
/** A link to it has to fit into an address. */
export const SAVED_SEARCH_CHARACTERS_MAX = 4000;

export interface SavedSearch {
  readonly id: string;
  readonly name: string;
  /** A query string of filters. */
  readonly search: string;
  readonly created_at: string;
}

const COLUMNS = sql`id, name, search, ${instantText(sql`created_at`)} as created_at`;

/** In the order of their names, after one of them; null = from the first. */
export async function listSavedSearches(
  db: Queryable,
  customerId: string,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<SavedSearch[]> {
  return await db.query<SavedSearch>(sql`
    select ${COLUMNS} from saved_search
    where customer_id = ${customerId} and name > ${after ?? ''}
    order by name limit ${limit}::int`);
}

/** Null if the customer has none with this id. */
export async function findSavedSearch(db: Queryable, customerId: string, id: string): Promise<SavedSearch | null> {
  const [found] = await db.query<SavedSearch>(
    sql`select ${COLUMNS} from saved_search where customer_id = ${customerId} and id = ${id}`,
  );
  return found ?? null;
}

interface NewSearch {
  readonly id: string;
  readonly name: string;
  readonly search: string;
}

/** `taken`: another one has the name. The caller holds the lock of the customer. */
export async function insertSavedSearch(
  tx: Transaction,
  customerId: string,
  { id, name, search }: NewSearch,
): Promise<'saved' | 'full' | 'taken'> {
  const [row] = await tx.query<{ count: number }>(
    sql`select count(*)::int as count from saved_search where customer_id = ${customerId}`,
  );
  if (row!.count >= SAVED_MAX) return 'full';
  const saved = await tx.query(sql`
    insert into saved_search (customer_id, id, name, search, created_at)
    values (${customerId}, ${id}, ${name}, ${search}, now())
    on conflict (customer_id, name) do nothing returning id`);
  return saved.length === 0 ? 'taken' : 'saved';
}

/** False if another one has the name. The caller holds the lock of the customer. */
export async function renameSavedSearch(
  tx: Transaction,
  customerId: string,
  { id, name }: Pick<NewSearch, 'id' | 'name'>,
): Promise<boolean> {
  const [other] = await tx.query(sql`
    select from saved_search where customer_id = ${customerId} and name = ${name} and id <> ${id}`);
  if (other !== undefined) return false;
  await tx.query(sql`update saved_search set name = ${name} where customer_id = ${customerId} and id = ${id}`);
  return true;
}

/** False if it is gone already. */
export async function deleteSavedSearch(tx: Transaction, customerId: string, id: string): Promise<boolean> {
  const gone = await tx.query(
    sql`delete from saved_search where customer_id = ${customerId} and id = ${id} returning id`,
  );
  return gone.length > 0;
}

/** Deletes the saved searches of a removed customer. */
export async function eraseSavedSearches(tx: Transaction, customerId: string): Promise<void> {
  await tx.query(sql`delete from saved_search where customer_id = ${customerId}`);
}

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
    if (!(await lockPerson(tx, userId))) return;
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

export async function deleteRecentSearches(tx: Transaction, userId: string): Promise<void> {
  await lockPerson(tx, userId);
  await tx.query(sql`delete from recent_search where user_id = ${userId}`);
}

/** Before the searches of the person, so that calls change them one after the other; false if the person has left. */
async function lockPerson(tx: Transaction, userId: string): Promise<boolean> {
  const locked = await tx.query(sql`
    select user_id from portal_user where user_id = ${userId} and removed_at is null for no key update`);
  return locked.length > 0;
}
