/**
 * The comparison behind docs/decisions/0005: the same queries on the same records through (a) one index per column, (b)
 * coded terms in one intarray index, one statement, (c) coded terms in one core array index, one statement, (d) the
 * same index and paths with bounds. Counted is the processor time of the database for one search, so that a busy
 * machine does not show. `indexes.ts DATA_DIR`, on a folder that `npm run bench -- search` has filled with the peer.
 */
import { readFileSync } from 'node:fs';
import { systemClock } from '../../server/src/base/clock.ts';
import { parseSearch } from '../../server/src/parse/search.ts';
import { arrangePaths, planSearch, type SearchPlan } from '../../server/src/plan/search.ts';
import type { Database } from '../../server/src/store/db.ts';
import { findSearchPage } from '../../server/src/store/search.ts';
import { SEARCH_SESSION_SETTINGS } from '../../server/src/store/search-statements.ts';
import { readTermStatistics } from '../../server/src/store/search-statistics.ts';
import { identifier, joinSql, type Statement, sql } from '../../server/src/store/sql.ts';
import { attachBench, connectBench } from './data.ts';
import { buildPeerStatement } from './peer.ts';
import type { Texts } from './queries.ts';

const QUERIES: Readonly<Record<string, Texts>> = {
  'register, status, class, country, by date': {
    jurisdiction: 'AT',
    status: 'Pending',
    nice_class: '9',
    owner_country: 'JP',
    sort: 'application_date',
  },
  'kind, status, country, newest': { kind_of_mark: 'Collective', status: 'Registered', owner_country: 'DE' },
  'status and class, by date': { status: 'Registered', nice_class: '9', sort: 'application_date' },
  'three classes at once': { nice_class_all: '9,35,42' },
  'any-of lists over four filters': {
    jurisdiction: 'DE,FR,GB,IT',
    status: 'Pending,Registered',
    nice_class: '9,35,42',
    mark_feature: 'Word,Combined',
  },
  'rare kind of mark': { kind_of_mark: 'Guarantee' },
  'part of a mark, three registers, status': {
    jurisdiction: 'US,DE,FR',
    mark_name_contains: 'golden',
    status: 'Registered',
  },
  'rare kind, three classes, by date': {
    kind_of_mark: 'Guarantee',
    nice_class_all: '9,35,42',
    sort: 'application_date',
  },
  'class, filed before 1988, newest': { nice_class: '9', application_date_to: '1987-12-31' },
  'few matches at the far end of the order': {
    status: 'Registered',
    nice_class: '9',
    application_date_to: '1965-12-31',
    sort: 'application_date',
  },
  'old status among the pending, by date': {
    status: 'Pending',
    status_date_to: '2005-12-31',
    sort: 'application_date',
  },
  'one day of publication': { publication_date: '2015-03-15' },
};
const CALLS = 10;

function readCpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** One statement for the planner to choose a way for, with the terms as the index in question is asked for them. */
function oneStatement(plan: SearchPlan, terms: (plan: SearchPlan) => Statement[]): Statement {
  const { conditions, order, sort, limit } = plan;
  const texts = conditions.texts.map(({ column, text }) => sql`${identifier(column)} like ${`%${text}%`}`);
  const intervals = conditions.intervals.flatMap(({ column, from, to }) => [
    ...(from === null ? [] : [sql`${identifier(column)} >= ${from}::date`]),
    ...(to === null ? [] : [sql`${identifier(column)} <= ${to}::date`]),
  ]);
  const direction = order === 'asc' ? sql`asc` : sql`desc`;
  const keys = sql`${identifier(sort)} ${direction}, jurisdiction_code ${direction}, uid ${direction}`;
  const all = [...terms(plan), ...texts, ...intervals, sql`${identifier(sort)} is not null`];
  return sql`select detail from record where ${joinSql(all, ' and ')} order by ${keys} limit ${limit + 1}::int`;
}

const byQueryInt = ({ conditions, covers }: SearchPlan): Statement[] => {
  const sets = [...conditions.allOf.map((term) => [term]), ...conditions.anyOf, ...covers];
  const query = sets.map((set) => `(${set.join('|')})`).join('&');
  return query === '' ? [] : [sql`terms @@ ${query}::query_int`];
};
const byArrays = ({ conditions, covers }: SearchPlan): Statement[] => [
  ...(conditions.allOf.length === 0 ? [] : [sql`terms operator(pg_catalog.@>) ${conditions.allOf}::int[]`]),
  ...[...conditions.anyOf, ...covers].map((set) => sql`terms operator(pg_catalog.&&) ${set}::int[]`),
];

async function measure(db: Database, search: () => Promise<unknown>): Promise<string> {
  const [backend] = await db.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
  try {
    await search();
    const before = readCpuMs(backend!.pid);
    const started = performance.now();
    let calls = 0;
    while (calls < CALLS && performance.now() - started < 20_000) {
      await search();
      calls += 1;
    }
    return ((readCpuMs(backend!.pid) - before) / calls).toFixed(0);
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

const [dataDir = ''] = process.argv.slice(2);
const attached = await attachBench(dataDir);
const plain = await connectBench(attached.url, 1, {}, 10_000);
const bounded = await connectBench(attached.url, 1, SEARCH_SESSION_SETTINGS, 10_000);
const owner = await connectBench(attached.url, 1);

async function runScript(text: string): Promise<void> {
  await owner.session((session) => session.runScript(text));
}

const results: Record<string, Record<string, string>> = {};
async function measureAll(column: string, search: (texts: Texts) => [Database, () => Promise<unknown>]): Promise<void> {
  for (const [name, texts] of Object.entries(QUERIES)) {
    const millis = await measure(...search(texts));
    results[name] = { ...results[name], [column]: millis };
    console.error(column, name, millis);
  }
}
const statistics = await readTermStatistics(owner);
const planOf = (texts: Texts): SearchPlan => arrangePaths(planSearch(parseSearch(texts, null)), statistics);

await measureAll('a: one index per column', (texts) => {
  const { text, values } = buildPeerStatement(texts, 50);
  const statement = { text, values } as unknown as Statement;
  return [plain, () => plain.queryBytes(statement, { prepare: false })];
});
await measureAll('c: array terms, one statement', (texts) => {
  const statement = oneStatement(planOf(texts), byArrays);
  return [plain, () => plain.queryBytes(statement, { prepare: false })];
});
await measureAll('d: array terms, bounded paths', (texts) => {
  const plan = planOf(texts);
  return [bounded, () => findSearchPage(bounded, plan, { clock: systemClock, timeoutMs: 10_000 })];
});
await runScript('create extension if not exists intarray');
await runScript(`create index record_intarray on record using gin (terms gin__int_ops, mark_names gin_trgm_ops,
  owner_names gin_trgm_ops, representative_names gin_trgm_ops)`);
await runScript('analyze record');
await measureAll('b: intarray terms, one statement', (texts) => {
  const statement = oneStatement(planOf(texts), byQueryInt);
  return [plain, () => plain.queryBytes(statement, { prepare: false })];
});
const sizes = await owner.query<{ name: string; mb: number }>(sql`select indexrelid::regclass::text as name,
  round(pg_relation_size(indexrelid) / 1e6)::int4 as mb from pg_index
  where indrelid in ('record'::regclass, 'peer.record'::regclass)`);
await runScript('drop extension intarray cascade');
console.table(results);
console.table(sizes);
await Promise.all([plain.close(), bounded.close(), owner.close()]);
await attached.release();
