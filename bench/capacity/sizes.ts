/** What a database of records takes on the disk, part by part. */
import type { Database } from '../../server/src/database/driver/db.ts';
import { sql } from '../../server/src/database/driver/sql.ts';

export interface Sizes {
  readonly record: number;
  /** By the name of the index. */
  readonly recordIndexes: Readonly<Record<string, number>>;
  readonly payload: number;
  readonly payloadIndex: number;
  readonly versions: number;
  /** Past versions that are kept. */
  readonly versionCount: number;
  /** Every table and index. */
  readonly all: number;
}

export async function readSizes(db: Database): Promise<Sizes> {
  const [sizes] = await db.query<Omit<Sizes, 'recordIndexes'>>(sql`
    select pg_table_size('record')::float8 as record,
      pg_table_size('payload')::float8 as payload,
      pg_indexes_size('payload')::float8 as "payloadIndex",
      pg_total_relation_size('record_version')::float8 as versions,
      (select count(*) from record_version)::float8 as "versionCount",
      (select sum(pg_total_relation_size(relid)) from pg_stat_user_tables)::float8 as all`);
  const indexes = await db.query<{ name: string; bytes: number }>(sql`
    select indexrelid::regclass::text as name, pg_relation_size(indexrelid)::float8 as bytes
    from pg_index where indrelid = 'record'::regclass order by 1`);
  return { ...sizes!, recordIndexes: Object.fromEntries(indexes.map(({ name, bytes }) => [name, bytes])) };
}
