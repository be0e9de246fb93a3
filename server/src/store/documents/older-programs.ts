/**
 * Programs from before documents could be packed would serve records without their payloads. When a document is first
 * packed, the schema therefore becomes one that these programs do not work with (`database/schema`). This is refused while
 * one of them runs.
 */
import { OperatorError } from '../../base/errors.ts';
import type { Database } from '../../database/driver/db.ts';
import { sql } from '../../database/driver/sql.ts';
import { PROGRAM_LOCK_SPACE } from '../../database/schema/locks.ts';

/** The migration that introduced packed documents. */
const THIS_MIGRATION = sql`name like '%\\_documents.sql'`;

/** Throws OperatorError while an older program runs. */
export async function admitPackedPayloads(db: Pick<Database, 'transaction'>): Promise<void> {
  await db.transaction(async (tx) => {
    const [made] = await tx.query<{ number: number }>(sql`
      select number from migration where ${THIS_MIGRATION} and works_since is distinct from number`);
    if (made === undefined) return;
    await tx.query(sql`update migration set works_since = number where ${THIS_MIGRATION}`);
    const older = await tx.query(sql`
      select from pg_locks where locktype = 'advisory' and granted
        and database = (select oid from pg_database where datname = current_database())
        and classid::bigint = ${PROGRAM_LOCK_SPACE} and objid::bigint < ${made.number} and objsubid = 2 limit 1`);
    if (older.length === 0) return;
    throw new OperatorError(
      'a server or load of an older tmds is running and cannot read packed payloads: replace it first, then try again',
    );
  });
}
