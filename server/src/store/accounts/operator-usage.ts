/** Usage of all customers: by day, by customer, and per key for a file. Bounded by the requested month. */
import type { Product } from '@tmds/contract/enums';
import type { Queryable } from '../../database/driver/db.ts';
import { type Statement, sql } from '../../database/driver/sql.ts';
import { OPERATOR_PAGE } from './operator-customers.ts';
import type { DayUnits } from './portal-reports.ts';

export interface UsageScope {
  /** `YYYY-MM`, UTC. */
  readonly month: string;
  /** Null = all products. */
  readonly product: Product | null;
}

function ofScope({ month, product }: UsageScope): Statement {
  const first = sql`${`${month}-01`}::date`;
  const only = product === null ? sql`` : sql`and u.product = ${product}`;
  return sql`u.day >= ${first} and u.day < (${first} + interval '1 month')::date ${only}`;
}

export async function listAllDayUnits(db: Queryable, scope: UsageScope): Promise<DayUnits[]> {
  return db.query<DayUnits>(
    sql`
    select u.day, u.product, sum(u.units)::float8 as units from usage_by_day u where ${ofScope(scope)}
    group by u.day, u.product order by u.day, u.product desc`,
    { prepare: false },
  );
}

export interface CustomerUnits {
  customer_id: string;
  customer: string;
  units: number;
}

/** Customers with units, sorted by name, after the given name; one more than a page. */
export async function listCustomerUnits(
  db: Queryable,
  scope: UsageScope,
  after: string | null,
): Promise<CustomerUnits[]> {
  const later = after === null ? sql`` : sql`and c.name > ${after}`;
  return db.query<CustomerUnits>(
    sql`
    select c.customer_id, c.name as customer, sum(u.units)::float8 as units
    from usage_by_day u join access_key k on k.key_id = u.key_id join customer c on c.customer_id = k.customer_id
    where ${ofScope(scope)} ${later}
    group by c.customer_id, c.name having sum(u.units) > 0 order by c.name limit ${OPERATOR_PAGE + 1}::int`,
    { prepare: false },
  );
}

export interface KeyUsageLine extends DayUnits {
  key_id: string;
  key_name: string | null;
  customer: string;
}

const KEYS_AT_ONCE = 500;

/** Units by customer, key, product and day. Reads some keys at a time, so that any number of keys fits into memory. */
export async function* readKeyUsage(db: Queryable, scope: UsageScope): AsyncGenerator<readonly KeyUsageLine[]> {
  let after = '';
  for (;;) {
    const keys = await db.query<{ key_id: string }>(sql`
      select key_id from access_key where key_id > ${after} order by key_id limit ${KEYS_AT_ONCE}::int`);
    const last = keys.at(-1);
    if (last === undefined) return;
    yield await db.query<KeyUsageLine>(
      sql`
      select c.name as customer, k.key_id, k.name as key_name, u.product, u.day, sum(u.units)::float8 as units
      from access_key k join customer c on c.customer_id = k.customer_id join usage_by_day u on u.key_id = k.key_id
      where k.key_id > ${after} and k.key_id <= ${last.key_id} and ${ofScope(scope)}
      group by c.name, k.key_id, u.product, u.day order by k.key_id, u.product desc, u.day`,
      { prepare: false },
    );
    after = last.key_id;
  }
}
