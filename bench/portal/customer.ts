/**
 * A very large customer among others: 200 keys with two products and 24 months of usage and refusals, half of them its
 * own; 10,000 refusals of one key; 20,000 lines of audit, half of them its own. Every run replaces the data of earlier
 * runs.
 */
import { inviteCustomer, issueKey } from '../../server/src/access/keys.ts';
import type { Database } from '../../server/src/database/driver/db.ts';
import { sql } from '../../server/src/database/driver/sql.ts';
import { keepCallDays } from '../../server/src/store/accounts/call-log.ts';

const CUSTOMER = 'bench portal';
const OTHERS = 10;
/** Keys of the customer: one less than the portal allows, because the run issues another. */
const KEYS_OWN = 99;
const KEYS_OTHER = 100;
const MONTHS_BACK = 23;
const REFUSALS = 10_000;
const AUDIT_LINES = 20_000;
const ACTOR = 'bench portal';

export interface BenchCustomer {
  /** The path of an unused invitation. */
  readonly invitation: string;
  /** The newest key, which the explorer charges. */
  readonly keyId: string;
  /** The key with the many refusals. */
  readonly refusedKeyId: string;
}

export async function buildCustomer(db: Database): Promise<BenchCustomer> {
  await db.transaction(async (tx) => {
    await tx.query(sql`
      insert into customer (customer_id, name, created_at)
      select gen_random_uuid(), ${CUSTOMER} || case when n = 0 then '' else ' ' || n end, now()
      from generate_series(0, ${OTHERS}::int) as n on conflict (name) do nothing`);
    for (const table of [
      sql`usage_day`,
      sql`refusal_day`,
      sql`call_log`,
      sql`agreement`,
      sql`key_product`,
      sql`key_secret`,
      sql`access_key`,
    ]) {
      await tx.query(sql`delete from ${table} where key_id like 'portal%'`);
    }
    await tx.query(sql`delete from access_audit where actor = ${ACTOR}`);
    await tx.query(sql`
      update access_key set revoked_at = now() where revoked_at is null and customer_id in (
        select customer_id from customer where name = ${CUSTOMER})`);
    // The customer's keys are portal0001…, those of others portal1001….
    await tx.query(sql`
      insert into access_key (key_id, customer_id, name, created_at)
      select 'portal' || lpad((case when n <= ${KEYS_OWN} then n else 1000 + n - ${KEYS_OWN} end)::text, 4, '0'),
        c.customer_id, 'docketing, office ' || n, now() - interval '24 months'
      from generate_series(1, ${KEYS_OWN + KEYS_OTHER}::int) as n
      join customer c on c.name = ${CUSTOMER} || case when n <= ${KEYS_OWN} then ''
        else ' ' || (1 + n % ${OTHERS}::int) end`);
    await tx.query(sql`
      insert into key_product
        (key_id, product, enabled, rate_limit_per_minute, quota, month, units_used, window_started_at, window_calls)
      select key_id, product, true, 60000, 5000000, date_trunc('month', now() at time zone 'UTC')::date, 50000, now(), 1
      from access_key, unnest(array['records', 'analytics']) as product where key_id like 'portal%'`);
    await tx.query(sql`
      insert into agreement (key_id, product, rate_limit_per_minute, quota)
      select key_id, product, rate_limit_per_minute, quota from key_product where key_id like 'portal%'`);
  });
  await insertUsage(db);
  await insertAudit(db);
  for (const table of [sql`usage_day`, sql`refusal_day`, sql`call_log`, sql`access_audit`, sql`access_key`]) {
    await db.query(sql`vacuum analyze ${table}`, { prepare: false });
  }
  const { id: keyId } = await issueKey(db, {
    customer: CUSTOMER,
    name: 'explorer',
    products: ['records', 'analytics'],
    rateLimitPerMinute: 1_000_000,
    quota: null,
    actor: ACTOR,
  });
  const email = `bench-${keyId.toLowerCase()}@example.org`;
  const { token } = await inviteCustomer(db, { customer: CUSTOMER, email, actor: ACTOR });
  return { invitation: `/portal/invitation/${token}`, keyId, refusedKeyId: 'portal0001' };
}

async function insertUsage(db: Database): Promise<void> {
  const days = sql`generate_series(
    date_trunc('month', now() at time zone 'UTC') - make_interval(months => ${MONTHS_BACK}),
    (now() at time zone 'UTC')::date, interval '1 day') as laid (at)`;
  await db.query(sql`
    insert into usage_day (key_id, product, day, units)
    select p.key_id, p.product, laid.at::date, 1000 + mod(abs(hashtext(p.key_id || laid.at)), 2000)
    from key_product p, ${days} where p.key_id like 'portal%'`);
  await db.query(sql`
    insert into refusal_day (key_id, product, day, code, calls)
    select p.key_id, p.product, laid.at::date, code, 1 + mod(abs(hashtext(p.key_id || code || laid.at)), 40)
    from key_product p, unnest(array['invalid_parameter', 'rate_limited']) as code, ${days}
    where p.key_id like 'portal%'`);
  // One key has far more refusals than are shown, as after a burst; every other key has as many as are shown.
  await keepCallDays(db);
  await db.query(sql`
    insert into call_log (key_id, at, request_id, product, path, status, units, duration_ms, code, param, message)
    select k.key_id, now() - n * interval '1 second', gen_random_uuid(), 'records', '/v1/trademarks?status=x', 400, 0,
      1, 'invalid_parameter', 'status', 'told'
    from access_key k, generate_series(1, case when k.key_id = 'portal0001' then ${REFUSALS}::int else 100 end) as n
    where k.key_id like 'portal%'`);
}

async function insertAudit(db: Database): Promise<void> {
  await db.query(sql`
    insert into access_audit (audit_id, at, actor, action, customer_id, key_id, change)
    select gen_random_uuid(), now() - n * interval '30 minutes', ${ACTOR}, 'key.set', k.customer_id, k.key_id,
      jsonb_build_object('name', 'docketing', 'quota', n)
    from generate_series(1, ${AUDIT_LINES}::int) as n
    join access_key k on k.key_id = 'portal' || lpad((case when n % 2 = 0 then 1 + n / 2 % ${KEYS_OWN}::int
      else 1001 + n / 2 % ${KEYS_OTHER}::int end)::text, 4, '0')`);
}
