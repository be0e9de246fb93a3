/**
 * A database whose clock can be set: `clock_timestamp()` of every new connection is found in a schema that comes before
 * PostgreSQL's own, and adds what the table `skewed.clock` says. The product is not changed for it.
 */
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';

const INSTALL = `
  create schema skewed;
  create table skewed.clock (ahead interval not null);
  insert into skewed.clock values ('0');
  create function skewed.clock_timestamp() returns timestamptz language sql volatile
    as 'select pg_catalog.clock_timestamp() + ahead from skewed.clock';
  do $$ begin
    execute format('alter database %I set search_path = public, skewed, pg_catalog', current_database());
  end $$;`;

export async function installSkewedClock(db: Database): Promise<void> {
  await db.session((session) => session.runScript(INSTALL));
}

export async function stepClock(db: Database, seconds: number): Promise<void> {
  await db.query(sql`update skewed.clock set ahead = ahead + make_interval(secs => ${seconds}::float8)`);
}
