/**
 * Customers, and the audit of every change to customers and keys. It decides no rights and no wording. Invariant: a
 * change and its audit row are written in one transaction. The audit also says when this database was last backed up,
 * so that every server of the database can see it.
 */
import type { Queryable, Transaction } from '../../database/driver/db.ts';
import { isDuplicate } from '../../database/driver/failures.ts';
import { instantText, sql } from '../../database/driver/sql.ts';
import { endAgreementsOf } from './agreements.ts';
import { deleteSessions } from './sessions.ts';

export interface Customer {
  customer_id: string;
  name: string;
  created_at: string;
  /** Null while its keys and people are let in. */
  suspended_at: string | null;
  suspension_reason: string | null;
  /** A removed customer is also suspended. */
  removed_at: string | null;
}

/** Who makes a change: a name, and for a change made in the portal the network address that it came from. */
export type Actor = string | { readonly name: string; readonly address: string };

/** One change to customers or keys; `change` holds what is new, never a secret. */
export interface AuditEntry {
  actor: Actor;
  action: string;
  customer_id: string | null;
  key_id: string | null;
  change: Readonly<Record<string, unknown>>;
}

const COLUMNS = sql`customer_id, name, ${instantText(sql`created_at`)} as created_at,
  ${instantText(sql`suspended_at`)} as suspended_at, suspension_reason, ${instantText(sql`removed_at`)} as removed_at`;

export async function findCustomer(db: Queryable, name: string): Promise<Customer | null> {
  const [customer] = await db.query<Customer>(sql`select ${COLUMNS} from customer where name = ${name}`);
  return customer ?? null;
}

export async function findCustomerById(db: Queryable, customerId: string): Promise<Customer | null> {
  const [customer] = await db.query<Customer>(
    sql`select ${COLUMNS} from customer where customer_id::text = ${customerId}`,
  );
  return customer ?? null;
}

/**
 * Keeps the customer unchanged until the transaction ends, while others may hold it the same way; null if there is
 * none, or if it has been removed.
 */
export async function holdCustomer(tx: Transaction, customerId: string): Promise<Customer | null> {
  const [customer] = await tx.query<Customer>(sql`
    select ${COLUMNS} from customer where customer_id = ${customerId} and removed_at is null for key share`);
  return customer ?? null;
}

/** The same, alone: waits for all who hold it, and they wait for this transaction. */
export async function lockCustomer(tx: Transaction, customerId: string): Promise<Customer | null> {
  const [customer] = await tx.query<Customer>(sql`
    select ${COLUMNS} from customer where customer_id = ${customerId} and removed_at is null for update`);
  return customer ?? null;
}

/** Locks the customer until the transaction ends, after waiting for current holders; null if there is none. */
export async function lockCustomerNamed(tx: Transaction, name: string): Promise<Customer | null> {
  const [customer] = await tx.query<Customer>(sql`select ${COLUMNS} from customer where name = ${name} for update`);
  return customer ?? null;
}

export async function listCustomers(db: Queryable): Promise<(Customer & { keys: number })[]> {
  return db.query(sql`
    select ${COLUMNS},
      (select count(*)::int from access_key where access_key.customer_id = customer.customer_id) as keys
    from customer order by name`);
}

export async function countLiveKeys(db: Queryable, customerId: string): Promise<number> {
  const [counted] = await db.query<{ keys: number }>(
    sql`select count(*)::int as keys from access_key where customer_id = ${customerId} and revoked_at is null`,
  );
  return counted!.keys;
}

/** Finds or creates the customer of this name, and holds it. Many processes may call this at once. */
export async function insertCustomer(tx: Transaction, name: string): Promise<Customer & { is_new: boolean }> {
  // Another transaction may rename the customer between the two statements; then the name is free.
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const [inserted] = await tx.query<Customer>(sql`
      insert into customer (customer_id, name, created_at) values (gen_random_uuid(), ${name}, now())
      on conflict (name) do nothing returning ${COLUMNS}`);
    if (inserted !== undefined) return { ...inserted, is_new: true };
    const [known] = await tx.query<Customer>(sql`select ${COLUMNS} from customer where name = ${name} for key share`);
    if (known !== undefined) return { ...known, is_new: false };
  }
  throw new Error('a customer was renamed repeatedly while it was being added');
}

/** False if another customer has the name; the transaction then has to end. */
export async function renameCustomer(tx: Transaction, customerId: string, name: string): Promise<boolean> {
  try {
    await tx.query(sql`update customer set name = ${name} where customer_id = ${customerId}`);
    return true;
  } catch (error) {
    if (isDuplicate(error)) return false;
    throw error;
  }
}

/** Ends the sessions of its people. Its keys and people are refused until `resumeCustomer`. */
export async function suspendCustomer(tx: Transaction, customerId: string, reason: string | null): Promise<void> {
  await tx.query(sql`
    update customer set suspended_at = clock_timestamp(), suspension_reason = ${reason}
    where customer_id = ${customerId}`);
  await deleteSessions(tx, sql`user_id in (select user_id from portal_user where customer_id = ${customerId})`);
}

