/**
 * Why hits of watches for likeness are alike, as it was when they were hit, and what people do about hits: who handles
 * one, a note, and whether it is done. It belongs to the customer, so that colleagues see the same; what is new to a
 * person is in `new-hits.ts`. It does not check who may change it.
 * Invariant: only a hit of the watch has a row; a hit that is open, with nobody and without a note has none.
 */

import type { Instant } from '@tmds/contract/record';
import type { HitEvent, HitLikeness } from '@tmds/contract/watches';
import { keyLists } from '../../database/distributed/by-key.ts';
import type { Queryable, Transaction } from '../../database/driver/db.ts';
import { instantText, sql } from '../../database/driver/sql.ts';
import type { EventPosition } from './version-events.ts';

/** Characters of a note. */
export const HIT_NOTE_MAX = 1_000;

export interface HitHandling {
  /** Null while it is open. */
  readonly done_at: Instant | null;
  readonly done_by: string | null;
  readonly assigned_to: string | null;
  readonly note: string | null;
  readonly changed_at: Instant;
  readonly changed_by: string;
}

interface HandledRow extends HitHandling, EventPosition {}

export function nameHit({ stamp, jurisdiction_code, uid }: EventPosition): string {
  return `${stamp}_${jurisdiction_code}_${uid}`;
}

/** By `nameHit`; a hit that nobody took up is left out. */
export async function listHandling(
  db: Queryable,
  watchId: string,
  hits: readonly EventPosition[],
): Promise<ReadonlyMap<string, HitHandling>> {
  if (hits.length === 0) return new Map();
  const rows = await db.query<HandledRow>(sql`
    select ${instantText(sql`handled.stamp`)} as stamp, handled.jurisdiction_code, handled.uid,
      ${instantText(sql`handled.done_at`)} as done_at, handled.done_by, handled.assigned_to, handled.note,
      ${instantText(sql`handled.changed_at`)} as changed_at, handled.changed_by
    from unnest(${hits.map(({ stamp }) => stamp)}::timestamptz[],
        ${keyLists(hits)}) as listed (stamp, jurisdiction_code, uid)
      join hit_handling handled on handled.watch_id = ${watchId} and handled.stamp = listed.stamp
        and handled.jurisdiction_code = listed.jurisdiction_code and handled.uid = listed.uid`);
  return new Map(rows.map((row) => [nameHit(row), row]));
}

export interface HandledHit extends EventPosition {
  readonly event: HitEvent;
}

/** Undefined leaves a part of it unchanged. */
export interface HandlingChange {
  readonly isDone?: boolean;
  readonly assignedTo?: string | null;
  readonly note?: string | null;
}

interface HandlingOrder {
  readonly change: HandlingChange;
  /** Who does it. */
  readonly userId: string;
}

/**
 * Changes how hits of the watch are handled. The watch is locked first, so that no other change of its hits is under
 * way in another order.
 */
export async function putHandling(
  tx: Transaction,
  watchId: string,
  hits: readonly HandledHit[],
  order: HandlingOrder,
): Promise<void> {
  await tx.query(sql`select from watch where watch_id = ${watchId} for no key update`);
  for (const hit of hits) await putOne(tx, watchId, hit, order);
}

async function putOne(
  tx: Transaction,
  watchId: string,
  hit: HandledHit,
  { change, userId }: HandlingOrder,
): Promise<void> {
  const { stamp, jurisdiction_code: code, uid, event } = hit;
  const { isDone, assignedTo, note } = change;
  await tx.query(sql`
    insert into hit_handling as handled (watch_id, stamp, jurisdiction_code, uid, event, done_at, done_by, assigned_to,
      note, changed_at, changed_by)
    values (${watchId}, ${stamp}::timestamptz, ${code}, ${uid}, ${event},
      case when ${isDone === true}::boolean then clock_timestamp() end,
      case when ${isDone === true}::boolean then ${userId}::uuid end,
      ${assignedTo ?? null}::uuid, ${note ?? null}::text, clock_timestamp(), ${userId})
    on conflict (watch_id, stamp, jurisdiction_code, uid) do update set
      done_at = case when ${isDone === undefined}::boolean then handled.done_at
        when excluded.done_at is null then null else coalesce(handled.done_at, excluded.done_at) end,
      done_by = case when ${isDone === undefined}::boolean then handled.done_by
        when excluded.done_by is null then null else coalesce(handled.done_by, excluded.done_by) end,
      assigned_to = case when ${assignedTo === undefined}::boolean then handled.assigned_to
        else excluded.assigned_to end,
      note = case when ${note === undefined}::boolean then handled.note else excluded.note end,
      changed_at = excluded.changed_at, changed_by = excluded.changed_by`);
  await tx.query(sql`
    delete from hit_handling
    where watch_id = ${watchId} and stamp = ${stamp}::timestamptz and jurisdiction_code = ${code} and uid = ${uid}
      and done_at is null and assigned_to is null and note is null`);
}

export interface NewLikeness extends EventPosition {
  readonly watch_id: string;
  readonly likeness: HitLikeness;
}

export async function insertLikeness(tx: Transaction, rows: readonly NewLikeness[]): Promise<void> {
  if (rows.length === 0) return;
  const listed = rows.map(({ likeness, watch_id, stamp, jurisdiction_code, uid }) => ({
    ...{ watch_id, stamp, jurisdiction_code, uid },
    likeness: JSON.stringify(likeness),
  }));
  await tx.query(
    sql`
    insert into hit_likeness (watch_id, stamp, jurisdiction_code, uid, likeness)
    select watch_id, stamp, jurisdiction_code, uid, likeness
    from json_to_recordset(${JSON.stringify(listed)}::json)
      as row (watch_id uuid, stamp timestamptz, jurisdiction_code text, uid text, likeness text)`,
    { prepare: false },
  );
}

/** By `nameHit`; a hit of a watch of another kind is left out. */
export async function listLikeness(
  db: Queryable,
  watchId: string,
  hits: readonly EventPosition[],
): Promise<ReadonlyMap<string, HitLikeness>> {
  if (hits.length === 0) return new Map();
  const rows = await db.query<EventPosition & { likeness: string }>(sql`
    select ${instantText(sql`held.stamp`)} as stamp, held.jurisdiction_code, held.uid, held.likeness
    from unnest(${hits.map(({ stamp }) => stamp)}::timestamptz[],
        ${keyLists(hits)}) as listed (stamp, jurisdiction_code, uid)
      join hit_likeness held on held.watch_id = ${watchId} and held.stamp = listed.stamp
        and held.jurisdiction_code = listed.jurisdiction_code and held.uid = listed.uid`);
  return new Map(rows.map((row) => [nameHit(row), parseLikeness(row.likeness)]));
}

/** Earlier versions did not note what the name is of the mark. */
function parseLikeness(text: string): HitLikeness {
  const { name, held_as = null, ...rest } = JSON.parse(text) as Omit<HitLikeness, 'held_as'> & Partial<HitLikeness>;
  return { name, held_as, ...rest };
}
