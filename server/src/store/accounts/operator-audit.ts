/** The audit of all changes, page by page: who did what, when and from where. */
import { containsAnyCase } from '../driver/any-case.ts';
import type { Queryable } from '../driver/db.ts';
import { instantText } from '../driver/instants.ts';
import { joinSql, sql } from '../driver/sql.ts';
import { AUDIT_PAGE, type AuditLine, type AuditPosition } from './portal-keys.ts';

/** A filter that is null lets every entry pass. */
export interface AuditFilter {
  /** A part of the actor's name. */
  readonly actor: string | null;
  readonly action: string | null;
  readonly customerId: string | null;
  readonly keyId: string | null;
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
  { actor, action, customerId, keyId, from, to }: AuditFilter,
  before: AuditPosition | null,
): Promise<WholeAuditLine[]> {
  const conditions = [sql`true`];
  if (actor !== null) conditions.push(containsAnyCase(sql`a.actor`, actor));
  if (action !== null) conditions.push(sql`a.action = ${action}`);
  if (customerId !== null) conditions.push(sql`a.customer_id::text = ${customerId}`);
  if (keyId !== null) conditions.push(sql`a.key_id = ${keyId}`);
  if (from !== null) conditions.push(sql`a.at >= ${from}::timestamp at time zone 'UTC'`);
  if (to !== null) conditions.push(sql`a.at < (${to}::timestamp + interval '1 day') at time zone 'UTC'`);
  if (before !== null) {
    conditions.push(sql`(a.at, a.audit_id) < (${before.at}::timestamptz, ${before.audit_id}::uuid)`);
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
