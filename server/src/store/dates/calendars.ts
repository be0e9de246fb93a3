/**
 * Calendars at secret addresses: whose dates each has, and whether its address still works. The secret itself is never
 * stored. Every statement for pages takes the customer.
 */
import type { Instant } from '@tmds/contract/record';
import type { Queryable, Transaction } from '../../database/driver/db.ts';
import { instantText, type Statement, sql } from '../../database/driver/sql.ts';

/** How long the rows of revoked calendars are kept, and of those whose docket is gone; the audit has what was done. */
export const REVOKED_CALENDAR_DAYS = 30;
/** Live calendars of a customer. */
export const CALENDARS_MAX = 100;

/** The watch or the docket whose dates it has. */
export type CalendarSubject = { readonly watch_id: string } | { readonly docket_id: string };

export interface Calendar {
  readonly calendar_id: string;
  readonly created_at: Instant;
  /** Name or address of the person who made it. */
  readonly created_by: string;
}

const isSubject = (subject: CalendarSubject): Statement =>
  'watch_id' in subject ? sql`c.watch_id = ${subject.watch_id}::uuid` : sql`c.docket_id = ${subject.docket_id}::uuid`;

/** The live ones of a watch or docket, the newest first. */
export async function listCalendars(db: Queryable, customerId: string, subject: CalendarSubject): Promise<Calendar[]> {
  return db.query<Calendar>(sql`
    select c.calendar_id, ${instantText(sql`c.created_at`)} as created_at, coalesce(u.name, u.email) as created_by
    from calendar c join portal_user u on u.user_id = c.created_by
    where c.customer_id = ${customerId} and c.revoked_at is null and ${isSubject(subject)}
    order by c.created_at desc, c.calendar_id limit ${CALENDARS_MAX}::int`);
}

export async function countCalendars(db: Queryable, customerId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::float8 as count from calendar where customer_id = ${customerId} and revoked_at is null`);
  return row!.count;
}

interface NewCalendar {
  readonly customerId: string;
  readonly subject: CalendarSubject;
  readonly secretDigest: Buffer;
  readonly userId: string;
}

/** Resolves to its id. */
export async function insertCalendar(
  tx: Transaction,
  { customerId, subject, secretDigest, userId }: NewCalendar,
): Promise<string> {
  const { watch_id = null, docket_id = null } = subject as { watch_id?: string; docket_id?: string };
  const [row] = await tx.query<{ calendar_id: string }>(sql`
    insert into calendar (calendar_id, customer_id, watch_id, docket_id, secret_digest, created_at, created_by)
    values (gen_random_uuid(), ${customerId}, ${watch_id}::uuid, ${docket_id}::uuid, ${secretDigest}, now(), ${userId})
    returning calendar_id`);
  return row!.calendar_id;
}

/** False if the customer has no live calendar with this id. */
export async function revokeCalendar(tx: Transaction, customerId: string, calendarId: string): Promise<boolean> {
  const revoked = await tx.query(sql`
    update calendar set revoked_at = now()
    where calendar_id::text = ${calendarId} and customer_id = ${customerId} and revoked_at is null
    returning calendar_id`);
  return revoked.length > 0;
}

/** Their maker knows the addresses and has left the team. */
export async function revokeCalendarsOf(db: Queryable, userId: string): Promise<void> {
  await db.query(sql`update calendar set revoked_at = now() where created_by = ${userId} and revoked_at is null`);
}

/** What a calendar is of. */
export interface CalendarPlace {
  readonly calendar_id: string;
  readonly customer_id: string;
  readonly created_at: Instant;
  /** The id that the customer chose; null for a docket. */
  readonly watch: string | null;
  readonly docket_id: string | null;
}

const PLACE: Statement = sql`c.calendar_id, c.customer_id, ${instantText(sql`c.created_at`)} as created_at,
  w.id as watch, c.docket_id`;

/** Null if the customer has no live calendar with this id. */
export async function findOwnCalendar(
  db: Queryable,
  customerId: string,
  calendarId: string,
): Promise<CalendarPlace | null> {
  const [calendar] = await db.query<CalendarPlace>(sql`
    select ${PLACE} from calendar c left join watch w on w.watch_id = c.watch_id
    where c.calendar_id::text = ${calendarId} and c.customer_id = ${customerId} and c.revoked_at is null`);
  return calendar ?? null;
}

/**
 * Null for a secret that was never issued or is revoked, while the customer is suspended or the watch stopped, and once
 * the docket is gone.
 */
export async function findCalendar(db: Queryable, secretDigest: Buffer): Promise<CalendarPlace | null> {
  const [calendar] = await db.query<CalendarPlace>(sql`
    select ${PLACE}
    from calendar c join customer on customer.customer_id = c.customer_id and customer.suspended_at is null
      left join watch w on w.watch_id = c.watch_id
    where c.secret_digest = ${secretDigest} and c.revoked_at is null and w.ended_at is null
      and (c.docket_id is null or exists (select from docket where docket.docket_id = c.docket_id))`);
  return calendar ?? null;
}
