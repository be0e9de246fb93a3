/** How many connections a server opens, and whether its role may open that many. */
import type { Queryable } from '../../database/driver/db.ts';
import { sql } from '../../database/driver/sql.ts';

/** Extra connections for keys and metering, so that slow searches cannot delay refusals. */
const ACCESS_POOL_SHARE = 0.25;
/** One holds the turn; the others record what is sent and how it was answered. */
export const WEBHOOK_POOL_MAX = 4;
/** Migrations, the health check, the index and the matching of watches take two each, metrics and retention one. */
const SINGLE_CONNECTIONS = 10;

export function accessPoolMax(poolMax: number): number {
  return Math.max(2, Math.ceil(poolMax * ACCESS_POOL_SHARE));
}

interface Limits {
  readonly role: string;
  readonly database: string;
  readonly role_max: number | null;
  readonly database_max: number | null;
  readonly server_max: number;
}

export interface ConnectionLimit {
  readonly seen: string;
  /** What could be better; null if nothing. */
  readonly advice: string | null;
}

/** @param poolMax of the server that uses this database */
export async function findConnectionLimit(db: Queryable, poolMax: number): Promise<ConnectionLimit> {
  const [found] = await db.query<Limits>(sql`
    select quote_ident(rolname) as role, quote_ident(datname) as database,
      case when rolconnlimit >= 0 and not rolsuper then rolconnlimit end as role_max,
      case when datconnlimit >= 0 and not rolsuper then datconnlimit end as database_max,
      current_setting('max_connections')::int - case when rolsuper then 0 else
        current_setting('superuser_reserved_connections')::int
        + coalesce(current_setting('reserved_connections', true)::int, 0) end as server_max
    from pg_roles, pg_database where rolname = session_user and datname = current_database()`);
  const { role, database, role_max, database_max, server_max } = found!;
  const opened = poolMax + accessPoolMax(poolMax) + WEBHOOK_POOL_MAX + SINGLE_CONNECTIONS;
  const limits = [
    { of: `role ${role}`, max: role_max, raise: `alter role ${role} connection limit ${opened}` },
    { of: `database ${database}`, max: database_max, raise: `alter database ${database} connection limit ${opened}` },
    { of: 'database server', max: server_max, raise: 'raise max_connections' },
  ].flatMap(({ max, ...limit }) => (max === null ? [] : [{ ...limit, max }]));
  const least = limits.reduce((one, other) => (other.max < one.max ? other : one));
  const seen = `the ${least.of} allows ${least.max} connections, a server opens up to ${opened}`;
  if (least.max >= opened) return { seen, advice: null };
  return { seen, advice: `${least.raise}, or lower TMDS_POOL_MAX; until then calls wait for one another` };
}
