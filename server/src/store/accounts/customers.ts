/**
 * Customers, and the audit of every change to customers and keys. It decides no rights and no wording. Invariant: a
 * change and its audit row are written together.
 */
import type { Queryable } from '../driver/db.ts';
import { instantText } from '../driver/instants.ts';
import { sql } from '../driver/sql.ts';

export interface Customer {
  customer_id: string;
  name: string;
  created_at: string;
}

/** One change to customers or keys; `change` holds what is new, never a secret. */
export interface AuditEntry {
  actor: string;
  action: string;
  customer_id: string | null;
  key_id: string | null;
  change: Readonly<Record<string, unknown>>;
}

const createdAt = instantText(sql`created_at`);

export async function findCustomer(db: Queryable, name: string): Promise<Customer | null> {
  const [customer] = await db.query<Customer>(
    sql`select customer_id, name, ${createdAt} as created_at from customer where name = ${name}`,
  );
  return customer ?? null;
}

export async function listCustomers(db: Queryable): Promise<(Customer & { keys: number })[]> {
  return db.query(sql`
    select customer_id, name, ${createdAt} as created_at,
      (select count(*)::int from access_key where access_key.customer_id = customer.customer_id) as keys
    from customer order by name`);
}

/** Finds or creates the customer of this name; safe to call from many processes at once. */
export async function insertCustomer(db: Queryable, name: string): Promise<Customer & { is_new: boolean }> {
  const [inserted] = await db.query<Customer>(sql`
    insert into customer (customer_id, name, created_at) values (gen_random_uuid(), ${name}, now())
    on conflict (name) do nothing returning customer_id, name, ${createdAt} as created_at`);
  if (inserted !== undefined) return { ...inserted, is_new: true };
  const known = await findCustomer(db, name);
  if (known === null) throw new Error('a customer vanished while it was being added');
  return { ...known, is_new: false };
}

export async function insertAudit(db: Queryable, entry: AuditEntry): Promise<void> {
  await db.query(sql`
    insert into access_audit (audit_id, at, actor, action, customer_id, key_id, change)
    values (gen_random_uuid(), now(), ${entry.actor}, ${entry.action}, ${entry.customer_id}, ${entry.key_id},
      ${JSON.stringify(entry.change)}::jsonb)`);
}

export async function listAudit(db: Queryable, keyId: string): Promise<(AuditEntry & { at: string })[]> {
  const rows = await db.query<Omit<AuditEntry, 'change'> & { at: string; change: string }>(sql`
    select ${instantText(sql`at`)} as at, actor, action, customer_id, key_id, change::text as change
    from access_audit where key_id = ${keyId} order by access_audit.at, audit_id`);
  return rows.map((row) => ({ ...row, change: JSON.parse(row.change) as Record<string, unknown> }));
}
