/**
 * People who sign in to the portal: accounts, sessions, attempts. It compares no passwords and decides no rights.
 * Invariants: a removed person has no session; an attempt is counted before its outcome is known.
 */

import type { Queryable, Transaction } from '../../database/driver/db.ts';
import { instantText, sql } from '../../database/driver/sql.ts';
import { revokeCalendarsOf } from '../dates/calendars.ts';
import { deleteReminder } from '../dates/reminders.ts';
import { deleteSessions } from './sessions.ts';

/** The signing secret of this service. If there is none yet, `candidate` becomes it. */
export async function findSigningSecret(db: Queryable, candidate: Buffer): Promise<Buffer> {
  await db.query(sql`insert into portal_signing (secret) values (${candidate}) on conflict do nothing`);
  const [signing] = await db.query<{ secret: Buffer }>(sql`select secret from portal_signing`);
  return signing!.secret;
}

/** What a person of a customer may do. */
export const ROLES = ['administrator', 'member', 'developer'] as const;
export type Role = (typeof ROLES)[number];

export interface PortalAccount {
  user_id: string;
  /** Null for an operator. */
  customer_id: string | null;
  password_hash: string | null;
  name: string | null;
  is_operator: boolean;
  /** Whether the customer is suspended. */
  suspended: boolean;
  suspension_reason: string | null;
}

export async function findAccount(db: Queryable, email: string): Promise<PortalAccount | null> {
  const [account] = await db.query<PortalAccount>(sql`
    select u.user_id, u.customer_id, u.password_hash, u.name, u.is_operator, c.suspended_at is not null as suspended,
      c.suspension_reason
    from portal_user u left join customer c on c.customer_id = u.customer_id
    where u.email = ${email} and u.removed_at is null`);
  return account ?? null;
}

/**
 * Creates the account of this address, of a customer or (`customer_id` null) of an operator, or changes its password.
 * Null if the address belongs to somebody else.
 */
export async function upsertAccount(
  db: Queryable,
  account: {
    customer_id: string | null;
    email: string;
    password_hash: string;
    /** Null leaves the name of an account as it is. */
    name: string | null;
    /** The role of a new account; one that exists keeps its role. */
    role: Role;
  },
): Promise<string | null> {
  const [user] = await db.query<{ user_id: string }>(sql`
    insert into portal_user as u (user_id, customer_id, is_operator, email, password_hash, created_at, name, role)
    values (gen_random_uuid(), ${account.customer_id}, ${account.customer_id === null}, ${account.email},
      ${account.password_hash}, now(), ${account.name}, ${account.role})
    on conflict (email) where removed_at is null do update set password_hash = excluded.password_hash,
      name = coalesce(excluded.name, u.name)
      where u.customer_id is not distinct from excluded.customer_id
    returning user_id`);
  return user?.user_id ?? null;
}

/** An account without password, for someone who signs in through the identity provider only. */
export async function insertAccount(
  db: Queryable,
  account: { customer_id: string; email: string; role: Role },
): Promise<string> {
  const [user] = await db.query<{ user_id: string }>(sql`
    insert into portal_user (user_id, customer_id, email, created_at, role)
    values (gen_random_uuid(), ${account.customer_id}, ${account.email}, now(), ${account.role}) returning user_id`);
  return user!.user_id;
}

export async function setPassword(db: Queryable, userId: string, passwordHash: string): Promise<void> {
  await db.query(sql`
    update portal_user set password_hash = ${passwordHash} where user_id = ${userId} and removed_at is null`);
}

/** Somebody who is signed in: a person of a customer, or an operator, who has none. */
export interface PortalPerson {
  user_id: string;
  email: string;
  /** Null if the person has given none. */
  name: string | null;
  /** Means nothing for an operator. */
  role: Role;
  is_operator: boolean;
  customer_id: string | null;
  customer: string | null;
}

/** The customer whose pages are requested, and the viewer: one of its people, or an operator who views it. */
export interface PortalUser {
  user_id: string;
  customer_id: string;
  customer: string;
  email: string;
}

export interface PortalSession {
  readonly person: PortalPerson;
  /** Null for an operator who views no customer. */
  readonly user: PortalUser | null;
  /** When the view of an operator who views a customer ends; null for everybody else. */
  readonly viewedUntil: string | null;
}

