/**
 * Keys at rest: identity, digests of secrets, products with limits. It never sees a key's text and compares no secrets.
 * The limits sold for a key and its usage are in one row, so that changing the limits never resets the usage.
 */
import type { Product } from '@tmds/contract/enums';
import type { Queryable, Transaction } from '../../database/driver/db.ts';
import { instantText, type Statement, sql } from '../../database/driver/sql.ts';

interface KeySecret {
  number: number;
  digest: Buffer;
  /** False after its grace period. */
  live: boolean;
}

/** What authentication needs of a key. */
export interface StoredKey {
  key_id: string;
  customer_id: string;
  name: string | null;
  created_at: string;
  /** Permanently. */
  revoked: boolean;
  /** Its customer is suspended; it works again when that ends. */
  suspended: boolean;
  secrets: KeySecret[];
  /** The products it is enabled for. */
  products: Product[];
}

export async function findKey(db: Queryable, keyId: string): Promise<StoredKey | null> {
  const [row] = await db.query<Omit<StoredKey, 'secrets'> & { secrets: string }>(sql`
    select k.key_id, k.customer_id, k.name, ${instantText(sql`k.created_at`)} as created_at,
      k.revoked_at is not null as revoked, c.suspended_at is not null as suspended,
      (select json_agg(json_build_array(s.number, encode(s.digest, 'hex'), coalesce(s.ends_at > now(), true)))::text
        from key_secret s where s.key_id = k.key_id) as secrets,
      array(select p.product::text from key_product p where p.key_id = k.key_id and p.enabled) as products
    from access_key k join customer c on c.customer_id = k.customer_id where k.key_id = ${keyId}`);
  if (row === undefined) return null;
  const secrets = JSON.parse(row.secrets ?? '[]') as [number, string, boolean][];
  return {
    ...row,
    secrets: secrets.map(([number, digest, live]) => ({ number, digest: Buffer.from(digest, 'hex'), live })),
  };
}

export interface KeyProductRow {
  product: Product;
  rate_limit_per_minute: number;
  quota: number | null;
}

/** A key as an operator sees it. */
export interface KeySummary {
  id: string;
  customer: string;
  name: string | null;
  created_at: string;
  revoked_at: string | null;
  products: KeyProductRow[];
  secrets: { number: number; created_at: string; ends_at: string | null }[];
}

export async function listKeys(db: Queryable, only: { keyId?: string; customer?: string } = {}): Promise<KeySummary[]> {
  const conditions: Statement =
    only.keyId !== undefined
      ? sql`where k.key_id = ${only.keyId}`
      : only.customer !== undefined
        ? sql`where c.name = ${only.customer}`
        : sql``;
  const rows = await db.query<{ summary: string }>(sql`
    select json_build_object(
      'id', k.key_id, 'customer', c.name, 'name', k.name,
      'created_at', ${instantText(sql`k.created_at`)}, 'revoked_at', ${instantText(sql`k.revoked_at`)},
      'products', coalesce((select json_agg(json_build_object('product', p.product,
          'rate_limit_per_minute', p.rate_limit_per_minute, 'quota', p.quota) order by p.product desc)
        from key_product p where p.key_id = k.key_id and p.enabled), '[]'),
      'secrets', coalesce((select json_agg(json_build_object('number', s.number,
          'created_at', ${instantText(sql`s.created_at`)}, 'ends_at', ${instantText(sql`s.ends_at`)}) order by s.number)
        from key_secret s where s.key_id = k.key_id), '[]')
    )::text as summary
    from access_key k join customer c on c.customer_id = k.customer_id
    ${conditions} order by k.created_at, k.key_id`);
  return rows.map((row) => JSON.parse(row.summary) as KeySummary);
}

export async function insertKey(
  db: Queryable,
  key: { key_id: string; customer_id: string; name: string | null },
): Promise<void> {
  await db.query(sql`
    insert into access_key (key_id, customer_id, name, created_at)
    values (${key.key_id}, ${key.customer_id}, ${key.name}, now())`);
}

/** Adds a secret. The others end after `graceSeconds`, unless they end earlier already. */
export async function insertSecret(
  db: Queryable,
  secret: { key_id: string; digest: Buffer; graceSeconds: number },
): Promise<void> {
  await db.query(sql`
    update key_secret set ends_at = least(ends_at, now() + make_interval(secs => ${secret.graceSeconds}::float8))
    where key_id = ${secret.key_id}`);
  await db.query(sql`
    insert into key_secret (key_id, number, digest, created_at)
    select ${secret.key_id}, coalesce(max(number), 0) + 1, ${secret.digest}, now()
    from key_secret where key_id = ${secret.key_id}`);
}

/** Ends the secrets that a rotation left working for a while. The newest secret has no end. */
export async function endOldSecrets(db: Queryable, keyId: string): Promise<void> {
  await db.query(sql`update key_secret set ends_at = now() where key_id = ${keyId} and ends_at > now()`);
}

/**
 * Locks the key against other changes, its customer before it, so that its limits, the agreement and the removal of the
 * customer change one after the other; null if there is no such key.
 */
export async function lockKey(
  tx: Transaction,
  keyId: string,
): Promise<{ revoked: boolean; customer_id: string } | null> {
  await tx.query(sql`
    select from customer where customer_id = (select customer_id from access_key where key_id = ${keyId}) for update`);
  const [found] = await tx.query<{ revoked: boolean; customer_id: string }>(sql`
    select revoked_at is not null as revoked, customer_id from access_key where key_id = ${keyId} for update`);
  return found ?? null;
}

/** Locks what the key has of its products, in the order in which calls are judged. */
export async function lockKeyProducts(tx: Transaction, keyId: string): Promise<void> {
  await tx.query(sql`select from key_product where key_id = ${keyId} order by product for no key update`);
}

export async function revokeKey(db: Queryable, keyId: string): Promise<void> {
  await db.query(sql`update access_key set revoked_at = coalesce(revoked_at, now()) where key_id = ${keyId}`);
}

export async function renameKey(db: Queryable, keyId: string, name: string | null): Promise<void> {
  await db.query(sql`update access_key set name = ${name} where key_id = ${keyId}`);
}

/** Enables a product with these limits, or changes its limits. Counts are kept. */
export async function upsertKeyProduct(db: Queryable, keyId: string, row: KeyProductRow): Promise<void> {
  await db.query(sql`
    insert into key_product (key_id, product, enabled, rate_limit_per_minute, quota, month)
    values (${keyId}, ${row.product}, true, ${row.rate_limit_per_minute}, ${row.quota},
      date_trunc('month', now() at time zone 'UTC')::date)
    on conflict (key_id, product) do update set enabled = true,
      rate_limit_per_minute = excluded.rate_limit_per_minute, quota = excluded.quota`);
}

export async function disableKeyProducts(db: Queryable, keyId: string, kept: readonly Product[]): Promise<void> {
  await db.query(sql`
    update key_product set enabled = false where key_id = ${keyId} and not (product = any(${kept}::text[]))`);
}
