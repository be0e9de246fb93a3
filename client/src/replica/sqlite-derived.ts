/** The tables that a replica in SQLite derives from its records: whether they are there, and whether they are right. */
import { LIST_TABLES, type ListTable } from './columns.ts';
import type { DerivedTable } from './sink.ts';
import type { SqliteDatabase } from './sqlite-driver.ts';
import { compareNumbers } from './sqlite-numbers.ts';
import { compareList, deriveList, listParts } from './sqlite-tables.ts';

/** Creates tables that are missing or incomplete. Needs a transaction. */
export function deriveMissing(db: SqliteDatabase): void {
  for (const list of LIST_TABLES) if (countParts(db, list) < listParts(list).length) db.exec(deriveList(list));
}

/** Rebuilds incomplete tables: triggers on a missing table would make every save fail. */
export function mendDerived(db: SqliteDatabase): void {
  for (const list of LIST_TABLES) {
    const count = countParts(db, list);
    if (count > 0 && count < listParts(list).length) db.exec(deriveList(list));
  }
}

export function deriveAgain(db: SqliteDatabase, tables: readonly string[]): void {
  for (const list of LIST_TABLES) if (tables.includes(list.table)) db.exec(deriveList(list));
}

/** Those that are there. */
export function compareDerived(db: SqliteDatabase): DerivedTable[] {
  const made = LIST_TABLES.filter((list) => countParts(db, list) === listParts(list).length);
  const compared = made.map((list) => {
    const [row] = db.prepare(compareList(list)).all() as Omit<DerivedTable, 'table'>[];
    return { table: list.table, ...row! };
  });
  const numbers = compareNumbers(db);
  return numbers === null ? compared : [...compared, numbers];
}

function countParts(db: SqliteDatabase, list: ListTable): number {
  const find = db.prepare('select 1 from sqlite_schema where name = ?');
  return listParts(list).filter((name) => find.all(name).length > 0).length;
}
