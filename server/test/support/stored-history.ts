/** Records with a history: publishes that keep the versions they replace, and a reader of the pages of a history. */
import type { HistoryCause, HistoryEvent, HistoryPage } from '@tmds/contract/history';
import type { TrademarkDetail } from '@tmds/contract/record';
import type { Database } from '../../src/store/driver/db.ts';
import { sql } from '../../src/store/driver/sql.ts';
import { publishRecords, type SourceFields } from '../torture/publish.ts';
import type { TestAnswer, TestService } from './service.ts';

type Replaced = Exclude<HistoryCause, 'first'>;

/** Publishes the records and moves the versions they replace into the history, as if they had been replaced for `cause`. */
export async function publishVersions(
  db: Database,
  records: readonly SourceFields[],
  cause: Replaced = 'office',
): Promise<void> {
  await db.query(sql`
    create table if not exists before_publish as
      select record.*, document from record left join payload using (jurisdiction_code, uid) limit 0`);
  await db.query(sql`truncate before_publish`);
  await db.query(sql`
    insert into before_publish
    select record.*, document from record left join payload using (jurisdiction_code, uid)
    where uid = any(${records.map(({ uid }) => uid ?? 'XA1')}::text[])`);
  await publishRecords(db, records);
  await db.query(sql`
    insert into record_version (jurisdiction_code, uid, updated_at, replaced_at, cause, source_version, mark_variants,
      detail, has_document, document)
    select before.jurisdiction_code, before.uid, before.updated_at, record.updated_at, ${cause},
      before.source_version, before.mark_variants, before.detail, before.document is distinct from payload.document,
      case when before.document is distinct from payload.document then before.document end
    from before_publish as before
    join record on record.jurisdiction_code = before.jurisdiction_code and record.uid = before.uid
    left join payload on payload.jurisdiction_code = record.jurisdiction_code and payload.uid = record.uid
    where record.updated_at > before.updated_at
    on conflict (jurisdiction_code, uid, updated_at) do update set cause = excluded.cause`);
}

export function pageOf(answer: TestAnswer): HistoryPage {
  return answer.body as HistoryPage;
}

/** Every event of a history, page by page, until there is nothing more; with the number of pages. */
export async function walkHistory(
  service: TestService,
  path: string,
  key: string,
): Promise<{ events: HistoryEvent[]; pages: number; cursor: string | null }> {
  const events: HistoryEvent[] = [];
  let cursor: string | null = null;
  for (let pages = 1; ; pages += 1) {
    const query: string = cursor === null ? '' : `${path.includes('?') ? '&' : '?'}cursor=${cursor}`;
    const answer = await service.call(path + query, { key });
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
    const page = pageOf(answer);
    events.push(...page.items);
    if (page.next_cursor === null) return { events, pages, cursor };
    cursor = page.next_cursor;
  }
}

/** What a history says of a record: its first version with the changes of the others, oldest first. */
export function foldChanges(first: TrademarkDetail, events: readonly HistoryEvent[]): Record<string, unknown> {
  const folded: Record<string, unknown> = { ...first };
  for (const { changes } of events) {
    for (const change of changes) if (change.field !== 'payload') folded[change.field] = change.new;
  }
  return folded;
}
