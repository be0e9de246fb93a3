import type { Queryable } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';

/**
 * Lets a test do what the database refuses: give a record another stamp without keeping its version. On several nodes
 * nothing refuses it (docs/design/standbys-and-nodes.md).
 */
export async function allowLostVersions(db: Queryable): Promise<void> {
  if ((await db.query(sql`select from pg_trigger where tgname = 'record_version_kept'`)).length === 0) return;
  await db.query(sql`alter table record disable trigger record_version_kept`, { prepare: false });
}
