/**
 * What customers watch: searches, lists of records, lists of owners. It knows neither what a search means nor what is
 * hit. Invariant: every change takes its turn at the row of the progress before any watch. So the matching sees each
 * change either completely or not at all, and knows from which event on it holds. The customer comes before the turn.
 */
import type { Instant } from '@tmds/contract/record';
import { WATCH_ITEMS_TOTAL_MAX, WATCHES_MAX, type WatchKind } from '@tmds/contract/watches';
import { NoAnswer } from '../../base/no-answer.ts';
import type { Database, Queryable, Transaction } from '../../database/driver/db.ts';
import { instantText, type Statement, sql } from '../../database/driver/sql.ts';
import { holdCustomer } from '../accounts/customers.ts';

export interface WatchedRecord {
  readonly jurisdiction_code: string;
  readonly uid: string;
}

/** The subject of a watch. Lists are sorted and free of repeats; owners are in compared form. */
export type WatchSubject =
  | { readonly kind: 'search'; readonly search: string }
  | { readonly kind: 'records'; readonly records: readonly WatchedRecord[] }
  | { readonly kind: 'owners'; readonly owners: readonly string[] }
  /** The query string of a search for likeness. */
  | { readonly kind: 'similar'; readonly search: string };

export interface WatchDefinition {
  readonly name: string;
  /** The customer's own; null: none. Undefined leaves the one that the watch has. */
  readonly reference?: string | null;
  readonly subject: WatchSubject;
}

export interface StoredWatch {
  readonly watch_id: string;
  readonly customer_id: string;
  /** Chosen by the customer. */
  readonly id: string;
  readonly name: string;
  /** The customer's own; null: none. */
  readonly reference: string | null;
  readonly kind: WatchKind;
  /** The canonical query string; null for records and owners. */
  readonly search: string | null;
  /** How many records or owners are listed. */
  readonly item_count: number;
  /** Rises with every change, from 1. */
  readonly revision: number;
  readonly created_at: Instant;
  readonly changed_at: Instant;
  /** How far events had been matched when it was changed. */
  readonly holds_from: Instant;
  /** Null while it is live. */
  readonly ended_at: Instant | null;
}

/** `full`: the customer has as many watches, or as many listed records and owners, as it may. */
export type PutOutcome = 'created' | 'changed' | 'unchanged' | 'full';

const COLUMNS: Statement = sql`watch_id, customer_id, id, name, reference, kind, search, item_count, revision,
  ${instantText(sql`created_at`)} as created_at, ${instantText(sql`changed_at`)} as changed_at,
  ${instantText(sql`holds_from`)} as holds_from, ${instantText(sql`ended_at`)} as ended_at`;

/** Live and ended watches alike; null if the customer has none with this id. */
export async function findWatch(db: Queryable, customerId: string, id: string): Promise<StoredWatch | null> {
  const [watch] = await db.query<StoredWatch>(
    sql`select ${COLUMNS} from watch where customer_id = ${customerId} and id = ${id}`,
  );
  return watch ?? null;
}