export interface PortalMember {
  user_id: string;
  email: string;
  name: string | null;
  role: Role;
  created_at: string;
  signed_in_at: string | null;
}

const MEMBERS_LISTED = 500;

const MEMBER = sql`user_id, email, name, role, ${instantText(sql`created_at`)} as created_at,
      ${instantText(sql`signed_in_at`)} as signed_in_at`;

export async function listMembers(db: Queryable, customerId: string): Promise<PortalMember[]> {
  return db.query<PortalMember>(sql`
    select ${MEMBER}
    from portal_user where customer_id = ${customerId} and removed_at is null
    order by portal_user.created_at, user_id limit ${MEMBERS_LISTED}::int`);
}

export async function findMember(db: Queryable, customerId: string, userId: string): Promise<PortalMember | null> {
  const [member] = await db.query<PortalMember>(sql`
    select ${MEMBER}
    from portal_user where customer_id = ${customerId} and user_id::text = ${userId} and removed_at is null`);
  return member ?? null;
}

/** Keeps a person of the team until the transaction ends, while others may do so too; false if nobody is there. */
export async function holdMember(tx: Transaction, customerId: string, userId: string): Promise<boolean> {
  const held = await tx.query(sql`
    select user_id from portal_user
    where customer_id = ${customerId} and user_id = ${userId} and removed_at is null for share`);
  return held.length > 0;
}

/** Those who joined first come first. */
export async function listAdministrators(db: Queryable, customerId: string, limit: number): Promise<PortalMember[]> {
  return db.query<PortalMember>(sql`
    select ${MEMBER}
    from portal_user where customer_id = ${customerId} and removed_at is null and role = 'administrator'
    order by portal_user.created_at, user_id limit ${limit}::int`);
}

/**
 * Blocks other changes to roles and removals in this team until the transaction ends. People may join in the meantime.
 */
export async function lockTeam(tx: Transaction, customerId: string): Promise<void> {
  await tx.query(sql`select from customer where customer_id = ${customerId} for no key update`);
}

export async function setRole(db: Queryable, userId: string, role: Role): Promise<void> {
  await db.query(sql`update portal_user set role = ${role} where user_id = ${userId} and removed_at is null`);
}

/** Null takes the name away. */
export async function setName(db: Queryable, userId: string, name: string | null): Promise<void> {
  await db.query(sql`update portal_user set name = ${name} where user_id = ${userId} and removed_at is null`);
}

export async function removeMember(db: Queryable, userId: string): Promise<void> {
  await db.query(
    sql`update portal_user set removed_at = clock_timestamp() where user_id = ${userId} and removed_at is null`,
  );
  await db.query(sql`delete from hit_digest where user_id = ${userId}`);
  await deleteReminder(db, userId);
  await revokeCalendarsOf(db, userId);
  await db.query(sql`delete from hit_seen where user_id = ${userId}`);
  // Their watches first, as everybody does who handles a hit.
  await db.query(sql`
    with watched as materialized (
      select watch_id from watch where watch_id in (select watch_id from hit_handling where assigned_to = ${userId})
      order by watch_id for no key update
    )
    update hit_handling set assigned_to = null from watched
    where hit_handling.watch_id = watched.watch_id and assigned_to = ${userId}`);
  await db.query(sql`delete from recent_search where user_id = ${userId}`);
  await deleteSessionsOf(db, userId, null);
}

export async function insertSession(db: Queryable, tokenDigest: Buffer, userId: string): Promise<void> {
  await db.query(sql`
    insert into portal_session (token_digest, user_id, created_at, seen_at)
    values (${tokenDigest}, ${userId}, now(), now())`);
  await db.query(sql`update portal_user set signed_in_at = now() where user_id = ${userId}`);
}

export interface SessionBounds {
  /** A session ends after this many seconds without a request. */
  readonly idleSeconds: number;
  /** A session ends this many seconds after sign-in in any case. */
  readonly absoluteSeconds: number;
}

/** Operators' sessions are shorter. */
export interface SessionTerms {
  readonly people: SessionBounds;
  readonly operators: SessionBounds;
  /** How long an operator views a customer before the view has to be requested, and noted, again. */
  readonly viewSeconds: number;
}

