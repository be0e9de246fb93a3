/**
 * The verdict on one torture run: what each poller saved against what the oracle says was committed.
 * Repeated: a change saved twice. Lost: a change that was not delivered although, when the answer that moved past it
 * had arrived, no newer version of its record had even been written; or a record whose last version is missing.
 */
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Database } from '../../src/database/driver/db.ts';
import { instantText, sql } from '../../src/database/driver/sql.ts';
import { countWrongDigests } from './digests.ts';
import { type HistoryVerdict, judgeHistory } from './kept-versions.ts';
import { type HitsVerdict, judgeHits } from './told-hits.ts';
import { type Delivery, deliveryLog, digestDetail, faultLog, scopeOf } from './world.ts';

export interface Verdict extends HistoryVerdict, HitsVerdict {
  /** Changes committed. */
  made: number;
  /** Over all pollers. */
  delivered: number;
  /** Changes replaced by a newer one before they were read: rightly not delivered. */
  superseded: number;
  lost: number;
  repeated: number;
  /** Delivered but never committed, or out of order. */
  invented: number;
  /** Records in which a poller's copy differs from the table. */
  unequal: number;
  /** Groups of records whose kept digest does not fit the records. */
  wrongDigests: number;
  /** Answers that must not happen: 5xx other than 503, torn items. */
  faults: string[];
}

interface Change {
  key: string;
  updatedAt: string;
  /** Milliseconds since the epoch at which the next version of the record was written; null for the last one. */
  replacedAt: number | null;
}

export async function judgeRun(db: Database, folder: string, pollers: number): Promise<Verdict> {
  const faults = existsSync(faultLog(folder)) ? readFileSync(faultLog(folder), 'utf8').trim().split('\n') : [];
  const verdict: Verdict = {
    made: 0,
    delivered: 0,
    superseded: 0,
    lost: 0,
    repeated: 0,
    invented: 0,
    unequal: 0,
    wrongDigests: await countWrongDigests(db),
    ...(await judgeHistory(db)),
    ...(await judgeHits(db)),
    faults,
  };
  const changes = await listChanges(db);
  verdict.made = changes.length;
  const table = await readTable(db);
  for (let index = 0; index < pollers; index += 1) {
    const scope = scopeOf(index);
    const inScope = scope === null ? changes : changes.filter(({ key }) => key.startsWith(`${scope} `));
    judgePoller(verdict, inScope, await readDeliveries(deliveryLog(folder, index)), table, scope);
  }
  return verdict;
}

interface Delivered {
  /** `key@stamp`, and how often. */
  counts: Map<string, number>;
  latest: Map<string, string>;
  /** The position each saved page ends at, as text that sorts like it, and when it had arrived. */
  pages: { end: string; received: number }[];
  outOfOrder: number;
}

function judgePoller(
  verdict: Verdict,
  changes: readonly Change[],
  delivered: Delivered,
  table: ReadonlyMap<string, string>,
  scope: string | null,
): void {
  const committed = new Set<string>();
  for (const change of changes) {
    const id = `${change.key}@${change.updatedAt}`;
    committed.add(id);
    if (delivered.counts.has(id)) continue;
    const passed = findPage(delivered.pages, `${change.updatedAt} ${change.key}`);
    const wasReplaced = change.replacedAt !== null && passed !== null && change.replacedAt <= passed.received;
    if (wasReplaced) verdict.superseded += 1;
    else verdict.lost += 1;
  }
  for (const [id, count] of delivered.counts) {
    verdict.delivered += count;
    verdict.repeated += count - 1;
    if (!committed.has(id)) verdict.invented += 1;
  }
  verdict.invented += delivered.outOfOrder;
  for (const [key, content] of table) {
    if ((scope === null || key.startsWith(`${scope} `)) && delivered.latest.get(key) !== content) verdict.unequal += 1;
  }
}

/** The first page that ends at or after the position. */
function findPage(pages: Delivered['pages'], position: string): Delivered['pages'][number] | null {
  let low = 0;
  let high = pages.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pages[middle]!.end < position) low = middle + 1;
    else high = middle;
  }
  return pages[low] ?? null;
}

async function readDeliveries(path: string): Promise<Delivered> {
  const delivered: Delivered = { counts: new Map(), latest: new Map(), pages: [], outOfOrder: 0 };
  if (!existsSync(path)) return delivered;
  let previous = '';
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    const { items, received } = JSON.parse(line) as Delivery;
    for (const [register, uid, updatedAt, digest] of items) {
      const key = `${register} ${uid}`;
      const id = `${key}@${updatedAt}`;
      const position = `${updatedAt} ${key}`;
      if (position <= previous) delivered.outOfOrder += 1;
      previous = position;
      delivered.counts.set(id, (delivered.counts.get(id) ?? 0) + 1);
      delivered.latest.set(key, digest);
    }
    delivered.pages.push({ end: previous, received });
  }
  return delivered;
}

async function listChanges(db: Database): Promise<Change[]> {
  const rows = await db.query<{ key: string; updated_at: string; replaced_at: number | null }>(sql`
    select jurisdiction_code || ' ' || uid as key, ${instantText(sql`updated_at`)} as updated_at,
      (extract(epoch from lead(written_at) over (partition by jurisdiction_code, uid order by updated_at))
        * 1000)::float8 as replaced_at
    from torture.change`);
  return rows.map((row) => ({ key: row.key, updatedAt: row.updated_at, replacedAt: row.replaced_at }));
}

async function readTable(db: Database): Promise<Map<string, string>> {
  const rows = await db.query<{ key: string; detail: string }>(sql`
    select jurisdiction_code || ' ' || uid as key, detail from record`);
  return new Map(rows.map(({ key, detail }) => [key, digestDetail(detail)]));
}

/** What must be nothing, by name. */
export function listLosses(verdict: Verdict): Record<string, number> {
  const { lost, repeated, invented, unequal, wrongDigests } = verdict;
  const { historyLost, historyRepeated, historyInvented, historyWrong } = verdict;
  const { hitsLost, hitsRepeated, hitsInvented, hitsWrong } = verdict;
  const history = { historyLost, historyRepeated, historyInvented, historyWrong };
  const told = { hitsLost, hitsRepeated, hitsInvented, hitsWrong };
  return { lost, repeated, invented, unequal, wrongDigests, ...history, ...told, faults: verdict.faults.length };
}
