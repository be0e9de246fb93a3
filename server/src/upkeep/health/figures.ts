/**
 * Figures that operators watch in the database: the feed, size, vacuum, registers and loads, in a few statements that
 * read small tables and statistics. It judges nothing. Instants are in seconds since 1970.
 */

import type { Queryable } from '../../database/driver/db.ts';
import { sql } from '../../database/driver/sql.ts';
import { VISIBLE_STAMP } from '../../database/readers/publish-state.ts';
import { LAST_BACKUP } from '../../store/accounts/customers.ts';
import { clockEdge } from '../../store/publish/feed-clock.ts';
import { countLoads, type LoadTotals } from '../../store/publish/loads.ts';
import { listSourceFigures, type SourceFigures } from '../../store/sync/source-checks.ts';
import { countWebhookFigures, type WebhookFigures } from '../../store/webhooks/webhooks.ts';

export interface DatabaseFigures extends WholeFigures {
  readonly tables: readonly TableFigures[];
  readonly registers: readonly RegisterFigures[];
  /** By state; a state without loads is absent. */
  readonly loads: readonly LoadTotals[];
  readonly webhooks: WebhookFigures;
  /** The declared sources that have been checked. */
  readonly sources: readonly SourceFigures[];
}

interface WholeFigures {
  /** The last stamp of a committed publish. */
  readonly last_stamp_seconds: number;
  /** Age of the oldest publish that has not been matched against watches to its end, in seconds; 0 if there is none. */
  readonly unmatched_seconds: number;
  /** The stamp up to which the change feed delivers. */
  readonly horizon_seconds: number;
  readonly bytes: number;
  /** Since the last backup, or since the database was made if there is none. */
  readonly backup_age_seconds: number;
  /** Transactions since the oldest one that vacuum has yet to freeze. */
  readonly xid_age: number;
  /** Age of the oldest open transaction, in seconds; vacuum cannot remove what it may still see. */
  readonly transaction_seconds: number;
}

interface TableFigures {
  readonly name: string;
  /** With its indexes. */
  readonly bytes: number;
  readonly live_rows: number;
  readonly dead_rows: number;
  readonly vacuumed_seconds: number | null;
}

interface RegisterFigures {
  readonly code: string;
  readonly records: number;
  readonly current_through_seconds: number | null;
}

/** @param horizonSeconds how far the change feed stays behind the current time */
export async function readFigures(db: Queryable, horizonSeconds: number): Promise<DatabaseFigures> {
  const [whole] = await db.query<Omit<WholeFigures, 'unmatched_seconds'>>(sql`
    select extract(epoch from ${VISIBLE_STAMP})::float8 as last_stamp_seconds,
      extract(epoch from edge.horizon)::float8 as horizon_seconds,
      pg_database_size(current_database())::float8 as bytes,
      extract(epoch from clock_timestamp() - coalesce(${LAST_BACKUP}, (select min(applied_at) from migration)))::float8
        as backup_age_seconds,
      (select age(datfrozenxid)::float8 from pg_database where datname = current_database()) as xid_age,
      coalesce((
        select max(extract(epoch from clock_timestamp() - xact_start)) from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend'), 0)::float8 as transaction_seconds
    from publish_clock, (${clockEdge(horizonSeconds)}) as edge`);
  if (whole === undefined) throw new Error('the publish clock is missing');
  return {
    ...whole,
    unmatched_seconds: await findUnmatchedSeconds(db),
    tables: await listTables(db),
    registers: await db.query<RegisterFigures>(sql`
      select jurisdiction_code as code, record_count::float8 as records,
        extract(epoch from data_current_through)::float8 as current_through_seconds
      from register order by jurisdiction_code`),
    loads: await countLoads(db),
    webhooks: await countWebhookFigures(db),
    sources: await listSourceFigures(db),
  };
}

/**
 * A separate statement: Citus plans a statement that reads the list of publishes a second time, and expands the
 * server's views in it. That takes rights which only a superuser has.
 */
async function findUnmatchedSeconds(db: Queryable): Promise<number> {
  const [row] = await db.query<{ seconds: number }>(sql`
    select coalesce(greatest(0, extract(epoch from clock_timestamp() - min(stamp))), 0)::float8 as seconds
    from publish where stamp > (select complete_through from watch_progress)`);
  return row!.seconds;
}

/** Tables of the schema. The staging table of a load is left out: its name is new each time. */
async function listTables(db: Queryable): Promise<TableFigures[]> {
  return await db.query<TableFigures>(sql`
    select relname as name, pg_total_relation_size(relid)::float8 as bytes, n_live_tup::float8 as live_rows,
      n_dead_tup::float8 as dead_rows,
      extract(epoch from greatest(last_vacuum, last_autovacuum))::float8 as vacuumed_seconds
    from pg_stat_user_tables
    where schemaname = current_schema() and relname !~ '^stage_[0-9a-f]{32}$' order by relname`);
}
