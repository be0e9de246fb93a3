/**
 * What operators have agreed with customers: a row for each product of each key that an operator issued and has not
 * ended. The agreement of a customer is the sum of its rows. Invariant: what a customer does to keys changes no row.
 */
import type { Product } from '@tmds/contract/enums';
import type { Queryable } from '../../database/driver/db.ts';
import { sql } from '../../database/driver/sql.ts';
import type { KeyProductRow } from './keys.ts';

/** What was agreed for one product, and how much of it the keys have. */
export interface Agreement {
  product: Product;
  /** The highest limit of a key. */
  rate_limit_per_minute: number;
  /** Units a month of all keys together; null = unlimited. */
  quota: number | null;
  /** Units not yet given to a live key; null = unlimited. */
  free: number | null;
  live_keys: number;
}

/**
 * Keys that the customer issues take from the agreement; keys that it revokes or lowers give back. A key that was sold
 * without a quota makes it unlimited.
 */
export async function listAgreements(db: Queryable, customerId: string): Promise<Agreement[]> {
  return db.query<Agreement>(sql`
    with agreed as (
      select a.product, max(a.rate_limit_per_minute) as rate_limit_per_minute, bool_or(a.quota is null) as unlimited,
        coalesce(sum(a.quota), 0) as quota
      from agreement a join access_key k on k.key_id = a.key_id
      where k.customer_id = ${customerId} group by a.product
    ), live as (
      select p.product, coalesce(sum(p.quota), 0) as given, count(*)::int as keys
      from access_key k join key_product p on p.key_id = k.key_id and p.enabled
      where k.customer_id = ${customerId} and k.revoked_at is null group by p.product
    )
    select a.product, a.rate_limit_per_minute, coalesce(l.keys, 0) as live_keys,
      case when a.unlimited then null else a.quota::float8 end as quota,
      case when a.unlimited then null else greatest(a.quota - coalesce(l.given, 0), 0)::float8 end as free
    from agreed a left join live l on l.product = a.product order by a.product desc`);
}

/** Whether the operator sold the key and has not ended it, so that its change to the key changes the agreement. */
export async function isAgreed(db: Queryable, keyId: string): Promise<boolean> {
  const [found] = await db.query<{ agreed: boolean }>(sql`
    select not exists (select from portal_key o where o.key_id = k.key_id)
      and (k.revoked_at is null or exists (select from agreement a where a.key_id = k.key_id)) as agreed
    from access_key k where k.key_id = ${keyId}`);
  return found?.agreed === true;
}

/** `keepsQuota`: the quota that was agreed before stays, if there was one. */
export async function upsertAgreement(
  db: Queryable,
  keyId: string,
  { product, rate_limit_per_minute, quota }: KeyProductRow,
  { keepsQuota = false } = {},
): Promise<void> {
  await db.query(sql`
    insert into agreement (key_id, product, rate_limit_per_minute, quota)
    values (${keyId}, ${product}, ${rate_limit_per_minute}, ${quota})
    on conflict (key_id, product) do update set rate_limit_per_minute = excluded.rate_limit_per_minute,
      quota = case when ${keepsQuota} then agreement.quota else excluded.quota end`);
}

/** Ends what was agreed for products other than these. */
export async function endAgreements(db: Queryable, keyId: string, kept: readonly Product[] = []): Promise<void> {
  await db.query(sql`delete from agreement where key_id = ${keyId} and not (product = any(${kept}::text[]))`);
}

/** Ends what was agreed for the live keys of a customer. */
export async function endAgreementsOf(db: Queryable, customerId: string): Promise<void> {
  await db.query(sql`
    delete from agreement a using access_key k
    where k.key_id = a.key_id and k.customer_id = ${customerId} and k.revoked_at is null`);
}

/** Notes that the customer issued the key. */
export async function insertPortalKey(db: Queryable, keyId: string): Promise<void> {
  await db.query(sql`insert into portal_key (key_id) values (${keyId})`);
}
