/**
 * The mark of a restore that has begun: a table, since an empty database has no other place for it. It disappears in
 * the transaction that makes the restored rows visible. While it exists, nothing may serve the database or migrate it.
 */
import { OperatorError } from '../../base/errors.ts';
import type { Queryable } from '../driver/db.ts';
import { sql } from '../driver/sql.ts';

/** True if the table exists. */
export const IS_RESTORE_UNFINISHED = sql`to_regclass('unfinished_restore') is not null`;

export async function markRestore(db: Queryable): Promise<void> {
  await db.query(sql`create table if not exists unfinished_restore (began_at timestamptz not null)`, UNPREPARED);
}

export async function unmarkRestore(db: Queryable): Promise<void> {
  await db.query(sql`drop table if exists unfinished_restore`, UNPREPARED);
}

const UNPREPARED = { prepare: false };

/** @param place names the database to the operator */
export function restoreUnfinished(place: string): OperatorError {
  return new OperatorError(
    `a restore into ${place} has begun and not ended: wait for it if it runs; else run tmds restore again, or keep ` +
      'what is there with tmds restore --abandon',
  );
}
