import type { Queryable } from '../../src/store/driver/db.ts';
import { sql } from '../../src/store/driver/sql.ts';

/** Lets a test do what the database refuses: give a record another stamp without keeping its version. */
export async function allowLostVersions(db: Queryable): Promise<void> {
  await db.query(sql`alter table record disable trigger record_version_kept`, { prepare: false });
}