/** Live watches, in the order of their ids, after one of them; null = from the first. */
export async function listWatches(
  db: Queryable,
  customerId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<StoredWatch[]> {
  return await db.query<StoredWatch>(sql`
    select ${COLUMNS} from watch
    where customer_id = ${customerId} and ended_at is null and id > ${after ?? ''}
    order by id limit ${limit}::int`);
}

/** The place of a watch among those of its customer, by time of creation. */
export interface MadePosition {
  readonly created_at: Instant;
  readonly watch_id: string;
}

/** Live or ended watches, the most recently created first, before a position; null = from the newest. */
export async function listLatestWatches(
  db: Queryable,
  customerId: string,
  { live, before, limit }: { live: boolean; before: MadePosition | null; limit: number },
): Promise<StoredWatch[]> {
  return await db.query<StoredWatch>(sql`
    select ${COLUMNS} from watch
    where customer_id = ${customerId} and (ended_at is null) = ${live}
      and (${before === null} or (watch.created_at, watch_id)
        < (${before?.created_at ?? null}::timestamptz, ${before?.watch_id ?? null}::uuid))
    order by watch.created_at desc, watch_id desc limit ${limit}::int`);
}

/** Records that live watches of a customer list, those of the newest watches first, each once. */
export async function listWatchedRecords(
  db: Queryable,
  customerId: string,
  { watchesMax, recordsMax }: { watchesMax: number; recordsMax: number },
): Promise<WatchedRecord[]> {
  const rows = await db.query<WatchedRecord>(sql`
    select item.jurisdiction_code, item.uid
    from (
      select watch_id from watch where customer_id = ${customerId} and ended_at is null and kind = 'records'
      order by created_at desc, watch_id desc limit ${watchesMax}::int
    ) as newest cross join lateral (
      select jurisdiction_code, uid from watch_record where watch_record.watch_id = newest.watch_id
      limit ${recordsMax}::int
    ) as item limit ${recordsMax}::int`);
  const named = new Map(rows.map((record) => [`${record.jurisdiction_code} ${record.uid}`, record]));
  return [...named.values()];
}

/** What a watch lists, or its search. */
export async function findSubject(db: Queryable, { watch_id, kind, search }: StoredWatch): Promise<WatchSubject> {
  switch (kind) {
    case 'search':
    case 'similar':
      return { kind, search: search ?? '' };
    case 'records': {
      const records = await db.query<WatchedRecord>(sql`
        select jurisdiction_code, uid from watch_record where watch_id = ${watch_id} order by jurisdiction_code, uid`);
      return { kind, records };
    }
    case 'owners': {
      const owners = await db.query<{ name: string }>(
        sql`select name from watch_owner where watch_id = ${watch_id} order by name`,
      );
      return { kind, owners: owners.map(({ name }) => name) };
    }
  }
}

/** Creates a watch, changes it, or makes it live again. Doing so twice changes nothing. `watch` is null if `full`. */
export async function putWatch(
  db: Database,
  customerId: string,
  id: string,
  definition: WatchDefinition,
): Promise<{ readonly outcome: PutOutcome; readonly watch: StoredWatch | null }> {
  return await db.transaction((tx) => putWatchWithin(tx, customerId, id, definition));
}

/**
 * The same as a part of a transaction that has changed no watch and written no hit before.
 * @throws NoAnswer if the customer has been removed
 */
export async function putWatchWithin(
  tx: Transaction,
  customerId: string,
  id: string,
  definition: WatchDefinition,
): Promise<{ readonly outcome: PutOutcome; readonly watch: StoredWatch | null }> {
  // Before the turn, in which all customers wait.
  if ((await holdCustomer(tx, customerId)) === null) throw new NoAnswer('customer_removed');
  await takeTurn(tx);
  const known = await findWatch(tx, customerId, id);
  const isLive = known !== null && known.ended_at === null;
  const isSame = known !== null && JSON.stringify(await findSubject(tx, known)) === JSON.stringify(definition.subject);
  const { name, reference = known?.reference ?? null } = definition;
  if (isLive && isSame && known.name === name && known.reference === reference)
    return { outcome: 'unchanged', watch: known };
  if (!(await hasRoom(tx, customerId, id, definition.subject))) return { outcome: 'full', watch: null };
  const watch = await writeWatch(tx, customerId, id, { ...definition, reference });
  // Those of an ended watch may be going at this moment (upkeep/retention).
  if (!(isLive && isSame)) await writeItems(tx, watch.watch_id, definition.subject);
  return { outcome: watch.revision === 1 ? 'created' : 'changed', watch };
}

/** From now on nothing is matched; its hits stay. Null if the customer has no watch with this id. */
export async function endWatch(db: Database, customerId: string, id: string): Promise<StoredWatch | null> {
  return await db.transaction((tx) => endWatchWithin(tx, customerId, id));
}

/** The same as a part of a transaction that has changed no watch and written no hit before. */
export async function endWatchWithin(tx: Transaction, customerId: string, id: string): Promise<StoredWatch | null> {
  await takeTurn(tx);
  const known = await findWatch(tx, customerId, id);
  if (known === null || known.ended_at !== null) return known;
  const [ended] = await tx.query<StoredWatch>(sql`
    update watch set ended_at = clock_timestamp(), change_number = ${nextChange()}
    where watch_id = ${known.watch_id} returning ${COLUMNS}`);
  return ended ?? null;
}

/**
 * Ends the watches of a removed customer, and erases everything that says what was watched. The caller has the turn,
 * and has removed the webhooks, which come before watches.
 */
export async function eraseWatches(tx: Transaction, customerId: string): Promise<void> {
  const own = sql`watch_id in (select watch_id from watch where customer_id = ${customerId})`;
  // Before their hits, as people lock them who handle a hit.
  await tx.query(sql`
    update watch set id = watch_id::text, name = 'removed', reference = null, kind = 'records', search = null, item_count = 0,
      ended_at = coalesce(ended_at, clock_timestamp()), change_number = ${nextChange()}
    where customer_id = ${customerId}`);
  await tx.query(sql`delete from watch_record where ${own}`);
  await tx.query(sql`delete from watch_owner where ${own}`);
  await tx.query(sql`delete from watch_hit where ${own}`);
  await tx.query(sql`delete from hit_likeness where ${own}`);
  await tx.query(sql`delete from hit_handling where ${own}`);
}

/** Blocks all others who change a watch or write hits until the transaction ends. */
export async function takeTurn(tx: Transaction): Promise<void> {
  await tx.query(sql`update watch_progress set last_change_number = last_change_number + 1`);
}

const nextChange = (): Statement => sql`(select last_change_number from watch_progress)`;

function itemsOf(subject: WatchSubject): readonly unknown[] {
  if ('search' in subject) return [];
  return subject.kind === 'records' ? subject.records : subject.owners;
}

/** Whether the customer may have this watch in addition to its other live ones. */
async function hasRoom(tx: Transaction, customerId: string, id: string, subject: WatchSubject): Promise<boolean> {
  const [others] = await tx.query<{ watches: number; items: number }>(sql`
    select count(*)::float8 as watches, coalesce(sum(item_count), 0)::float8 as items from watch
    where customer_id = ${customerId} and ended_at is null and id <> ${id}`);
  return others!.watches < WATCHES_MAX && others!.items + itemsOf(subject).length <= WATCH_ITEMS_TOTAL_MAX;
}

async function writeWatch(
  tx: Transaction,
  customerId: string,
  id: string,
  { name, reference, subject }: Required<WatchDefinition>,
): Promise<StoredWatch> {
  const search = 'search' in subject ? subject.search : null;
  const [watch] = await tx.query<StoredWatch>(sql`
    insert into watch (watch_id, customer_id, id, name, reference, kind, search, item_count, revision, created_at,
      changed_at, holds_from, change_number)
    select gen_random_uuid(), ${customerId}, ${id}, ${name}, ${reference}, ${subject.kind}, ${search},
      ${itemsOf(subject).length}::int, 1, clock_timestamp(), clock_timestamp(), complete_through,
      last_change_number
    from watch_progress
    on conflict (customer_id, id) do update set name = excluded.name, reference = excluded.reference,
      kind = excluded.kind, search = excluded.search, item_count = excluded.item_count,
      revision = watch.revision + 1, changed_at = excluded.changed_at, holds_from = excluded.holds_from,
      ended_at = null, change_number = excluded.change_number
    returning ${COLUMNS}`);
  return watch!;
}

async function writeItems(tx: Transaction, watchId: string, subject: WatchSubject): Promise<void> {
  await tx.query(sql`delete from watch_record where watch_id = ${watchId}`);
  await tx.query(sql`delete from watch_owner where watch_id = ${watchId}`);
  if (subject.kind === 'records') {
    await tx.query(sql`
      insert into watch_record (watch_id, jurisdiction_code, uid)
      select ${watchId}, jurisdiction_code, uid
      from json_to_recordset(${JSON.stringify(subject.records)}::json) as item (jurisdiction_code text, uid text)`);
  }
  if (subject.kind === 'owners') {
    await tx.query(sql`
      insert into watch_owner (watch_id, name) select ${watchId}, name from unnest(${subject.owners}::text[]) as name`);
  }
}
