/**
 * Drops the indexes of a table while its rows arrive, and creates them again with the same definitions. Built in one go
 * they cost a fraction of growing row by row, and are as dense as can be. Tables that others reference keep theirs,
 * since a foreign key rests on them; those tables are small.
 */
import type { Transaction } from '../../database/driver/db.ts';
import { identifier, sql } from '../../database/driver/sql.ts';

export interface DroppedIndex {
  readonly table: string;
  readonly name: string;
  /** The definition as PostgreSQL prints it: of the index, or of the primary key that it enforces. */
  readonly definition: string;
  readonly is_primary: boolean;
}

export async function dropIndexes(tx: Transaction, table: string): Promise<DroppedIndex[]> {
  const found = await tx.query<DroppedIndex>(sql`
    select ${table}::text as "table", i.relname::text as name, x.indisprimary as is_primary, coalesce(
        (select pg_get_constraintdef(k.oid) from pg_constraint k where k.conindid = x.indexrelid and k.contype = 'p'),
        pg_get_indexdef(x.indexrelid)) as definition
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
    where x.indrelid = to_regclass(${table}) and t.relkind = 'r'
      and not exists (select from pg_constraint k where k.confrelid = x.indrelid)
      and (x.indisprimary or not exists (select from pg_constraint k where k.conindid = x.indexrelid))
    order by i.relname`);
  for (const { name, is_primary } of found) {
    const at = sql`alter table ${identifier(table)}`;
    if (is_primary) await tx.query(sql`${at} drop constraint ${identifier(name)}`, UNPREPARED);
    else await tx.query(sql`drop index ${identifier(name)}`, UNPREPARED);
  }
  return found;
}

export async function makeIndexes(tx: Transaction, dropped: readonly DroppedIndex[]): Promise<void> {
  for (const { table, name, definition, is_primary } of dropped) {
    // Not from an existing index: several nodes know only the constraint.
    const added = `alter table ${identifier(table).text} add constraint ${identifier(name).text} ${definition}`;
    await tx.runScript(is_primary ? added : definition);
  }
}

const UNPREPARED = { prepare: false };
