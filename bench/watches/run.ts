/**
 * `npm run bench -- watches`: generated records, watches of every kind over them, and publishes that change some of the
 * records; how long matching one publish against all watches takes, hits and progress stored. Writes `watches.md`.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Database } from '../../server/src/database/driver/db.ts';
import { sql } from '../../server/src/database/driver/sql.ts';
import { generateChange } from '../../server/src/generator/change.ts';
import { generateRecords } from '../../server/src/generator/generate.ts';
import type { SampleRecord } from '../../server/src/generator/record.ts';
import { normalizeRecord } from '../../server/src/record/normalize.ts';
import { findProgress, readEvents } from '../../server/src/store/watches/matching.ts';
import { putWatch } from '../../server/src/store/watches/watches.ts';
import { matchEvents, SiftedEvents, WatchedSearches } from '../../server/src/watches/match-events.ts';
import { renderDetail } from '../../server/test/support/stored.ts';
import { countOption, keepResult, type ResultsOptions, recordsOption, resultsOption } from '../options.ts';
import { connectBench, copyRecords, log, SEED, useDatabase } from '../search/data.ts';
import { buildSimilar, buildSubject } from './subjects.ts';

interface WatchesOptions extends ResultsOptions {
  readonly records: number;
  readonly watches: number;
  readonly similar: number;
  readonly changes: number;
  readonly publishes: number;
}

/**
 * On the clock; and of a processor, by this process and by the database, which says more on a machine that is busy with
 * other work.
 */
interface Taken {
  readonly ms: number;
  readonly cpuMs: number;
  readonly databaseMs: number;
}

interface Publish {
  readonly whole: Taken;
  readonly read: Taken;
  readonly sift: Taken;
  readonly search: Taken;
  readonly alike: Taken;
  readonly hits: number;
}

const FIRST_STAMP_MS = Date.UTC(2027, 0, 1);
/** Customers, each with as many watches. */
const CUSTOMERS = 4;

export function registerWatchesBench(program: Command): void {
  program
    .command('watches')
    .description('publishes of generated changes matched against watches of every kind')
    .addOption(recordsOption(100_000))
    .addOption(countOption('--watches <count>', 'watches, of which six of ten are searches', 10_000))
    .addOption(countOption('--similar <count>', 'watches for likeness, in addition', 1_000))
    .addOption(countOption('--changes <count>', 'records that a publish changes', 5_000))
    .addOption(countOption('--publishes <count>', 'publishes to measure, after one that warms up', 7))
    .addOption(resultsOption())
    .action(run);
}

