/**
 * Filings that an office should show: what somebody filed for a record, up to which version the record has been checked
 * for it, and whether it is shown or overdue. It does not decide what shows a filing. Statements for pages take the
 * customer.
 */
import type { DateText, Instant } from '@tmds/contract/record';
import type { Queryable, Transaction } from '../../database/driver/db.ts';
import { instantText, type Statement, sql } from '../../database/driver/sql.ts';

export const FILINGS = ['renewal', 'use_declaration', 'opposition', 'other'] as const;
export type FilingKind = (typeof FILINGS)[number];

/** Filings of a customer that are waited for. */
export const OPEN_FILINGS_MAX = 1_000;
/** How long ended ones are kept. */
export const ENDED_FILING_DAYS = 400;

interface FiledFor {
  readonly jurisdiction_code: string;
  readonly uid: string;
  readonly filing: FilingKind;
  readonly filed_on: DateText;
  /** From this day on it is overdue. */
  readonly warn_on: DateText;
}

export interface NewFiling extends FiledFor {
  readonly customer_id: string;
  readonly user_id: string;
  /** The watch from whose hit it was made. */
  readonly watch_id: string | null;
}

export type FilingState = 'waiting' | 'overdue' | 'shown';

export interface Filing extends FiledFor {
  readonly alarm_id: string;
  readonly state: FilingState;
  readonly created_at: Instant;
  /** Name or address of the person. */
  readonly created_by: string;
  /** The version that shows it, and the field that does; null while nothing does. */
  readonly shown_in: Instant | null;
  readonly shown_by: string | null;
}

const TODAY: Statement = sql`(now() at time zone 'UTC')::date`;

/** Resolves to its id. Versions from the day of filing on are checked. A watch that is gone is none. */
export async function insertFiling(tx: Transaction, filing: NewFiling): Promise<string> {
  const [row] = await tx.query<{ alarm_id: string }>(sql`
    insert into filing_alarm (alarm_id, customer_id, watch_id, jurisdiction_code, uid, filing, filed_on, warn_on,
      created_at, created_by, checked_through)
    values (gen_random_uuid(), ${filing.customer_id}::uuid,
      (select watch_id from watch where watch_id = ${filing.watch_id}::uuid for key share), ${filing.jurisdiction_code},
      ${filing.uid}, ${filing.filing}, ${filing.filed_on}::date, ${filing.warn_on}::date, now(),
      ${filing.user_id}::uuid, ${filing.filed_on}::date::timestamp at time zone 'UTC')
    returning alarm_id`);
  return row!.alarm_id;
}

