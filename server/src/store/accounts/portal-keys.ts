/**
 * The keys of one customer as the portal shows them, and the audit. Every statement takes the customer, so that no
 * caller can forget the check. Nothing here is secret.
 */
import type { Product } from '@tmds/contract/enums';
import type { Queryable } from '../../database/driver/db.ts';
import { instantText, type Statement, sql } from '../../database/driver/sql.ts';
import type { StoredAudit } from './customers.ts';

interface CustomerKeyProduct {
  product: Product;
  rate_limit_per_minute: number;
  quota: number | null;
  /** Units used in the current month. */
  used: number;
}

export interface CustomerKey {
  id: string;
  name: string | null;
  created_at: string;
  revoked_at: string | null;
  /** When the current window of the rate limit began; within a minute of the last call. */
  last_used_at: string | null;
  /** When the replaced secret stops working; null if only the newest works. */
  grace_ends_at: string | null;
  /** Whether a secret of it has been shown in the portal to the people of its customer. */
  is_shown: boolean;
  products: CustomerKeyProduct[];
}

/** How many live keys a customer may have, so that every list fits on a page. */
export const KEYS_MAX = 100;
const KEYS_LISTED = 300;

/** The members of a `CustomerKey` for `json_build_object`, from the row `k` of access_key. */
export const KEY_MEMBERS: Statement = sql`
      'id', k.key_id, 'name', k.name, 'created_at', ${instantText(sql`k.created_at`)},
      'revoked_at', ${instantText(sql`k.revoked_at`)},
      'last_used_at', (select ${instantText(sql`max(p.window_started_at)`)}
        from key_product p where p.key_id = k.key_id),
      'grace_ends_at', (select ${instantText(sql`max(s.ends_at)`)}
        from key_secret s where s.key_id = k.key_id and s.ends_at > now()),
      'is_shown', exists (select from portal_key o where o.key_id = k.key_id)
        or exists (select from access_audit a where a.key_id = k.key_id and a.action = 'key.rotate'
          and starts_with(a.actor, 'portal ')),
      'products', coalesce((select json_agg(json_build_object('product', p.product,
          'rate_limit_per_minute', p.rate_limit_per_minute, 'quota', p.quota,
          'used', case when p.month = date_trunc('month', now() at time zone 'UTC')::date
            then p.units_used else 0 end) order by p.product desc)
        from key_product p where p.key_id = k.key_id and p.enabled), '[]')`;

function selectKeys(condition: Statement): Statement {
  return sql`
    select json_build_object(${KEY_MEMBERS})::text as summary
    from access_key k where ${condition}
    order by k.revoked_at is not null, k.created_at desc, k.key_id limit ${KEYS_LISTED}::int`;
}

/** Live keys first, newest first. */
export async function listCustomerKeys(db: Queryable, customerId: string): Promise<CustomerKey[]> {
  const rows = await db.query<{ summary: string }>(selectKeys(sql`k.customer_id = ${customerId}`));
  return rows.map((row) => JSON.parse(row.summary) as CustomerKey);
}

/** Null if the customer has no such key. */
export async function findCustomerKey(db: Queryable, customerId: string, keyId: string): Promise<CustomerKey | null> {
  const [found] = await db.query<{ summary: string }>(
    selectKeys(sql`k.customer_id = ${customerId} and k.key_id = ${keyId}`),
  );
  return found === undefined ? null : (JSON.parse(found.summary) as CustomerKey);
}

export interface AuditLine extends StoredAudit {
  audit_id: string;
  at: string;
  /** The name of the person of the customer who did it; null if there is none, or nobody of the team did it. */
  person: string | null;
}

export const AUDIT_PAGE = 50;

/** The last row of the previous page. */
export interface ListPosition {
  at: string;
  id: string;
}

/** Newest first. Reads one more than a page, to show whether there is another. */
export async function listCustomerAudit(
  db: Queryable,
  only: { customerId: string; keyId: string | null; before: ListPosition | null },
): Promise<AuditLine[]> {
  const { customerId, keyId, before } = only;
  const ofKey = keyId === null ? sql`` : sql`and key_id = ${keyId}`;
  const older = before === null ? sql`` : sql`and (at, audit_id) < (${before.at}::timestamptz, ${before.id}::uuid)`;
  const rows = await db.query<Omit<AuditLine, 'change'> & { change: string }>(sql`
    select audit_id, ${instantText(sql`at`)} as at, actor, action, customer_id, key_id, change::text as change,
      (select u.name from portal_user u where u.removed_at is null and starts_with(actor, 'portal ')
        and u.email = substr(actor, length('portal ') + 1) and u.customer_id = access_audit.customer_id) as person
    from access_audit where customer_id = ${customerId} ${ofKey} ${older}
    order by access_audit.at desc, audit_id desc limit ${AUDIT_PAGE + 1}::int`);
  return rows.map((row) => ({ ...row, change: JSON.parse(row.change) as Record<string, unknown> }));
}
