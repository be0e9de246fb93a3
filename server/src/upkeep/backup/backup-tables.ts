/**
 * Which tables a backup holds, in an order in which they can be filled again: the tables that a migration made, as the
 * catalogue describes them. So a new table is kept although nobody names it here, and somebody else's table in the same
 * schema is left out.
 */

import type { Queryable } from '../../database/driver/db.ts';
import { instantText, sql } from '../../database/driver/sql.ts';
import type { Migration } from '../../database/schema/migrate.ts';
import type { TableHead } from '../archive/form.ts';

/** Why a table is left out. People who are signed in at the time of a backup sign in again after it was restored. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  staged_record: 'it holds no rows, only a shape',
  portal_session: 'a session that has ended since must not come back',
  portal_attempt: 'attempts to sign in count for minutes',
  portal_form: 'forms that were sent are known for minutes',
  docket: 'it is a confidential file of a customer, kept for a day',
  docket_part: 'it belongs to a docket',
  docket_mark: 'it belongs to a docket',
  docket_memory: 'it is what is remembered of dockets, with the key of its digests',
  docket_memory_row: 'it belongs to what is remembered of dockets',
  portal_reveal: 'it belongs to sessions, and is shown for minutes',
};

interface ListedTable {
  name: string;
  columns: string[];
  /** Tables whose rows have to exist first. */
  needed: string[];
  /** JSON. */
  partitions: string;
}

/** Tables, views and functions that the migrations make, including those that no longer exist. */
export function listMade(migrations: readonly Migration[], kind: 'table' | 'view' | 'function'): string[] {
  const made = new RegExp(`^[^\\S\\n]*create (?:or replace )?${kind} (?:if not exists )?([a-z_][a-z0-9_]*)`, 'gim');
  return [...new Set(migrations.flatMap(({ text }) => [...text.matchAll(made)].map(([, name]) => name!)))];
}

export async function listBackupTables(db: Queryable, migrations: readonly Migration[]): Promise<TableHead[]> {
  const kept = listMade(migrations, 'table').filter((name) => !(name in LEFT_OUT));
  const tables = await db.query<ListedTable>(sql`
    select c.relname::text as name,
      (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
      coalesce((select array_agg(distinct f.relname::text) from pg_constraint k join pg_class f on f.oid = k.confrelid
        where k.conrelid = c.oid and k.contype = 'f' and f.oid <> c.oid), '{}') as needed,
      coalesce((select json_agg(json_build_object('name', p.relname, 'from', ${instantText(sql`p.bounds[1]::timestamptz`)},
          'to', ${instantText(sql`p.bounds[2]::timestamptz`)}) order by p.relname)
        from (select child.relname,
            regexp_match(pg_get_expr(child.relpartbound, child.oid), 'FROM [(]''(.*)''[)] TO [(]''(.*)''[)]') as bounds
          from pg_inherits i join pg_class child on child.oid = i.inhrelid where i.inhparent = c.oid) as p
      ), '[]')::text as partitions
    from pg_class c
    where c.relnamespace = (select oid from pg_namespace where nspname = current_schema())
      and c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence = 'p'
      and c.relname = any(${kept}::text[])
    order by c.relname`);
  return inOrder(tables).map(({ name, columns, partitions }) => ({
    name,
    columns,
    partitions: JSON.parse(partitions) as TableHead['partitions'],
  }));
}

/** Each after the tables whose rows it references. */
function inOrder(tables: readonly ListedTable[]): ListedTable[] {
  const placed: ListedTable[] = [];
  const waiting = [...tables];
  const isReady = ({ needed }: ListedTable): boolean =>
    needed.every((name) => placed.some((table) => table.name === name) || !tables.some((table) => table.name === name));
  while (waiting.length > 0) {
    const at = waiting.findIndex(isReady);
    if (at < 0) throw new Error(`tables reference each other: ${waiting.map(({ name }) => name).join(', ')}`);
    placed.push(...waiting.splice(at, 1));
  }
  return placed;
}
