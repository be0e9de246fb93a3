/**
 * Each statement of a search is executed in one way, whatever the planner believes: without statistics, with those of a
 * small table, and with statistics that are wrong (docs/decisions/0009).
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FilterDate } from '@tmds/contract/enums';
import {
  arrangePaths,
  inOrderOfChanges,
  planLastLeap,
  planLeap,
  planLeapTo,
  type SearchPlan,
} from '../../src/plan/search.ts';
import { codeTerm } from '../../src/record/terms.ts';
import type { Database } from '../../src/store/db.ts';
import {
  countAlongStatement,
  gatherStatement,
  joinedWalkStatement,
  lanesStatement,
  SEARCH_SESSION_SETTINGS,
  walkStatement,
} from '../../src/store/search-statements.ts';
import { type Statement, sql } from '../../src/store/sql.ts';
import { connectTestDatabase, createTestDatabase } from '../support/database.ts';
import { buildPlan, SHAPES } from '../support/search-shapes.ts';
import { buildSource } from '../support/source.ts';
import { buildStored, storeRecords } from '../support/stored.ts';

async function explain(db: Database, statement: Statement): Promise<string> {
  const rows = await db.query<Record<string, string>>(sql`explain (costs off) ${statement}`, { prepare: false });
  return rows.map((row) => Object.values(row)[0]).join('\n');
}

/** Where a walk finds its order, by sort and by whether it is confined to registers. */
function walkIndex({ sort, lanes, after }: SearchPlan): string {
  // Without a date the order is that of the identity, which two indexes give alike.
  if (after?.value === null) return '\\w+';
  const order = sort === 'updated_at' ? 'change' : sort;
  return lanes.length === 0 ? `record_${order}` : `record_register_${order}`;
}

const POSITION = { value: '2024-02-28', jurisdiction_code: 'US', uid: 'U1' };

/** By months, to a date, and over all dates. */
function listLeaps(plan: SearchPlan): SearchPlan[] {
  const sort = plan.sort as FilterDate;
  return [
    planLeap(plan, POSITION, 36)!.plan,
    planLeapTo(plan, sort, null, '2001-05-06', Number.POSITIVE_INFINITY)!.plan,
    planLastLeap(plan, sort, null),
  ];
}

/** The order in which the records that a long walk has found are fetched: by then they are a page. */
const SORT_OF_FOUND = /-> {2}Sort\n.*Disabled: true\n.*Sort Key: .*\n(?=\s+-> {2}Nested Loop\n\s+-> {2}Limit\n)/g;

const LARGE_REGISTERS = new Map(['US', 'EM'].map((code) => [codeTerm('jurisdiction', code)!, 0.5]));

const CODES = ['US', 'EM', 'JP', 'CN', 'DE', 'FR'];

async function checkPlans(db: Database): Promise<void> {
  for (const [name, shape] of Object.entries(SHAPES)) {
    const planned = buildPlan(shape);
    // As it is planned where nothing is known, and where every register is known to be large.
    const broad = arrangePaths(planned, { records: 1_000, shares: LARGE_REGISTERS, rarest: 0.5 });
    for (const [plan, path] of [planned, broad].flatMap((each) => each.paths.map((path) => [each, path] as const))) {
      const { kind, rowsMax } = path;
      if (kind === 'walk') {
        const segment = plan.after?.value === null ? 'valueless' : 'valued';
        const registers = plan.lanes.length === 0 ? [null] : plan.lanes;
        const starts = registers.map((register) => ({ segment, register, after: plan.after }) as const);
        const statements = [
          ...starts.map((start) => walkStatement(plan, start, rowsMax)),
          lanesStatement(plan, starts, rowsMax, 16),
        ];
        if (rowsMax === null && segment === 'valued') statements.push(joinedWalkStatement(plan, starts[0]!));
        for (const statement of statements) {
          const way = await explain(db, statement);
          const scan = new RegExp(`Index (Only )?Scan (Backward )?using ${walkIndex(plan)} on record`);
          assert.match(way, scan, `${name}\n${way}`);
          assert.doesNotMatch(way.replace(SORT_OF_FOUND, ''), /Sort|Seq Scan|Bitmap|Hash|Merge/, `${name}\n${way}`);
          if (/first_signature/.test(statement.text)) {
            assert.match(way, new RegExp(`Index Only Scan (Backward )?using ${walkIndex(plan)} on record`), name);
            assert.match(way, /Index Scan using record_pkey on record/, `${name}\n${way}`);
          }
        }
      } else {
        for (const gathered of kind === 'leap' ? listLeaps(plan) : [plan]) {
          const way = await explain(db, gatherStatement(gathered, path));
          const source =
            kind === 'recent' ? /Index Scan (Backward )?using record_change/ : /Bitmap Index Scan on record_search/;
          assert.match(way, source, `${name}\n${way}`);
          assert.match(way, /Tid Scan on record\n/, `${name}\n${way}`);
          const walks = way.match(/Index (Only )?Scan (Backward )?using record_(?!search)\w+/g) ?? [];
          assert.equal(walks.length, kind === 'recent' ? 1 : 0, `${name}\n${way}`);
          assert.doesNotMatch(way, /Seq Scan|BitmapAnd|BitmapOr|Hash Join|Merge Join/, `${name}\n${way}`);
        }
      }
    }
    for (const plan of [planned, broad]) {
      const way = await explain(db, countAlongStatement(inOrderOfChanges(plan), 20_000));
      const index = plan.lanes.length === 1 ? 'record_register_change' : 'record_change';
      assert.match(way, new RegExp(`Index (Only )?Scan (Backward )?using ${index} on record`), `${name}\n${way}`);
      assert.doesNotMatch(way, /Sort|Seq Scan|Bitmap|Hash|Merge/, `${name}\n${way}`);
    }
  }
}

test('every path is executed in its one way under any statistics [4.3]', async (t) => {
  const { url } = await createTestDatabase(t);
  const db = await connectTestDatabase(url, { poolMax: 1, settings: SEARCH_SESSION_SETTINGS });
  t.after(() => db.close());
  await checkPlans(db);
  const sources = Array.from({ length: 500 }, (_, index) =>
    buildSource({
      uid: `U${index}`,
      jurisdiction_code: CODES[index % CODES.length],
      nice_classes: [9],
      status: 'Pending',
      application_date: '2024-02-28',
    }),
  );
  await storeRecords(
    db,
    sources.map((source) => buildStored(source, '2026-01-01T00:00:00.000000Z')),
  );
  await checkPlans(db);
  // All records but the register agree: by these statistics every filter selects everything, and the table is small.
  await db.query(sql`analyze record`, { prepare: false });
  await checkPlans(db);
  await db.query(sql`
    insert into record (jurisdiction_code, uid, updated_at, first_seen_at, application_date, registration_date,
      content_digest, terms, detail)
    select 'R' || number % 50, number, timestamptz '2026-01-01' + make_interval(secs => number), '2026-01-01',
      date '2000-01-01' + number % 9000, date '2000-01-01' + number % 8000, '', array[number], '{}'
    from generate_series(1, 40000) number`);
  await checkPlans(db);
  await db.query(sql`analyze record`, { prepare: false });
  await checkPlans(db);
});