type SessionRow = PortalPerson & {
  viewed_id: string | null;
  viewed: string | null;
  viewed_until: string | null;
  stale: boolean;
};

/** Who is signed in with this session. Records at most once a minute that it is in use. */
export async function findSession(
  db: Queryable,
  tokenDigest: Buffer,
  { people, operators, viewSeconds }: SessionTerms,
): Promise<PortalSession | null> {
  const [row] = await db.query<SessionRow>(sql`
    select u.user_id, u.email, u.name, u.role, u.is_operator, u.customer_id, c.name as customer,
      v.customer_id as viewed_id, v.name as viewed,
      case when v.customer_id is not null
        then ${instantText(sql`(s.viewed_since + make_interval(secs => ${viewSeconds}::float8))`)} end as viewed_until,
      s.seen_at < now() - interval '1 minute' as stale
    from portal_session s
    join portal_user u on u.user_id = s.user_id and u.removed_at is null
    left join customer c on c.customer_id = u.customer_id
    left join customer v on v.customer_id = s.viewed_customer_id and u.is_operator and v.removed_at is null
      and s.viewed_since > now() - make_interval(secs => ${viewSeconds}::float8)
    where s.token_digest = ${tokenDigest} and (u.is_operator or c.suspended_at is null)
      and s.seen_at > now() - make_interval(secs =>
        case when u.is_operator then ${operators.idleSeconds}::float8 else ${people.idleSeconds}::float8 end)
      and s.created_at > now() - make_interval(secs =>
        case when u.is_operator then ${operators.absoluteSeconds}::float8 else ${people.absoluteSeconds}::float8 end)`);
  if (row === undefined) return null;
  const { stale, viewed_id, viewed, viewed_until, ...person } = row;
  if (stale) await db.query(sql`update portal_session set seen_at = now() where token_digest = ${tokenDigest}`);
  const customerId = person.customer_id ?? viewed_id;
  const customer = person.customer ?? viewed;
  if (customerId === null || customer === null) return { person, user: null, viewedUntil: null };
  const { user_id, email } = person;
  return { person, user: { user_id, email, customer_id: customerId, customer }, viewedUntil: viewed_until };
}

/** From now on this session views the customer; null ends that. */
export async function setViewedCustomer(db: Queryable, tokenDigest: Buffer, customerId: string | null): Promise<void> {
  await db.query(sql`
    update portal_session set viewed_customer_id = ${customerId},
      viewed_since = case when ${customerId}::uuid is null then null else now() end
    where token_digest = ${tokenDigest}`);
}

export async function deleteSession(db: Queryable, tokenDigest: Buffer): Promise<void> {
  await db.query(sql`delete from portal_session where token_digest = ${tokenDigest}`);
}

/** Ends the sessions of a person, except `kept`. */
export async function deleteSessionsOf(db: Queryable, userId: string, kept: Buffer | null): Promise<void> {
  await deleteSessions(db, sql`user_id = ${userId} and (${kept}::bytea is null or token_digest <> ${kept})`);
}

/** Counts one more attempt per subject. Resolves to the counts of the current window, in the order of `subjects`. */
export async function countAttempts(
  db: Queryable,
  subjects: readonly Buffer[],
  windowSeconds: number,
): Promise<number[]> {
  const ordered = [...subjects].sort(Buffer.compare);
  const rows = await db.query<{ subject: Buffer; attempts: number }>(sql`
    insert into portal_attempt as a (subject, started_at, attempts)
    select decode(subject, 'hex'), now(), 1
    from unnest(${ordered.map((subject) => subject.toString('hex'))}::text[]) as asked(subject)
    on conflict (subject) do update set
      attempts = case when a.started_at < now() - make_interval(secs => ${windowSeconds}::float8)
        then 1 else a.attempts + 1 end,
      started_at = case when a.started_at < now() - make_interval(secs => ${windowSeconds}::float8)
        then now() else a.started_at end
    returning subject, attempts`);
  return subjects.map((subject) => rows.find((row) => row.subject.equals(subject))?.attempts ?? 0);
}

/** Called after a success, which clears the count. */
export async function deleteAttempts(db: Queryable, subject: Buffer): Promise<void> {
  await db.query(sql`delete from portal_attempt where subject = ${subject}`);
}
