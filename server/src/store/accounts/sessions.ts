/** The end of several sessions at once: of a person, or of everybody in a team. */
import type { Queryable } from '../../database/driver/db.ts';
import { type Statement, sql } from '../../database/driver/sql.ts';

/** In one order, so that two who end the same sessions do not wait for each other. */
export async function deleteSessions(db: Queryable, which: Statement): Promise<void> {
  await db.query(sql`
    delete from portal_session s using (
      select token_digest from portal_session where ${which} order by token_digest for update
    ) as ended where s.token_digest = ended.token_digest`);
}