export async function countOpenFilings(db: Queryable, customerId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::float8 as count from filing_alarm
    where customer_id = ${customerId} and shown_in is null and dismissed_at is null`);
  return row!.count;
}

const COLUMNS: Statement = sql`a.alarm_id, a.jurisdiction_code, a.uid, a.filing, a.filed_on::text as filed_on,
  a.warn_on::text as warn_on, ${instantText(sql`a.created_at`)} as created_at,
  coalesce(u.name, u.email) as created_by, ${instantText(sql`a.shown_in`)} as shown_in, a.shown_by,
  case when a.shown_in is not null then 'shown' when a.warn_on <= ${TODAY} then 'overdue' else 'waiting' end as state`;

/** Which of the filings of a customer: of one record, of a watch, or all. */
export type FilingsOf =
  | { readonly jurisdiction_code: string; readonly uid: string }
  | { readonly watch_id: string }
  | 'all';

function isOf(of: FilingsOf): Statement {
  if (of === 'all') return sql`true`;
  if (!('watch_id' in of)) return sql`a.jurisdiction_code = ${of.jurisdiction_code} and a.uid = ${of.uid}`;
  // Those made from its hits, and those of records that it lists.
  return sql`(a.watch_id = ${of.watch_id}::uuid or exists (
    select from watch_record listed where listed.watch_id = ${of.watch_id}::uuid
      and listed.jurisdiction_code = a.jurisdiction_code and listed.uid = a.uid))`;
}

/** Those that nobody dismissed: the overdue ones first, then those that are shown, then the rest by day. */
export async function listFilings(db: Queryable, customerId: string, of: FilingsOf, limit: number): Promise<Filing[]> {
  return db.query<Filing>(sql`
    select ${COLUMNS} from filing_alarm a join portal_user u on u.user_id = a.created_by
    where a.customer_id = ${customerId} and a.dismissed_at is null and ${isOf(of)}
    order by a.shown_in is null and a.warn_on <= ${TODAY} desc, a.shown_in desc nulls last, a.warn_on, a.alarm_id
    limit ${limit}::int`);
}

/** Null if the customer has none with this id that is not dismissed. */
export async function dismissFiling(
  tx: Transaction,
  customerId: string,
  alarmId: string,
): Promise<Pick<Filing, 'jurisdiction_code' | 'uid' | 'filing'> | null> {
  const [dismissed] = await tx.query<Pick<Filing, 'jurisdiction_code' | 'uid' | 'filing'>>(sql`
    update filing_alarm set dismissed_at = now(), notify_at = null
    where alarm_id::text = ${alarmId} and customer_id = ${customerId} and dismissed_at is null
    returning jurisdiction_code, uid, filing`);
  return dismissed ?? null;
}

export interface OpenFiling {
  readonly alarm_id: string;
  readonly jurisdiction_code: string;
  readonly uid: string;
  readonly filing: FilingKind;
  readonly filed_on: DateText;
  readonly checked_through: Instant;
}

/** Filings that are waited for, of all customers, after one of them; null = from the first. */
export async function listOpenFilings(db: Queryable, after: string | null, limit: number): Promise<OpenFiling[]> {
  return db.query<OpenFiling>(sql`
    select alarm_id, jurisdiction_code, uid, filing, filed_on::text as filed_on,
      ${instantText(sql`checked_through`)} as checked_through
    from filing_alarm
    where shown_in is null and dismissed_at is null
      and alarm_id > ${after ?? '00000000-0000-0000-0000-000000000000'}::uuid
    order by alarm_id limit ${limit}::int`);
}

/** Nothing up to this stamp shows it. Several processes may find the same. */
export async function noteChecked(db: Queryable, alarmId: string, through: Instant): Promise<void> {
  await db.query(sql`
    update filing_alarm set checked_through = greatest(checked_through, ${through}::timestamptz)
    where alarm_id = ${alarmId}::uuid`);
}

export async function noteShown(
  db: Queryable,
  alarmId: string,
  { version, field }: { version: Instant; field: string },
): Promise<void> {
  await db.query(sql`
    update filing_alarm set shown_in = ${version}::timestamptz, shown_by = ${field}, notify_at = now(),
      notify_attempts = 0, notify_failure = null
    where alarm_id = ${alarmId}::uuid and shown_in is null and dismissed_at is null`);
}

/** Those that are overdue since the last call are due for a warning; one that is being changed, with the next call. */
export async function noteOverdue(db: Queryable): Promise<void> {
  await db.query(sql`
    update filing_alarm a set is_warned = true, notify_at = now()
    from (
      select alarm_id from filing_alarm
      where shown_in is null and dismissed_at is null and not is_warned and warn_on <= ${TODAY}
      for update skip locked
    ) as overdue where a.alarm_id = overdue.alarm_id`);
}

export interface ClaimedFilingNotice extends Pick<Filing, 'alarm_id' | 'jurisdiction_code' | 'uid' | 'filing'> {
  readonly filed_on: DateText;
  readonly warn_on: DateText;
  readonly shown_in: Instant | null;
  readonly email: string;
  readonly attempts: number;
}

/** Notices that nobody could be sent for so long are sent no more, as when a service had no mail server. */
const NOTICE_DAYS = 7;

/** The pauses double from `firstPauseSeconds` up to `pauseSecondsMax`. */
export async function claimFilingNotices(
  db: Queryable,
  { limit, firstPauseSeconds, pauseSecondsMax }: { limit: number; firstPauseSeconds: number; pauseSecondsMax: number },
): Promise<ClaimedFilingNotice[]> {
  return await db.query<ClaimedFilingNotice>(sql`
    with due as (
      select a.alarm_id, u.email from filing_alarm a
        join portal_user u on u.user_id = a.created_by and u.removed_at is null and u.role <> 'developer'
        join customer c on c.customer_id = a.customer_id and c.suspended_at is null
      where a.notify_at <= now() and a.notify_at > now() - make_interval(days => ${NOTICE_DAYS}::int)
      order by a.notify_at limit ${limit}::int for update of a skip locked
    )
    update filing_alarm a set notify_attempts = a.notify_attempts + 1, notify_at = now() + make_interval(secs =>
      least(${pauseSecondsMax}::float8, ${firstPauseSeconds}::float8 * power(2, a.notify_attempts)))
    from due where a.alarm_id = due.alarm_id
    returning a.alarm_id, a.jurisdiction_code, a.uid, a.filing, a.filed_on::text as filed_on,
      a.warn_on::text as warn_on, ${instantText(sql`a.shown_in`)} as shown_in, due.email, a.notify_attempts as attempts`);
}

/** Does nothing if it was shown in the meantime, which is another notice. `isOver`: it was sent, or is abandoned. */
export async function noteFilingNotice(
  db: Queryable,
  { alarm_id, shown_in }: ClaimedFilingNotice,
  { failure, isOver }: { failure: string | null; isOver: boolean },
): Promise<void> {
  await db.query(sql`
    update filing_alarm set notify_failure = ${failure}, notify_at = case when ${isOver} then null else notify_at end
    where alarm_id = ${alarm_id}::uuid and shown_in is not distinct from ${shown_in}::timestamptz`);
}
