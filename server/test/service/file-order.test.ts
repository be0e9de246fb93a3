/** Which files of a source came after a later period; the report on a register does not grow with its files. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../src/database/driver/db.ts';
import { type Statement, sql } from '../../src/database/driver/sql.ts';
import { listRegisterFacts } from '../../src/store/records/registers.ts';
import { changeSourceFile, listSourceFiles, noteSeenFiles } from '../../src/store/sync/source-files.ts';
import { createTestDatabase } from '../support/database.ts';
import { buildRandom } from '../torture/random.ts';

const ROUNDS = 120;

interface Loaded {
  readonly name: string;
  readonly revision: number;
  period: string;
  readonly at: number;
}

/** By name and revision, what the last file of each period came after, if that is a later period. */
function judge(files: readonly Loaded[]): Record<string, string> {
  const last = new Map<string, Loaded>();
  for (const file of files) last.set(file.period, file);
  const late: Record<string, string> = {};
  for (const file of last.values()) {
    const before = [...last.values()].filter((other) => other.at < file.at).map(({ period }) => period);
    const newest = before.sort().at(-1) ?? '';
    if (newest > file.period) late[`${file.name} ${file.revision}`] = newest;
  }
  return late;
}

test('after every load the files that came after a later period equal a reference', async (t) => {
  const { db } = await createTestDatabase(t);
  const random = buildRandom(1);
  const loaded: Loaded[] = [];
  const periodOf = new Map<string, string>();
  let disorders = 0;
  for (let at = 1; at <= ROUNDS; at += 1) {
    const name = `f${random.integer(1, 12)}`;
    // Now and then the declaration reads another period from a name.
    if (!periodOf.has(name) || random.chance(0.05)) periodOf.set(name, `2026-11-${random.integer(10, 19)}`);
    const period = periodOf.get(name)!;
    await noteSeenFiles(db, 's', [{ name, period, fingerprint: `${at}` }], at);
    for (const file of loaded) if (file.name === name) file.period = period;
    const file = (await listSourceFiles(db, 's')).find((each) => each.name === name)!;
    assert.ok(await changeSourceFile(db, file, { state: 'loaded' }, at));
    loaded.push({ name, revision: file.revision, period, at });
    const rows = await db.query<{ file: string; after: string }>(sql`
      select name || ' ' || revision as file, came_after as after from source_file where came_after is not null`);
    const noted = Object.fromEntries(rows.map(({ file: id, after }) => [id, after]));
    assert.deepEqual(noted, judge(loaded), `load ${at}`);
    disorders += rows.length;
  }
  assert.ok(disorders > ROUNDS, `${disorders}`);
});

/** `count` daily files of each of four sources that feed seven registers each, every hundredth left out. */
async function storeFiles(db: Database, count: number): Promise<void> {
  await db.query(sql`
    insert into register (jurisdiction_code, record_count)
    select 'X' || chr(65 + n), 1000 from generate_series(0, 25) as n`);
  const file = sql`generate_series(0, 3) as s, generate_series(1, ${count}::int) as n`;
  const load = sql`md5(s || '-' || n)::uuid`;
  const day = sql`'2004-01-01'::timestamptz + n * interval '1 day'`;
  await db.query(sql`
    insert into load (load_id, format, source, state, started_at, finished_at)
    select ${load}, 'ndjson', 'x', 'finished', ${day}, ${day} from ${file}`);
  await db.query(sql`
    insert into source_file (source, name, revision, period, fingerprint, state, load_id, seen_at, ended_at)
    select 's' || s, 'f' || n, 1, to_char(${day}, 'YYYY-MM-DD'), 'x',
      case when n % 100 = 0 then 'skipped' else 'loaded' end, case when n % 100 > 0 then ${load} end, ${day}, ${day}
    from ${file}`);
  await db.query(sql`
    insert into register_load (jurisdiction_code, load_id, read_count, flagged_count, source)
    select 'X' || chr(65 + (s * 7 + n % 7) % 26), ${load}, 10, 0, 's' || s from ${file} where n % 100 > 0`);
  await db.query(sql`vacuum analyze source_file, register_load, load, register`, { prepare: false });
}

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

function countScanned(node: PlanNode): number {
  const rows = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  const own = node['Relation Name'] === undefined ? 0 : rows;
  return (node.Plans ?? []).reduce((sum, each) => sum + countScanned(each), own);
}

/** How many rows of tables are read for the report on every register. */
async function countRead(db: Database): Promise<number> {
  let scanned = 0;
  const counting: Database = {
    ...db,
    query: async <Row>(statement: Statement) => {
      const [row] = await db.query<Record<string, string>>(sql`explain (analyze, format json) ${statement}`, {
        prepare: false,
      });
      const [{ Plan: plan }] = JSON.parse(Object.values(row!)[0]!) as [{ Plan: PlanNode }];
      scanned += countScanned(plan);
      return await db.query<Row>(statement);
    },
  };
  const facts = await listRegisterFacts(counting, { register: null, nowMs: 0 });
  assert.deepEqual([facts.length, facts.flatMap(({ series }) => series).length > 26], [26, true]);
  return scanned;
}

test('the report on all registers reads what is missing, and not the files that are loaded', async (t) => {
  const { db } = await createTestDatabase(t);
  const files = 3_000;
  await storeFiles(db, files);
  const skipped = (4 * files) / 100;
  const read = await countRead(db);
  assert.ok(read < 4 * skipped, `${read} rows of ${4 * files} files`);
});
