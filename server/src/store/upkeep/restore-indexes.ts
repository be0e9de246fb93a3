/**
 * Takes the indexes of a table away while its rows come, and makes them again as they were: built at once they cost a
 * fraction of growing row by row, and are as dense as can be. Tables that others reference keep theirs, since a
 * foreign key rests on them; they are small.
 */
import type { Transaction } from '../driver/db.ts';
import { identifier, sql } from '../driver/sql.ts';

export interface DroppedIndex {
  readonly table: string;
  readonly name: string;
  /** As PostgreSQL prints it. */
  readonly definition: string;
  /** It enforces the primary key of that name. */
  readonly is_primary: boolean;
}

export async function dropIndexes(tx: Transaction, table: string): Promise<DroppedIndex[]> {
  const found = await tx.query<DroppedIndex>(sql`
    select ${table}::text as "table", i.relname::text as name, pg_get_indexdef(x.indexrelid) as definition,
      x.indisprimary as is_primary
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
    await tx.runScript(definition);
    if (!is_primary) continue;
    const constraint = identifier(name);
    await tx.query(
      sql`alter table ${identifier(table)} add constraint ${constraint} primary key using index ${constraint}`,
      UNPREPARED,
    );
  }
}

const UNPREPARED = { prepare: false };