export async function resumeCustomer(tx: Transaction, customerId: string): Promise<void> {
  await tx.query(sql`
    update customer set suspended_at = null, suspension_reason = null where customer_id = ${customerId}`);
}

/** Members of an audit entry's change that may name a person or a customer. */
const NAMING_FIELDS: readonly string[] = ['email', 'name', 'former_name', 'reason', 'receiver', 'watch'];

/**
 * Revokes the keys, ends invitations and sessions, deletes dockets and what is remembered of them, and replaces every
 * name of the customer, its people and its keys.
 * Usage, limits and audit stay. The caller has locked the customer; its people come next, as in everything that they
 * change.
 */
export async function eraseCustomer(tx: Transaction, customerId: string, neutralName: string): Promise<void> {
  await tx.query(sql`
    update customer set name = ${neutralName}, suspended_at = coalesce(suspended_at, clock_timestamp()),
      suspension_reason = null, removed_at = clock_timestamp()
    where customer_id = ${customerId}`);
  await tx.query(sql`
    select from portal_user where customer_id = ${customerId} order by user_id for no key update`);
  await endAgreementsOf(tx, customerId);
  await tx.query(sql`
    update access_key set revoked_at = coalesce(revoked_at, clock_timestamp()), name = null
    where customer_id = ${customerId}`);
  // A mail server's answer may name the person whom the mail was for.
  await tx.query(sql`
    update quota_notice n set failure = null from access_key k
    where n.key_id = k.key_id and k.customer_id = ${customerId} and n.failure is not null`);
  await tx.query(sql`delete from calendar where customer_id = ${customerId}`);
  await tx.query(sql`delete from filing_alarm where customer_id = ${customerId}`);
  // In the order in which a comparison locks them.
  await tx.query(sql`delete from docket_memory where customer_id = ${customerId}`);
  await tx.query(sql`delete from docket where customer_id = ${customerId}`);
  await tx.query(sql`
    delete from hit_digest d using portal_user u where u.user_id = d.user_id and u.customer_id = ${customerId}`);
  const own = sql`user_id in (select user_id from portal_user where customer_id = ${customerId})`;
  await tx.query(sql`delete from date_reminder where ${own}`);
  await tx.query(sql`delete from hit_seen where ${own}`);
  await tx.query(sql`delete from recent_search where ${own}`);
  await tx.query(sql`
    update invitation set email = 'removed',
      ended_at = case when accepted_at is null then coalesce(ended_at, clock_timestamp()) else ended_at end
    where customer_id = ${customerId}`);
  await deleteSessions(tx, own);
  // The same person keeps the same neutral name in the audit.
  await tx.query(sql`
    update access_audit a set actor = 'portal person ' || left(u.user_id::text, 8)
    from portal_user u
    where a.customer_id = ${customerId} and u.customer_id = ${customerId} and a.actor = 'portal ' || u.email`);
  await tx.query(sql`
    update access_audit set change = change - ${NAMING_FIELDS}::text[], address = null,
      actor = case when position('@' in actor) > 0 and starts_with(actor, 'portal ') then 'portal person' else actor end
    where customer_id = ${customerId}`);
  await tx.query(sql`
    update portal_user set email = 'removed ' || user_id, name = null, password_hash = null,
      removed_at = coalesce(removed_at, clock_timestamp())
    where customer_id = ${customerId}`);
}

export async function insertAudit(db: Queryable, entry: AuditEntry): Promise<void> {
  const { actor } = entry;
  const [name, address] = typeof actor === 'string' ? [actor, null] : [actor.name, actor.address];
  await db.query(sql`
    insert into access_audit (audit_id, at, actor, action, customer_id, key_id, change, address)
    values (gen_random_uuid(), now(), ${name}, ${entry.action}, ${entry.customer_id}, ${entry.key_id},
      ${JSON.stringify(entry.change)}::jsonb, ${address})`);
}

/** An audit entry as stored. */
export type StoredAudit = Omit<AuditEntry, 'actor'> & { actor: string };

export async function listAudit(db: Queryable, keyId: string): Promise<(StoredAudit & { at: string })[]> {
  const rows = await db.query<Omit<StoredAudit, 'change'> & { at: string; change: string }>(sql`
    select ${instantText(sql`at`)} as at, actor, action, customer_id, key_id, change::text as change
    from access_audit where key_id = ${keyId} order by access_audit.at, audit_id`);
  return rows.map((row) => ({ ...row, change: JSON.parse(row.change) as Record<string, unknown> }));
}

const ACTION = 'service.backup';

export async function noteBackup(db: Queryable, actor: string, storedBytes: number): Promise<void> {
  const change = { stored_bytes: storedBytes };
  await insertAudit(db, { actor, action: ACTION, customer_id: null, key_id: null, change });
}

export const LAST_BACKUP = sql`(select max(at) from access_audit where action = ${ACTION})`;
