/**
 * `npm run bench -- indexes`, the comparison behind docs/decisions/0005: the same queries on the same records through
 * (a) one index per column, (b) coded terms in one intarray index, one statement, (c) coded terms in one core array
 * index, one statement, (d) the same index and paths with bounds. Counted is the processor time of the database for one
 * search, so that a busy machine does not show.
 */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { systemClock } from '../../server/src/base/clock.ts';
import { parseSearch } from '../../server/src/parse/search.ts';
import { arrangePaths, planSearch, type SearchPlan } from '../../server/src/plan/search.ts';
import type { Database } from '../../server/src/store/db.ts';
import { findSearchPage } from '../../server/src/store/search.ts';
import { SEARCH_SESSION_SETTINGS } from '../../server/src/store/search-statements.ts';
import { readTermStatistics } from '../../server/src/store/search-statistics.ts';
import { identifier, joinSql, type Statement, sql } from '../../server/src/store/sql.ts';
import { dataOption, recordsOption } from '../options.ts';
import { connectBench } from '../search/data.ts';
import { useBench } from '../search/load.ts';
import { buildPeerStatement } from '../search/peer.ts';
import type { Texts } from '../search/queries.ts';

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

interface IndexesOptions {
  readonly records: number;
  readonly data?: string;
}

export function registerIndexesBench(program: Command): void {
  program
    .command('indexes')
    .description('processor time of searches through one index per column, and through one of coded terms')
    .addOption(recordsOption(1_000_000))
    .addOption(dataOption('.cache/bench-RECORDS'))
    .action(({ records, data }: IndexesOptions) =>
      useBench(data ?? `.cache/bench-${records}`, { records, withPeer: true }, compareIndexes),
    );
}

/** By query, the milliseconds of each way. */
type Compared = Record<string, Record<string, string>>;

async function compareIndexes(url: string): Promise<void> {
  const plain = await connectBench(url, 1, {}, 10_000);
  const bounded = await connectBench(url, 1, SEARCH_SESSION_SETTINGS, 10_000);
  const results: Compared = {};
  const measureAll = async (
    column: string,
    db: Database,
    search: (texts: Texts) => Promise<unknown>,
  ): Promise<void> => {
    for (const [name, texts] of Object.entries(QUERIES)) {
      const millis = await measure(db, () => search(texts));
      results[name] = { ...results[name], [column]: millis };
      console.error(column, name, millis);
    }
  };
  const runPlain = (statement: Statement): Promise<unknown> => plain.queryBytes(statement, { prepare: false });
  const statistics = await readTermStatistics(plain);
  const planOf = (texts: Texts): SearchPlan => arrangePaths(planSearch(parseSearch(texts, null)), statistics);

  await measureAll('a: one index per column', plain, (texts) => {
    const { text, values } = buildPeerStatement(texts, 50);
    return runPlain({ text, values } as unknown as Statement);
  });
  await measureAll('c: array terms, one statement', plain, (texts) => runPlain(oneStatement(planOf(texts), byArrays)));
  await measureAll('d: array terms, bounded paths', bounded, (texts) =>
    findSearchPage(bounded, planOf(texts), { clock: systemClock, timeoutMs: 10_000 }),
  );
  const sizes = await withIntarray(url, async () => {
    await measureAll('b: intarray terms, one statement', plain, (texts) =>
      runPlain(oneStatement(planOf(texts), byQueryInt)),
    );
    return await plain.query<{ name: string; mb: number }>(sql`select indexrelid::regclass::text as name,
      round(pg_relation_size(indexrelid) / 1e6)::int4 as mb from pg_index
      where indrelid in ('record'::regclass, 'peer.record'::regclass)`);
  });
  console.table(results);
  console.table(sizes);
  await Promise.all([plain.close(), bounded.close()]);
}

/** Does its work while there is an index of that extension too, which would be in the way of the service. */
async function withIntarray<Result>(url: string, work: () => Promise<Result>): Promise<Result> {
  const owner = await connectBench(url, 1);
  const run = (text: string): Promise<void> => owner.session((session) => session.runScript(text));
  try {
    await run('create extension if not exists intarray');
    await run(`create index record_intarray on record using gin (terms gin__int_ops, mark_names gin_trgm_ops,
      owner_names gin_trgm_ops, representative_names gin_trgm_ops)`);
    await run('analyze record');
    return await work();
  } finally {
    await run('drop extension if exists intarray cascade');
    await owner.close();
  }
}
