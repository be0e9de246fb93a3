/** Records with a history, and a reader of its pages. */
import type { HistoryCause, HistoryEvent, HistoryPage } from '@tmds/contract/history';
import type { TrademarkDetail } from '@tmds/contract/record';
import type { Database } from '../../src/store/driver/db.ts';
import { sql } from '../../src/store/driver/sql.ts';
import { publishRecords, type SourceFields } from '../torture/publish.ts';
import type { TestAnswer, TestService } from './service.ts';

type Replaced = Exclude<HistoryCause, 'first'>;

/** One publish, in which all records that are replaced are replaced for the cause. */
export async function publishVersions(
  db: Database,
  records: readonly SourceFields[],
  cause: Replaced = 'office',
): Promise<void> {
  await publishRecords(db, records);
  await db.query(sql`
    update record_version set cause = ${cause} where replaced_at = (select last_stamp from publish_clock)`);
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
