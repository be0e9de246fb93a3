/** Notes in the audit when this database was last backed up, so that every server of the database can see it. */

import type { Queryable } from '../../database/driver/db.ts';
import { sql } from '../../database/driver/sql.ts';
import { insertAudit } from './customers.ts';

const ACTION = 'service.backup';

export async function noteBackup(db: Queryable, actor: string, storedBytes: number): Promise<void> {
  const change = { stored_bytes: storedBytes };
  await insertAudit(db, { actor, action: ACTION, customer_id: null, key_id: null, change });
}

export const LAST_BACKUP = sql`(select max(at) from access_audit where action = ${ACTION})`;
