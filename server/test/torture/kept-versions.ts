/**
 * The history as the tables hold it, against the oracle: every change that was committed is one event, with the
 * content, the document and the cause that it had then.
 */
import type { Database } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { VERSIONS } from '../support/versions.ts';

export interface HistoryVerdict {
  /** Changes that are no event. */
  historyLost: number;
  /** Events beyond the first one of a change. */
  historyRepeated: number;
  /** Events that nobody committed. */
  historyInvented: number;
  /** Events with another content, document, cause or successor, or whose publish names no load. */
  historyWrong: number;
}

export async function judgeHistory(db: Database): Promise<HistoryVerdict> {
  const [verdict] = await db.query<HistoryVerdict>(sql`
    with event as (
      select version.*, row_number() over (partition by jurisdiction_code, uid, updated_at) as place,
        lead(updated_at) over (partition by jurisdiction_code, uid order by updated_at) as next_at
      from ${VERSIONS} as version
    )
    select count(*) filter (where event.uid is null)::float8 as "historyLost",
      count(*) filter (where event.place > 1)::float8 as "historyRepeated",
      count(*) filter (where change.uid is null)::float8 as "historyInvented",
      count(*) filter (where event.cause <> change.cause or md5(event.detail) <> change.detail_digest
        or md5(event.document) is distinct from change.document_digest
        or event.replaced_at is distinct from event.next_at
        or not exists (select from publish join load using (load_id) where publish.stamp = event.updated_at)
      )::float8 as "historyWrong"
    from torture.change as change full join event using (jurisdiction_code, uid, updated_at)`);
  return verdict!;
}
