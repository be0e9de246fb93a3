/**
 * How agreements were derived before they had a table: from the keys, and from notes of what customers did to them. The
 * slow reference for `store/accounts/agreements.ts`.
 */
import type { Queryable } from '../../src/database/driver/db.ts';
import { identifier, sql } from '../../src/database/driver/sql.ts';
import type { Agreement } from '../../src/store/accounts/agreements.ts';

/** The tables of the notes: those of schema 24, or copies. */
export interface NoteTables {
  readonly keys: string;
  readonly quotas: string;
}

/** Makes the tables, without rows. */
export async function createNotes(db: Queryable): Promise<NoteTables> {
  await db.query(sql`
    create table noted_key (key_id text primary key, issued_here boolean not null, revoked_here boolean not null)`);
  await db.query(sql`
    create table noted_quota (key_id text, product text, agreed bigint, given bigint, primary key (key_id, product))`);
  return { keys: 'noted_key', quotas: 'noted_quota' };
}

/** Before a customer changes the quota of a key. */
export async function noteQuota(
  db: Queryable,
  { quotas }: NoteTables,
  key: string,
  given: number | null,
): Promise<void> {
  await db.query(sql`
    insert into ${identifier(quotas)} as q (key_id, product, agreed, given)
    select p.key_id, p.product, p.quota, ${given}::bigint from key_product p where p.key_id = ${key} and p.enabled
    on conflict (key_id, product) do update set given = excluded.given,
      agreed = case when q.given is not distinct from excluded.agreed then q.agreed else excluded.agreed end`);
}

/** After a customer has issued or revoked a key. */
export async function noteKey(
  db: Queryable,
  { keys }: NoteTables,
  key: string,
  what: 'issued' | 'revoked',
): Promise<void> {
  await db.query(sql`
    insert into ${identifier(keys)} as k (key_id, issued_here, revoked_here)
    values (${key}, ${what === 'issued'}, ${what === 'revoked'})
    on conflict (key_id) do update set revoked_here = k.revoked_here or excluded.revoked_here`);
}

export async function deriveAgreements(db: Queryable, { keys, quotas }: NoteTables, customerId: string) {
  return db.query<Agreement>(sql`
    with own as (
      select p.product, p.rate_limit_per_minute, p.quota, k.revoked_at is null as live,
        case when q.key_id is not null and q.given is not distinct from p.quota then q.agreed else p.quota end
          as agreed_quota,
        not coalesce(o.issued_here, false) and (k.revoked_at is null or coalesce(o.revoked_here, false)) as agreed
      from access_key k
      join key_product p on p.key_id = k.key_id and p.enabled
      left join ${identifier(keys)} o on o.key_id = k.key_id
      left join ${identifier(quotas)} q on q.key_id = p.key_id and q.product = p.product
      where k.customer_id = ${customerId}
    ), summed as (
      select product, max(rate_limit_per_minute) filter (where agreed) as rate_limit_per_minute,
        bool_or(agreed_quota is null) filter (where agreed) as unlimited,
        coalesce(sum(agreed_quota) filter (where agreed), 0) as quota,
        coalesce(sum(quota) filter (where live), 0) as given,
        (count(*) filter (where live))::int as live_keys
      from own group by product having bool_or(agreed)
    )
    select product, rate_limit_per_minute, live_keys,
      case when unlimited then null else quota::float8 end as quota,
      case when unlimited then null else greatest(quota - given, 0)::float8 end as free
    from summed order by product desc`);
}
