/** Checks that PostgreSQL archives its log, without which everything after the last backup is lost in a failure. */

import type { Observation } from '../../base/observation.ts';
import type { Queryable } from '../../database/driver/db.ts';
import { instantText } from '../../database/driver/instants.ts';
import { sql } from '../../database/driver/sql.ts';

export async function checkArchive(db: Queryable): Promise<Observation> {
  const [state] = await db.query<{
    mode: string;
    archived: string | null;
    failed: string | null;
    failing: boolean;
  }>(sql`
    select current_setting('archive_mode') as mode, ${instantText(sql`last_archived_time`)} as archived,
      ${instantText(sql`last_failed_time`)} as failed,
      coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as failing
    from pg_stat_archiver`);
  const { mode, archived, failed, failing } = state!;
  if (mode === 'off') {
    return { seen: 'the log is not archived: a failure loses everything after the last backup', remedy: null };
  }
  if (failing) {
    const seen = `the log has not been archived since ${archived ?? 'ever'}; the last attempt, at ${failed}, failed`;
    return { seen, remedy: 'see the log of the database server, and correct its archive_command' };
  }
  return { seen: `the log is archived, last at ${archived ?? 'no time yet'}`, remedy: null };
}
