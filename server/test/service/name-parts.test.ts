/** A part of a name that the plan leaves to the trigram index never has the index read from end to end [I-12]. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSearch } from '../../src/parse/search.ts';
import { isIndexed } from '../../src/plan/filters.ts';
import { planSearch } from '../../src/plan/search.ts';
import type { Database } from '../../src/store/db.ts';
import { partConditions } from '../../src/store/search-conditions.ts';
import { joinSql, type Statement, sql } from '../../src/store/sql.ts';
import { createTestDatabase } from '../support/database.ts';
import { buildSource } from '../support/source.ts';
import { buildStored, storeRecords } from '../support/stored.ts';

const NAMES = [
  'शुद्ध टेक्सटाइल लिमिटेड',
  'வணிகக் குறி',
  'เครื่องหมายการค้า',
  '商标注册申请',
  'Торговый знак',
  'Café Noir 100%',
  'סימן מסחר רשום',
  'علامة تجارية',
  '상표 등록 출원',
  'a-1 b.2 c_3',
];
const OTHERS = 200;

interface Node {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly Plans?: readonly Node[];
}

function findIndexScan(node: Node): Node | null {
  if (node['Node Type'] === 'Bitmap Index Scan') return node;
  for (const child of node.Plans ?? []) {
    const found = findIndexScan(child);
    if (found !== null) return found;
  }
  return null;
}

async function countFound(db: Database, statement: Statement): Promise<number> {
  const [row] = await db.query<Record<string, string>>(
    sql`explain (analyze, costs off, timing off, summary off, format json) ${statement}`,
    { prepare: false },
  );
  const [explained] = JSON.parse(Object.values(row!)[0]!) as { Plan: Node }[];
  return findIndexScan(explained!.Plan)!['Actual Rows'];
}

test('every part that is left to the trigram index is found by its trigrams, in every script [I-12]', async (t) => {
  const { db } = await createTestDatabase(t);
  const names = [...NAMES, ...Array.from({ length: OTHERS }, (_, index) => `Другое z${index}`)];
  const sources = names.map((name, index) => buildSource({ uid: `U${index}`, owner_names: [name] }));
  await storeRecords(
    db,
    sources.map((source) => buildStored(source, '2026-01-01T00:00:00.000000Z')),
  );
  await db.query(sql`select set_config('enable_seqscan', 'off', false)`, { prepare: false });
  let indexed = 0;
  for (const name of NAMES) {
    const characters = [...name];
    for (let start = 0; start + 3 <= characters.length; start += 1) {
      const part = characters.slice(start, start + 3 + (start % 3)).join('');
      if ([...part.trim()].length < 3) continue;
      const { conditions } = planSearch(parseSearch({ owner_name_contains: part }, 'US'));
      const [condition] = conditions.texts;
      if (!isIndexed(condition!)) continue;
      indexed += 1;
      const found = await countFound(
        db,
        sql`select uid from record where ${joinSql(partConditions([condition!]), ' and ')}`,
      );
      assert.ok(found < OTHERS / 2, `${part}: ${found} rows`);
    }
  }
  assert.ok(indexed > 80, `${indexed} parts are indexed`);
});