async function run(options: WatchesOptions): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tmds-bench-watches-'));
  try {
    const publishes = await useDatabase(folder, (url) => measure(url, options));
    await keepResult(options.results, 'watches.md', renderTable(options, publishes));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(
  url: string,
  { records, watches, similar, changes, publishes }: WatchesOptions,
): Promise<Publish[]> {
  const db = await connectBench(url, 2);
  try {
    await copyRecords(db, 0, records, false);
    const current = [...generateRecords({ records, seed: SEED, payload: 'none' })];
    await watch(db, current, watches, similar);
    await db.query(sql`vacuum analyze`, { prepare: false });
    const searches = new WatchedSearches(log);
    const measured: Publish[] = [];
    for (let number = 0; number <= publishes; number += 1) {
      await publish(db, current, number, changes);
      measured.push(await matchOne(db, searches));
    }
    return measured.slice(1);
  } finally {
    await db.close();
  }
}

async function watch(db: Database, records: readonly SampleRecord[], watches: number, similar: number): Promise<void> {
  await db.query(sql`update publish_clock set last_stamp = (select max(updated_at) from record)`);
  await db.query(sql`
    update watch_progress set stamp = last_stamp + interval '1 microsecond', complete_through = last_stamp
    from publish_clock`);
  for (let customer = 0; customer < CUSTOMERS; customer += 1) {
    const [row] = await db.query<{ id: string }>(sql`
      insert into customer (customer_id, name, created_at) values (gen_random_uuid(), ${`bench ${customer}`}, now())
      returning customer_id as id`);
    for (let number = customer; number < watches; number += CUSTOMERS) {
      await putWatch(db, row!.id, `w${number}`, { name: `${number}`, subject: buildSubject(records, number) });
    }
    for (let number = customer; number < similar; number += CUSTOMERS) {
      await putWatch(db, row!.id, `s${number}`, { name: `${number}`, subject: buildSimilar(records, number) });
    }
  }
}

/** Changes the records of one stamp, as a publish leaves the tables. */
async function publish(db: Database, current: SampleRecord[], number: number, changes: number): Promise<void> {
  const stamp = `${new Date(FIRST_STAMP_MS + number).toISOString().slice(0, -1)}000Z`;
  const rows = Array.from({ length: Math.min(changes, current.length) }, (_, step) => {
    const at = (number * changes + step * 13) % current.length;
    const changed = generateChange(current[at]!, SEED, number + 1);
    current[at] = changed;
    const record = normalizeRecord({ source_version: null, ...changed } as never);
    const { jurisdiction_code, uid } = record;
    return {
      jurisdiction_code,
      uid,
      detail: renderDetail({ record, updated_at: stamp }, '2026-10-01T00:00:00.000000Z'),
    };
  });
  const listed = sql`json_to_recordset(${JSON.stringify(rows)}::json)
    as row (jurisdiction_code text, uid text, detail text)`;
  await db.transaction(async (tx) => {
    await tx.query(sql`
      insert into record_version (jurisdiction_code, uid, updated_at, replaced_at, cause, mark_variants, detail,
        has_document)
      select jurisdiction_code, uid, updated_at, ${stamp}, 'office', mark_variants, record.detail, false
      from record join (select distinct jurisdiction_code, uid from ${listed}) as row using (jurisdiction_code, uid)`);
    await tx.query(sql`
      update record set updated_at = ${stamp}, detail = row.detail from ${listed}
      where (record.jurisdiction_code, record.uid) = (row.jurisdiction_code, row.uid)`);
    await tx.query(sql`update publish_clock set last_stamp = ${stamp}::timestamptz`);
  });
}

/** The parts are measured in addition to the whole, which repeats them. */
async function matchOne(db: Database, searches: WatchedSearches): Promise<Publish> {
  const from = await findProgress(db);
  const [{ events }, read] = await take(db, () => readEvents(db, from, { events: 5_000, bytes: 1e9 }));
  const [sifted, sift] = await take(db, async () => {
    const made = new SiftedEvents(events);
    made.prepare(searches.listConditions());
    return made;
  });
  const [, search] = await take(db, async () => {
    for (const { conditions } of searches.list()) sifted.find(conditions);
  });
  const [, alike] = await take(db, async () => {
    for (const match of searches.matchMarks(sifted.listMarks())) sifted.findAlike(match);
  });
  const [, whole] = await take(db, async () => {
    while (await matchEvents(db, searches));
  });
  const [{ hits } = { hits: 0 }] = await db.query<{ hits: number }>(sql`
    select sum(hit_count)::float8 as hits from watch_hit, publish_clock where stamp = last_stamp`);
  return { whole, read, sift, search, alike, hits };
}

async function take<Result>(db: Database, work: () => Promise<Result>): Promise<[Result, Taken]> {
  const databaseBefore = await readDatabaseMs(db);
  const startMs = performance.now();
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  const ms = performance.now() - startMs;
  return [result, { ms, cpuMs: (user + system) / 1000, databaseMs: (await readDatabaseMs(db)) - databaseBefore }];
}

/** Time of a processor that the connections of the bench have had in the database, as the scheduler of Linux counts it. */
async function readDatabaseMs(db: Database): Promise<number> {
  const connections = await db.query<{ pid: number }>(sql`
    select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend'`);
  let ns = 0;
  for (const { pid } of connections) {
    // Elsewhere than on Linux, it is not known.
    const text = await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => 'NaN');
    ns += Number(text.split(' ')[0]);
  }
  return ns / 1e6;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;
}

function renderTable({ records, watches, similar, changes }: WatchesOptions, publishes: readonly Publish[]): string {
  const machine = `${cpus().length} × ${cpus()[0]?.model}, ${(totalmem() / 1024 ** 3).toFixed(0)} GB`;
  const count = (amount: number): string => Math.round(amount).toLocaleString('en-US');
  const row = (name: string, part: 'whole' | 'read' | 'sift' | 'search' | 'alike'): string => {
    const values = publishes.map((each) => each[part].ms);
    const cpu = median(publishes.map((each) => each[part].cpuMs));
    const database = median(publishes.map((each) => each[part].databaseMs));
    const cells = [Math.min(...values), median(values), Math.max(...values), cpu, database].map((ms) => ms.toFixed(0));
    return `| ${name} | ${cells.join(' | ')} |`;
  };
  return `# Watches: ${count(watches)} on publishes of ${count(changes)} of ${count(records)} records

${machine}, Node.js ${process.versions.node}, embedded PostgreSQL.
Six of ten watches are searches, two list 100 records each, two list 5 owners each;
${count(similar)} further ones are for names like a mark. ${publishes.length} publishes, each of
which had ${count(median(publishes.map(({ hits }) => hits)))} hits (median).

| ms | fastest | median | slowest | median of the processor, here | and in the database |
|---|---:|---:|---:|---:|---:|
${row('**whole: read, match, store hits and progress**', 'whole')}
${row('of it: read the events from the database', 'read')}
${row('of it: make a segment of their versions', 'sift')}
${row('of it: match the searches', 'search')}
${row('of it: compare the names with the marks', 'alike')}
`;
}
