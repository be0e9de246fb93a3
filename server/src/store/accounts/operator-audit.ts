/** The audit of all changes, page by page: who did what, when and from where. */

import type { Queryable } from '../../database/driver/db.ts';
import { containsAnyCase, instantText, joinSql, sql } from '../../database/driver/sql.ts';
import { AUDIT_PAGE, type AuditLine, type ListPosition } from './portal-keys.ts';

/** Customers or keys that a name may mean. */
const NAMED_MAX = 100;

/** A filter that is null lets every entry pass. */
export interface AuditFilter {
  /** A part of the actor's name. */
  readonly actor: string | null;
  readonly action: string | null;
  /** An id, the name, or else a part of the name. */
  readonly customer: string | null;
  /** An id, with or without `tmds_`, or a part of the name. */
  readonly key: string | null;
  /** UTC days, both inclusive. */
  readonly from: string | null;
  readonly to: string | null;
}

export interface WholeAuditLine extends AuditLine {
  /** The customer's current name. */
  customer: string | null;
  address: string | null;
}

/** Newest first. Reads one more than a page, to show whether there is another. */
export async function listWholeAudit(
  db: Queryable,
  { actor, action, customer, key, from, to }: AuditFilter,
  before: ListPosition | null,
): Promise<WholeAuditLine[]> {
  const conditions = [sql`true`];
  if (actor !== null) conditions.push(containsAnyCase(sql`a.actor`, actor));
  if (action !== null) conditions.push(sql`a.action = ${action}`);
  if (customer !== null) {
    const exact = sql`c.customer_id::text = ${customer} or c.name = ${customer}`;
    conditions.push(sql`a.customer_id in (select c.customer_id from customer c where ${exact} or (
      ${containsAnyCase(sql`c.name`, customer)} and not exists (select from customer c where ${exact}))
      order by c.name limit ${NAMED_MAX}::int)`);
  }
  if (key !== null) {
    const id = key.replace(/^tmds_/, '');
    conditions.push(sql`a.key_id in (select k.key_id from access_key k
      where k.key_id = ${id} or ${containsAnyCase(sql`k.name`, key)} order by k.key_id limit ${NAMED_MAX}::int)`);
  }
  if (from !== null) conditions.push(sql`a.at >= ${from}::timestamp at time zone 'UTC'`);
  if (to !== null) conditions.push(sql`a.at < (${to}::timestamp + interval '1 day') at time zone 'UTC'`);
  if (before !== null) {
    conditions.push(sql`(a.at, a.audit_id) < (${before.at}::timestamptz, ${before.id}::uuid)`);
  }
  const rows = await db.query<Omit<WholeAuditLine, 'change'> & { change: string }>(
    sql`
    select a.audit_id, ${instantText(sql`a.at`)} as at, a.actor, a.action, a.customer_id, c.name as customer, a.key_id,
      a.change::text as change, a.address
    from access_audit a left join customer c on c.customer_id = a.customer_id
    where ${joinSql(conditions, ' and ')}
    order by a.at desc, a.audit_id desc limit ${AUDIT_PAGE + 1}::int`,
    { prepare: false },
  );
  return rows.map((row) => ({ ...row, change: JSON.parse(row.change) as Record<string, unknown> }));
}

/** Names that the filters offer, each list in its order and bounded. */
export interface AuditNames {
  readonly operators: readonly string[];
  readonly customers: readonly string[];
  /** Keys of the customer that is filtered for; without a filter, of all customers. */
  readonly keys: readonly string[];
}

export async function listAuditNames(db: Queryable, customer: string | null): Promise<AuditNames> {
  const [names] = await db.query<{ operators: string[]; customers: string[]; keys: string[] }>(sql`
    select
      array(select email from portal_user where is_operator and removed_at is null
        order by email limit ${NAMED_MAX}::int) as operators,
      array(select name from customer where removed_at is null order by name limit ${NAMES_OFFERED}::int) as customers,
      array(select name from (
        select k.name, max(k.created_at) as newest from access_key k join customer c on c.customer_id = k.customer_id
        where k.name <> '' and (${customer}::text is null or c.name = ${customer} or c.customer_id::text = ${customer})
        group by k.name order by newest desc limit ${NAMES_OFFERED}::int
      ) as named order by name) as keys`);
  return names!;
}

const NAMES_OFFERED = 500;
