/** Records with a history, and a reader of its pages. */
import type { HistoryCause, HistoryEvent, HistoryPage } from '@tmds/contract/history';
import type { TrademarkDetail } from '@tmds/contract/record';
import type { Database, Queryable } from '../../src/database/driver/db.ts';
import { sql } from '../../src/database/driver/sql.ts';
import { parseHistory } from '../../src/parse/history.ts';
import type { DeclaredValues } from '../../src/parse/query.ts';
import { planHistory } from '../../src/plan/history.ts';
import { type FoundFeed, findHistoryPage } from '../../src/store/records/history.ts';
import { publishRecords, type SourceFields } from '../torture/publish.ts';
import { FULL_PAYLOAD } from './full-payload.ts';
import { openLocalIndex } from './local-index.ts';
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

/**
 * Replaces a mark that was stored with the full payload (`storeMark`): other owners, classes, dates and events. Its new
 * version came with a file.
 */
export async function changeFullMark(db: Database): Promise<void> {
  const { events = [], ...sections } = FULL_PAYLOAD as { events?: unknown[] };
  const granted = { kind: 'history', date: '2026-02-01', text: 'Registration granted' };
  const owners = ['Société des Établissements Quillham et Fils, anciennement Quillham Frères', '远航科技股份有限公司'];
  const changed = {
    jurisdiction_code: 'FR',
    uid: 'full',
    mark_name: 'NÉLYIA',
    status: 'Registered',
    application_number: '4812345',
    expiry_date: '2036-01-02',
    nice_classes: [9, 25],
    owner_names: owners,
    designated_countries: ['FR', 'DE', 'IT'],
    payload: { ...sections, events: [...events, granted], remarks: ['a remark'] },
  } as const;
  await publishVersions(db, [{ ...changed, nice_classes: [...changed.nice_classes] } as SourceFields], 'office');
  await db.query(sql`
    insert into load_file (load_id, number, name, bytes, digest, period)
    select load_id, 1, 'registre-des-marques-2026-02-livraison-hebdomadaire.zip', 52428800, sha256('file'), '2026-02-14'
    from publish where stamp = (select last_stamp from publish_clock)`);
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

export type HistoryValues = DeclaredValues<'history'>;

export interface ReadOptions {
  readonly register?: string;
  readonly horizonSeconds?: number;
}

/** A page of the feed, below HTTP. */
export async function readEvents(db: Queryable, values: HistoryValues, options: ReadOptions = {}): Promise<FoundFeed> {
  const plan = planHistory(parseHistory({ since: '1970-01-01', ...values }, options.register ?? null));
  const { sift } = openLocalIndex(db as Database);
  return await findHistoryPage(db, plan, {
    horizonSeconds: options.horizonSeconds ?? 0,
    matches: (versions, conditions) => sift(versions, conditions, null, { deadlineMs: Number.POSITIVE_INFINITY }),
  });
}

interface EventWalk {
  events: HistoryEvent[];
  cursor: string | null;
  pages: number;
}

/** Reads from a cursor, or from the beginning, until nothing more is there. */
export async function walkEvents(
  db: Queryable,
  values: HistoryValues = {},
  options: ReadOptions = {},
): Promise<EventWalk> {
  const walked: EventWalk = { events: [], cursor: values.cursor ?? null, pages: 0 };
  for (;;) {
    const cursor = walked.cursor === null ? {} : { cursor: walked.cursor };
    const page = await readEvents(db, { ...values, ...cursor }, options);
    walked.pages += 1;
    if (page.next_cursor === null) return walked;
    walked.events.push(...page.items);
    walked.cursor = page.next_cursor;
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
