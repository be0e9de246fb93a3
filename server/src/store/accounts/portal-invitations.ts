/**
 * Invitations to the portal. Addresses arrive in lower case and are compared unchanged. An address has at most one open
 * invitation. A newer invitation, joining, removal, or a new password ends it, in the transaction that makes that
 * change. Callers lock the address first, so that such changes happen one after the other. Ended invitations stay for
 * the record.
 */
import type { Queryable } from '../../database/driver/db.ts';
import { instantText, type Statement, sql } from '../../database/driver/sql.ts';
import type { Role } from './portal.ts';

/** Blocks other changes to the invitations and the account of this address until the transaction ends. */
export async function lockAddress(db: Queryable, email: string): Promise<void> {
  await db.query(sql`select pg_advisory_xact_lock(hashtextextended(${`portal address ${email}`}, 0))`);
}

export interface Invitation {
  token_digest: Buffer;
  /** Null makes the person an operator. */
  customer_id: string | null;
  /** Lower case. */
  email: string;
  /** The role of the person who joins; it means nothing for an operator. */
  role: Role;
  valid_hours: number;
}

/**
 * Ends any open invitation of this address, from any customer. Resolves to the instant at which the new one ends. That
 * instant counts from the statement's time: the transaction may have begun before it waited for the address.
 */
export async function insertInvitation(db: Queryable, invitation: Invitation): Promise<string> {
  await endInvitations(db, invitation.email, null);
  const [found] = await db.query<{ expires_at: string }>(sql`
    insert into invitation (token_digest, customer_id, is_operator, email, role, created_at, expires_at)
    values (${invitation.token_digest}, ${invitation.customer_id}, ${invitation.customer_id === null},
      ${invitation.email}, ${invitation.role}, clock_timestamp(),
      clock_timestamp() + make_interval(hours => ${invitation.valid_hours}))
    returning ${instantText(sql`expires_at`)} as expires_at`);
  return found!.expires_at;
}

/**
 * Ends the open invitation of this address; with `from`, only one of this customer, or (null) one for operators.
 * Resolves to how many there were, at most one.
 */
export async function endInvitations(
  db: Queryable,
  email: string,
  from: { customerId: string | null } | null,
): Promise<number> {
  const only = from === null ? sql`` : sql`and customer_id is not distinct from ${from.customerId}::uuid`;
  const ended = await db.query(sql`
    update invitation set ended_at = clock_timestamp()
    where email = ${email} and accepted_at is null and ended_at is null ${only} returning email`);
  return ended.length;
}

/**
 * Neither used nor ended nor expired, and newer than the account of its address and than the removal of one. An older
 * link opens nothing, regardless of the state of its row.
 */
const isOpen: Statement = sql`i.accepted_at is null and i.ended_at is null and i.expires_at > now()
  and not exists (select from portal_user u where u.email = i.email and (
    u.removed_at is null and u.created_at > i.created_at
    or u.removed_at > i.created_at and u.customer_id is not distinct from i.customer_id))`;

export interface OpenInvitation {
  /** Null for an invitation to be an operator. */
  customer_id: string | null;
  customer: string | null;
  /** Lower case. */
  email: string;
  role: Role;
}

/** Null for a link that was used, withdrawn or replaced, has expired or never existed. */
export async function findInvitation(db: Queryable, tokenDigest: Buffer): Promise<OpenInvitation | null> {
  const [found] = await db.query<OpenInvitation>(sql`
    select i.customer_id, c.name as customer, i.email, i.role
    from invitation i left join customer c on c.customer_id = i.customer_id
    where i.token_digest = ${tokenDigest} and ${isOpen}`);
  return found ?? null;
}

/** Uses up the link; null if it is no longer valid. The caller has locked the address. */
export async function acceptInvitation(db: Queryable, tokenDigest: Buffer): Promise<OpenInvitation | null> {
  const [found] = await db.query<OpenInvitation>(sql`
    update invitation i set accepted_at = clock_timestamp() where i.token_digest = ${tokenDigest} and ${isOpen}
    returning i.customer_id, (select c.name from customer c where c.customer_id = i.customer_id) as customer,
      i.email, i.role`);
  return found ?? null;
}

/** The customer of the open invitation of this address; null when there is none. One for operators does not count. */
export async function findInviter(db: Queryable, email: string): Promise<string | null> {
  const [found] = await db.query<{ customer_id: string }>(sql`
    select i.customer_id from invitation i where i.email = ${email} and not i.is_operator and ${isOpen}`);
  return found?.customer_id ?? null;
}

/** Uses up the open invitation of this address from this customer: the role that it gives; null when there is none. */
export async function acceptInvitationOf(db: Queryable, email: string, customerId: string): Promise<Role | null> {
  const [found] = await db.query<{ role: Role }>(sql`
    update invitation i set accepted_at = clock_timestamp()
    where i.email = ${email} and i.customer_id = ${customerId} and ${isOpen} returning i.role`);
  return found?.role ?? null;
}

export interface PendingInvitation {
  /** Hexadecimal digest of the token: names the invitation, opens nothing. */
  id: string;
  email: string;
  role: Role;
  created_at: string;
  expires_at: string;
}

const INVITATIONS_LISTED = 100;

export async function listInvitations(db: Queryable, customerId: string): Promise<PendingInvitation[]> {
  return db.query<PendingInvitation>(sql`
    select encode(i.token_digest, 'hex') as id, i.email, i.role, ${instantText(sql`i.created_at`)} as created_at,
      ${instantText(sql`i.expires_at`)} as expires_at
    from invitation i where i.customer_id = ${customerId} and ${isOpen}
    order by i.created_at desc limit ${INVITATIONS_LISTED}::int`);
}

/** Ends an invitation of this customer. Resolves to its address; null if there is no such invitation. */
export async function withdrawInvitation(db: Queryable, customerId: string, id: Buffer): Promise<string | null> {
  const [found] = await db.query<{ email: string }>(sql`
    update invitation i set ended_at = clock_timestamp()
    where i.token_digest = ${id} and i.customer_id = ${customerId} and ${isOpen}
    returning i.email`);
  return found?.email ?? null;
}
